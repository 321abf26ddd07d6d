import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  agent,
  anIndex,
  assembled,
  assembledIndex,
  call,
  child,
  main,
  result,
  results,
  text,
  user,
} from './index-builder.js';

test('the first copy of a record id wins, in landed order, across streams', async () => {
  const { ids, counts, nodes } = await assembled(
    child('kid', { ...agent('a1', 'm1', text()), run: 'p1' }),
    main(user('u1', 'p1'), { ...agent('a1', 'm2', text()), run: 'p1' }),
  );
  assert.deepEqual(ids('llm.call'), ['call/m1']);
  assert.equal(nodes.get('msg/1/1:0')?.stream, 'kid');
  assert.deepEqual([counts.entries, counts.duplicates], [2, 1]);
});

test('the first copy stays when a later one says more', async () => {
  const { nodes, counts } = await assembled(
    main(user('u1', 'p1'), agent('a1', 'm1', text())),
    main({ ...agent('a1', 'm1', text(), text()), flags: ['finished'] }),
  );
  assert.equal(nodes.get('call/m1')?.attrs.usage, 'unavailable');
  assert.equal(counts.unfinishedCalls, 1);
});

test('a record without an id is never a duplicate', async () => {
  const { counts, ids } = await assembled(main(user('', 'p1'), user('', 'p1')));
  assert.deepEqual([counts.entries, counts.duplicates], [2, 0]);
  assert.equal(ids('message.external').length, 2);
});

test('a repeated copy is absent from every lookup: its result makes no tool ambiguous', async () => {
  const { nodes } = await assembled(
    main(user('u1', 'p1'), agent('a1', 'm1', call('t1')), results('r1', result('t1'))),
    main(results('r1', result('t1'))),
  );
  assert.equal(nodes.get('tool/t1')?.attrs.result_join, 'exact_unique');
});

test('a copy in a stream of its own makes no stream', async () => {
  const { ids } = await assembled(main(user('u1', 'p1')), child('ghost', user('u1', 'p1')));
  assert.deepEqual(ids('stream'), ['stream/main']);
});

test('a workspace change takes part in the duplicate rule, in both directions', async () => {
  const changes = { kind: 'changes', stream: 'main', records: [{ id: 'x' }] };
  const first = await assembled(changes, main(user('x', 'p1')));
  assert.deepEqual([first.counts.entries, first.counts.duplicates, first.counts.evidence], [0, 1, 1]);
  const second = await assembled(main(user('x', 'p1')), changes);
  assert.deepEqual([second.counts.entries, second.counts.duplicates, second.counts.evidence], [1, 1, 0]);
});

test('an execution takes part in the duplicate rule too', async () => {
  const { counts } = await assembled(
    { kind: 'execution', stream: 'main', records: [{ id: 'x' }] },
    main(user('x', 'p1')),
  );
  assert.deepEqual([counts.entries, counts.duplicates, counts.evidence], [0, 1, 1]);
});

test("a provider body's id takes no part: neither is the other's copy", async () => {
  const body = { kind: 'provider_body', records: [{ id: 'x' }, { id: 'x' }] };
  for (const files of [
    [body, main(user('x', 'p1'))],
    [main(user('x', 'p1')), body],
  ]) {
    const { counts } = await assembled(...files);
    assert.deepEqual([counts.entries, counts.duplicates, counts.evidence], [1, 0, 2]);
  }
});

test('evidence gives no steps, no stream, no times and no tools', async () => {
  const record = {
    ...user('x', 'p1'),
    time: '2026-01-01T00:00:00Z',
    parts: [call('t1'), text()],
    label: 'l',
  };
  for (const kind of ['changes', 'execution', 'provider_body']) {
    const { nodes, unresolved } = await assembled({ kind, stream: 'main', records: [record] });
    assert.deepEqual([...nodes.keys()], ['session/s'], kind);
    assert.deepEqual(nodes.get('session/s')?.attrs, { conversation: 'c' });
    assert.equal(unresolved.size, 0);
  }
});

test('entries above the watermark are counted, and no lookup sees them', async () => {
  const index = anIndex(
    main(user('u1', 'p1'), agent('a1', 'm1', call('t1'))),
    main(results('r1', result('t1')), user('u2', 'p2')),
  );
  const { nodes, counts, unresolved } = await assembledIndex(index, { watermark: 1 });
  assert.equal(nodes.get('tool/t1')?.attrs.result, 'unavailable');
  assert.deepEqual([...unresolved.keys()], ['unres/tool_result/t1']);
  assert.deepEqual([counts.entries, counts.beyondWatermark, counts.talks], [2, 2, 1]);
});
