/** What a record says about itself: flags in their written order, and what started its cycle (dialect spec 3.4, 3.5). */
import type { LandedKind } from '../adapter.js';
import { isObject, type JsonObject, objectAt, textAt } from './json-object.js';

/** The system subtypes with a flag of their own. Every other, and none, is a notice; message text never decides. */
const SYSTEM_FLAGS: ReadonlyMap<string, string> = new Map([
  ['compact_boundary', 'context_reset'],
  ['api_error', 'error'],
  ['turn_duration', 'turn_duration'],
  ['local_command', 'command'],
]);

export function flagsOf(record: JsonObject, kind: LandedKind): string[] {
  const { type } = record;
  const message = objectAt(record, 'message');
  const attachment = type === 'attachment' ? (objectAt(record, 'attachment') ?? {}) : undefined;
  const status = textAt(objectAt(record, 'toolUseResult') ?? {}, 'status');
  const system = type === 'system' ? (SYSTEM_FLAGS.get(textAt(record, 'subtype')) ?? 'notice') : '';
  const meta = record.isMeta === true;
  const queuedPrompt = attachment?.type === 'queued_command' && attachment.commandMode === 'prompt';
  const isPerson = type === 'user' && (originKind(record.origin) === 'human' || isSdkPrompt(record));
  const isTranscript = kind === 'transcript';
  const snapshot = attachment?.type === 'prompt_snapshot' ? attachment : {};

  const flags: string[] = [];
  const set = (flag: string, holds: boolean | undefined) => holds && flags.push(flag);
  set('synthetic', type === 'assistant' && message?.model === '<synthetic>');
  set('context_reset', system === 'context_reset');
  set('reset_summary', record.isCompactSummary === true);
  set('finished', type === 'assistant' && message !== undefined && textAt(message, 'stop_reason') !== '');
  set('external_input', isTranscript && !meta && (isPerson || queuedPrompt));
  set('injected', meta || (attachment !== undefined && !queuedPrompt));
  set('child_result', (kind === 'journal' && Object.hasOwn(record, 'result')) || status === 'completed');
  set('error', system === 'error');
  set('launch_ack', status === 'async_launched');
  set('turn_duration', system === 'turn_duration');
  set('command', system === 'command');
  set('notice', system === 'notice');
  set('system_prompt', Object.hasOwn(snapshot, 'systemPrompt'));
  set('tool_schemas', Object.hasOwn(snapshot, 'tools'));
  return flags;
}

/**
 * What the record says started its cycle, or the empty string. The attachment's origin counts too: reading
 * only the record's own loses a quarter of all markers.
 */
export function triggerOf(record: JsonObject): string {
  const own = originKind(record.origin);
  const kind = own === '' ? originKind(objectAt(record, 'attachment')?.origin) : own;
  if (kind === 'human') return 'external';
  if (kind === 'task-notification') return 'notification';
  if (kind !== '') return 'unknown';
  return isSdkPrompt(record) ? 'external' : '';
}

/** A prompt that a program gave through the SDK or a headless run. */
function isSdkPrompt(record: JsonObject): boolean {
  return (
    record.type === 'user' &&
    originKind(record.origin) === '' &&
    record.promptSource === 'sdk' &&
    record.isMeta !== true
  );
}

function originKind(origin: unknown): string {
  return isObject(origin) ? textAt(origin, 'kind') : '';
}
