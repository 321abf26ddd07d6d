/** A stream at a glance. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityOf } from '../../../src/page/model/activity.js';
import { momentsOf } from '../../../src/page/model/moments.js';
import { timeAxis } from '../../../src/page/model/time-axis.js';
import { step } from './made-document.js';

const binned = (times: readonly number[], bins: number, failed?: boolean) => {
  const moments = momentsOf(times.map((at) => step('tool', at, failed === undefined ? {} : { failed })));
  const axis = timeAxis(times, 1280, new Set());
  return activityOf(moments, axis, bins).map(({ steps, failed }) => [steps, failed]);
};

test('every step is in one bin, the last instant in the last', () => {
  assert.deepEqual(binned([1000, 1000, 2000, 4000, 5000], 4), [
    [2, 0],
    [1, 0],
    [0, 0],
    [2, 0],
  ]);
  assert.deepEqual(binned([1000, 5000], 2, true), [
    [1, 1],
    [1, 1],
  ]);
});

test('steps without any time are in the first bin', () => {
  assert.deepEqual(binned([0, 0], 2), [
    [2, 0],
    [0, 0],
  ]);
});
