import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StringTable } from '../../src/format/string-table.js';
import { randomFrom, SEED } from '../random.js';

test('the empty string is 0, a new one takes the next number, and case counts', () => {
  const table = new StringTable();
  assert.deepEqual(
    ['', 'b', 'a', 'B', 'b', ''].map((text) => table.intern(text)),
    [0, 1, 2, 3, 1, 0],
  );
  assert.deepEqual(
    [0, 1, 2, 3].map((number) => table.at(number)),
    ['', 'b', 'a', 'B'],
  );
  assert.equal(table.size, 3);
});

test('finding never adds', () => {
  const table = new StringTable();
  assert.equal(table.find('a'), 0);
  assert.equal(table.size, 0);
});

test('ill-formed text is its U+FFFD form', () => {
  const table = new StringTable();
  const number = table.intern('\ud800');
  assert.equal(table.at(number), '\ufffd');
  assert.equal(table.intern('\ufffd'), number);
  assert.equal(table.intern('\ud800'), number);
  assert.equal(table.size, 1);
});

test('a number past the last is refused', () => assert.throws(() => new StringTable().at(1), RangeError));

test('random words: a table over bytes, interned into further, is a Map', () => {
  const random = randomFrom();
  const letters = ['a', 'b', 'é', '😀', '__proto__', '/'];
  const word = () => Array.from({ length: random(4) }, () => random.pick(letters)).join('');
  let table = new StringTable();
  const model = new Map<string, number>([['', 0]]);
  for (let i = 0; i < 4000; i++) {
    const text = word();
    const what = `seed ${SEED}, step ${i}, ${text}`;
    if (random(3) === 0) assert.equal(table.find(text), model.get(text) ?? 0, what);
    else {
      if (!model.has(text)) model.set(text, model.size);
      assert.equal(table.intern(text), model.get(text), what);
    }
    assert.equal(table.size, model.size - 1, what);
    if (random(200) === 0) {
      const { bytes, lengths } = table.encode();
      table = new StringTable(bytes, lengths);
    }
  }
  for (const [text, number] of model) assert.equal(table.at(number), text, `seed ${SEED}`);
});
