/**
 * What could not be resolved, carried as data: an assembler that drops it presents a partial conversation as
 * a complete one (seeds, "Qualification"). Opened twice, an entry keeps its first reason.
 */
import { joinId } from '../format/ids.js';
import type { Unresolved } from '../format/session-flow.js';

/** The reasons, by the kinds they open (assembly spec, stages 4 to 6). `spawn_call` and `tool_result` have two. */
export const UNRESOLVED = {
  tool_use: 'a result arrived for a request that was never landed',
  tool_result: 'no result landed for this tool use',
  ambiguous_result: 'several results carry this tool-use id',
  child_stream: 'announced, but no transcript has landed yet',
  spawn_batch: 'a batch names children but its launch call was never landed',
  spawn_call: 'a child names a call that was never landed',
  spawn_of_child: 'no landed record names the call that started this stream',
  epoch_continuation: 'a reset names a record that is not in the landed data',
  notified_child: 'a notification names a child whose stream has not landed',
} as const;

/** The seven kinds of unresolved entry. */
export type UnresolvedKind =
  | 'tool_use'
  | 'tool_result'
  | 'child_stream'
  | 'spawn_call'
  | 'spawn_of_child'
  | 'epoch_continuation'
  | 'notified_child';

export function openEntry(kind: UnresolvedKind, ref: string, reason: string): Unresolved {
  return { id: joinId('unres', kind, ref), kind, ref, reason, state: 'open' };
}
