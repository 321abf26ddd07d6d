import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AFile,
  type ARecord,
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

const RUN = 'run/talk_main_p1/p1';
const notice = (more: ARecord): ARecord => ({
  id: 'n1',
  run: 'p1',
  from: 'external',
  trigger: 'notification',
  ...more,
});
const kid = child('kid', user('k1', 'q1'), agent('k2', 'n1', text()));
const launch = main(user('u1', 'p1'), agent('a1', 'm1', call('t1', 'Task')));
const of = (relations: ReadonlyMap<string, unknown>, type: string) =>
  [...relations.keys()].filter((id) => id.startsWith(`rel/${type}/`));

test('an acknowledged launch is one step, and no notification even with that trigger', async () => {
  const { nodes, ids, counts } = await assembled(main(user('u1', 'p1'), notice({ flags: ['launch_ack'] })));
  assert.deepEqual(nodes.get('ack/1/2'), {
    ...{
      id: 'ack/1/2',
      kind: 'agent.launch_ack',
      parent: RUN,
      stream: 'main',
      ref: { seq: 1, row: 2 },
      attrs: {},
    },
  });
  assert.deepEqual([ids('runtime.notification'), counts.notifications], [[], 0]);
});

test('a notification flagged as input from outside gives both nodes', async () => {
  const { ids } = await assembled(main(user('u1', 'p1'), notice({ flags: ['external_input'] })));
  assert.deepEqual(ids('runtime.notification'), ['notify/1/2']);
  assert.deepEqual(ids('message.external'), ['input/1/1', 'input/1/2']);
});

test('a notification that names a landed child reports to it, exactly', async () => {
  const { relations } = await assembled(main(user('u1', 'p1'), notice({ child: 'kid' })), kid);
  assert.deepEqual(relations.get('rel/reports/notify_1_2/stream_kid'), {
    ...{ id: 'rel/reports/notify_1_2/stream_kid', type: 'reports', from: 'notify/1/2', to: 'stream/kid' },
    ...{ quality: 'exact_unique', via: 'task id on the notification', evidence: [{ seq: 1, row: 2 }] },
  });
});

test('a notification that names a child that did not land is open, and counted as unmatched', async () => {
  const { unresolved, counts, relations } = await assembled(
    main(user('u1', 'p1'), notice({ child: 'kid', tool: 't1' })),
  );
  assert.equal(
    unresolved.get('unres/notified_child/kid')?.reason,
    'a notification names a child whose stream has not landed',
  );
  assert.deepEqual([counts.notifications, counts.unmatchedNotifications], [1, 1]);
  assert.deepEqual(of(relations, 'reports'), []);
});

test('a notification of a call alone reports to every stream that call started, auxiliary ones too', async () => {
  const { relations } = await assembled(
    launch,
    kid,
    child('aux', user('x1', 'q2')),
    sidecar('kid', { tool: 't1' }),
    main(
      { id: 'x', from: 'external', child: 'aux', tool: 't1', flags: ['auxiliary'] },
      { id: 'y', from: 'external', child: 'kid', tool: 't1' },
    ),
    main(notice({ tool: 't1' })),
  );
  assert.deepEqual(of(relations, 'reports'), [
    'rel/reports/notify_6_1/stream_aux',
    'rel/reports/notify_6_1/stream_kid',
  ]);
  const { quality, via, evidence } = relations.get('rel/reports/notify_6_1/stream_aux')!;
  assert.deepEqual([quality, via], ['strong_inference', 'the call the notification completes']);
  assert.deepEqual(evidence, [{ seq: 6, row: 1 }]);
});

test('two kept edges of one call to one stream are two observations', async () => {
  const { relations } = await assembled(
    launch,
    kid,
    sidecar('kid', { tool: 't1', started_by: 'main' }),
    main({ id: 'x', from: 'external', child: 'kid', tool: 't1' }),
    main(notice({ tool: 't1' })),
  );
  assert.deepEqual(relations.get('rel/reports/notify_5_1/stream_kid')?.evidence, [
    { seq: 5, row: 1 },
    { seq: 5, row: 1 },
  ]);
});

test('the tool of a notification is its own, not that of a result it carries', async () => {
  const { relations } = await assembled(
    launch,
    kid,
    sidecar('kid', { tool: 't1' }),
    main(notice({ parts: [result('t1')] })),
  );
  assert.deepEqual(of(relations, 'reports'), []);
});

