import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinId, positionId, relationId } from '../../src/format/ids.js';

for (const [parts, id] of [
  [['session', 's1'], 'session/s1'],
  [['run', 'talk/main/p1', 'p1'], 'run/talk_main_p1/p1'],
  [['stream', 'a/b/c'], 'stream/a_b_c'],
  [['unres', 'spawn_call', ''], 'unres/spawn_call'],
  [['epoch', '', '0'], 'epoch/0'],
  [['', '', ''], ''],
  [['tool', '/'], 'tool/_'],
  [['tool', '$&'], 'tool/$&'],
] as const)
  test(`the parts ${JSON.stringify(parts)} join to ${JSON.stringify(id)}`, () =>
    assert.equal(joinId(...parts), id));

test('a position names its block after a colon, block 0 too', () => {
  assert.equal(positionId('msg', 12, 4), 'msg/12/4');
  assert.equal(positionId('msg', 12, 4, 0), 'msg/12/4:0');
});

test('the two ends of a relation are one part each', () =>
  assert.equal(relationId('starts', 'tool/t1', 'stream/x/y'), 'rel/starts/tool_t1/stream_x_y'));
