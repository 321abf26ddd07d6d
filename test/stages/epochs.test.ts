import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ARecord,
  agent,
  anIndex,
  assembled,
  assembledIndex,
  child,
  journal,
  main,
  text,
  user,
} from './index-builder.js';

const reset = (id: string, more: ARecord = {}): ARecord => ({
  id,
  from: 'runtime',
  flags: ['context_reset'],
  ...more,
});
const summary = (id: string, parent: string, more: ARecord = {}): ARecord => ({
  ...{ id, parent, from: 'external', flags: ['reset_summary'] },
  ...more,
});

test('a stream without a reset has one epoch', async () => {
  const { nodes, ids, relations } = await assembled(main(user('u1', 'p1'), {}));
  assert.deepEqual(ids('epoch'), ['epoch/main/0']);
  assert.deepEqual(nodes.get('epoch/main/0'), {
    ...{ id: 'epoch/main/0', kind: 'epoch', parent: 'stream/main', stream: 'main', ref: { seq: 1, row: 1 } },
    attrs: { records: 2, reset: 'none' },
  });
  assert.equal(relations.has('rel/follows'), false);
});

test('a reset opens an epoch at itself, which follows the one before it', async () => {
  const { nodes, relations, unresolved } = await assembled(
    main(user('u1', 'p1'), reset('b1', { continues: 'u1' }), user('u2', 'p2')),
  );
  assert.deepEqual(nodes.get('epoch/main/b1'), {
    ...{ id: 'epoch/main/b1', kind: 'epoch', parent: 'stream/main', stream: 'main' },
    ...{ ref: { seq: 1, row: 2 }, refs: [{ seq: 1, row: 2 }] },
    attrs: { continues_from: 'u1', records: 2, reset: 'observed_replayable' },
  });
  assert.deepEqual(relations.get('rel/follows/epoch_main_b1/epoch_main_0'), {
    ...{
      id: 'rel/follows/epoch_main_b1/epoch_main_0',
      type: 'follows',
      from: 'epoch/main/b1',
      to: 'epoch/main/0',
    },
    ...{ quality: 'exact_unique', via: 'explicit context reset', evidence: [{ seq: 1, row: 2 }] },
  });
  assert.deepEqual(nodes.get('boundary/1/2'), {
    ...{ id: 'boundary/1/2', kind: 'epoch.boundary', parent: 'epoch/main/b1', stream: 'main' },
    ...{ ref: { seq: 1, row: 2 }, attrs: {} },
  });
  assert.equal(unresolved.size, 0);
});

test('a stream that begins with a reset has no empty epoch before it, and follows none', async () => {
  const { ids, relations } = await assembled(main(reset('b1'), user('u1', 'p1')));
  assert.deepEqual(ids('epoch'), ['epoch/main/b1']);
  assert.deepEqual(
    [...relations.keys()].filter((id) => id.startsWith('rel/follows')),
    [],
  );
});

test('a reset without an id names its epoch by its position', async () => {
  const { ids } = await assembled(main(user('u1', 'p1'), reset('')));
  assert.deepEqual(ids('epoch'), ['epoch/main/0', 'epoch/main/at_1_2']);
});

test('resets are cut per stream, and a record in no stream cuts none', async () => {
  const { ids, nodes, relations } = await assembled(
    child('kid', user('k1', 'q1')),
    main(user('u1', 'p1'), reset('b1')),
    child('kid', reset('b2'), user('k2', 'q2')),
    journal('b', reset('b3'), summary('s1', 'b3')),
  );
  assert.deepEqual(ids('epoch'), ['epoch/kid/0', 'epoch/kid/b2', 'epoch/main/0', 'epoch/main/b1']);
  assert.equal(nodes.get('boundary/4/1')?.parent, 'session/s');
  assert.equal(nodes.get('summary/4/2')?.parent, 'session/s');
  assert.equal(nodes.get('summary/4/2')?.stream, undefined);
  assert.ok(relations.has('rel/summarizes/summary_4_2/boundary_4_1'));
});