test('a child’s output is its last response, then what the journal holds, then the result of its call', async () => {
  const { nodes, relations } = await assembled(
    main(user('u1', 'p1'), agent('a1', 'm1', call('t1')), results('r1', result('t1'))),
    child('kid', user('k1', 'q1'), agent('k2', 'n1', text()), agent('k3', 'n2', text()), {
      ...agent('k4', 'n3', text()),
      flags: ['synthetic'],
    }),
    sidecar('kid', { tool: 't1' }),
    journal('b', { child: 'kid' }),
    journal(
      'b',
      { child: 'kid', flags: ['child_result'], id: 'j1' },
      { child: 'kid', flags: ['child_result'], id: 'j2' },
    ),
  );
  const refs = [
    { seq: 2, row: 3 },
    { seq: 5, row: 1 },
    { seq: 1, row: 3, block: 0 },
  ];
  assert.deepEqual(nodes.get('output/kid'), {
    ...{ id: 'output/kid', kind: 'agent.output', parent: 'talk/kid', stream: 'kid', ref: refs[0], refs },
    attrs: { returned_value: 'observed_replayable' },
  });
  assert.deepEqual(relations.get('rel/ends_with/stream_kid/output_kid'), {
    ...{ id: 'rel/ends_with/stream_kid/output_kid', type: 'ends_with', from: 'stream/kid', to: 'output/kid' },
    ...{
      quality: 'exact_unique',
      via: 'the last response in the child stream, and what it returned',
      evidence: refs,
    },
  });
  assert.deepEqual(of(relations, 'result_of'), ['rel/result_of/output_kid/tool_t1']);
});

test('a child without response or journal result has no output', async () => {
  const { ids, relations } = await assembled(child('kid', user('k1', 'q1')), journal('b', { child: 'kid' }));
  assert.deepEqual([ids('agent.output'), of(relations, 'ends_with')], [[], []]);
});

test('a child that is silent but whose journal holds a result has that for output, in the session', async () => {
  const { nodes } = await assembled(
    child('kid', user('k1', 'q1')),
    journal('b', { child: 'kid', flags: ['child_result'] }),
  );
  const { parent, stream, refs } = nodes.get('output/kid')!;
  assert.deepEqual([parent, stream, refs], ['session/s', 'kid', [{ seq: 2, row: 1 }]]);
});

test('the flag of a child’s result counts only on journals, and an auxiliary stream has no output', async () => {
  const { nodes } = await assembled(
    kid,
    main(user('u1', 'p1'), { id: 'x', from: 'runtime', child: 'kid', flags: ['child_result'] }),
  );
  assert.equal(nodes.get('output/kid')?.attrs.returned_value, 'unavailable');
  const aux = await assembled(kid, main({ id: 'x', from: 'runtime', child: 'kid', flags: ['auxiliary'] }));
  assert.deepEqual(aux.ids('agent.output'), []);
});

// ---- the way back ----

/** A call that started one child and got its result back: what each case below changes one thing of. */
function direct(
  more: { result?: ARecord; sidecar?: ARecord; main?: ARecord[]; files?: AFile[] } = {},
): AFile[] {
  return [
    main(
      user('u1', 'p1'),
      agent('a1', 'm1', call('t1', 'Task'), call('t2')),
      { ...results('r1', result('t1')), ...more.result },
      ...(more.main ?? []),
    ),
    kid,
    sidecar('kid', { tool: 't1', ...more.sidecar }),
    ...(more.files ?? []),
  ];
}

test('the output of a child is the result of the call that started it', async () => {
  const { relations, nodes } = await assembled(...direct());
  assert.deepEqual(relations.get('rel/result_of/output_kid/tool_t1'), {
    ...{ id: 'rel/result_of/output_kid/tool_t1', type: 'result_of', from: 'output/kid', to: 'tool/t1' },
    ...{ quality: 'exact_unique', via: 'the result the call that started this stream received' },
    evidence: [{ seq: 1, row: 3, block: 0 }],
  });
  const { refs, attrs } = nodes.get('output/kid')!;
  assert.deepEqual(refs, [
    { seq: 2, row: 2 },
    { seq: 1, row: 3, block: 0 },
  ]);
  assert.equal(attrs.returned_value, 'observed_replayable');
});

