import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  agent,
  anIndex,
  assembled,
  assembledIndex,
  child,
  journal,
  main,
  manifest,
  results,
  sidecar,
  text,
  user,
} from './index-builder.js';

test('there is one stream per name, in code point order; journals, manifests and scripts make none', async () => {
  const { ids } = await assembled(
    child('\uffff', user('u1', 'p1')),
    child('😀', user('u2', 'p1')),
    child('B', user('u3', 'p1')),
    child('a', user('u4', 'p1')),
    journal('x', { child: 'b' }),
    manifest('x'),
    { kind: 'workflow_script', batch: 'x', records: [{}] },
  );
  assert.deepEqual(ids('stream'), ['stream/B', 'stream/a', 'stream/\uffff', 'stream/😀']);
});

test('the stream named main is the main one, even when a record names it as an auxiliary child', async () => {
  const { nodes } = await assembled(
    main({ ...user('u1', 'p1'), child: 'main', flags: ['auxiliary'] }),
    child('Main', {}),
  );
  assert.equal(nodes.get('stream/main')?.attrs.role, 'main');
  assert.equal(nodes.get('stream/Main')?.attrs.role, 'child');
});

for (const [what, namings, role] of [
  ['no record names it', [], 'child'],
  ['every record that names it is auxiliary', [['auxiliary'], ['auxiliary']], 'auxiliary'],
  ['one of them is not', [['auxiliary'], []], 'child'],
  ['none of them is', [[]], 'child'],
] as const)
  test(`a stream is ${role} when ${what}`, async () => {
    const naming = namings.map((flags) => ({ child: 'kid', flags: [...flags], from: 'runtime' }));
    const { nodes } = await assembled(child('kid', user('u1', 'p1')), main(...naming));
    assert.equal(nodes.get('stream/kid')?.attrs.role, role);
  });

test('a repeated copy that lacks the auxiliary flag does not count', async () => {
  const naming = { id: 'x', child: 'kid', from: 'runtime' };
  const { nodes } = await assembled(
    main({ ...naming, flags: ['auxiliary'] }, naming),
    child('kid', user('u1', 'p1')),
  );
  assert.equal(nodes.get('stream/kid')?.attrs.role, 'auxiliary');
});

test('a stream node counts its records and points at the first', async () => {
  const { nodes } = await assembled(main(), main(user('u1', 'p1'), {}, {}));
  assert.deepEqual(nodes.get('stream/main'), {
    ...{ id: 'stream/main', kind: 'stream', parent: 'session/s', stream: 'main', ref: { seq: 2, row: 1 } },
    attrs: { records: 3, role: 'main' },
  });
});

test("a stream's label is that of the first sidecar with one that stands in it or names it", async () => {
  const { nodes } = await assembled(
    sidecar('kid', {}),
    { kind: 'agent_meta', stream: 'other', records: [{ child: 'kid', label: 'named' }] },
    sidecar('kid', { label: 'late' }),
    main({ child: 'kid', label: 'no sidecar', id: 'x' }),
  );
  assert.equal(nodes.get('stream/kid')?.attrs.label, 'named');
  assert.equal(nodes.get('stream/other')?.attrs.label, 'named');
});

test('a sidecar labels the stream it stands in though it names another child', async () => {
  const { nodes } = await assembled({
    kind: 'agent_meta',
    stream: 'kid',
    records: [{ child: 'else', label: 'l' }],
  });
  assert.equal(nodes.get('stream/kid')?.attrs.label, 'l');
});

for (const [what, records, title] of [
  ['the last label on a record without an id', [{ label: 'first' }, { label: 'last' }, {}], 'last'],
  ['not of a record with an id', [{ label: 'title' }, { id: 'x', label: 'other' }], 'title'],
  [
    'in landed order, not by time',
    [
      { label: 'a', time: '2026-01-02T00:00:00Z' },
      { label: 'b', time: '2026-01-01T00:00:00Z' },
    ],
    'b',
  ],
  ['unknown without any', [{ id: 'x', label: 'other' }], undefined],
] as const)
  test(`the title is ${what}`, async () => {
    const { attrs } = (await assembled(main(...records))).nodes.get('session/s')!;
    assert.equal(attrs.title, title);
    assert.equal(attrs.title_from, title === undefined ? undefined : 'observed_replayable');
  });

test('the title is of no sidecar and no manifest, but may be of a journal or a child stream', async () => {
  const { nodes } = await assembled(
    main({ label: 'title' }),
    sidecar('kid', { label: 'sidecar' }),
    manifest('b', 'flow'),
  );
  assert.equal(nodes.get('session/s')?.attrs.title, 'title');
  const other = await assembled(main({ label: 'title' }), journal('b', { label: 'journal' }));
  assert.equal(other.nodes.get('session/s')?.attrs.title, 'journal');
});

test("the session's times are the earliest and latest of canonical entries, in UTC", async () => {
  const at = (time: string) => ({ from: 'runtime', time });
  const { nodes } = await assembled(
    main(at('2026-01-01T02:00:00+02:00'), at('nonsense'), at('2025-12-31T23:59:59.999999999Z')),
    journal('b', at('2026-01-01T00:00:00.5Z')),
    { kind: 'changes', stream: 'main', records: [at('2027-01-01T00:00:00Z')] },
  );
  const { from_time, through_time } = nodes.get('session/s')!.attrs;
  assert.deepEqual([from_time, through_time], ['2025-12-31T23:59:59.999999999Z', '2026-01-01T00:00:00.5Z']);
});

test('a session without times or records has a node all the same', async () => {
  assert.deepEqual((await assembledIndex(anIndex())).nodes.get('session/s'), {
    ...{ id: 'session/s', kind: 'session', attrs: { conversation: 'c' } },
  });
});

test('a session of a child alone has no main stream and no windows', async () => {
  const { counts, ids } = await assembled(
    child('kid', user('u1', 'p1'), agent('a1', 'm1', text()), results('r1')),
  );
  assert.equal(counts.segments, 0);
  assert.deepEqual(ids('talk'), ['talk/kid']);
});
