/** The strip of segments above the lanes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellsIn, segmentCells } from '../../../src/page/model/segment-cells.js';
import { timeAxis } from '../../../src/page/model/time-axis.js';

const T = 1_772_442_842_310;
/** 1280 px for 12,800 ms. */
const axis = timeAxis([T, T + 12_800], 1280, new Set());
const segment = (from: number, to: number) => ({
  id: `segment/${from}`,
  talks: 1,
  from: T + from,
  to: T + to,
});
const rows = (segments: Parameters<typeof segmentCells>[0]) =>
  segmentCells(segments, axis).map((row) =>
    row.map(({ left, width, segments }) => [Math.round(left), Math.round(width), segments.length]),
  );

test('one cell for each segment, from its beginning to its end, at least 12 px', () => {
  assert.deepEqual(rows([segment(5000, 5001), segment(0, 2000)]), [
    [
      [0, 200, 1],
      [500, 12, 1],
    ],
  ]);
});

test('overlapping windows stand in rows, and share a cell when no row is free', () => {
  assert.deepEqual(rows([segment(0, 1000), segment(100, 900), segment(200, 300), segment(250, 2000)]), [
    [[0, 100, 1]],
    [[10, 80, 1]],
    [[20, 180, 2]],
  ]);
});

test('what is outside the stream, or has no time, has no cell; what reaches over its ends is cut there', () => {
  const untimed = { id: 'segment/0', talks: 0, from: 0, to: 0 };
  assert.deepEqual(rows([untimed, segment(-9000, -1), segment(12_801, 13_000)]), []);
  assert.deepEqual(rows([segment(-1e9, 1e9)]), [[[0, 1280, 1]]]);
  assert.deepEqual(segmentCells([segment(0, 1)], timeAxis([], 1280, new Set())), []);
});

test('very many segments are as many cells as there is room for', () => {
  const cells = segmentCells(
    Array.from({ length: 100_000 }, (_, i) => segment(i % 7, 12_000)),
    axis,
  );
  assert.equal(cells.flat().length, 3);
});

test('cells in a window are those that reach into it', () => {
  const [row] = segmentCells(
    Array.from({ length: 60 }, (_, i) => segment(i * 200, i * 200 + 150)),
    axis,
  );
  for (const [from, to] of [
    [0, 0],
    [300, 340],
    [-5, 21],
    [5000, 6000],
  ] as const) {
    for (const cell of row!) {
      const reaches = cell.left <= to && cell.left + cell.width > from;
      if (reaches) assert.ok(cellsIn(row!, from, to).includes(cell));
    }
    assert.ok(cellsIn(row!, from, to).length <= (to - from) / 20 + 2);
  }
});