const extra = (record: ARecord): AFile => main({ id: 'x', from: 'external', child: 'kid', ...record });
for (const [what, files, written] of [
  ['a parent stream beside the tool does no harm', direct({ sidecar: { started_by: 'main' } }), true],
  [
    'a second edge of the same tool does none',
    direct({ files: [extra({ tool: 't1', trigger: 'other' })] }),
    true,
  ],
  ['an edge of another tool', direct({ files: [extra({ tool: 't2' })] }), false],
  [
    'an edge of a parent stream without a tool',
    direct({ files: [sidecar('kid', { started_by: 'main' })] }),
    false,
  ],
  ['an edge of a tool that never landed is not kept', direct({ files: [extra({ tool: 't9' })] }), true],
  ['an edge of a batch', direct({ result: { batch: 'b' }, files: [journal('b', { child: 'kid' })] }), false],
  ['a batch whose call never landed is not kept', direct({ files: [journal('b', { child: 'kid' })] }), true],
  ['the result is an acknowledgement of the launch', direct({ result: { flags: ['launch_ack'] } }), false],
  ['a second result', direct({ main: [results('r2', result('t1'))] }), false],
  ['no result', direct({ result: { parts: [] } }), false],
  ['a notification names the child', direct({ main: [notice({ child: 'kid' })] }), false],
  ['a notification names the call', direct({ main: [notice({ tool: 't1' })] }), false],
  ['a notification names another call', direct({ main: [notice({ tool: 't2' })] }), true],
  ['a notification reports before the child lands', [main(notice({ child: 'kid' })), ...direct()], false],
] as [string, AFile[], boolean][])
  test(`the way back is ${written ? 'written' : 'not written'}: ${what}`, async () => {
    const { relations, nodes } = await assembled(...files);
    assert.deepEqual(of(relations, 'result_of'), written ? ['rel/result_of/output_kid/tool_t1'] : []);
    assert.equal(
      nodes.get('output/kid')?.attrs.returned_value,
      written ? 'observed_replayable' : 'unavailable',
    );
  });

test('a call that started several streams is the end of each one’s way back', async () => {
  const { relations } = await assembled(
    ...direct({
      files: [child('bob', user('b1', 'q9'), agent('b2', 'n9', text())), sidecar('bob', { tool: 't1' })],
    }),
  );
  assert.deepEqual(of(relations, 'result_of'), [
    'rel/result_of/output_bob/tool_t1',
    'rel/result_of/output_kid/tool_t1',
  ]);
});

test('a result whose request never landed has no way back', async () => {
  const { relations } = await assembled(
    main(user('u1', 'p1'), { ...results('r1', result('t1')), child: 'kid' }),
    kid,
  );
  assert.deepEqual(of(relations, 'result_of'), []);
});

test('the way back of an auxiliary stream begins at the call of its last response', async () => {
  const aux = child('aux', user('x1', 'q1'), agent('x2', 'n1', text()), agent('x3', 'n2', text()), {
    ...agent('x4', 'n3', text()),
    flags: ['synthetic'],
  });
  const naming: ARecord = { ...results('r1', result('t1')), child: 'aux', flags: ['auxiliary'] };
  const parent = main(user('u1', 'p1'), agent('a1', 'm1', call('t1')), naming);
  const { relations } = await assembled(parent, aux);
  assert.deepEqual(relations.get('rel/result_of/call_n2/tool_t1'), {
    ...{ id: 'rel/result_of/call_n2/tool_t1', type: 'result_of', from: 'call/n2', to: 'tool/t1' },
    ...{ quality: 'exact_unique', via: 'the result the tool that started this stream received' },
    evidence: [
      { seq: 2, row: 3 },
      { seq: 1, row: 3, block: 0 },
    ],
  });
  const nameless = child('aux', user('x1', 'q1'), agent('x2', 'n1', text()), agent('x3', '', text()));
  assert.deepEqual(of((await assembled(parent, nameless)).relations, 'result_of'), []);
  const silent = child('aux', user('x1', 'q1'));
  assert.deepEqual(of((await assembled(parent, silent)).relations, 'result_of'), []);
});

test('a response that is the first record of all is a response', async () => {
  const aux = child('aux', agent('x2', 'n1', text()));
  const naming: ARecord = { ...results('r1', result('t1')), child: 'aux', flags: ['auxiliary'] };
  const parent = main(user('u1', 'p1'), agent('a1', 'm1', call('t1')), naming);
  assert.deepEqual(of((await assembled(aux, parent)).relations, 'result_of'), [
    'rel/result_of/call_n1/tool_t1',
  ]);
  const { nodes } = await assembled(child('kid', agent('k1', 'n1', text())));
  assert.deepEqual(nodes.get('output/kid')?.ref, { seq: 1, row: 1 });
});

test('a journal result that is the first record of all is one', async () => {
  const { nodes } = await assembled(
    journal('b', { child: 'kid', flags: ['child_result'] }),
    child('kid', user('k1', 'q1')),
  );
  assert.deepEqual(nodes.get('output/kid')?.ref, { seq: 1, row: 1 });
});
