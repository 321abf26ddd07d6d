import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortIds } from '../../src/format/id-order.js';
import {
  compareCodePoints,
  escapeForHtml,
  jsonString,
  jsonStringForHtml,
  parseJson,
} from '../../src/format/json-text.js';
import { randomFrom, SEED } from '../random.js';

const spellings: ReadonlyArray<readonly [text: string, sd: string, sf: string]> = [
  ['plain', '"plain"', '"plain"'],
  ['', '""', '""'],
  ['"\\/', '"\\"\\\\/"', '"\\"\\\\/"'],
  ['\b\f\n\r\t', '"\\b\\f\\n\\r\\t"', '"\\b\\f\\n\\r\\t"'],
  ['\u0000\u001f\u007f', '"\\u0000\\u001f\u007f"', '"\\u0000\\u001f\u007f"'],
  ['<a> & b', '"<a> & b"', '"\\u003ca\\u003e \\u0026 b"'],
  ['\u2028\u2029', '"\\u2028\\u2029"', '"\\u2028\\u2029"'],
  ['é 😀', '"é 😀"', '"é 😀"'],
  ['\ud800x', '"\ufffdx"', '"\ufffdx"'],
  ['x\udc00\ud800', '"x\ufffd\ufffd"', '"x\ufffd\ufffd"'],
  ['\\u003c', '"\\\\u003c"', '"\\\\u003c"'],
];
for (const [text, sd, sf] of spellings)
  test(`${JSON.stringify(text)} is spelled ${sd} in sd/1 and ${sf} in sf/1`, () => {
    assert.equal(jsonString(text), sd);
    assert.equal(jsonStringForHtml(text), sf);
    if (text.isWellFormed()) assert.equal(JSON.parse(sf), text);
  });

test('the five escapes reach keys as well as values', () =>
  assert.equal(escapeForHtml('{"<":">&\u2028\u2029"}'), '{"\\u003c":"\\u003e\\u0026\\u2028\\u2029"}'));

test('random strings: the order by code point is the order of their UTF-8 bytes', () => {
  const random = randomFrom();
  const characters = [
    'a',
    'b',
    '/',
    'é',
    '\u07ff',
    '\u0800',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '😀',
    '\u{10ffff}',
    '\u{10000}',
  ];
  const word = () => Array.from({ length: random(5) }, () => random.pick(characters)).join('');
  for (let i = 0; i < 5000; i++) {
    const [a, b] = [word(), word()];
    const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
    assert.equal(Math.sign(compareCodePoints(a, b)), bytes, `seed ${SEED}: ${JSON.stringify([a, b])}`);
  }
  for (let i = 0; i < 300; i++) {
    const words = Array.from({ length: 12 }, word);
    assert.deepEqual(
      sortIds([...words]),
      words.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      `seed ${SEED}`,
    );
  }
});

test('what is no JSON is told without quoting it', () => {
  const before = '{"text":"xyzzy xyzzy","a":';
  for (const wrong of [
    '',
    'xyzzy}',
    '"xyzzy',
    'x',
    '"\\q"',
    '"\t"',
    '1 xyzzy}',
    '[xyzzy]}',
    '{xyzzy',
    '01}',
    '1}xyzzy',
    '-x',
  ])
    assert.throws(
      () => parseJson(before + wrong),
      ({ name, message }: Error) =>
        name === 'SyntaxError' && / JSON/.test(message) && !/x(y|'|")/.test(message),
      wrong,
    );
  assert.throws(() => parseJson(`${before}"`), { message: 'Unterminated string in JSON at position 27' });
  assert.deepEqual(parseJson('{"a":[1]}'), { a: [1] });
});
