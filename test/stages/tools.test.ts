import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  agent,
  assembled,
  call,
  child,
  journal,
  main,
  manifest,
  result,
  results,
  text,
  user,
} from './index-builder.js';

const input = user('u1', 'p1');
const RUN = 'run/talk_main_p1/p1';

test('a request and its one result are joined by the references of the node', async () => {
  const { nodes, counts, unresolved } = await assembled(
    main(input, agent('a1', 'm1', text(), call('t1', 'Bash')), results('r1', text(), result('t1'))),
  );
  assert.deepEqual(nodes.get('tool/t1'), {
    ...{ id: 'tool/t1', kind: 'tool', parent: 'call/m1', stream: 'main', ref: { seq: 1, row: 2, block: 1 } },
    refs: [
      { seq: 1, row: 2, block: 1 },
      { seq: 1, row: 3, block: 1 },
    ],
    attrs: { name: 'Bash', result: 'available', result_join: 'exact_unique', timing: 'unavailable' },
  });
  assert.deepEqual([counts.toolUses, counts.toolsJoined, unresolved.size], [1, 1, 0]);
});

test('a result that lands before its call joins when the call lands', async () => {
  const early = main(input, results('r1', result('t1')));
  const before = await assembled(early);
  assert.deepEqual(before.ids('tool'), []);
  assert.deepEqual(before.unresolved.get('unres/tool_use/t1'), {
    ...{ id: 'unres/tool_use/t1', kind: 'tool_use', ref: 't1', state: 'open' },
    reason: 'a result arrived for a request that was never landed',
  });
  const after = await assembled(early, main(agent('a1', 'm1', call('t1'))));
  assert.equal(after.nodes.get('tool/t1')?.attrs.result_join, 'exact_unique');
  assert.equal(after.unresolved.size, 0);
});

test('a request without result is open', async () => {
  const { nodes, unresolved, counts } = await assembled(main(input, agent('a1', 'm1', call('t1'))));
  const { result: got, result_join } = nodes.get('tool/t1')!.attrs;
  assert.deepEqual([got, result_join], ['unavailable', 'unresolved']);
  assert.equal(unresolved.get('unres/tool_result/t1')?.reason, 'no result landed for this tool use');
  assert.deepEqual([counts.toolUses, counts.toolsJoined], [1, 0]);
});

test('a second result makes the tool ambiguous, and none is chosen', async () => {
  const { nodes, unresolved, counts } = await assembled(
    main(input, agent('a1', 'm1', call('t1')), results('r1', result('t1')), results('r2', result('t1'))),
  );
  const { refs, attrs } = nodes.get('tool/t1')!;
  assert.deepEqual(refs, [{ seq: 1, row: 2, block: 0 }]);
  assert.deepEqual([attrs.result, attrs.result_join], ['unavailable', 'exact_ambiguous']);
  assert.equal(unresolved.get('unres/tool_result/t1')?.reason, 'several results carry this tool-use id');
  assert.equal(counts.toolsJoined, 0);
});

test('two results in one record are two results', async () => {
  const { nodes } = await assembled(
    main(input, agent('a1', 'm1', call('t1')), results('r1', result('t1'), result('t1'))),
  );
  assert.equal(nodes.get('tool/t1')?.attrs.result_join, 'exact_ambiguous');
});

test('the first request wins', async () => {
  const { nodes } = await assembled(
    main(
      input,
      agent('a1', 'm1', call('t1', 'First'), call('t1', 'Second')),
      agent('a2', 'm2', call('t1', 'Third')),
    ),
  );
  assert.equal(nodes.get('tool/t1')?.attrs.name, 'First');
});

test('streams go by name: the first request is that of the stream whose name sorts first, landed late or not', async () => {
  const { nodes } = await assembled(
    child('kid', user('u1', 'p1'), agent('a1', 'm1', call('t1', 'Kid'))),
    child('bob', user('u2', 'p1'), agent('a2', 'm2', call('t1', 'Bob'))),
  );
  const { stream, attrs, parent } = nodes.get('tool/t1')!;
  assert.deepEqual([stream, attrs.name, parent], ['bob', 'Bob', 'call/m2']);
});

