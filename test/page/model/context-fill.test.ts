/** How full a context was: per call and never summed up, with its resets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contextFill } from '../../../src/page/model/context-fill.js';
import { momentsOf } from '../../../src/page/model/moments.js';
import { step } from './made-document.js';

test('each call is one point, the greatest is the peak, a reset begins a new epoch', () => {
  const calls = [
    step('llm.call', 10, { usage: { in: 1, cache_read: 20, cache_write: 300, out: 9999 } }),
    step('llm.call', 20, { usage: { in: 500 } }),
    step('epoch.boundary', 30),
    step('llm.call', 40, { usage: { in: 50, cache_read: 450 } }),
  ];
  const { points, resets, peak, unknown } = contextFill(momentsOf(calls));
  assert.deepEqual(
    points.map(({ at, fill, epoch }) => [at, fill, epoch]),
    [
      [10, 321, 0],
      [20, 500, 0],
      [40, 500, 1],
    ],
  );
  assert.deepEqual(
    resets.map(({ node }) => node),
    [calls[2]],
  );
  assert.equal(peak?.node, calls[1]);
  assert.equal(unknown, 0);
});

test('a call without usage is no point but counted, a synthetic one neither', () => {
  const steps = [
    step('llm.call', 1),
    step('llm.call', 2, { usage: {}, children: [step('message.synthetic', 2)] }),
    step('tool', 3),
  ];
  assert.deepEqual(contextFill(momentsOf(steps)), { points: [], resets: [], peak: undefined, unknown: 1 });
});

test('a boundary that landed between two calls divides them, also when it stands last in the list', () => {
  const [before, boundary, after] = [
    step('llm.call', 1, { usage: { in: 1 } }),
    step('epoch.boundary', 2),
    step('llm.call', 3, { usage: { in: 1 } }),
  ];
  const { points } = contextFill(momentsOf([before, after, boundary]));
  assert.deepEqual(
    points.map(({ epoch }) => epoch),
    [0, 1],
  );
});
