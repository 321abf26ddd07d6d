import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { commitLine, type Header, headerLine, TALLY } from '../../src/format/session-flow.js';
import { inputDigest } from '../../src/rounds/round-header.js';
import { nodeEntity, relationEntity, tombstone, unresolvedEntity } from '../entities.js';

const FILES = [{ sha256: 'a'.repeat(64) }, { sha256: 'b'.repeat(64) }];
const HEADER: Header = {
  conversation: 's1',
  session: 's1',
  round: 1,
  from_seq: 1,
  through_seq: 2,
  input_digest: inputDigest('', FILES),
  parser: 'v1',
  policy: 'v1+idle=10m0s',
  from_time: '2026-03-01T09:00:00Z',
  through_time: '2026-03-01T09:00:02.5Z',
  session_from_time: '2026-03-01T09:00:00Z',
  session_through_time: '2026-03-01T09:00:02.5Z',
  title: 'Fix <a> & b',
  talks: 0,
  steps: 1,
  streams: 0,
  segments: 0,
  unresolved: 1,
  changes: 0,
  lines_added: 0,
  lines_removed: 0,
  llm_calls: 0,
  subagents: 0,
  bash_runs: 1,
};

test('the golden example is made from its values, byte for byte', () => {
  const ref = { seq: 1, row: 2, block: 0 };
  const attrs = { result: 'unavailable', name: 'Bash' };
  const entities = [
    nodeEntity({ id: 'tool/t1', kind: 'tool', parent: 'call/m1', stream: 'main', ref, refs: [ref], attrs }),
    relationEntity({
      id: 'rel/starts/tool_t1/stream_x',
      type: 'starts',
      from: 'tool/t1',
      to: 'stream/x',
      quality: 'exact_unique',
      via: 'child sidecar',
      evidence: [{ seq: 2, row: 1 }],
    }),
    unresolvedEntity({
      id: 'unres/tool_result/t1',
      kind: 'tool_result',
      ref: 't1',
      reason: 'no result landed for this tool use',
      state: 'open',
    }),
  ];
  const body = `${[headerLine(HEADER), ...entities.map((entity) => entity.line(1))].join('\n')}\n`;
  const digest = createHash('sha256').update(body).digest('hex');
  assert.equal(digest, '4d3d45ca54ce5ca749c6c63a3d04f5511fb24c7a11d79314ada10d94cbd7f122');
  const round = `${body}${commitLine(digest, { nodes: 1, relations: 1, unresolved: 1 })}\n`;
  assert.equal(Buffer.byteLength(round), 1271);
});

test('a header leaves out what it does not know, and keeps its order', () => {
  const second = headerLine({
    ...HEADER,
    ...{ round: 2, previous: 'p', from_time: '', through_time: undefined, title: '' },
    ...{ session_from_time: undefined, session_through_time: undefined },
    ...{ changes: undefined, lines_added: undefined, lines_removed: undefined },
    ...{ llm_calls: undefined, subagents: undefined, bash_runs: undefined },
  });
  assert.deepEqual(Object.keys(JSON.parse(second)), [
    ...['t', 'schema', 'conversation', 'session', 'round', 'previous', 'from_seq', 'through_seq'],
    ...['input_digest', 'parser', 'policy', 'talks', 'steps', 'streams', 'segments', 'unresolved'],
  ]);
});

test('always-present keys of frames stay, and the others go when empty', () => {
  assert.equal(
    nodeEntity({ id: 'n', kind: '', parent: '', stream: '', refs: [], attrs: {} }).line(3),
    '{"t":"node","id":"n","revision":3,"kind":""}',
  );
  assert.equal(
    relationEntity({ id: 'r', type: '', from: '', to: '', quality: '', via: '', evidence: [] }).line(3),
    '{"t":"relation","id":"r","revision":3,"type":"","from":"","to":"","quality":""}',
  );
  assert.equal(
    unresolvedEntity({ id: 'u', kind: '', ref: '', reason: '', state: 'open' }).line(3),
    '{"t":"unresolved","id":"u","revision":3,"kind":"","state":"open"}',
  );
});