test('the stream of a tool is the first that shows its id, be it in a result', async () => {
  const { nodes } = await assembled(
    main(input, agent('a1', 'm1', call('t1'))),
    child('bob', results('r1', result('t1'))),
    child('zoe', results('r2', text())),
  );
  assert.equal(nodes.get('tool/t1')?.stream, 'bob');
  assert.equal(nodes.get('tool/t1')?.parent, 'call/m1');
});

test('a request in a person’s record is a request, under its container when the call has no node', async () => {
  const { nodes } = await assembled(main({ ...input, call: 'm9', parts: [call('t1')] }));
  assert.equal(nodes.get('tool/t1')?.parent, RUN);
});

test('a request whose record is no fragment stands under the call of that id all the same', async () => {
  const { nodes } = await assembled(
    main({ ...input, call: 'm1', parts: [call('t1')] }, { ...agent('a1', 'm1', text()), parent: 'u1' }),
  );
  assert.equal(nodes.get('tool/t1')?.parent, 'call/m1');
});

test('blocks without a tool id, and blocks of records in no stream, are no tools', async () => {
  const { ids, unresolved } = await assembled(
    main(input, agent('a1', 'm1', call('')), results('r1', result(''))),
    journal('b', { from: 'agent', parts: [call('t1'), result('t2')] }),
  );
  assert.deepEqual(ids('tool'), []);
  assert.equal(unresolved.size, 0);
});

test('server and tool are written when the request names a server', async () => {
  const { nodes } = await assembled(
    main(
      input,
      agent(
        'a1',
        'm1',
        call('t1', 'x', { server: 's', server_tool: 'q' }),
        call('t2', 'x', { server_tool: 'q' }),
      ),
    ),
  );
  const { mcp_server, mcp_tool } = nodes.get('tool/t1')!.attrs;
  assert.deepEqual([mcp_server, mcp_tool], ['s', 'q']);
  assert.ok(!('mcp_tool' in nodes.get('tool/t2')!.attrs));
});

test('what a result launched is the first manifest of its batch', async () => {
  const { nodes } = await assembled(
    main(input, agent('a1', 'm1', call('t1')), { ...results('r1', result('t1')), batch: 'b' }),
    manifest('c', 'other'),
    manifest('b', 'flow'),
    manifest('b', 'later'),
  );
  const { refs, attrs } = nodes.get('tool/t1')!;
  assert.equal(attrs.launched, 'flow');
  assert.deepEqual(refs, [
    { seq: 1, row: 2, block: 0 },
    { seq: 1, row: 3, block: 0 },
    { seq: 3, row: 1 },
  ]);
});

test('a manifest that landed before everything else is found', async () => {
  const { nodes } = await assembled(
    manifest('b', 'flow'),
    main(input, agent('a1', 'm1', call('t1')), { ...results('r1', result('t1')), batch: 'b' }),
  );
  assert.equal(nodes.get('tool/t1')?.attrs.launched, 'flow');
  assert.equal(nodes.get('tool/t1')?.refs?.length, 3);
});

test('an ambiguous tool names the manifest of its first result, and a manifest without label gives its reference alone', async () => {
  const { nodes } = await assembled(
    main(
      input,
      agent('a1', 'm1', call('t1')),
      { ...results('r1', result('t1')), batch: 'b' },
      { ...results('r2', result('t1')), batch: 'c' },
    ),
    manifest('c', 'other'),
    manifest('b'),
  );
  const { refs, attrs } = nodes.get('tool/t1')!;
  assert.deepEqual(refs, [
    { seq: 1, row: 2, block: 0 },
    { seq: 3, row: 1 },
  ]);
  assert.ok(!('launched' in attrs));
});

test('the first result is that of the stream whose name sorts first', async () => {
  const { nodes } = await assembled(
    main(input, agent('a1', 'm1', call('t1')), { ...results('r1', result('t1')), batch: 'c' }),
    child('bob', { ...results('r2', result('t1')), batch: 'b' }),
    manifest('c', 'of main'),
    manifest('b', 'of bob'),
  );
  assert.equal(nodes.get('tool/t1')?.attrs.launched, 'of bob');
});
