import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clockText,
  durationText,
  jsonText,
  padded,
  printable,
  printableLines,
  shortened,
  sizeText,
  tableLines,
} from '../../src/cli/print.js';

for (const [ms, text] of [
  [0, '0s'],
  [0.4, '0s'],
  [345, '345ms'],
  [2400, '2.4s'],
  [62_345, '1m2.345s'],
  [60_000, '1m0s'],
  [600_000, '10m0s'],
  [259_200_000, '72h0m0s'],
  [3_600_050, '1h0m0.05s'],
  [999.6, '1s'],
  [-1500, '-1.5s'],
] as const)
  test(`${ms} ms are ${text}`, () => assert.equal(durationText(ms), text));

test('a clock is local', () => {
  assert.equal(clockText(new Date(2026, 2, 1, 9, 5, 7)), '09:05:07');
});

test('a shortened text counts characters', () => {
  assert.equal(shortened('', 5), '-');
  assert.equal(shortened('abcde', 5), 'abcde');
  assert.equal(shortened('abcdef', 5), 'abcd…');
  assert.equal(shortened('😀😀😀😀😀', 5), '😀😀😀😀😀');
  assert.equal(shortened('😀😀😀😀😀😀', 5), '😀😀😀😀…');
});

test('columns are as wide as their widest cell and two spaces; the last cell is not padded', () => {
  assert.deepEqual(tableLines([['SESSION', 'N'], ['é😀', '10'], ['a much longer one', ''], ['short']]), [
    'SESSION            N',
    'é😀                 10',
    'a much longer one  ',
    'short',
  ]);
  assert.deepEqual(tableLines([]), []);
  assert.equal(padded('é', 3), 'é  ');
  assert.equal(padded('long', 3), 'long');
});

test('nothing from data steers a terminal', () => {
  assert.equal(printable('\x1b[2J\x07\r\n\t\0\x7f'), '␛[2J␇␍␊␉␀␡');
  assert.equal(printable('\x9b2J\u202eabc\u2066\u200f\u2028'), '�2J�abc���');
  assert.equal(printable('a\ud800b'), 'a�b');
  assert.equal(printable('é…😀 plain'), 'é…😀 plain');
  assert.equal(printableLines('a\n\x1bb\n'), 'a\n␛b\n');
  assert.deepEqual(tableLines([['\x1b[31m', 'x']]), ['␛[31m  x']);
});

test('JSON says the same value without characters that steer', () => {
  const value = { a: '\x9b2J\u202e\x7f\x1b\u2028é😀', '\x85': [1] };
  const text = jsonText(value);
  assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]/);
  assert.deepEqual(JSON.parse(text), value);
  assert.match(text, /^\{\n {2}"a"/);
});

for (const [bytes, text] of [
  [0, '0B'],
  [1023, '1023B'],
  [1024, '1.0KB'],
  [1536, '1.5KB'],
  [1024 ** 2 - 1, '1024.0KB'],
  [42.1 * 1024 ** 2, '42.1MB'],
  [1024 ** 3, '1.0GB'],
  [1024 ** 5, '1024.0TB'],
] as const)
  test(`${bytes} bytes are ${text}`, () => assert.equal(sizeText(bytes), text));
