/** What a marked range of time holds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentsOf } from '../../../src/page/model/moments.js';
import { rangeSummary } from '../../../src/page/model/range-summary.js';
import { step } from './made-document.js';

const moments = momentsOf([
  step('tool', 5, { name: 'Read', request_to_result_ms: 1 }),
  step('llm.call', 10, { usage: { in: 3, out: 4 } }),
  step('tool', 10, { name: 'Read', failed: false, request_to_result_ms: 100 }),
  step('tool', 11, { name: 'Read', failed: true, request_to_result_ms: 300 }),
  step('tool', 0, { name: 'Read', request_to_result_join: 'exact_unique' }),
  step('tool', 12, { name: 'Bash' }),
  step('agent.call', 20),
  step('error.api', 20),
  step('tool', 21, { name: 'Read', request_to_result_ms: 1 }),
]);

test('steps in the range are counted with both of its ends, and those without a time where they are drawn', () => {
  const { steps, failed, kinds, tokens } = rangeSummary(moments, 10, 20);
  assert.deepEqual([steps, failed], [7, 2]);
  assert.deepEqual(kinds, [
    ['tool', 4],
    ['agent.call', 1],
    ['error.api', 1],
    ['llm.call', 1],
  ]);
  assert.deepEqual(tokens, { in: 3, out: 4, cacheRead: 0, cacheWrite: 0, calls: 1, unknown: 0 });
});

test('a tool has its times over what is measured, and none where nothing is', () => {
  const none = { failed: 0, measured: 0, least: undefined, average: undefined, most: undefined };
  assert.deepEqual(rangeSummary(moments, 10, 20).tools, [
    { name: 'Read', calls: 3, failed: 1, measured: 2, least: 100, average: 200, most: 300 },
    { name: 'Bash', calls: 1, ...none },
    { name: 'agent.call', calls: 1, ...none },
  ]);
});

test('an empty range holds nothing', () => {
  const { steps, tools } = rangeSummary(moments, 6, 9);
  assert.deepEqual([steps, tools], [0, []]);
});
