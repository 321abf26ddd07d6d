import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AFile,
  agent,
  assembled,
  call,
  child,
  journal,
  main,
  result,
  results,
  sidecar,
  text,
  user,
} from './index-builder.js';

const launch = main(user('u1', 'p1'), agent('a1', 'm1', call('t1', 'Task')));
const kid = child('kid', user('k1', 'q1'), agent('k2', 'n1', text()));
const starts = (from: string, to: string) => `rel/starts/tool_${from}/stream_${to}`;

for (const [what, file, via, quality] of [
  ['a sidecar that names the tool', sidecar('kid', { tool: 't1' }), 'child sidecar', 'exact_unique'],
  [
    'a notification that names tool and child',
    main({ child: 'kid', tool: 't1', trigger: 'notification', from: 'external' }),
    'completion notification',
    'exact_unique',
  ],
  [
    'a result that names the child',
    main({ ...results('r1', text(), result('t1')), child: 'kid' }),
    'parent tool result',
    'exact_unique',
  ],
] as [string, AFile, string, string][])
  test(`${what} starts the child, and the tool becomes an agent call`, async () => {
    const { nodes, relations, unresolved, counts } = await assembled(launch, kid, file);
    assert.equal(nodes.get('tool/t1')?.kind, 'agent.call');
    assert.deepEqual(relations.get(starts('t1', 'kid')), {
      ...{ id: starts('t1', 'kid'), type: 'starts', from: 'tool/t1', to: 'stream/kid', quality, via },
      evidence: [{ seq: 3, row: 1 }],
    });
    assert.ok(!unresolved.has('unres/spawn_of_child/kid'));
    assert.deepEqual([counts.childLaunches, counts.childrenResolved, counts.orphanStreams], [1, 1, 0]);
  });

test('an entry anchors by its own tool before that of a result it carries', async () => {
  const { relations } = await assembled(
    main(user('u1', 'p1'), agent('a1', 'm1', call('t1'), call('t2'))),
    kid,
    main({ ...results('r1', result('t1')), child: 'kid', tool: 't2' }),
  );
  assert.deepEqual(
    [...relations.keys()].filter((id) => id.startsWith('rel/starts')),
    [starts('t2', 'kid')],
  );
});

test('a journal joins through the call whose result launched its batch, also when it lands first', async () => {
  for (const order of [
    [0, 1, 2],
    [1, 0, 2],
    [2, 1, 0],
  ]) {
    const files = [
      main(user('u1', 'p1'), agent('a1', 'm1', call('t1')), { ...results('r1', result('t1')), batch: 'b' }),
      journal('b', { child: 'kid' }),
      kid,
    ];
    const { nodes, relations } = await assembled(...order.map((i) => files[i]!));
    assert.equal(nodes.get('tool/t1')?.kind, 'agent.call');
    const { quality, via } = relations.get(starts('t1', 'kid'))!;
    assert.deepEqual([quality, via], ['strong_inference', 'run journal']);
  }
});

test('the call of a batch is the tool of the first result block with an id, in landed order, and never a journal’s', async () => {
  const { relations } = await assembled(
    journal('b', { child: 'kid', parts: [result('t3')] }),
    main(
      user('u1', 'p1'),
      agent('a1', 'm1', call('t1'), call('t2'), call('t3')),
      { id: 'x', batch: 'b', from: 'external', parts: [text(), result('')] },
      { ...results('r2', result('t2')), batch: 'b' },
      { ...results('r1', result('t1')), batch: 'b' },
    ),
    kid,
  );
  assert.deepEqual(
    [...relations.keys()].filter((id) => id.startsWith('rel/starts')),
    [starts('t2', 'kid')],
  );
});

test('a batch whose launch call never landed is open, and so is the child', async () => {
  const { unresolved } = await assembled(launch, kid, journal('b', { child: 'kid' }));
  assert.equal(
    unresolved.get('unres/spawn_call/b')?.reason,
    'a batch names children but its launch call was never landed',
  );
  assert.equal(
    unresolved.get('unres/spawn_of_child/kid')?.reason,
    'no landed record names the call that started this stream',
  );
});

test('a child that is announced and has not landed is open', async () => {
  const { unresolved, counts, nodes } = await assembled(
    launch,
    sidecar('other', { child: 'kid', tool: 't1' }),
  );
  assert.equal(
    unresolved.get('unres/child_stream/kid')?.reason,
    'announced, but no transcript has landed yet',
  );
  assert.deepEqual([counts.childLaunches, counts.childrenResolved], [0, 0]);
  assert.equal(nodes.get('tool/t1')?.kind, 'tool');
});

test('a tool of which nothing landed is open', async () => {
  const { unresolved, counts } = await assembled(launch, kid, sidecar('kid', { tool: 't9' }));
  assert.equal(unresolved.get('unres/spawn_call/t9')?.reason, 'a child names a call that was never landed');
  assert.ok(unresolved.has('unres/spawn_of_child/kid'));
  assert.deepEqual([counts.childLaunches, counts.childrenResolved], [1, 0]);
});

test('a tool of which only the result landed keeps the edge, and writes no relation', async () => {
  const { relations, counts, unresolved } = await assembled(
    main(user('u1', 'p1'), { ...results('r1', result('t1')), child: 'kid' }),
    kid,
  );
  assert.ok(![...relations.keys()].some((id) => id.startsWith('rel/starts')));
  assert.equal(counts.childrenResolved, 1);
  assert.ok(!unresolved.has('unres/spawn_of_child/kid'));
});

