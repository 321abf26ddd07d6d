/**
 * The difference between an assembly and the fold of the chain: what the next round says (storage spec 3.2).
 *
 *     assembly      fold                  written
 *     yes           no, or different      the entity
 *     yes           equal                 nothing
 *     no            node or relation      a tombstone
 *     no            unresolved, open      the entry again, resolved
 *
 * Both sides come by group and id, so the stream is a merge: it holds nothing back and looks nothing up twice.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { type Entity, EntityWriter, resolvedEntry } from '../format/entity.js';
import { sortIds } from '../format/id-order.js';
import { compareCodePoints } from '../format/json-text.js';
import { GROUPS, type Group } from '../format/session-flow.js';
import { settle } from '../stages/settle.js';
import type { Fold } from './fold.js';

/** Takes batches of assembled entities in the order of a round, gives batches of frames (`Entity[]`). */
export class Delta extends Transform {
  readonly #fold: Fold;
  readonly #writer = new EntityWriter();
  /** Folded ids of the groups from the current one on, in order; and how far the current group is. */
  #group = 0;
  #ids: readonly string[];
  #next = 0;

  constructor(fold: Fold) {
    super({ objectMode: true, highWaterMark: 4 });
    this.#fold = fold;
    this.#ids = this.#folded(GROUPS[0]);
  }

  override _transform(entities: readonly Entity[], _encoding: BufferEncoding, done: TransformCallback): void {
    settle(done, () => {
      const frames: Entity[] = [];
      for (const entity of entities) {
        while (GROUPS[this.#group] !== entity.group) this.#finishGroup(frames);
        this.#goneBefore(entity.id, frames);
        const folded = this.#fold.entities[entity.group].get(entity.id);
        if (!entity.equals(folded)) frames.push(entity);
      }
      if (frames.length > 0) this.push(frames);
    });
  }

  override _flush(done: TransformCallback): void {
    settle(done, () => {
      const frames: Entity[] = [];
      while (this.#group < GROUPS.length) this.#finishGroup(frames);
      if (frames.length > 0) this.push(frames);
    });
  }

  /** Writes what the fold holds before `id` and the assembly no longer produces, and steps over `id` itself. */
  #goneBefore(id: string, frames: Entity[]): void {
    const group = GROUPS[this.#group]!;
    for (; this.#next < this.#ids.length; this.#next++) {
      const folded = this.#ids[this.#next]!;
      if (folded === id) {
        this.#next++;
        return;
      }
      if (compareCodePoints(folded, id) > 0) return;
      this.#gone(group, folded, frames);
    }
  }

  #finishGroup(frames: Entity[]): void {
    const group = GROUPS[this.#group]!;
    while (this.#next < this.#ids.length) this.#gone(group, this.#ids[this.#next++]!, frames);
    this.#group++;
    this.#next = 0;
    this.#ids = this.#group < GROUPS.length ? this.#folded(GROUPS[this.#group]!) : [];
  }

  #gone(group: Group, id: string, frames: Entity[]): void {
    if (group !== 'unresolved') frames.push(this.#writer.tombstone(group, id));
    else {
      const resolved = resolvedEntry(this.#fold.entities.unresolved.get(id)!, this.#writer);
      if (resolved !== undefined) frames.push(resolved);
    }
  }

  #folded(group: Group): string[] {
    return sortIds([...this.#fold.entities[group].keys()]);
  }
}
