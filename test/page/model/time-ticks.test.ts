/** Marks on a time axis: round times of a clock, never too near, never without an end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { axisWidth, timeAxis } from '../../../src/page/model/time-axis.js';
import { clockStep, localOffset, ticksIn, ticksOf } from '../../../src/page/model/time-ticks.js';

const UTC = () => 0;
const DAY = 86_400_000;
const minute = 60_000;
const clock = (at: number) => new Date(at).toISOString().slice(11, 19);
const at = (text: string) => Date.parse(`2026-03-02T${text}Z`);
const axis = (times: readonly number[], opened: readonly number[] = [], steps = times.length) =>
  timeAxis(times, axisWidth(steps, 1), new Set(opened));
/** From one time to another without a pause. */
const busy = (from: string, to: string) => {
  const times = [];
  for (let now = at(from); now < at(to); now += minute) times.push(now);
  return [...times, at(to)];
};

test('marks stand on the first step of the clock that gives 100 px', () => {
  assert.equal(clockStep(100 / minute), minute);
  assert.equal(clockStep(99 / minute), 2 * minute);
  assert.equal(clockStep(100 / DAY), DAY);
  assert.equal(clockStep(99 / DAY), 2 * DAY);
  assert.equal(clockStep(1 / DAY), 128 * DAY);
  const ticks = ticksOf(axis(busy('09:58:20', '10:04:10')), UTC);
  assert.deepEqual(
    ticks.map(({ at }) => clock(at)),
    [
      '09:58:20',
      '09:58:30',
      '09:59:00',
      '09:59:30',
      '10:00:00',
      '10:00:30',
      '10:01:00',
      '10:01:30',
      '10:02:00',
    ].concat(['10:02:30', '10:03:00', '10:03:30', '10:04:00']),
  );
  assert.deepEqual(
    ticks.slice(0, 3).map(({ isLabelled }) => isLabelled),
    [true, false, true],
  );
});

test('a clock a quarter of an hour ahead has its own round times', () => {
  const ticks = ticksOf(axis(busy('06:10:00', '12:10:00'), [], 7), () => 45 * minute);
  assert.deepEqual(
    ticks.slice(0, 4).map(({ at }) => clock(at)),
    ['06:10:00', '06:15:00', '06:45:00', '07:15:00'],
  );
});

test('a label names the day when it is another one than before', () => {
  const ticks = ticksOf(
    axis([at('23:59:00'), at('23:59:30'), at('23:59:30') + 100, at('23:59:30') + 60_000]),
    UTC,
  );
  const days = ticks.filter(({ isNewDay }) => isNewDay).map(({ at }) => new Date(at).toISOString());
  assert.deepEqual(days, ['2026-03-02T23:59:00.000Z', '2026-03-03T00:00:00.000Z']);
});

test('a closed gap has no marks, an opened one has', () => {
  const times = [at('09:00:00'), at('09:01:00'), at('09:11:00'), at('09:12:00')];
  const inPause = (opened: readonly number[]) =>
    ticksOf(axis(times, opened), UTC).filter((tick) => tick.at > times[1]! && tick.at < times[2]!).length;
  assert.equal(inPause([]), 0);
  assert.ok(inPause([times[1]!]) > 5);
});

test('the hour that summer time repeats or skips gives each mark once, in order', () => {
  const change = at('10:00:00');
  for (const [before, after] of [
    [0, 60 * minute],
    [60 * minute, 0],
  ] as const) {
    const offset = (time: number) => (time < change ? before : after);
    const xs = ticksOf(axis(busy('08:00:00', '12:00:00')), offset).map(({ at }) => at);
    assert.deepEqual(xs, [...new Set(xs)].sort());
    assert.ok(xs.length > 100);
  }
});

const anyTime = fc.oneof(
  fc.integer({ min: 1, max: 1e13 }),
  fc.constantFrom(-1, 253402300799000, -8.64e15, 8.64e15, 1e308),
  fc.double(),
);

test('whatever the times: as many marks as the width has room for, left to right, labels 92 px apart', () => {
  fc.assert(
    fc.property(fc.array(anyTime, { maxLength: 40 }), (times) => {
      const made = axis(times, times);
      const ticks = ticksOf(made, localOffset);
      assert.ok(ticks.length <= made.width / 100 + 2 * made.spans.length);
      let before = Number.NEGATIVE_INFINITY;
      let label = Number.NEGATIVE_INFINITY;
      for (const { x, isLabelled } of ticks) {
        assert.ok(x >= before && x <= made.width + 1e-3);
        before = x;
        if (!isLabelled) continue;
        assert.ok(x - label >= 92);
        label = x;
      }
    }),
  );
});

test('marks in a window are those that stand in it', () => {
  const ticks = ticksOf(axis(busy('01:00:00', '20:00:00')), UTC);
  for (const [from, to] of [
    [0, 0],
    [500, 2900],
    [-50, 3],
    [1e9, 2e9],
  ] as const) {
    assert.deepEqual(
      ticksIn(ticks, from, to),
      ticks.filter(({ x }) => x >= from && x <= to),
    );
  }
});
