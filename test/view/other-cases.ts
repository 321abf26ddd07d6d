/** Rules of names, changes, withholding and the summary. */
import assert from 'node:assert/strict';
import type { SdPart } from '../../src/format/session-data.js';
import { aTool, type Case, change, rulesInto, toolOf } from './case.js';
import { said, step, TEN, talkNode, textPart } from './made-root.js';

export const OTHER_CASES: Case[] = [];
const rule = rulesInto(OTHER_CASES);

// ---- names from journals ----

rule('a stream without a label is named by what the journal says it returned', (view) => {
  const named = (result: unknown) => {
    const record = { child: 'c', parts: [{ k: 'data', data: JSON.stringify({ type: 'result', result }) }] };
    const stream = { id: 'stream/c', kind: 'stream', stream: 'c', attrs: { role: 'child' } };
    const [entry] = view({
      files: [
        {
          kind: 'journal',
          run: 'r1',
          records: [
            { ...record, child: '' },
            record,
            { ...record, parts: [{ k: 'data', data: '{"type":"result","result":{"surface":"later"}}' }] },
          ],
        },
      ],
      nodes: [stream],
    }).streams;
    return [entry.label, entry.named_by];
  };
  assert.deepEqual(named({ surface: ' a\u00a0\n b ', summary: 'no' }), ['a b', 'journal']);
  assert.deepEqual(named({ surface: '', summary: 'sum' }), ['sum', 'journal']);
  assert.deepEqual(named({ verdict: 'refuted', refuted_claims: [{ claim: 'one' }] }), [
    'refuted · one',
    'journal',
  ]);
  assert.deepEqual(named({ verdict: 'kept', refuted_claims: [] }), ['kept', 'journal']);
  assert.deepEqual(named({ surface: 'é'.repeat(81) }), [`${'é'.repeat(80)}…`, 'journal']);
  assert.deepEqual(named('words'), ['later', 'journal']);
});

rule('a label of its own needs no journal', (view) => {
  const stream = { id: 'stream/c', kind: 'stream', stream: 'c', attrs: { label: 'own' } };
  const journal = {
    kind: 'journal',
    run: 'r',
    records: [{ child: 'c', parts: [{ k: 'data', data: '{"type":"result","result":{"surface":"s"}}' }] }],
  };
  const [entry] = view({ files: [journal], nodes: [stream] }).streams;
  assert.deepEqual([entry.label, entry.named_by], ['own', '']);
});

// ---- what tools changed ----

rule('change records are joined to the call by its id, each once, in the order they happened', (view) => {
  const made = aTool([
    {
      parts: [
        textPart('ok', 'result'),
        { k: 'data', data: change('c2', { time: '2026-01-01T10:00:03Z' }) },
        { k: 'data', data: change('c1') },
      ],
    },
  ]);
  const file = {
    kind: 'changes',
    records: [
      { parts: [{ k: 'data', data: change('c1', { time: '2026-01-01T09:00:00Z' }) }] },
      { parts: [{ k: 'data', data: change('c3', { tool: 't9', time: 'never' }) }] },
      { parts: [{ k: 'data', data: change('c4', { captured_by: 'claude-code', tool: 't1' }) }] },
    ],
  };
  const document = view({ ...made, files: [...made.files!, file] });
  assert.deepEqual(
    document.workspace_changes.map(({ id, step }: { id: string; step: string }) => [id, step]),
    [
      ['c2', 'tool/t1'],
      ['c4', 'tool/t1'],
      ['c1', 'tool/t1'],
      ['c3', ''],
    ],
  );
  assert.deepEqual(toolOf(document).changes, ['c2', 'c4', 'c1']);
  assert.deepEqual(document.workspace_changes[2].ref, { seq: 1, row: 2, block: 2 });
  assert.equal(document.summary.changes, 4);
});

rule('a change belongs to the call, not to the output that stands on the same record', (view) => {
  const made = aTool([]);
  const output = step('output/c', 1, { kind: 'agent.output' });
  const file = { kind: 'changes', records: [{ parts: [{ k: 'data' as const, data: change('c1') }] }] };
  const document = view({ files: [...made.files!, file], nodes: [...made.nodes!, output] });
  assert.equal(document.workspace_changes[0].step, 'tool/t1');
  assert.deepEqual(
    document.talks[0].children.map(({ changes }: { changes?: string[] }) => changes),
    [undefined, ['c1']],
  );
});

