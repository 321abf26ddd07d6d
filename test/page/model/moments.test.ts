/** When a step is drawn whose time nobody knows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isObserved, momentsOf } from '../../../src/page/model/moments.js';
import { step } from './made-document.js';

const times = (...at: number[]) => momentsOf(at.map((at) => step('tool', at))).map(({ at }) => at);

test('a step without a time stands at the last known one before it, else at the first known one', () => {
  assert.deepEqual(times(0, 0, 5, 0, 3, 0), [5, 5, 5, 5, 3, 3]);
  assert.deepEqual(times(0, 0), [0, 0]);
  assert.deepEqual(times(), []);
});

test('the order is the landed one, whatever the list says', () => {
  const [first, second] = [step('tool', 9), step('tool', 0)];
  assert.deepEqual(
    momentsOf([second, first]).map(({ node, isObserved }) => [node, isObserved]),
    [
      [first, true],
      [second, false],
    ],
  );
});

test('what no clock shows is no time', () => {
  for (const at of [0, Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1, '5', undefined])
    assert.equal(isObserved(at), false);
  for (const at of [1, -1, 253402300799000, -8.64e15]) assert.equal(isObserved(at), true);
});
