/** Pushes and receivers that are killed, in short; `npm run torture -- push-calls` tries every call. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Misbehaving } from '../push/misbehaving.js';
import { randomFrom, SEED } from '../random.js';
import { PushCalls, ReceiveCalls } from './push-calls.js';
import { sampleOf } from './sample.js';

const receiver = await Misbehaving.start();
const calls = await PushCalls.of(receiver, SEED);
after(() => calls.remove());

test('a push whose n-th call fails says so, and the next sends what it did not', async () => {
  const cases = sampleOf(calls.cases('failing'), 25, SEED);
  for (const one of cases) await calls.try(one);
  assert.equal(calls.injected, cases.length);
});

test('a push killed at its n-th call: the next completes it, and what was noted down comes once', async () => {
  const before = calls.injected;
  const cases = sampleOf(calls.cases('killed'), 8, SEED);
  for (const one of cases) await calls.try(one);
  assert.equal(calls.injected - before, cases.length);
});

test('a push killed at some moment: the same', async () => {
  const chance = randomFrom(SEED);
  for (let i = 0; i < 5; i++) await calls.tryAfter(150 + chance(500));
});

test('a receiver killed at its n-th call, with what was not synced: what it said is there is there', async () => {
  const received = await ReceiveCalls.of(SEED);
  const all = Array.from({ length: received.calls }, (_, i) => i + 1);
  for (const at of sampleOf(all, 5, SEED)) await received.try(at);
  received.remove();
  assert.ok(received.injected >= 3, `${received.injected} of ${received.calls}`);
});
