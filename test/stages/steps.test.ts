import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareCodePoints } from '../../src/format/json-text.js';
import { GROUPS } from '../../src/format/session-flow.js';
import { StringTable } from '../../src/format/string-table.js';
import { assemble } from '../../src/stages/pipeline.js';
import { inIdOrder } from '../../src/stages/text-order.js';
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
  sidecar,
  text,
  user,
} from './index-builder.js';

test('entities come as nodes, relations, unresolved entries, each group by id in code point order', async () => {
  const { entities } = await assembled(
    main(
      user('u1', '😀'),
      user('u2', '\uffff'),
      user('u3', 'z'),
      agent('a1', 'm1', call('t1'), call('t2')),
      results('r1', result('t9')),
    ),
    child('kid', user('k1', 'q1')),
  );
  const groups = entities.map(({ group }) => GROUPS.indexOf(group));
  assert.deepEqual(
    groups,
    groups.toSorted((a, b) => a - b),
  );
  for (const group of GROUPS) {
    const ids = entities.filter((entity) => entity.group === group).map(({ id }) => id);
    assert.deepEqual(ids, ids.toSorted(compareCodePoints));
    assert.equal(new Set(ids).size, ids.length);
  }
  assert.ok(
    entities.findIndex(({ id }) => id === 'talk/main/\uffff') <
      entities.findIndex(({ id }) => id === 'talk/main/😀'),
  );
});

test('where two writers make one id, the later one replaces the earlier', async () => {
  // A child named "main/p1" gives the talk "talk/main_p1"; a call "x/y" and a call "x_y" give one id.
  const { nodes } = await assembled(
    main(
      user('u1', 'p1'),
      agent('a1', 'x_y', text()),
      agent('a2', 'x/y', text()),
      agent('a3', 'm', call('t/1', 'Slash'), call('t_1', 'Underscore')),
    ),
  );
  assert.deepEqual(nodes.get('call/x_y')?.refs, [{ seq: 1, row: 2 }]);
  assert.equal(nodes.get('tool/t_1')?.attrs.name, 'Underscore');
});

test('numbers go in id order only where a slash can make two ids one', () => {
  const order = (...texts: string[]) => {
    const strings = new StringTable();
    for (const text of texts) strings.intern(text);
    return inIdOrder(strings);
  };
  assert.deepEqual(order('b', 'a', 'c'), [1, 2, 3]);
  assert.deepEqual(order('b', 'a', 'c/d'), [2, 1, 3]);
  assert.deepEqual(order('x_', '😀/', '\uffff'), [1, 3, 2]);
});

test('the counts of a parse each have their denominator', async () => {
  const { counts } = await assembled(
    main(
      user('u1', 'p1'),
      { ...agent('a1', 'm1', text(), call('t1', 'Task'), call('t2')), flags: ['finished'] },
      { ...agent('a2', 'm2', text()), flags: ['synthetic'] },
      results('r1', result('t1')),
      { id: 'n1', run: 'p1', from: 'external', trigger: 'notification', child: 'ghost' },
      { id: 'n2', run: 'p1', from: 'external', trigger: 'notification', child: 'kid' },
    ),
    main(user('u1', 'p1')),
    child('kid', user('k1', 'q1'), agent('k2', 'n1', text())),
    child('orphan', user('o1', 'q1')),
    sidecar('kid', { tool: 't1' }),
    { kind: 'changes', stream: 'main', records: [{ id: 'c1' }] },
  );
  assert.deepEqual(counts, {
    ...{
      entries: 10,
      duplicates: 1,
      evidence: 1,
      beyondWatermark: 0,
      streams: 3,
      epochs: 3,
      talks: 3,
      runs: 3,
    },
    // 3 inputs, 3 messages, 2 tools, 2 notifications, 1 output
    ...{ steps: 11, segments: 1, calls: 3, fragments: 3, unfinishedCalls: 2, syntheticMessages: 1 },
    ...{ toolUses: 2, toolsJoined: 1, childLaunches: 1, childrenResolved: 1, orphanStreams: 1 },
    ...{ notifications: 2, unmatchedNotifications: 1 },
  });
});

test('the counts are known when the assembly has ended, not before', () =>
  assert.throws(() => assemble(anIndex(), { conversation: 'c', watermark: 1 }).steps.counts));

test('an assembly of nothing, or to a watermark below all, is a session without anything', async () => {
  const index = anIndex({ ...main(user('u1', 'p1')), seq: 5 });
  for (const watermark of [0, 4]) {
    const { nodes, counts } = await assembledIndex(index, { watermark });
    assert.deepEqual([...nodes.keys()], ['session/s']);
    assert.equal(counts.beyondWatermark, 1);
  }
});
