import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BLOCK_KINDS,
  blockKindOf,
  ENTRY_KINDS,
  FLAGS,
  flag,
  flagBits,
  flagNames,
  isEvidence,
  kindOf,
  TRIGGERS,
  triggerOf,
} from '../../src/format/index-entry.js';

for (const [fileKind, from, kind] of [
  ['transcript', 'agent', 'assistant'],
  ['transcript', 'external', 'user'],
  ['transcript', 'runtime', 'system'],
  ['transcript', '', 'unknown'],
  ['transcript', 'constructor', 'unknown'],
  ['transcript', 'Agent', 'unknown'],
  ['agent_meta', 'agent', 'agent_meta'],
  ['journal', 'agent', 'journal'],
  ['workflow_manifest', 'external', 'manifest'],
  ['workflow_script', '', 'script'],
  ['changes', 'runtime', 'changes'],
  ['provider_body', 'agent', 'provider_body'],
  ['execution', '', 'execution'],
  ['otlp_log', 'agent', 'assistant'],
  ['__proto__', '', 'unknown'],
] as const)
  test(`a record from ${from || 'nobody'} in a ${fileKind} file is ${kind}`, () =>
    assert.equal(ENTRY_KINDS[kindOf(fileKind, from)], kind));

for (const [word, trigger] of [
  ['external', 'external'],
  ['notification', 'notification'],
  ['unknown', 'other'],
  ['', 'none'],
  ['other', 'none'],
  ['toString', 'none'],
] as const)
  test(`the trigger ${JSON.stringify(word)} states ${trigger}`, () =>
    assert.equal(TRIGGERS[triggerOf(word)], trigger));

test('flags come back in written order, and unknown names and repeats are ignored', () => {
  assert.deepEqual(flagNames(flagBits(FLAGS)), [...FLAGS]);
  assert.deepEqual(flagNames(flagBits(['notice', 'valueOf', 'error', 'error', ''])), ['error', 'notice']);
  assert.equal(flagBits([]), 0);
  assert.equal(new Set(FLAGS.map(flag)).size, FLAGS.length);
});

for (const [part, kind] of [
  ['call', 'tool_use'],
  ['result', 'tool_result'],
  ['text', 'text'],
  ['reasoning', 'thinking'],
  ['data', 'other'],
  ['media', 'other'],
  ['unknown', 'other'],
  ['', 'other'],
  ['hasOwnProperty', 'other'],
] as const)
  test(`a part ${JSON.stringify(part)} is a block ${kind}`, () =>
    assert.equal(BLOCK_KINDS[blockKindOf(part)], kind));

test('workspace changes, provider bodies and executions are evidence beside a stream', () =>
  assert.deepEqual(
    ENTRY_KINDS.filter((_, kind) => isEvidence(kind)),
    ['changes', 'provider_body', 'execution'],
  ));