test('a tombstone carries no content, but its always-present keys', () => {
  assert.equal(
    tombstone('node', 'x').line(2),
    '{"t":"node","id":"x","revision":2,"tombstone":true,"kind":""}',
  );
  assert.equal(
    tombstone('relation', 'x').line(2),
    '{"t":"relation","id":"x","revision":2,"tombstone":true,"type":"","from":"","to":"","quality":""}',
  );
});

test('attributes are sorted by code point at every depth, and spelled with the five escapes', () => {
  const attrs = { b: [{ d: 1, c: null }], '': true, a: { Z: 2, é: 3, _: 1 }, '<': '>&\u2028\u2029/' };
  assert.equal(
    nodeEntity({ id: 'n', kind: 'k', attrs }).tail,
    ',"kind":"k","attrs":{"":true,"\\u003c":"\\u003e\\u0026\\u2028\\u2029/","a":{"Z":2,"_":1,"é":3},"b":[{"c":null,"d":1}]}}',
  );
});

test('any attribute name is taken as it is: outside ASCII, like a number, like a prototype', () => {
  const attrs = JSON.parse('{"😀":1,"\uffff":2,"9":3,"10":4,"__proto__":{"a":5}}');
  assert.equal(
    nodeEntity({ id: 'n', kind: 'k', attrs }).tail,
    ',"kind":"k","attrs":{"10":4,"9":3,"__proto__":{"a":5},"\uffff":2,"😀":1}}',
  );
});

test('ids and texts are escaped like everything else', () =>
  assert.equal(
    unresolvedEntity({ id: 'u<"', kind: 'k', ref: '&', state: 'open' }).line(1),
    '{"t":"unresolved","id":"u\\u003c\\"","revision":1,"kind":"k","ref":"\\u0026","state":"open"}',
  ));

test('an id may not be empty', () => {
  const named = { id: '', kind: '', type: '', from: '', to: '', quality: '', state: 'open' as const };
  const refused = (make: () => unknown, message: string) => assert.throws(make, { code: 'FORMAT', message });
  refused(() => nodeEntity(named), 'sessionflow: node has no id; it could never be superseded');
  refused(() => relationEntity(named), 'sessionflow: relation has no id; it could never be superseded');
  refused(
    () => unresolvedEntity(named),
    'sessionflow: unresolved entry has no id; it could never be resolved',
  );
});

test('the writer checks the header rules before it writes', () =>
  assert.throws(() => headerLine({ ...HEADER, previous: 'p' }), {
    message: 'sessionflow: round 1 must not name a previous digest',
  }));

for (const [what, kind, attrs, want] of [
  ['a session', 'session', {}, 0],
  ['a conversation', 'conversation', {}, 0],
  ['an epoch', 'epoch', {}, 0],
  ['a run', 'run', {}, 0],
  ['a talk', 'talk', {}, TALLY.talks],
  ['a segment', 'segment', {}, TALLY.segments],
  ['a main stream', 'stream', { role: 'main' }, TALLY.streams],
  ['a child stream', 'stream', { role: 'child' }, TALLY.streams | TALLY.subagents],
  ['a provider call', 'llm.call', { name: 'Bash' }, TALLY.steps | TALLY.llm_calls],
  ['a tool', 'tool', { name: 'Read' }, TALLY.steps],
  ['a Bash tool', 'tool', { name: 'Bash' }, TALLY.steps | TALLY.bash_runs],
  ['a Bash that started a child', 'agent.call', { name: 'Bash' }, TALLY.steps | TALLY.bash_runs],
  ['a message named Bash', 'message.assistant', { name: 'Bash' }, TALLY.steps],
  ['a kind nobody knows', 'control.permission', {}, TALLY.steps],
] as const)
  test(`${what} counts in the header as it should`, () =>
    assert.equal(nodeEntity({ id: 'n', kind, attrs }).tally, want));

test('an unresolved entry counts while it is open', () => {
  const tally = (state: 'open' | 'resolved' | 'terminal') =>
    unresolvedEntity({ id: 'u', kind: 'k', state }).tally;
  assert.deepEqual([tally('open'), tally('resolved'), tally('terminal')], [TALLY.unresolved, 0, 0]);
});
