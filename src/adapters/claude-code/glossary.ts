/** What Claude Code calls the model's words (dialect spec 3.15). Derived words have no name there. */
import { compareCodePoints } from '../../format/json-text.js';
import type { GlossaryRow } from '../adapter.js';

const NAMED: readonly GlossaryRow[] = [
  row('agent.call', 'Agent, Skill or Workflow tool_use', 'an assistant record'),
  row(
    'agent.launch_ack',
    'toolUseResult.status == "async_launched"',
    'a tool result',
    'a start, not a result',
  ),
  row('batch', 'toolUseResult.runId', 'a workflow launch result', 'also the name of the run directory'),
  row('call', 'message.id', 'record', 'the request id can repeat on a record the client made up'),
  row('cancels', 'toolUseResult.interrupted', 'a tool result', 'not emitted'),
  row('child', 'toolUseResult.agentId', 'a launch result, a journal record'),
  row('context.injection', 'attachment', 'an attachment record', 'every attachment but a queued prompt'),
  row('continues', 'logicalParentUuid', 'a compact_boundary record'),
  row('control.command', 'system/local_command', 'a system record'),
  row('control.interrupt', 'toolUseResult.interrupted', 'a tool result', 'not emitted'),
  row(
    'control.notice',
    'system/away_summary, bridge_status, informational, model_refusal_fallback',
    'a system record',
    'and any system record without a word of its own',
  ),
  row('control.permission', 'permission-mode', 'a record type', 'not emitted'),
  row('epoch.boundary', 'system/compact_boundary', 'a system record', 'told by the subtype, never by text'),
  row('epoch.summary', 'isCompactSummary', 'a user record'),
  row('error.api', 'system/api_error', 'a system record'),
  row('external', 'origin.kind == "human"', 'record', 'or a prompt given through the SDK'),
  row('follows', 'logicalParentUuid', 'a compact_boundary record'),
  row('id', 'uuid', 'record'),
  row('llm.call', 'message.id', 'assistant records sharing one', 'two records on average'),
  row('message.assistant', 'text block', 'an assistant record'),
  row('message.external', 'origin.kind == "human"', 'a user record'),
  row('message.synthetic', 'message.model == "<synthetic>"', 'an assistant record', 'written by the client'),
  row('model', 'message.model', 'an assistant record'),
  row('notification', 'origin.kind == "task-notification"', 'record'),
  row('parent', 'parentUuid', 'record'),
  row('redacted', 'redacted_thinking', 'a content block'),
  row('reports', '<task-notification>', "a user record's content"),
  row('result_of', 'tool_use_id', 'a tool_result block'),
  row('run', 'promptId', 'record', 'user records only; others inherit it along their parents'),
  row('runtime.notification', '<task-notification>', "a user record's content"),
  row('session', 'sessionId', 'record, and the transcript filename', 'the file name decides'),
  row('starts', 'toolUseResult.agentId, or a run journal', 'a launch result'),
  row('stream', 'agentId', 'a child record', 'the file name decides'),
  row('summarizes', 'parentUuid', 'an isCompactSummary record'),
  row('thinking', 'thinking block', 'an assistant record', 'mostly withheld by the provider'),
  row('time', 'timestamp', 'record'),
  row('tool', 'tool_use + tool_result', 'two records'),
  row('trigger', 'origin.kind', 'record, and attachment.origin.kind'),
  row('turn.duration', 'system/turn_duration', 'a system record'),
];

const DERIVED = [
  'agent.output',
  'available',
  'conflict',
  'conversation',
  'ends_with',
  'epoch',
  'exact_ambiguous',
  'exact_unique',
  'hash_only',
  'in_segment',
  'input_of',
  'omitted',
  'retries',
  'segment',
  'size_only',
  'strong_inference',
  'talk',
  'truncated',
  'unavailable',
  'unknown',
  'unresolved',
  'weak_inference',
];

export const GLOSSARY: readonly GlossaryRow[] = [...NAMED, ...DERIVED.map((word) => row(word, '', ''))].sort(
  (a, b) => compareCodePoints(a.unified, b.unified),
);

function row(unified: string, native: string, where: string, note?: string): GlossaryRow {
  return { unified, native, where, ...(note === undefined ? {} : { note }) };
}
