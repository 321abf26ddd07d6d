/**
 * What could not be resolved, carried as data: an assembler that drops it presents a partial conversation as
 * a complete one (seeds, "Qualification"). Any stage may open an entry; opened twice, the first reason stays.
 */
import { joinId } from '../format/ids.js';
import type { Unresolved } from '../format/session-flow.js';

/** The seven kinds, each with the reasons it is opened for (assembly spec, stages 4 to 6). */
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

export type UnresolvedKind =
  | 'tool_use'
  | 'tool_result'
  | 'child_stream'
  | 'spawn_call'
  | 'spawn_of_child'
  | 'epoch_continuation'
  | 'notified_child';

export class UnresolvedEntries {
  readonly #entries = new Map<string, Unresolved>();

  /** Opens `unres/<kind>/<ref>`; an empty reference is left out of the id and of the entry. */
  open(kind: UnresolvedKind, ref: string, reason: string): void {
    const id = joinId('unres', kind, ref);
    if (!this.#entries.has(id)) this.#entries.set(id, { id, kind, ref, reason, state: 'open' });
  }

  values(): Iterable<Unresolved> {
    return this.#entries.values();
  }

  count(kind: UnresolvedKind): number {
    let count = 0;
    for (const entry of this.#entries.values()) if (entry.kind === kind) count++;
    return count;
  }
}
