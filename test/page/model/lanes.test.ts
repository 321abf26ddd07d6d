/** Which kind goes where. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANES, laneOf } from '../../../src/page/model/lanes.js';

test('every kind has its lane, and one that nobody knows is a notice', () => {
  const lanes = {
    input: ['message.external'],
    messages: ['message.assistant', 'agent.output', 'message.synthetic'],
    context: ['context.injection'],
    model: ['llm.call', 'thinking'],
    tools: ['tool'],
    agents: ['agent.call', 'agent.launch_ack', 'runtime.notification'],
    notices: [
      ...[
        'epoch.boundary',
        'epoch.summary',
        'turn.duration',
        'error.api',
        'control.command',
        'control.notice',
      ],
      ...['something.new', '', '__proto__', 'constructor'],
    ],
  };
  for (const [lane, kinds] of Object.entries(lanes))
    for (const kind of kinds) assert.equal(laneOf(kind), lane);
});

test('lanes stand in the order of the specification, nested streams under agent activity', () => {
  assert.deepEqual(
    LANES.map(({ title }) => title),
    [
      ...['External input', 'Responses', 'Context put in', 'Model calls', 'Tools', 'Agent activity'],
      ...['Child agents', 'Runtime notices'],
    ],
  );
});
