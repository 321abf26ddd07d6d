import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConversationState, saveConversationState } from '../../src/io/conversation-state.js';
import { temporaryFolder } from '../shared.js';

test('a chain without rounds has head 0', () => {
  const state = loadConversationState(join(temporaryFolder(), 'conversation.state'), 'c1');
  assert.equal(state.head, 0);
  assert.equal(state.throughSeq, 0);
  assert.equal(state.conversation, 'c1');
});

test('the state is written in its order and read back', () => {
  const path = join(temporaryFolder(), 'conversation.state');
  const state = {
    conversation: 'c1',
    head: 2,
    headDigest: 'a'.repeat(64),
    throughSeq: 6,
    inputDigest: 'b'.repeat(64),
    parser: 'v1',
    policy: 'v1+idle=10m0s',
    updatedAt: '2026-03-01T09:00:02Z',
  };
  saveConversationState(path, state);
  assert.equal(
    readFileSync(path, 'utf8'),
    `schema       1
conversation c1
head         2
head_digest  ${'a'.repeat(64)}
through_seq  6
input_digest ${'b'.repeat(64)}
parser       v1
policy       v1+idle=10m0s
updated_at   2026-03-01T09:00:02Z
check        a73beca173d43c63
`,
  );
  assert.deepEqual(loadConversationState(path, 'c1'), state);
});