test('a sidecar that names only the stream that started it keeps its edge without a relation', async () => {
  const { relations, unresolved, counts } = await assembled(
    launch,
    kid,
    sidecar('kid', { started_by: 'main' }),
  );
  assert.ok(![...relations.keys()].some((id) => id.startsWith('rel/starts')));
  assert.equal(unresolved.has('unres/spawn_of_child/kid'), false);
  assert.equal(counts.childrenResolved, 1);
});

test('a sidecar whose starter did not land opens a reference without a name', async () => {
  const { unresolved } = await assembled(launch, kid, sidecar('kid', { started_by: 'ghost' }));
  assert.deepEqual(unresolved.get('unres/spawn_call'), {
    ...{ id: 'unres/spawn_call', kind: 'spawn_call', state: 'open' },
    reason: 'a batch names children but its launch call was never landed',
  });
});

test('only a sidecar has a parent stream, and only a journal a batch', async () => {
  const { unresolved, counts } = await assembled(
    launch,
    kid,
    main({ id: 'x', from: 'runtime', child: 'kid', started_by: 'main', batch: 'b' }),
    sidecar('kid', { batch: 'b' }),
  );
  assert.equal(counts.childLaunches, 0, 'edges with neither tool, batch nor parent stream are discarded');
  assert.deepEqual(
    [...unresolved.keys()].filter((id) => id.includes('spawn')),
    ['unres/spawn_of_child/kid'],
  );
});

test('a journal’s own tool is not looked at', async () => {
  const { relations } = await assembled(
    main(user('u1', 'p1'), agent('a1', 'm1', call('t1'), call('t2')), {
      ...results('r1', result('t1')),
      batch: 'b',
    }),
    kid,
    journal('b', { child: 'kid', tool: 't2', trigger: 'notification', started_by: 'main' }),
  );
  assert.deepEqual(
    [...relations.keys()].filter((id) => id.startsWith('rel/starts')),
    [starts('t1', 'kid')],
  );
});

test('a sidecar with the trigger notification is a sidecar: the first row counts', async () => {
  const { relations } = await assembled(launch, kid, sidecar('kid', { tool: 't1', trigger: 'notification' }));
  assert.equal(relations.get(starts('t1', 'kid'))?.via, 'child sidecar');
});

test('the same tool, batch, parent and child count once, and the first announcement is the evidence', async () => {
  const { counts, relations } = await assembled(
    launch,
    kid,
    main({ id: 'x', from: 'external', child: 'kid', tool: 't1' }),
    main({ id: 'y', from: 'external', child: 'kid', tool: 't1', trigger: 'notification' }),
  );
  assert.equal(counts.childLaunches, 1);
  const { via, evidence } = relations.get(starts('t1', 'kid'))!;
  assert.deepEqual([via, evidence], ['parent tool result', [{ seq: 3, row: 1 }]]);
});

test('edges that differ in the parent are two observations of one relation', async () => {
  const { counts, relations } = await assembled(
    launch,
    kid,
    sidecar('kid', { tool: 't1', started_by: 'main' }),
    main({ id: 'x', from: 'external', child: 'kid', tool: 't1' }),
  );
  assert.equal(counts.childrenResolved, 2);
  const { via, evidence } = relations.get(starts('t1', 'kid'))!;
  assert.equal(via, 'child sidecar');
  assert.deepEqual(evidence, [
    { seq: 3, row: 1 },
    { seq: 4, row: 1 },
  ]);
});

test('a stronger edge brings its words to the relation, whatever landed first', async () => {
  const { relations } = await assembled(
    journal('b', { child: 'kid' }),
    main(user('u1', 'p1'), agent('a1', 'm1', call('t1')), { ...results('r1', result('t1')), batch: 'b' }),
    kid,
    sidecar('kid', { tool: 't1' }),
  );
  const { via, quality, evidence } = relations.get(starts('t1', 'kid'))!;
  assert.deepEqual([via, quality], ['child sidecar', 'exact_unique']);
  assert.deepEqual(
    evidence,
    [
      { seq: 4, row: 1 },
      { seq: 1, row: 1 },
    ],
    'an empty batch sorts before "b"',
  );
});

test('a tool that starts an auxiliary stream stays a tool, and has its relation', async () => {
  const { nodes, relations } = await assembled(
    launch,
    kid,
    main({ id: 'x', from: 'external', child: 'kid', tool: 't1', flags: ['auxiliary'] }),
  );
  assert.equal(nodes.get('tool/t1')?.kind, 'tool');
  assert.ok(relations.has(starts('t1', 'kid')));
});

test('a stream of which nothing says who started it is open, the main stream never', async () => {
  const { unresolved, counts } = await assembled(launch, kid, child('aux', user('x1', 'q9')));
  assert.deepEqual(
    [...unresolved.keys()].filter((id) => id.includes('spawn_of_child')),
    ['unres/spawn_of_child/aux', 'unres/spawn_of_child/kid'],
  );
  assert.equal(counts.orphanStreams, 2);
});

test('a child of a child is joined in its parent’s stream', async () => {
  const { nodes, relations } = await assembled(
    launch,
    child('kid', user('k1', 'q1'), { ...agent('k2', 'n1', call('t2', 'Task')), parent: 'k1' }),
    child('grandkid', user('g1', 'q2')),
    sidecar('kid', { tool: 't1' }),
    sidecar('grandkid', { tool: 't2', started_by: 'kid' }),
  );
  assert.equal(nodes.get('tool/t2')?.stream, 'kid');
  assert.ok(relations.has(starts('t2', 'grandkid')));
});
