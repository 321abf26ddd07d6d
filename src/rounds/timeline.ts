/**
 * Every version that every entity takes as the evidence grows, landed file by landed file.
 *
 *     checkpoint      0        1        2        3            a window 1..3: the entities that changed in 2 or 3,
 *     tool/t1         ·        v1 ───────────▶ v2             as they are at 3, unless they are again what they
 *     msg/2/1:0       ·        ·        v1 ────────▶          were at 1
 *
 * A parse has to find where a round ends by trying windows, and the plain way assembles the session anew for each
 * try. One pass that grows the model checkpoint by checkpoint answers them all: a try costs the frames it counts
 * before they pass the budget. The plain way (`next-round.ts`) stays as the oracle of the tests.
 */
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { firstPlace } from '../format/binary-search.js';
import { type Entity, EntityWriter, resolvedEntry } from '../format/entity.js';
import { sortById } from '../format/id-order.js';
import { joinId } from '../format/ids.js';
import { GROUPS, type Group } from '../format/session-flow.js';
import { entriesThrough, type SessionIndex } from '../format/session-index.js';
import { type AssemblyCounts, assemblyCounts } from '../stages/assembly-counts.js';
import { type Change, Changes } from '../stages/changes.js';
import type { Page } from '../stages/page.js';
import { stagesOf, streamOf } from '../stages/pipeline.js';
import { SessionModel } from '../stages/session-model.js';
import { count, emptyTally, type Fold, type Tally } from './fold.js';
import { type ConversationFacts, WorkspaceChangeCounter, type WorkspaceChanges } from './round-header.js';

export interface TimelineOptions {
  readonly watermark: number;
  readonly pageEntries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Frames of a window and the size of their lines. */
export interface WindowFrames {
  readonly frames: readonly Entity[];
  readonly sizeBytes: number;
}

interface Checkpoint {
  readonly throughSeq: number;
  /** How many changes there are up to it. */
  readonly changes: number;
  readonly tally: Tally;
  readonly session: Entity | undefined;
  readonly workspace: WorkspaceChanges;
}

export class Timeline {
  readonly #model: SessionModel;
  readonly #checkpoints: Checkpoint[] = [];
  /** What changed, in order of checkpoints; and for each change the ones of the same id before and after it. */
  readonly #log: Change[] = [];
  readonly #previous: number[] = [];
  readonly #next: number[] = [];
  /** Per subject: its last change. */
  readonly #last: number[] = [];
  readonly #tally = emptyTally();
  readonly #workspace: WorkspaceChangeCounter;
  readonly #sessionId: string;
  #session: Entity | undefined;
  readonly #gone = new EntityWriter();

