import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agent, assembled, call, child, journal, main, reasoning, text, user } from './index-builder.js';

const input = user('u1', 'p1');
const RUN = 'run/talk_main_p1/p1';
const under = (record: ReturnType<typeof agent>) => ({ ...record, parent: 'u1' });

test('fragments of one id make one call, in landed order, whatever stands between', async () => {
  const { nodes, counts } = await assembled(
    main(input, under(agent('a1', 'm1', reasoning())), user('u2', 'p1'), under(agent('a2', 'm2', text()))),
    main(under(agent('a3', 'm1', text(), call('t1')))),
  );
  assert.deepEqual(nodes.get('call/m1'), {
    ...{ id: 'call/m1', kind: 'llm.call', parent: RUN, stream: 'main', ref: { seq: 1, row: 2 } },
    refs: [
      { seq: 1, row: 2 },
      { seq: 2, row: 1 },
    ],
    attrs: {
      fragments: 2,
      stop_reason: 'unavailable',
      usage: 'unavailable',
      usage_from: 'last_fragment_in_line_order',
    },
  });
  assert.equal(nodes.get('think/1/2:0')?.parent, 'call/m1');
  assert.equal(nodes.get('msg/2/1:0')?.parent, 'call/m1');
  assert.deepEqual([counts.calls, counts.fragments, counts.unfinishedCalls], [2, 3, 2]);
});

test('usage is that of the last fragment, though an earlier one carries the stop reason', async () => {
  const { nodes, unresolved } = await assembled(
    main(
      input,
      { ...under(agent('a1', 'm1', text())), flags: ['finished'] },
      under(agent('a2', 'm1', text())),
    ),
  );
  assert.deepEqual(nodes.get('call/m1')?.attrs, {
    ...{ fragments: 2, usage: 'observed_replayable', usage_at: { row: 3, seq: 1 } },
    usage_from: 'last_fragment_in_line_order',
  });
  assert.equal(unresolved.size, 0, 'an unfinished call is normal and opens nothing');
});

test('a call is synthetic when any fragment is, and then all its messages are', async () => {
  const { ids, counts, nodes } = await assembled(
    main(input, under(agent('a1', 'm1', text(), reasoning())), {
      ...under(agent('a2', 'm1', text())),
      flags: ['synthetic'],
    }),
  );
  assert.deepEqual(ids('message.synthetic'), ['msg/1/2:0', 'msg/1/3:0']);
  assert.equal(nodes.get('think/1/2:1')?.kind, 'thinking');
  assert.equal(counts.syntheticMessages, 1);
});

test('a call seen in two streams belongs to the stream whose name sorts first, its fragments by landed order', async () => {
  const { nodes } = await assembled(
    child('kid', { ...agent('a1', 'm1', text()), run: 'p1' }),
    child('bob', { ...agent('a2', 'm1', text()), run: 'p2' }),
  );
  const made = nodes.get('call/m1');
  assert.equal(made?.stream, 'bob');
  assert.deepEqual(made?.refs, [
    { seq: 1, row: 1 },
    { seq: 2, row: 1 },
  ]);
  assert.equal(made?.parent, 'run/talk_kid/p1', 'the container of its first fragment');
  assert.equal(nodes.get('msg/1/1:0')?.stream, 'bob', 'messages carry the stream of their call');
});

test('only entries of kind assistant join a call', async () => {
  const { ids } = await assembled(
    main(input, { ...user('u2', 'p1'), call: 'm1' }, { from: 'runtime', call: 'm1' }, { call: 'm1' }),
    journal('b', { from: 'agent', call: 'm1' }),
  );
  assert.deepEqual(ids('llm.call'), []);
});

test('output that names no call gives its steps under the run, synthetic by its own flag', async () => {
  const { nodes, ids } = await assembled(
    main(input, under(agent('a1', '', text(), reasoning(), call('t1'))), {
      ...under(agent('a2', '', text())),
      flags: ['synthetic'],
    }),
  );
  assert.deepEqual(ids('llm.call'), []);
  assert.deepEqual(ids('message.assistant'), ['msg/1/2:0']);
  assert.deepEqual(ids('message.synthetic'), ['msg/1/3:0']);
  for (const id of ['msg/1/2:0', 'think/1/2:1', 'tool/t1', 'msg/1/3:0'])
    assert.equal(nodes.get(id)?.parent, RUN);
});

test('the place of a block counts every part before it', async () => {
  const other = { ...text(), k: 'media' };
  const { ids } = await assembled(main(input, under(agent('a1', 'm1', other, other, text()))));
  assert.deepEqual(ids('message.assistant'), ['msg/1/2:2']);
});

test('text of a person or of the runtime makes no message', async () => {
  const { ids } = await assembled(
    main({ ...input, parts: [text(), reasoning()] }, { from: 'runtime', parts: [text()] }),
  );
  assert.deepEqual([...ids('message.assistant'), ...ids('thinking')], []);
});

test('a slash in a call id becomes an underscore in the node id, and of two ids made one the later text wins', async () => {
  const { nodes } = await assembled(
    main(input, under(agent('a1', 'm_1', text())), under(agent('a2', 'm/1', text()))),
  );
  assert.deepEqual(
    nodes.get('call/m_1')?.ref,
    { seq: 1, row: 2 },
    '"/" sorts before "_", so "_" is written later',
  );
  const { nodes: others } = await assembled(main(input, under(agent('a1', 'm/1', call('t/1')))));
  assert.equal(others.get('tool/t_1')?.parent, 'call/m_1');
});

test('output in no stream makes no call and no messages', async () => {
  const { ids } = await assembled(main(input), {
    kind: 'transcript',
    records: [agent('a1', 'm1', text()), agent('a2', '', text())],
  });
  assert.deepEqual([ids('llm.call'), ids('message.assistant')], [[], []]);
});
