import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Column, heldColumn, storedColumn, typeOfWidth } from '../../src/format/column.js';
import { randomFrom, SEED } from '../random.js';

function back(column: Column): Column {
  return heldColumn(storedColumn(column), column.length);
}

for (const [greatest, width] of [
  [0, 1],
  [255, 1],
  [256, 2],
  [65_535, 2],
  [65_536, 4],
  [2 ** 32 - 1, 4],
  [2 ** 32, 8],
  [Number.MAX_SAFE_INTEGER, 8],
  [-1, 8],
] as const)
  test(`values up to ${greatest} take ${width} bytes each`, () => {
    const column = Float64Array.from({ length: 9 }, () => greatest);
    const held = back(column);
    assert.equal(held.BYTES_PER_ELEMENT, width);
    assert.deepEqual([...held], [...column]);
  });

test('a column that is mostly empty stores its few values and where they stand', () => {
  const column = new Uint32Array(100);
  column[3] = 7;
  column[99] = 300;
  const { places, values } = storedColumn(column);
  assert.deepEqual([[...places!], [...values], values.BYTES_PER_ELEMENT], [[3, 99], [7, 300], 2]);
  assert.deepEqual([...heldColumn({ places: places!, values }, 100)], [...column]);
});

test('a column stores no more bytes than its rows need, empty or full', () => {
  for (const column of [new Uint32Array(0), new Uint32Array(1), new Uint32Array(64).fill(9)])
    assert.deepEqual([...back(column)], [...column]);
  assert.equal(storedColumn(new Uint32Array(64)).values.length, 0);
  assert.equal(storedColumn(new Uint32Array(64).fill(9)).places, undefined);
});

test('what is stored is not the column itself', () => {
  const column = Uint8Array.of(1, 2, 3);
  const { values } = storedColumn(column);
  column[0] = 9;
  assert.deepEqual([...values], [1, 2, 3]);
});

test('random columns come back', () => {
  const random = randomFrom();
  for (let run = 0; run < 500; run++) {
    const bits = random.pick([1, 7, 8, 9, 16, 17, 32, 40, 53]);
    const filling = random(11);
    const column = Float64Array.from({ length: random(60) }, () =>
      random(10) < filling ? random(2 ** bits) * random.pick([1, 1, 1, 1, 1, -1]) + 0 : 0,
    );
    assert.deepEqual(
      [...back(column)].map(Number),
      [...column].map((n) => n + 0),
      `seed ${SEED}, run ${run}`,
    );
  }
});

test('only the widths that are written have a type', () =>
  assert.deepEqual(
    [0, 1, 2, 3, 4, 8, 16].map((width) => typeOfWidth(width)?.name),
    [undefined, 'Uint8Array', 'Uint16Array', undefined, 'Uint32Array', 'Float64Array', undefined],
  ));