  /**
   * The timeline of a session from where its chain stands. `undefined` when the chain does not say what this
   * build makes of its evidence: then revisions are due, which have no file to be cut at.
   */
  static async build(
    fold: Fold,
    index: SessionIndex,
    options: TimelineOptions,
  ): Promise<Timeline | undefined> {
    const timeline = new Timeline(index, fold.conversation);
    const ends = index.files
      .map(({ seq }) => seq)
      .filter((seq) => seq > fold.throughSeq && seq <= options.watermark);
    if (fold.round === 0) {
      // Without a chain nothing is said yet, not even that there is a session.
      timeline.#checkpoint(0);
      await timeline.#grow(ends, options, () => true);
      return timeline;
    }
    let agrees = true;
    await timeline.#grow([fold.throughSeq, ...ends], options, () => {
      agrees = timeline.#agreesWith(fold);
      return agrees;
    });
    return agrees ? timeline : undefined;
  }

  private constructor(index: SessionIndex, conversation: string) {
    this.#model = new SessionModel(index, conversation);
    this.#workspace = new WorkspaceChangeCounter(index);
    this.#sessionId = joinId('session', index.session);
  }

  /** Counts of the assembly at the watermark. */
  get counts(): AssemblyCounts {
    return assemblyCounts(this.#model, this.#tally.steps - this.#tally.llm_calls);
  }

  /** What a header says of the conversation as of a sequence. */
  factsAt(throughSeq: number): ConversationFacts {
    const { tally, session, workspace } = this.#checkpoints[this.#checkpointAt(throughSeq)]!;
    return { tally, session, changes: workspace };
  }

  /**
   * The frames of the round that follows from evidence after `afterSeq` through `throughSeq`, in the order of a
   * round; `undefined` as soon as their lines alone are more than `maxBytes`.
   */
  frames(afterSeq: number, throughSeq: number, round: number, maxBytes: number): WindowFrames | undefined {
    const first = this.#checkpoints[this.#checkpointAt(afterSeq)]!.changes;
    const end = this.#checkpoints[this.#checkpointAt(throughSeq)]!.changes;
    const digits = String(round).length;
    const byGroup: Record<Group, Entity[]> = { node: [], relation: [], unresolved: [] };
    let sizeBytes = 0;
    for (let change = end - 1; change >= first; change--) {
      const frame = this.#frameOf(change, first, end);
      if (frame === undefined) continue;
      sizeBytes += frame.sizeWithoutRound + digits;
      if (sizeBytes > maxBytes) return undefined;
      byGroup[frame.group].push(frame);
    }
    return { frames: GROUPS.flatMap((group) => sortById(byGroup[group])), sizeBytes };
  }

  /**
   * What the changes `first` to `end` write for an id, if anything (storage spec 3.2); said at the last of them.
   * Going back from it meets each change once, so a window costs its changes and no search.
   */
  #frameOf(change: number, first: number, end: number): Entity | undefined {
    if (this.#next[change]! < end) return undefined;
    let earliest = change;
    while (this.#previous[earliest]! >= first) earliest = this.#previous[earliest]!;
    const { before } = this.#log[earliest]!;
    const { after } = this.#log[change]!;
    if (after !== undefined) return after.equals(before) ? undefined : after;
    if (before === undefined) return undefined;
    return before.group === 'unresolved'
      ? resolvedEntry(before, this.#gone)
      : this.#gone.tombstone(before.group, before.id);
  }

  /** Takes in the evidence, one checkpoint after the other; ends after the first unless `goOn` then. */
  async #grow(ends: readonly number[], options: TimelineOptions, goOn: () => boolean): Promise<void> {
    const model = this.#model;
    let settled = (): void => {};
    async function* pages(): AsyncGenerator<Page> {
      for (const [i, seq] of ends.entries()) {
        // The pages of a checkpoint come in when the one before has come out: no stage may see past it.
        const out = new Promise<void>((resolve) => {
          settled = resolve;
        });
        yield* model.advance(seq, options.pageEntries);
        await out;
        if (i === 0 && !goOn()) return;
      }
    }
    let next = 0;
    const sink = new Writable({
      objectMode: true,
      write: (changes: readonly Change[], _encoding, done) => {
        this.#take(ends[next++]!, changes);
        settled();
        done();
      },
    });
    const { signal } = options;
    await pipeline(
      [streamOf(pages()), ...stagesOf(model), new Changes(model), sink],
      signal === undefined ? {} : { signal },
    );
  }

  #take(throughSeq: number, changes: readonly Change[]): void {
    for (const change of changes) {
      const { subject, before, after } = change;
      count(this.#tally, before?.tally ?? 0, -1);
      count(this.#tally, after?.tally ?? 0, 1);
      if ((after ?? before)!.id === this.#sessionId) this.#session = after;
      const place = this.#log.push(change) - 1;
      const last = this.#last[subject] ?? -1;
      if (last >= 0) this.#next[last] = place;
      this.#previous.push(last);
      this.#next.push(Number.POSITIVE_INFINITY);
      this.#last[subject] = place;
    }
    this.#checkpoint(throughSeq);
  }

  #checkpoint(throughSeq: number): void {
    this.#workspace.advance(entriesThrough(this.#model.index, throughSeq));
    this.#checkpoints.push({
      throughSeq,
      changes: this.#log.length,
      tally: { ...this.#tally },
      session: this.#session,
      workspace: this.#workspace.counts,
    });
  }

  /** Whether the first checkpoint is what the chain says, entity by entity. */
  #agreesWith({ entities }: Fold): boolean {
    const agreed = { node: 0, relation: 0, unresolved: 0 };
    for (const { after } of this.#log) {
      if (!after!.equals(entities[after!.group].get(after!.id))) return false;
      agreed[after!.group]++;
    }
    // An entry the chain has resolved is not produced any more, and need not be.
    for (const { tally } of entities.unresolved.values()) if (tally === 0) agreed.unresolved++;
    return GROUPS.every((group) => agreed[group] === entities[group].size);
  }

  /** The place of the last checkpoint at or before a sequence. */
  #checkpointAt(seq: number): number {
    return firstPlace(this.#checkpoints.length, (place) => this.#checkpoints[place]!.throughSeq > seq) - 1;
  }
}