rule('a change record keeps the order of its members, and brings none that are not its own', (view) => {
  const data =
    '{"changed_files":1,"step":"mine","id":"c1","schema":"changes/1","captured_by":"p","time":"x","ref":9}';
  const file = { kind: 'changes', records: [{ parts: [{ k: 'data', data }] }] };
  const [entry] = view({ files: [file] }).workspace_changes;
  assert.deepEqual(Object.keys(entry), [
    'step',
    'ref',
    'changed_files',
    'id',
    'schema',
    'captured_by',
    'time',
  ]);
  assert.equal(entry.step, '');
});

// ---- withholding ----

rule('withheld words are nowhere, and nothing else is gone', (view) => {
  const flags = ['system_prompt'];
  const secret = (second: number) => said('SECRET', second, { flags });
  const call: SdPart = { k: 'call', id: 't1', name: 'Bash', data: '{}' };
  const files = [
    {
      records: [
        secret(1),
        secret(2),
        { parts: [call] },
        { flags, parts: [textPart('SECRET', 'result'), { k: 'data', data: change('SECRET') }] },
      ],
    },
    {
      kind: 'journal',
      run: 'r',
      records: [
        {
          child: 'c',
          flags,
          parts: [{ k: 'data', data: '{"type":"result","result":{"surface":"SECRET"}}' }],
        },
      ],
    },
  ];
  const nodes = [
    talkNode(),
    step('in', 1, { kind: 'message.external' }),
    step('out', 2),
    step('tool/t1', 3, {
      kind: 'tool',
      refs: [
        { seq: 1, row: 3 },
        { seq: 1, row: 4 },
      ],
    }),
    { id: 'stream/c', kind: 'stream', stream: 'c' },
  ];
  const open = view({ files, nodes });
  assert.equal(JSON.stringify(open).split('SECRET').length - 1, 8);
  assert.deepEqual(open.summary.withheld, {});
  const hidden = view({ files, nodes }, flags);
  assert.doesNotMatch(JSON.stringify(hidden), /SECRET/);
  assert.deepEqual(hidden.summary.withheld, { system_prompt: 2 });
  const [, out, tool] = hidden.talks[0].children;
  assert.deepEqual(
    [out.state, out.bytes, out.flags, tool.result_state, tool.result_bytes],
    ['omitted', 6, flags, 'omitted', 6],
  );
  assert.deepEqual(view({ files, nodes }, ['tool_schemas']).summary.withheld, {});
});

// ---- summary ----

rule("the summary counts the whole fold, and the sessions beside the chain's own", (view) => {
  const nodes = [
    {
      id: 'session/s',
      kind: 'session',
      attrs: { title: 'T', from_time: '2026-01-01T10:00:00.5Z', through_time: 'never' },
    },
    { id: 'session/b', kind: 'session', attrs: { title: 'other' } },
    { id: 'session/a', kind: 'session' },
    talkNode(),
    step('in', 1),
    { ...step('out', 2), parent: '' },
  ];
  const entries = (['open', 'resolved', 'terminal'] as const).map((state) => ({
    id: `u/${state}`,
    kind: 'k',
    state,
  }));
  const { summary, sessions, unresolved } = view({
    files: [{ records: [said('x')] }],
    nodes,
    unresolved: entries,
  });
  assert.deepEqual(sessions, ['s', 'a', 'b']);
  assert.deepEqual(
    [summary.title, summary.from, summary.to, summary.steps, summary.unresolved],
    ['T', TEN + 500, 0, 2, 1],
  );
  assert.deepEqual(Object.entries(summary.kinds), [
    ['message.assistant', 2],
    ['session', 3],
    ['talk', 1],
  ]);
  assert.deepEqual(unresolved[0], { id: 'u/open', kind: 'k', ref: '', reason: '', state: 'open' });
});

rule('a file says where it lies and what it holds', (view) => {
  const files = [
    { records: [said('x', 2), said('y', 1), said('z')] },
    { kind: 'journal', run: 'r1', records: [{ child: 'c' }] },
  ];
  const [first, second, round] = view({ files }).files;
  assert.match(first.file, /^s\/streams\/main\/transcript-.*-000001\.sd$/);
  assert.deepEqual(
    [first.kind, first.stream, first.run, first.lines, first.from_time, first.through_time],
    ['transcript', 'main', null, 5, TEN + 1000, TEN + 2000],
  );
  assert.deepEqual([second.kind, second.stream, second.run, second.from_time], ['journal', null, 'r1', null]);
  assert.match(round.file, /^_conversations\/s\/rounds\/r000001-[0-9a-f]{12}\.sf$/);
  assert.notEqual(round.digest.slice(0, 12), round.file.slice(-15, -3));
});

rule("a round's time is null when it has none and 0 when it is no time", (view) => {
  const { rounds } = view({ header: { from_time: 'soon' } });
  assert.deepEqual([rounds[0].from_time, rounds[0].through_time, rounds[0].previous], [0, null, null]);
});
