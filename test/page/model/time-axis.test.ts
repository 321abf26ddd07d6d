/** Activity shares the width, waiting does not, and no time a document states breaks the axis. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { axisWidth, spansIn, type TimeAxis, timeAxis } from '../../../src/page/model/time-axis.js';

const T = 1_772_442_842_310;
const minute = 60_000;
const axis = (
  times: readonly number[],
  more: { zoom?: number; opened?: readonly number[]; steps?: number } = {},
) => timeAxis(times, axisWidth(more.steps ?? times.length, more.zoom ?? 1), new Set(more.opened));
const kinds = ({ spans }: TimeAxis) => spans.map(({ kind }) => kind);
const widths = ({ spans }: TimeAxis) => spans.map(({ width }) => Math.round(width * 100) / 100);

test('a step has 104 px at 100 %, and an axis at least 1280 px', () => {
  assert.equal(axis([T, T + minute]).width, 1280);
  assert.equal(axis([T, T + minute], { steps: 100 }).width, 10_400);
  assert.equal(axis([T, T + minute], { steps: 100, zoom: 2 }).width, 20_800);
  assert.equal(axis([T, T + minute], { steps: 100, zoom: 0.1 }).width, 1040);
  assert.equal(axis([T, T + minute], { steps: 100, zoom: 50 }).width, 20_800);
});

test('a pause of more than two minutes is a gap, one of two minutes is not', () => {
  assert.deepEqual(kinds(axis([T, T + 120_000])), ['activity']);
  assert.deepEqual(kinds(axis([T, T + 120_001])), ['activity', 'pause', 'activity']);
});

test('a gap has 7 % of the width and at most 90 px, stretches share the rest by their length', () => {
  const times = [T, T + minute, T + 100 * minute, T + 101 * minute, T + 102 * minute];
  assert.deepEqual(widths(axis(times)), [396.8, 89.6, 793.6]);
  assert.deepEqual(widths(axis(times, { steps: 100 })), [3436.67, 90, 6873.33]);
});

test('a stretch is at least 24 px', () => {
  const [first] = axis([T, T + 60 * minute, ...many(50, (i) => T + 60 * minute + i * minute)]).spans;
  assert.equal(first!.width, 24);
});

test('an opened gap is as long as it was at the scale of the rest, which keeps its widths', () => {
  const times = [T, T + minute, T + 4 * minute, T + 5 * minute];
  const [closed, open] = [axis(times), axis(times, { opened: [T + minute] })];
  assert.deepEqual(widths(closed), [595.2, 89.6, 595.2]);
  assert.deepEqual(widths(open), [595.2, 1785.6, 595.2]);
  assert.equal(open.spans[1]!.isOpen, true);
  const years = axis([T, T + minute, T + 1e12, T + 1e12 + minute], { opened: [T + minute] });
  assert.equal(years.spans[1]!.width, 4096);
});

test('one instant, or no time at all, has an axis too', () => {
  const one = axis(many(1000, () => T));
  assert.deepEqual(widths(one), [104_000]);
  assert.equal(one.xOf(T), 0);
  const none = axis([0, 0]);
  assert.deepEqual(none.spans, []);
  assert.deepEqual([none.width, none.xOf(T), none.atOf(5)], [1280, 0, 0]);
});

const anyTime = fc.oneof(
  fc.integer({ min: T, max: T + 600_000 }),
  fc.integer({ min: T, max: T + 1e10 }),
  fc.constantFrom(0, -1, 253402300799000, -8.64e15, 8.64e15, 1e308, Number.NaN, Number.POSITIVE_INFINITY),
  fc.double(),
);

test('whatever the times: spans join without holes, keep the order of times, and stay within what a browser can lay out', () => {
  fc.assert(
    fc.property(
      fc.array(anyTime),
      fc.double({ noNaN: true }),
      fc.integer({ min: 0, max: 1e6 }),
      (times, zoom, steps) => {
        const made = axis(times, { zoom, steps, opened: times });
        assert.ok(made.width > 0 && made.width <= 16_000_001);
        let left = 0;
        for (const span of made.spans) {
          assert.ok(span.width > 0 && Math.abs(span.left - left) < 1e-3 && span.from <= span.to);
          left = span.left + span.width;
        }
        let before = 0;
        for (const at of Float64Array.from(times.filter(Number.isFinite)).sort()) {
          const x = made.xOf(at);
          assert.ok(x >= before - 1e-3 && x <= made.width + 1e-3);
          before = x;
        }
      },
    ),
  );
});

test('a place names the time that stands there', () => {
  const made = axis([T, T + minute, T + 9 * minute, T + 10 * minute]);
  for (const at of [T, T + 31_000, T + minute, T + 9 * minute, T + 10 * minute])
    assert.ok(Math.abs(made.atOf(made.xOf(at)) - at) < 1);
  assert.equal(made.atOf(-5), T);
  assert.equal(made.atOf(1e9), T + 10 * minute);
});

test('spans in a window are those that reach into it', () => {
  const made = axis(many(1000, (i) => T + i * 10 * minute));
  for (const [from, to] of [
    [0, 0],
    [500, 900],
    [-50, 3],
    [made.width - 1, made.width + 10],
  ] as const) {
    assert.deepEqual(
      spansIn(made, from, to),
      made.spans.filter(({ left, width }) => left <= to && left + width > from),
    );
  }
});

function many(count: number, make: (i: number) => number): number[] {
  return Array.from({ length: count }, (_, i) => make(i));
}
