/** The document as text for people: indented JSON, and YAML that reads back as the same value. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { parse } from 'yaml';
import { indented } from '../../src/view/indented.js';
import { jsonTokens, YamlPrinter } from '../../src/view/yaml.js';
import { oneLine, yamlScalar } from '../../src/view/yaml-scalar.js';
import { randomFrom, SEED } from '../random.js';
import { needsShared, sharedData } from '../shared.js';

/** Cuts text into pieces of some bytes each, in the middle of characters too. */
function* cut(json: string, bytes: number): Generator<Buffer> {
  const all = Buffer.from(json);
  for (let from = 0; from < all.length; from += bytes) yield all.subarray(from, from + bytes);
}

function indentedText(json: string, bytes = 7): string {
  return Buffer.concat([...indented(cut(json, bytes))]).toString();
}

function yamlText(json: string, bytes = 7): Promise<string> {
  return text(Readable.from(cut(json, bytes)).pipe(jsonTokens()).pipe(new YamlPrinter()));
}

const VALUES: readonly unknown[] = [
  {},
  [],
  { a: {}, b: [], c: [[], [{}], [[1, 2], 'x']], d: { e: { f: null } } },
  [{ a: 1, b: [{ c: true }] }, 'text', -0.5, 1e21, [['deep', { k: 'v' }]]],
  { 'a "quote" \\ {[,:': 'and { [ , : ] } " \\' },
];

test('indented JSON is what JSON.stringify makes', () => {
  for (const value of VALUES)
    for (const bytes of [1, 3, 1000])
      assert.equal(indentedText(JSON.stringify(value), bytes), JSON.stringify(value, null, 2));
});

test('indented JSON keeps how numbers and members are spelled', () => {
  assert.equal(indentedText('{"n":1.0,"10":1E+03,"9":9}'), '{\n  "n": 1.0,\n  "10": 1E+03,\n  "9": 9\n}');
});

test('YAML reads back as the same value', async () => {
  for (const value of VALUES) {
    const yaml = await yamlText(JSON.stringify(value));
    assert.deepEqual(parse(yaml), value, yaml);
  }
});

test('YAML looks as the reference prints it', async () => {
  const value = {
    version: '1.0',
    summary: { title: 'a: b', problems: [], kinds: {} },
    rounds: [{ round: 1, previous: null, refs: [{ seq: 1, row: 2 }] }],
    nested: [['x', 'w'], ['z']],
    text: 'one\ntwo\n',
  };
  assert.equal(
    await yamlText(JSON.stringify(value)),
    `version: "1.0"
summary:
    title: 'a: b'
    problems: []
    kinds: {}
rounds:
    - round: 1
      previous: null
      refs:
        - seq: 1
          row: 2
nested:
    - - x
      - w
    - - z
text: |
    one
    two
`,
  );
});

test('a scalar is plain, quoted or a block', () => {
  const plain = [
    'word',
    'two words',
    'a:b',
    'a#b',
    'k/v',
    '-x',
    'é — 😀',
    'x: '.trim().slice(0, 1),
    '2 cats',
  ];
  for (const text of plain) assert.equal(oneLine(text), text);
  for (const text of [
    'true',
    'No',
    'null',
    '~',
    '12',
    '1.5',
    '0x1f',
    '1e3',
    '1:30',
    '2026-01-02',
    '2026-01-02T03:04:05Z',
    '',
    '.inf',
    '1_000',
    '<<',
  ])
    assert.equal(oneLine(text), JSON.stringify(text));
  for (const text of [
    '{a',
    '[a',
    '&a',
    '*a',
    '!a',
    '|',
    '> a',
    '%a',
    '@a',
    '`a',
    'a: b',
    'a #b',
    ' a',
    'a ',
    '- a',
    '? a',
    ': a',
    '#a',
    'a:',
    '---',
    ', a',
    "'a",
  ])
    assert.equal(oneLine(text), `'${text.replaceAll("'", "''")}'`);
  assert.equal(oneLine('a\tb'), '"a\\tb"');
  assert.equal(oneLine('a\u0085b\u202eb\ufeff'), '"a\\u0085b\\u202eb\\ufeff"');
  assert.deepEqual(yamlScalar('a\nb'), { first: '|-', lines: ['a', 'b'] });
  assert.deepEqual(yamlScalar('a\nb\n'), { first: '|', lines: ['a', 'b'] });
  assert.deepEqual(yamlScalar('a\n\n'), { first: '|+', lines: ['a', ''] });
  for (const text of ['a \nb', ' a\nb', '\na', 'a\n\tb', 'a\r\nb', 'a\nb '])
    assert.deepEqual(yamlScalar(text), { first: JSON.stringify(text), lines: [] });
});

test('any text reads back, by readers of YAML 1.1 and 1.2, as value and as key', async () => {
  const random = randomFrom(SEED);
  const letters = [
    'a',
    'b',
    ' ',
    '\n',
    '\t',
    ':',
    '#',
    '-',
    '"',
    "'",
    '\\',
    '{',
    ']',
    '|',
    '1',
    '.',
    'é',
    '😀',
    '\u0000',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\r',
    '~',
    '?',
    '!',
    '%',
    '&',
    'e',
  ];
  for (let round = 0; round < 300; round++) {
    const words = Array.from({ length: 8 }, () =>
      Array.from({ length: random(9) }, () => random.pick(letters)).join(''),
    );
    const value = { list: words, mapping: Object.fromEntries(words.map((word, i) => [`${word}${i}`, word])) };
    const yaml = await yamlText(JSON.stringify(value), 64);
    for (const version of ['1.1', '1.2'] as const) assert.deepEqual(parse(yaml, { version }), value, yaml);
  }
});

test('a key longer than a reader looks ahead is marked as a key', async () => {
  const value = { a: { ['k'.repeat(3000)]: { b: 1 }, c: 'x' } };
  assert.deepEqual(parse(await yamlText(JSON.stringify(value))), value);
});

test('the YAML of every vector document reads back as the document', needsShared, async () => {
  const folder = join(sharedData()!, 'vectors');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.view.json'),
  );
  assert.equal(names.length, 28);
  for (const name of names) {
    const value = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    assert.deepEqual(parse(await yamlText(JSON.stringify(value), 4096)), value, name);
  }
});
