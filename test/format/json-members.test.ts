import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Members } from '../../src/format/json-members.js';

const members = (json: string) => new Members(JSON.parse(json));

for (const [json, name] of [
  ['[]', 'a list'],
  ['"x"', 'a string'],
  ['7', 'the number 7'],
  ['true', 'true'],
] as const)
  test(`${json} is not an object, and is called ${name}`, () =>
    assert.throws(() => members(json), { name: 'TypeError', message: `${name} is not an object` }));

test('null and absence are the empty value of every type', () => {
  for (const m of [members('null'), members('{}'), members('{"x":null}')]) {
    assert.equal(m.value('x') ?? undefined, undefined);
    assert.deepEqual([m.text('x'), m.texts('x'), m.integer('x'), m.natural('x')], ['', [], 0, 0]);
    assert.deepEqual(
      [m.boolean('x'), m.object('x', String), m.objects('x', String)],
      [undefined, undefined, []],
    );
  }
});

test('only own members count', () => {
  const m = members('{}');
  assert.deepEqual([m.text('constructor'), m.text('__proto__'), m.value('toString')], ['', '', undefined]);
  assert.equal(members('{"__proto__":"x"}').text('__proto__'), 'x');
});

for (const [json, read, message] of [
  ['{"x":1}', (m: Members) => m.text('x'), 'x is the number 1, not a string'],
  ['{"x":"y"}', (m: Members) => m.texts('x'), 'x is a string, not a list'],
  ['{"x":["y",1]}', (m: Members) => m.texts('x'), 'x holds the number 1, not a string'],
  ['{"x":1.5}', (m: Members) => m.integer('x'), 'x is the number 1.5, not a whole number'],
  ['{"x":"1"}', (m: Members) => m.integer('x'), 'x is a string, not a whole number'],
  ['{"x":1e400}', (m: Members) => m.integer('x'), 'x is the number Infinity, not a whole number'],
  [
    '{"x":-9.3e18}',
    (m: Members) => m.integer('x'),
    'x is the number -9300000000000000000, not a whole number',
  ],
  ['{"x":-1}', (m: Members) => m.natural('x'), 'x is the number -1, not a whole number from 0'],
  [
    '{"x":1.9e19}',
    (m: Members) => m.natural('x'),
    'x is the number 19000000000000000000, not a whole number from 0',
  ],
  ['{"x":0}', (m: Members) => m.boolean('x'), 'x is the number 0, not true or false'],
  ['{"x":{}}', (m: Members) => m.objects('x', String), 'x is an object, not a list'],
  ['{"x":[1]}', (m: Members) => m.objects('x', String), 'the number 1 is not an object'],
  ['{"x":[]}', (m: Members) => m.object('x', String), 'a list is not an object'],
] as const)
  test(`${json}: ${message}`, () => assert.throws(() => read(members(json)), { name: 'TypeError', message }));

test('whole numbers reach over 2^53, within 64 bit', () => {
  assert.equal(members('{"x":9007199254740994}').natural('x'), 2 ** 53 + 2);
  assert.equal(members('{"x":-9223372036854775808}').integer('x'), -(2 ** 63));
  assert.equal(members('{"x":18446744073709549568}').natural('x'), 2 ** 64 - 2048);
});
