/** The context fill as a drawing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ViewNode } from '../../../src/format/view-document.js';
import { contextFill } from '../../../src/page/model/context-fill.js';
import { fillCurve } from '../../../src/page/model/fill-curve.js';
import { momentsOf } from '../../../src/page/model/moments.js';
import { timeAxis } from '../../../src/page/model/time-axis.js';
import { step } from './made-document.js';

const T = 1_772_442_842_310;
const call = (behind: number, fill: number) => step('llm.call', T + behind, { usage: { in: fill } });

/** On 1000 px for as many ms, 100 px high. */
function drawn(steps: readonly ViewNode[], width = 1000) {
  const moments = momentsOf(steps);
  const axis = timeAxis([T, T + 1000], 1000, new Set());
  const fill = contextFill(moments);
  return { fill, curve: fillCurve(fill, axis, width, 100) };
}

test('a fill stands as high as it is of the top, a round number not below the peak', () => {
  const { curve } = drawn([call(0, 1000), call(500, 2000)]);
  assert.equal(curve.top, 2000);
  assert.deepEqual(curve.lines, [
    {
      points: [
        { x: 0, y: 50 },
        { x: 500, y: 0 },
      ],
      until: 1000,
    },
  ]);
  for (const [peak, top] of [
    [1, 1000],
    [2001, 2500],
    [180_000, 200_000],
    [999_999, 1_000_000],
  ] as const)
    assert.equal(drawn([call(0, peak)]).curve.top, top);
});

test('each epoch is a line until its reset, on an axis that is squeezed to the width', () => {
  const { curve } = drawn([call(100, 9), step('epoch.boundary', T + 300), call(400, 9)], 500);
  assert.deepEqual(
    curve.lines.map(({ points, until }) => [points.map(({ x }) => x), until]),
    [
      [[50], 150],
      [[200], 500],
    ],
  );
  assert.deepEqual(curve.resets, [150]);
});

test('fifty thousand calls are no more points than twice the pixels, the peak and the last among them', () => {
  const calls = Array.from({ length: 50_000 }, (_, i) => call(i / 50, i === 777 ? 5000 : 1000));
  const { curve, fill } = drawn(calls);
  const [{ points }] = curve.lines as [(typeof curve.lines)[number]];
  assert.ok(points.length <= 2001);
  assert.ok(points.some(({ x, y }) => x === curve.placeOf(fill.peak!).x && y === 0));
  assert.deepEqual(points.at(-1), curve.placeOf(fill.points.at(-1)!));
});

test('the nearest call is found by its place, and none where none is', () => {
  const { curve, fill } = drawn([call(0, 1), call(600, 1), call(1000, 1)]);
  assert.equal(curve.nearest(299), fill.points[0]);
  assert.equal(curve.nearest(301), fill.points[1]);
  assert.equal(curve.nearest(9999), fill.points[2]);
  assert.equal(drawn([]).curve.nearest(5), undefined);
});

test('no call, or calls of nothing, make no number that is none', () => {
  assert.deepEqual(drawn([]).curve.lines, []);
  const { lines } = drawn([call(0, 0)]).curve;
  assert.deepEqual(lines, [{ points: [{ x: 0, y: 100 }], until: 1000 }]);
});
