import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration, parseLookback } from '../../src/config/duration.js';

const HOUR = 3_600_000;

for (const [text, ms] of [
  ['10m', 600_000],
  ['1h30m', 1.5 * HOUR],
  ['1.5s', 1500],
  ['.5s', 500],
  ['2.s', 2000],
  ['1h2m3s4ms', HOUR + 123_004],
  ['250us', 0.25],
  ['250µs', 0.25],
  ['100ns', 0.0001],
  ['-10s', -10_000],
  ['+10s', 10_000],
  ['0', 0],
  ['0s', 0],
] as const)
  test(`${text} is ${ms} ms`, () => assert.ok(Math.abs(parseDuration(text)! - ms) < 1e-9));

for (const text of ['', '10', '10 m', 'm', '1d', '1h30', '1,5s', '10M', 'ten', '.s', '1h-30m'])
  test(`${JSON.stringify(text)} is no duration`, () => assert.equal(parseDuration(text), undefined));

test('a look-back also counts days, and may be everything', () => {
  assert.equal(parseLookback('72h'), 72 * HOUR);
  assert.equal(parseLookback('3d'), 72 * HOUR);
  for (const everything of ['none', '0', '0h', '0d']) assert.equal(parseLookback(everything), Infinity);
  assert.deepEqual(parseLookback('1.5d'), { rule: 'is not a number of days' });
  assert.deepEqual(parseLookback('d'), { rule: 'is not a number of days' });
  for (const none of ['3', '-3h', 'soon', ''])
    assert.deepEqual(parseLookback(none), { rule: 'is not a duration such as 24h or 7d' });
});
