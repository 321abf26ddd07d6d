import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Flag, HelpWanted, parseArguments } from '../../src/cli/arguments.js';

const FLAGS: readonly Flag[] = [
  { name: 'config', kind: 'text', value: 'FILE', summary: '' },
  { name: 'once', kind: 'switch', summary: '' },
  { name: 'jobs', kind: 'count', value: 'N', summary: '' },
  { name: 'previous', kind: 'list', value: 'FILE', summary: '' },
];

const parse = (...argv: string[]) => parseArguments(argv, FLAGS);

for (const argv of [
  ['--config', 'f', 's1'],
  ['-config', 'f', 's1'],
  ['--config=f', 's1'],
  ['-config=f', 's1'],
  ['s1', '--config', 'f'],
  ['s1', '-config=f'],
])
  test(`${argv.join(' ')} gives the flag and the argument`, () => {
    const parsed = parse(...argv);
    assert.equal(parsed.text('config'), 'f');
    assert.deepEqual(parsed.args, ['s1']);
  });

for (const [argv, once] of [
  [[], false],
  [['-once'], true],
  [['--once=true'], true],
  [['-once=false'], false],
  [['--once=0'], false],
  [['-once', '-once=F'], false],
] as const)
  test(`once is ${once} for ${argv.join(' ') || 'nothing'}`, () =>
    assert.equal(parse(...argv).switch('once'), once));

test('a switch takes no word after it', () => {
  assert.deepEqual(parse('--once', 'false').args, ['false']);
});

test('a value is taken whatever it looks like, and may hold "=" and line breaks', () => {
  assert.equal(parse('--config', '--once').text('config'), '--once');
  assert.equal(parse('--config=a=b\nc').text('config'), 'a=b\nc');
  assert.equal(parse('--config=').text('config'), '');
});

test('a lone -- ends the flags; a lone dash and a number are arguments', () => {
  const parsed = parse('-', '-5', '--', '--once', '--');
  assert.deepEqual(parsed.args, ['-', '-5', '--once', '--']);
  assert.equal(parsed.switch('once'), false);
});

test('the last value of a text counts, every value of a list', () => {
  const parsed = parse('--config', 'a', '--config', 'b', '--previous', '1', 'x', '--previous=2');
  assert.equal(parsed.text('config'), 'b');
  assert.deepEqual(parsed.list('previous'), ['1', '2']);
  assert.deepEqual(parse().list('previous'), []);
});

test('a count is a whole number from 1', () => {
  assert.equal(parse('--jobs', '4').count('jobs'), 4);
  assert.equal(parse().count('jobs'), undefined);
  for (const value of ['0', '-1', '1.5', 'x', '', '99999999999999999999'])
    assert.throws(() => parse('--jobs', value), {
      code: 'USAGE',
      exitCode: 2,
      message: /whole number from 1/,
    });
});

for (const [argv, message] of [
  [['--other'], 'unknown flag --other'],
  [['-other=5'], 'unknown flag -other'],
  [['--constructor'], 'unknown flag --constructor'],
  [['--config'], '--config needs a value: --config FILE'],
  [['--once=maybe'], '--once=maybe: want true or false'],
] as const)
  test(`${argv.join(' ')} is misuse`, () => assert.throws(() => parse(...argv), { code: 'USAGE', message }));

for (const word of ['-h', '--help', '-help'])
  test(`${word} asks for help`, () => assert.throws(() => parse('s1', word), HelpWanted));
