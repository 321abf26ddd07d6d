import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assembled, child, journal, main, user } from './index-builder.js';

for (const [flags, ids] of [
  [['external_input'], ['input/2/1']],
  [['injected'], ['inject/2/1']],
  [['external_input', 'injected'], ['input/2/1']],
  [['error'], ['error/2/1']],
  [['turn_duration'], ['turn/2/1']],
  [['command'], ['command/2/1']],
  [['notice'], ['notice/2/1']],
  [['error', 'turn_duration', 'command', 'notice'], ['error/2/1']],
  [['turn_duration', 'command', 'notice'], ['turn/2/1']],
  [['command', 'notice'], ['command/2/1']],
  [
    ['external_input', 'error'],
    ['error/2/1', 'input/2/1'],
  ],
  [
    ['injected', 'notice', 'reset_summary'],
    ['inject/2/1', 'notice/2/1', 'summary/2/1'],
  ],
  [
    ['launch_ack', 'external_input', 'notice'],
    ['ack/2/1', 'input/2/1', 'notice/2/1'],
  ],
  [['synthetic', 'finished', 'child_result', 'system_prompt', 'tool_schemas', 'auxiliary'], []],
  [['nobody knows this'], []],
] as const)
  test(`the flags ${flags.join(', ')} give the steps ${ids.join(', ') || 'none'}`, async () => {
    const { nodes } = await assembled(main(user('u1', 'p1')), main({ run: 'p1', from: 'runtime', flags }));
    const made = [...nodes.values()].filter(({ ref }) => ref?.seq === 2);
    assert.deepEqual(
      made.map(({ id }) => id),
      ids,
    );
    for (const { id, parent, stream } of made) {
      const container = id.startsWith('summary') ? 'epoch/main/0' : 'run/talk_main_p1/p1';
      assert.deepEqual([id, parent, stream], [id, container, 'main']);
    }
  });

test('kinds and attributes of the steps', async () => {
  const flags = ['external_input', 'injected', 'error', 'turn_duration', 'command', 'notice'];
  const { nodes } = await assembled(main(...flags.map((flag) => ({ from: 'runtime', flags: [flag] }))));
  assert.deepEqual(
    [...nodes.values()].filter(({ id }) => /\/1\/\d/.test(id)).map(({ kind, attrs }) => [kind, attrs]),
    [
      ['control.command', {}],
      ['error.api', { retry_state: 'unavailable' }],
      ['context.injection', {}],
      ['message.external', {}],
      ['control.notice', {}],
      ['turn.duration', { measured_by: 'observed_replayable' }],
    ],
  );
});

test('a record with no run sits in its talk, one before any talk in its epoch, one in no stream in the session', async () => {
  const notice = { from: 'runtime', flags: ['notice'] };
  const { parentOf, nodes } = await assembled(
    main(notice, user('u1', 'p1'), notice),
    child('kid', notice),
    journal('b', notice),
  );
  assert.equal(parentOf('notice/1/1'), 'epoch/main/0');
  assert.equal(parentOf('notice/1/3'), 'talk/main/p1');
  assert.equal(parentOf('notice/2/1'), 'talk/kid');
  assert.equal(parentOf('notice/3/1'), 'session/s');
  assert.equal(nodes.get('notice/3/1')?.stream, undefined);
});
