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
import { joinId } from '../format/ids.js';
import { type Entity, frameLine, GROUPS, type Group, tombstone } from '../format/session-flow.js';
import { entriesThrough, type SessionIndex } from '../format/session-index.js';
import { type AssemblyCounts, assemblyCounts } from '../stages/assembly-counts.js';
import { type Change, Changes } from '../stages/changes.js';
import type { Page } from '../stages/page.js';
import { stagesOf, streamOf } from '../stages/pipeline.js';
import { SessionModel } from '../stages/session-model.js';
import { sortIds } from '../stages/steps.js';
import { resolvedEntry } from './delta.js';
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

/** An entity's versions: from which checkpoint on each holds, and how long its line is without the round. */
interface Versions {
  readonly id: string;
  readonly group: Group;
  readonly since: number[];
  readonly entities: (Entity | undefined)[];
  readonly sizes: number[];
  /** The window that counted it last. */
  countedBy: number;
}

interface Checkpoint {
  readonly throughSeq: number;
  /** How many changes there are up to it. */
  readonly changes: number;
  readonly tally: Tally;
  readonly workspace: WorkspaceChanges;
}

export class Timeline {
  readonly #model: SessionModel;
  readonly #checkpoints: Checkpoint[] = [];
  /** What changed, in order of checkpoints. */
  readonly #log: Versions[] = [];
  readonly #versions = new Map<string, Versions>();
  readonly #tally = emptyTally();
  readonly #workspace: WorkspaceChangeCounter;
  #windows = 0;

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
  }

  /** Counts of the assembly at the watermark. */
  get counts(): AssemblyCounts {
    return assemblyCounts(this.#model, this.#tally.steps - this.#tally.llm_calls);
  }

  /** What a header says of the conversation as of a sequence. */
  factsAt(throughSeq: number): ConversationFacts {
    const place = this.#checkpointAt(throughSeq);
    const { tally, workspace } = this.#checkpoints[place]!;
    const session = this.#versions.get(joinId('session', this.#model.index.session));
    return {
      tally,
      session: session === undefined ? undefined : entityAt(session, place),
      changes: workspace,
    };
  }

  /**
   * The frames of the round that follows from evidence after `afterSeq` through `throughSeq`, in the order of a
   * round; `undefined` as soon as their lines alone are more than `maxBytes`.
   */
  frames(afterSeq: number, throughSeq: number, round: number, maxBytes: number): WindowFrames | undefined {
    const [from, to] = [this.#checkpointAt(afterSeq), this.#checkpointAt(throughSeq)];
    const window = ++this.#windows;
    const digits = String(round).length;
    const first = this.#checkpoints[from]!.changes;
    const byGroup = { node: new Map(), relation: new Map(), unresolved: new Map() } as Record<
      Group,
      Map<string, Entity>
    >;
    let sizeBytes = 0;
    for (let i = this.#checkpoints[to]!.changes - 1; i >= first; i--) {
      const versions = this.#log[i]!;
      if (versions.countedBy === window) continue;
      versions.countedBy = window;
      const frame = frameOf(versions, from, to);
      if (frame === undefined) continue;
      sizeBytes += frame.sizeBytes + digits;
      if (sizeBytes > maxBytes) return undefined;
      byGroup[versions.group].set(versions.id, frame.entity);
    }
    const frames = GROUPS.flatMap((group) =>
      sortIds([...byGroup[group].keys()]).map((id) => byGroup[group].get(id)!),
    );
    return { frames, sizeBytes };
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
    const place = this.#checkpoints.length;
    for (const { id, entity } of changes) {
      const versions = this.#versionsOf(id, entity);
      count(this.#tally, versions.entities.at(-1)?.tally ?? 0, -1);
      count(this.#tally, entity?.tally ?? 0, 1);
      versions.since.push(place);
      versions.entities.push(entity);
      versions.sizes.push(entity === undefined ? 0 : sizeWithoutRound(entity));
      this.#log.push(versions);
    }
    this.#checkpoint(throughSeq);
  }

  #checkpoint(throughSeq: number): void {
    this.#workspace.advance(entriesThrough(this.#model.index, throughSeq));
    this.#checkpoints.push({
      throughSeq,
      changes: this.#log.length,
      tally: { ...this.#tally },
      workspace: this.#workspace.counts,
    });
  }

  #versionsOf(id: string, entity: Entity | undefined): Versions {
    const known = this.#versions.get(id);
    if (known !== undefined) return known;
    const made = { id, group: entity!.group, since: [], entities: [], sizes: [], countedBy: 0 };
    this.#versions.set(id, made);
    return made;
  }

  /** Whether the first checkpoint is what the chain says, entity by entity. */
  #agreesWith({ entities }: Fold): boolean {
    for (const group of GROUPS)
      for (const [id, { tail, tally }] of entities[group]) {
        const here = this.#versions.get(id)?.entities.at(-1);
        // An entry the chain has resolved is not produced any more, and need not be.
        if (here === undefined ? group !== 'unresolved' || tally !== 0 : here.tail !== tail) return false;
      }
    for (const { id, group, entities: versions } of this.#versions.values())
      if (versions.at(-1) !== undefined && !entities[group].has(id)) return false;
    return true;
  }

  /** The place of the last checkpoint at or before a sequence. */
  #checkpointAt(seq: number): number {
    return firstPlace(this.#checkpoints.length, (place) => this.#checkpoints[place]!.throughSeq > seq) - 1;
  }
}

/** What a window writes for an entity, if anything (storage spec 3.2). */
function frameOf(
  versions: Versions,
  from: number,
  to: number,
): { readonly entity: Entity; readonly sizeBytes: number } | undefined {
  const place = versionAt(versions, to);
  const before = entityAt(versions, from);
  const after = place < 0 ? undefined : versions.entities[place];
  if (after?.tail === before?.tail) return undefined;
  if (after !== undefined) return { entity: after, sizeBytes: versions.sizes[place]! };
  const gone =
    versions.group === 'unresolved' ? resolvedEntry(before!) : tombstone(versions.group, versions.id);
  return gone === undefined ? undefined : { entity: gone, sizeBytes: sizeWithoutRound(gone) };
}

function entityAt(versions: Versions, checkpoint: number): Entity | undefined {
  const place = versionAt(versions, checkpoint);
  return place < 0 ? undefined : versions.entities[place];
}

/** Place of the version that holds at a checkpoint, -1 before the first. */
function versionAt({ since }: Versions, checkpoint: number): number {
  return firstPlace(since.length, (place) => since[place]! > checkpoint) - 1;
}

/** Size of an entity's line in a round, its newline counted and the number of the round not. */
function sizeWithoutRound(entity: Entity): number {
  return Buffer.byteLength(frameLine(entity, 0));
}
