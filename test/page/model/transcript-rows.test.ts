/** What the transcript shows, row by row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERYTHING, type Filter, PRESETS } from '../../../src/page/model/filters.js';
import { outlineOf } from '../../../src/page/model/outline.js';
import { readingOrder, transcriptOf, workKey } from '../../../src/page/model/transcript-rows.js';
import { goldenDocuments } from './golden-documents.js';
import { outlined, step, stream, talkOfRun } from './made-document.js';

const preset = (wanted: string): Filter => PRESETS.find(({ name }) => name === wanted)!.filter;

const input = step('message.external', 1_000, { text: 'please' });
const said = step('message.assistant', 2_000, { text: 'I look' });
const tool = step('tool', 0, { name: 'Bash', failed: true, at: 3_000, request_to_result_ms: 500_000 });
const call = step('llm.call', 2_000, { ref: said.ref!, children: [said, tool] });
const more = step('message.external', 510_000, { text: 'also this' });
const reply = step('message.assistant', 900_000, { text: 'done' });
const talk = talkOfRun([input, call, more, reply], {
  label: 'please',
  reply: 'done',
  from: 1_000,
  to: 900_000,
  steps: 6,
});
const second = talkOfRun([step('message.external', 901_000, { text: 'thanks' })], {
  label: 'thanks',
  from: 901_000,
});
const document = { talks: [talk, second] };

function rowsOf(filter = EVERYTHING, open: readonly string[] = []) {
  const folds = new Map(open.map((key) => [key, true]));
  return transcriptOf({ outline: outlined(document), stream: 'main', folds, filter }).rows;
}
const kinds = (filter?: Filter, open?: readonly string[]) =>
  rowsOf(filter, open).map((row) => (row.t === 'step' ? row.node.kind : row.t));

test('a talk is its input, a fold and its reply; without anything between there is no fold', () => {
  assert.deepEqual(kinds(), ['input', 'work', 'reply', 'input']);
});

test('an open fold lists what is between, in landed order, and can be closed at its end', () => {
  assert.deepEqual(kinds(EVERYTHING, [workKey(talk)]), [
    ...['input', 'work', 'llm.call', 'message.assistant', 'tool', 'message.external', 'close'],
    ...['reply', 'input'],
  ]);
});

test('a step stands below those that own it', () => {
  const depths = rowsOf(EVERYTHING, [workKey(talk)]).flatMap((row) => (row.t === 'step' ? [row.depth] : []));
  assert.deepEqual(depths, [0, 1, 1, 0]);
});

test('only what the person typed: every input, laid open, nothing else', () => {
  assert.deepEqual(kinds(preset('typed')), ['input', 'work', 'message.external', 'input']);
});

test('hidden tools take neither their call nor the words beside them along, and folds stay as they are', () => {
  assert.deepEqual(kinds(preset('no-tools')), ['input', 'work', 'reply', 'input']);
  assert.deepEqual(kinds(preset('no-tools'), [workKey(talk)]), [
    ...['input', 'work', 'llm.call', 'message.assistant', 'message.external', 'close', 'reply', 'input'],
  ]);
});

test('failures: the talk they are in and they alone', () => {
  const rows = rowsOf(preset('failures'));
  assert.deepEqual(kinds(preset('failures')), ['input', 'work', 'tool']);
  assert.equal(rows[1]!.t === 'work' && rows[1]!.tally.failed, 1);
});

test('a node is found by its row, also one that has a card of its own, and not behind a fold', () => {
  const shut = transcriptOf({
    outline: outlined(document),
    stream: 'main',
    folds: new Map(),
    filter: EVERYTHING,
  });
  assert.equal(shut.at(input.id), 0);
  assert.equal(shut.at(talk.id), 0);
  assert.equal(shut.at(reply.id), 2);
  assert.equal(shut.at(tool.id), undefined);
});

test('two minutes without a record are a pause, a tool that runs so long is none', () => {
  const steps = [
    step('tool', 1_000, { request_to_result_ms: 300_000 }),
    ...[302_000, 0, 422_001, 1_000].map((at) => step('tool', at)),
  ];
  const busy = talkOfRun(steps, { from: 1_000, to: 422_001 });
  const rows = transcriptOf({
    outline: outlined({ talks: [busy] }),
    stream: 'main',
    folds: new Map([[workKey(busy), true]]),
    filter: EVERYTHING,
  }).rows;
  assert.deepEqual(
    rows.map((row) => (row.t === 'quiet' ? row.ms : row.t)),
    ['input', 'work', 'step', 'step', 'step', 120_001, 'step', 'step', 'close'],
  );
});

test('a reset stands where it landed, with the summary it left; what else is outside comes last', () => {
  const first = talkOfRun([step('message.external', 1)], { label: 'a' });
  const boundary = step('epoch.boundary', 0);
  const edges = [{ type: 'summarizes', other: boundary.id, dir: 'out' as const, quality: 'exact_unique' }];
  const summary = step('epoch.summary', 0, { edges });
  const stray = step('control.notice', 0);
  const next = talkOfRun([step('message.external', 2)], { label: 'b' });
  const outline = outlined({ talks: [first, next], loose: [stray, boundary, summary] });
  const { rows, at } = transcriptOf({ outline, stream: 'main', folds: new Map(), filter: EVERYTHING });
  assert.deepEqual(
    rows.map(({ t }) => t),
    ['input', 'reset', 'input', 'outside', 'step'],
  );
  assert.equal(rows[1]!.t === 'reset' && rows[1]!.summary, summary);
  assert.ok(at !== undefined);
});

test('a reset inside an open talk stands between its steps', () => {
  const before = step('tool', 0);
  const boundary = step('epoch.boundary', 0);
  const after = step('tool', 0);
  const long = talkOfRun([before, after]);
  const outline = outlined({ talks: [long], loose: [boundary] });
  const rows = transcriptOf({
    outline,
    stream: 'main',
    folds: new Map([[workKey(long), true]]),
    filter: EVERYTHING,
  }).rows;
  assert.deepEqual(
    rows.map(({ t }) => t),
    ['input', 'work', 'step', 'reset', 'step', 'close'],
  );
});

test('a stream without talks is its steps one after the other, under a row that says so', () => {
  const steps = [step('tool', 0), step('epoch.boundary', 0), step('message.assistant', 0)];
  const { rows } = transcriptOf({
    outline: outlined({ loose: steps }),
    stream: 'main',
    folds: new Map(),
    filter: EVERYTHING,
  });
  assert.deepEqual(
    rows.map((row) => (row.t === 'outside' ? row.alone : row.t)),
    [true, 'step', 'reset', 'step'],
  );
});

test('a child says first where it comes from; a stream with nothing says so', () => {
  const outline = outlined({ streams: [stream('main', [], 'main'), { ...stream('c'), parent: 'main' }] });
  const rows = (stream: string) =>
    transcriptOf({ outline, stream, folds: new Map(), filter: EVERYTHING }).rows.map(({ t }) => t);
  assert.deepEqual(rows('c'), ['banner', 'nothing']);
  assert.deepEqual(rows('nobody'), ['nothing']);
});

test('an id that a foreign document uses twice makes two rows of different keys', () => {
  const twice = [step('tool', 0, { id: 'x' }), step('tool', 0, { id: 'x' })];
  const { rows } = transcriptOf({
    outline: outlined({ loose: twice }),
    stream: 'main',
    folds: new Map(),
    filter: EVERYTHING,
  });
  assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length);
});

for (const { name, document } of goldenDocuments())
  test(`${name}: everything open, every step has its row, on its stream`, () => {
    const outline = outlineOf(document);
    for (const name of ['', ...outline.streams.keys()]) {
      const shown = new Set(readingOrder(outline, name, EVERYTHING).map(({ id }) => id));
      // A summary stands in the row of its reset.
      const own = outline.stepsOf(name).filter(({ kind }) => kind !== 'epoch.summary');
      for (const { id } of own) assert.ok(shown.has(id), id);
    }
  });

test('a pause stands before the reset that ended it, and once', () => {
  const before = talkOfRun([step('message.external', 1_000, { text: 'a' })], { from: 1_000, to: 2_000 });
  const boundary = step('epoch.boundary', 900_000);
  const work = step('tool', 902_000, { name: 'Bash' });
  const after = talkOfRun([step('message.external', 901_000, { text: 'b' }), work], { from: 901_000 });
  const made = outlined({ talks: [before, after], loose: [boundary] });
  const folds = new Map([[workKey(after), true]]);
  const { rows } = transcriptOf({ outline: made, stream: 'main', folds, filter: EVERYTHING });
  assert.deepEqual(
    rows.map(({ t }) => t),
    ['input', 'quiet', 'reset', 'input', 'work', 'step', 'close'],
  );
});

test('a pause before a talk is not told again inside it', () => {
  const before = talkOfRun([step('message.external', 1_000, { text: 'a' })], { from: 1_000, to: 2_000 });
  const work = step('tool', 902_000, { name: 'Bash' });
  const after = talkOfRun([step('message.external', 901_000, { text: 'b' }), work], { from: 901_000 });
  const folds = new Map([[workKey(after), true]]);
  const made = outlined({ talks: [before, after] });
  const { rows } = transcriptOf({ outline: made, stream: 'main', folds, filter: EVERYTHING });
  assert.equal(rows.filter(({ t }) => t === 'quiet').length, 1);
});

test('where the chain stops is the last row', () => {
  const made = outlined({
    talks: [talk],
    head: { round: 1, digest: '' },
    rounds: [{ round: 1 }, { round: 3 }] as never,
    summary: { problems: ['round 2 is missing; the chain stops at round 1'] } as never,
  });
  const { rows } = transcriptOf({ outline: made, stream: 'main', folds: new Map(), filter: EVERYTHING });
  assert.deepEqual(rows.at(-1), {
    ...{ t: 'stopped', key: 'stopped', round: 1 },
    problem: 'round 2 is missing; the chain stops at round 1',
  });
});
