import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  childStreamId,
  derivedSessionId,
  isUuid,
  repeatedSessionId,
  workflowRunId,
} from '../../src/scenario/ids.js';
import { scaled } from '../../src/scenario/lane.js';
import { type Plan, planScenario } from '../../src/scenario/plan.js';
import { readScenario } from '../../src/scenario/read-scenario.js';

function planOf(text: string, options = {}): Plan {
  return planScenario(readScenario('s.yaml', text), { baseMs: 0, ...options });
}

/** Ids and times of a stream, in milliseconds. */
function moments({ streams }: Plan, stream = 0): (readonly [string, number])[] {
  return streams[stream]!.records.map(({ event }) =>
    event.kind === 'title' ? (['title', Number.NaN] as const) : [event.id!, Date.parse(event.time!)],
  );
}

test('the first step is at the base, later ones an interval apart or as they say', () => {
  const plan = planOf(
    'interval: 2s\nsteps: [{input: a, after: 5s}, {input: b}, {error: c, after: 100ms}, {input: d, backdated: 1s}]',
  );
  assert.deepEqual(moments(plan), [
    ['s1-input', 5000],
    ['s2-input', 7000],
    ['s3-synthetic', 7100],
    ['s4-input', 8100],
  ]);
});

test('a scale multiplies every duration but the summary, which is 400 ms before its boundary', () => {
  const plan = planOf('steps: [{input: a}, {reset: {summary: s}}, {call: {text: x, thinking: y}}]', {
    scale: 0.5,
  });
  assert.deepEqual(moments(plan), [
    ['s1-input', 0],
    ['s2-boundary', 500],
    ['s2-summary', 100],
    ['s3-call-f1', 1000],
    ['s3-call-f2', 1050],
  ]);
});

test('durations are exact to the nanosecond, and cut to the millisecond', () => {
  assert.equal(scaled(1.001 * 1000, 1), 1001);
  assert.equal(scaled(0.9999, 1), 0);
  assert.equal(scaled(100, 0.3), 30);
  assert.equal(scaled(1, 0.5), 0);
});

test('a parent waits for a child that notifies, and for no other', () => {
  const child = (notify: boolean) =>
    moments(
      planOf(
        `steps: [{input: a}, {call: {agent: {name: c, prompt: p, notify: ${notify}, steps: [{input: b, after: 1m}]}}}, {input: c}]`,
      ),
    ).at(-1);
  assert.deepEqual(child(true), ['s3-input', 64_100]);
  assert.deepEqual(child(false), ['s3-input', 2100]);
});

test('a child without a prompt begins with its first step', () => {
  const plan = planOf('steps: [{call: {agent: {name: c, steps: [{call: {text: x}, after: 3s}]}}}]');
  assert.deepEqual(moments(plan, 1), [['c-s1-call-f1', 100 + 1000 + 3000]]);
  assert.equal(plan.streams[1]!.records[0]!.event.kind, 'fragment');
});

test('what is lost is planned like the rest, so that a record points at one that is not there', () => {
  const plan = planOf('steps: [{input: a}, {call: {text: x}, lost: true}, {call: {text: y}}]');
  const [, lost, next] = plan.streams[0]!.records;
  assert.ok(lost!.lost);
  assert.equal((next!.event as { parent?: string }).parent, 's2-call-f1');
});

test('a copy keeps its ids and its time, and names another run', () => {
  const plan = planOf(
    'title: t\nsteps: [{input: a}, {call: {tool: {name: Bash, result: r}}}, {replay: 9}, {replay: 1}]',
  );
  const copies = plan.streams[0]!.records.filter(({ copied }) => copied);
  assert.deepEqual(
    copies.map(({ event }) => (event as { id?: string }).id),
    ['s1-input', 's2-call-f1', 's2-result', 's2-result'],
  );
  assert.deepEqual(
    copies.map(({ event }) => (event as { run?: string }).run),
    ['replayed-cycle', undefined, 'replayed-cycle', 'replayed-cycle'],
  );
});

test('ids that a file does not give', () => {
  assert.equal(childStreamId('surveyor'), 'a60a86974d085e1be');
  assert.equal(workflowRunId('<all> & report'), 'wf_run--all----report');
  assert.equal(workflowRunId('ünï'), 'wf_run--n-');
  assert.equal(workflowRunId('a_b-1'), 'wf_a_b-1');
});

test('a derived session is a UUID, and another one when a step says something else', () => {
  const derived = (text: string) => derivedSessionId(readScenario('s.yaml', text));
  const a = derived('steps: [{input: a}]');
  assert.ok(isUuid(a));
  assert.equal(a, derived('interval: 5s\nsteps: [{input: a}]'), 'the pace is not what a session is');
  for (const other of [
    'steps: [{input: b}]',
    'title: t\nsteps: [{input: a}]',
    'steps: [{input: a}, {replay: 1}]',
    'project: p\nsteps: [{input: a}]',
  ])
    assert.notEqual(a, derived(other), other);
});

test('repeated sessions count up', () => {
  const base = '00000001-0000-4000-8000-00000000000F';
  assert.equal(repeatedSessionId(base, 1), base);
  assert.equal(repeatedSessionId(base, 2), '00000001-0000-4000-8000-000000000010');
  assert.equal(
    repeatedSessionId('00000001-0000-4000-8000-ffffffffffff', 2),
    '00000001-0000-4000-8000-000000000000',
  );
  assert.equal(repeatedSessionId('mine', 3), 'mine-3');
});
