import assert from 'node:assert/strict';
import { test } from 'node:test';
import { citationsOf, factsOf, pathOf, refWords, relatedOf } from '../../../src/page/model/inspect.js';
import { outlined, step, stream, talkOfRun } from './made-document.js';

const call = step('agent.call', 0, {
  name: 'Agent',
  refs: [
    { seq: 1, row: 5, block: 0 },
    { seq: 1, row: 8, block: 0 },
  ],
  ref: { seq: 1, row: 5, block: 0 },
  request_to_result_join: 'exact_unique',
  edges: [
    { type: 'starts', other: 'stream/c', dir: 'out', quality: 'exact_unique', via: 'parent tool result' },
    { type: 'in_segment', other: 'segment/x', dir: 'out', quality: 'weak_inference' },
  ],
});
const model = step('llm.call', 0, { children: [call] });
const free = step('llm.call', 0, { usage: {} });
const talk = talkOfRun([model, free], { segment: 'segment/at_1' });
const outline = outlined({
  talks: [talk],
  streams: [stream('main', [], 'main'), { ...stream('c'), label: 'Look' }],
  relations: [
    {
      ...{ id: 'r', type: 'starts', from: call.id, to: 'stream/c', quality: 'exact_unique' },
      evidence: [{ seq: 2, row: 3 }],
    },
  ],
});
const facts = (node: typeof call) => new Map(factsOf(outline, node).map((fact) => [fact.name, fact]));

test('the path goes from the segment to the step, each part leading there', () => {
  assert.deepEqual(
    pathOf(outline, call).map(({ label }) => label),
    ['segment/at_1', 'main', 'talk', 'run', 'llm.call', 'agent.call'],
  );
  assert.deepEqual(
    pathOf(outline, call).map(({ to }) => to !== undefined),
    [false, true, true, true, true, false],
  );
});

test('a call says what lies between its records, and that it is not how long it ran', () => {
  assert.equal(facts(call).get('request to result')?.value, 'under 1 ms');
  assert.match(facts(call).get('request to result')?.note ?? '', /not the time the tool itself took/);
  assert.equal(facts(call).get('duration')?.value, 'unavailable');
  assert.equal(facts(call).get('observed')?.value, 'unavailable');
});

test('tokens of a call: unknown, or known to be nothing', () => {
  assert.equal(facts(model).get('tokens')?.value, 'unknown');
  assert.equal(facts(free).get('tokens in')?.value, '0');
});

test('relations lead where the page can go, with the records they were seen in', () => {
  assert.deepEqual(
    relatedOf(outline, call).map(({ label, to, evidence }) => [label, to, evidence.map(refWords)]),
    [
      ['stream Look', 'stream/c', ['2:3']],
      ['segment/x', undefined, []],
    ],
  );
});

test('the first record of a call is the request, the rest came back; others are parts', () => {
  assert.deepEqual(
    citationsOf(call).map(({ label, ref }) => `${label} ${refWords(ref)}`),
    ['request 1:5 part 1', 'result 1:8 part 1'],
  );
  const alone = step('thinking', 0, { ref: { seq: 3, row: 1 } });
  assert.deepEqual(citationsOf(alone), [{ label: 'record', ref: { seq: 3, row: 1 } }]);
  const { ref: _, ...derived } = alone;
  assert.deepEqual(citationsOf(derived), []);
});