test('a slash in a stream or record id becomes an underscore', async () => {
  const { ids } = await assembled(child('a/b', user('u1', 'p1'), reset('r/1')));
  assert.deepEqual(ids('epoch'), ['epoch/a_b/0', 'epoch/a_b/r_1']);
});

test('a reset that names a record that never landed is open', async () => {
  const { unresolved, nodes } = await assembled(main(user('u1', 'p1'), reset('b1', { continues: 'x' })));
  assert.equal(
    unresolved.get('unres/epoch_continuation/x')?.reason,
    'a reset names a record that is not in the landed data',
  );
  assert.equal(nodes.get('epoch/main/b1')?.attrs.continues_from, 'x');
});

test('the record a reset continues is not looked for past the watermark', async () => {
  const index = anIndex(main(reset('b1', { continues: 'u2' })), main(user('u2', 'p1')));
  const ids = async (watermark: number) => [
    ...(await assembledIndex(index, { watermark })).unresolved.keys(),
  ];
  assert.deepEqual([await ids(1), await ids(2)], [['unres/epoch_continuation/u2'], []]);
});

test('only a boundary continues: the first record of a plain epoch does not', async () => {
  const { unresolved, nodes } = await assembled(main({ ...user('u1', 'p1'), continues: 'x' }));
  assert.equal(unresolved.size, 0);
  assert.ok(!('continues_from' in nodes.get('epoch/main/0')!.attrs));
});

test('a summary sits in the epoch, not in the run, and summarizes the boundary that is its parent', async () => {
  const { nodes, relations } = await assembled(
    main(
      user('u1', 'p1'),
      reset('b1', { time: '2026-01-01T00:00:01Z' }),
      summary('s1', 'b1', { run: 'p1', time: '2026-01-01T00:00:00Z' }),
    ),
  );
  assert.equal(nodes.get('summary/1/3')?.parent, 'epoch/main/b1');
  assert.deepEqual(relations.get('rel/summarizes/summary_1_3/boundary_1_2'), {
    ...{
      id: 'rel/summarizes/summary_1_3/boundary_1_2',
      type: 'summarizes',
      from: 'summary/1/3',
      to: 'boundary/1/2',
    },
    ...{ quality: 'exact_unique', via: 'containment parent', evidence: [{ seq: 1, row: 3 }] },
  });
});

test('a summary of anything but a boundary summarizes nothing', async () => {
  const { relations, ids } = await assembled(
    main(user('u1', 'p1'), summary('s1', 'u1'), summary('s2', 'ghost'), summary('s3', '')),
  );
  assert.equal(ids('epoch.summary').length, 3);
  assert.deepEqual(
    [...relations.keys()].filter((id) => id.startsWith('rel/summarizes')),
    [],
  );
});

test('a summary does not find its boundary past the watermark', async () => {
  const index = anIndex(main(user('u1', 'p1'), summary('s1', 'b1')), main(reset('b1')));
  const { relations } = await assembledIndex(index, { watermark: 1 });
  assert.deepEqual(
    [...relations.keys()].filter((id) => id.startsWith('rel/summarizes')),
    [],
  );
});

test('a record that is boundary and summary is a boundary', async () => {
  const both = reset('b2', { flags: ['context_reset', 'reset_summary'], parent: 'b1' });
  const { ids, relations } = await assembled(main(reset('b1'), both));
  assert.deepEqual([ids('epoch.summary'), ids('epoch.boundary').length], [[], 2]);
  assert.deepEqual(
    [...relations.keys()].filter((id) => id.startsWith('rel/summarizes')),
    [],
  );
});

test('boundaries and summaries are steps, whatever else they are', async () => {
  const { ids } = await assembled(
    main(
      user('u1', 'p1'),
      reset('b1', { from: 'agent', call: 'm1', parts: [text()] }),
      agent('a1', 'm1', text()),
    ),
  );
  assert.deepEqual(ids('epoch.boundary'), ['boundary/1/2']);
  assert.deepEqual(ids('message.assistant'), ['msg/1/2:0', 'msg/1/3:0']);
});
