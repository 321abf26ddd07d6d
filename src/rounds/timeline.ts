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
import { OWNER_KINDS, type OwnerKind, OwnerSet, type OwnersByKind, perOwnerKind } from '../stages/changed.js';
import { type Change, Changes } from '../stages/changes.js';
import { OWNERS } from '../stages/owners.js';
import type { Page } from '../stages/page.js';
import { stagesOf, streamOf } from '../stages/pipeline.js';
import { SessionModel } from '../stages/session-model.js';
import { settle } from '../stages/settle.js';
import { count, type Fold, type Tally } from './fold.js';
import { type ConversationFacts, WorkspaceChangeCounter, type WorkspaceChanges } from './round-header.js';

export interface TimelineOptions {
  readonly watermark: number;
  /**
   * Whether it is known that the chain says what this build makes of its evidence. Then only what later evidence
   * changes has to be written, and what may share an id with it.
   */
  readonly settled?: boolean | undefined;
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
  readonly #changes: Changes;
  readonly #tally: Tally;
  readonly #workspace: WorkspaceChangeCounter;
  readonly #sessionId: string;
  #session: Entity | undefined;
  readonly #gone = new EntityWriter();
  readonly #maxChanges: number;
  readonly #maxBytes: number;

  /**
   * The timeline of a session from where its chain stands. `undefined` when the plain way is to be taken: the chain
   * does not say what this build makes of its evidence, and revisions are due, which have no file to be cut at; or the
   * versions of its entities are too many to be kept (`MAX_CHANGES_PER_ENTRY`, `MAX_BYTES_PER_BYTE`).
   */
  static async build(
    fold: Fold,
    index: SessionIndex,
    options: TimelineOptions,
  ): Promise<Timeline | undefined> {
    const ends = index.files
      .map(({ seq }) => seq)
      .filter((seq) => seq > fold.throughSeq && seq <= options.watermark);
    const timeline = new Timeline(index, fold);
    if (fold.round === 0) return (await timeline.#grow(ends, options)) ? timeline : undefined;
    const known = options.settled ? await changedAfter(fold, index, ends, options) : undefined;
    if (await timeline.#growOn(fold, ends, options, known)) return timeline;
    if (known === undefined || !timeline.#isKept()) return undefined;
    return Timeline.build(fold, index, { ...options, settled: false });
  }

  /** What the chain says already is where the timeline begins; without a chain that is nothing, not even a session. */
  private constructor(index: SessionIndex, fold: Fold) {
    this.#model = new SessionModel(index, fold.conversation);
    this.#changes = new Changes(this.#model);
    this.#workspace = new WorkspaceChangeCounter(index);
    this.#sessionId = joinId('session', index.session);
    this.#maxChanges = MAX_CHANGES_PER_ENTRY * index.entries + SPARE_CHANGES;
    const landedBytes = index.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    this.#maxBytes = MAX_BYTES_PER_BYTE * landedBytes + SPARE_BYTES;
    this.#session = fold.entities.node.get(this.#sessionId);
    this.#tally = { ...fold.tally };
    this.#checkpoint(fold.throughSeq);
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

  /** Takes in evidence that the chain does not cover. Gives whether all that came of it could be kept. */
  async #grow(ends: readonly number[], options: TimelineOptions): Promise<boolean> {
    await throughCheckpoints(this.#model, ends, options, (throughSeq) => {
      this.#take(throughSeq, this.#changes.of(this.#model.changed.owners));
      return this.#isKept();
    });
    return this.#isKept();
  }

  /**
   * Whether what is kept stands in proportion to the evidence. A history can be made so that every file changes what
   * all files before it gave; then each version would be kept, and the plain way, which keeps none, costs less.
   */
  #isKept(): boolean {
    return this.#log.length <= this.#maxChanges && this.#changes.bytesWritten <= this.#maxBytes;
  }

  /**
   * Takes in the chain's evidence and then the rest. Gives whether the chain says what is made of it, of the owners in
   * `known` only if these are given, and whether all that came of the rest could be kept.
   */
  async #growOn(
    fold: Fold,
    ends: readonly number[],
    options: TimelineOptions,
    known: Touched | undefined,
  ): Promise<boolean> {
    const { owners } = this.#model.changed;
    let agrees = false;
    await throughCheckpoints(this.#model, [fold.throughSeq, ...ends], options, (throughSeq) => {
      if (throughSeq > fold.throughSeq) {
        this.#take(throughSeq, this.#changes.of(owners));
        return this.#isKept();
      }
      if (known === undefined) agrees = saysAll(fold, this.#changes.of(owners));
      else
        agrees = this.#changes.of(withSharing(this.#model, known)).every(({ after }) => says(fold, after!));
      return agrees;
    });
    return agrees && this.#isKept();
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

  /** The place of the last checkpoint at or before a sequence. */
  #checkpointAt(seq: number): number {
    return firstPlace(this.#checkpoints.length, (place) => this.#checkpoints[place]!.throughSeq > seq) - 1;
  }
}

/** Made-up and real histories of 120,000 records stay below a quarter of these. */
const MAX_CHANGES_PER_ENTRY = 8;
const SPARE_CHANGES = 100_000;
const MAX_BYTES_PER_BYTE = 2;
const SPARE_BYTES = 64 * 1024 * 1024;

/** Owners by kind that some checkpoint changed. */
type Touched = Readonly<Record<OwnerKind, OwnerSet>>;

/** The owners that evidence behind the chain's changes, of those that are there already. Costs the stages alone. */
async function changedAfter(
  { conversation, throughSeq: covered }: Fold,
  index: SessionIndex,
  ends: readonly number[],
  options: TimelineOptions,
): Promise<Touched> {
  const model = new SessionModel(index, conversation);
  const touched = perOwnerKind(() => new OwnerSet());
  await throughCheckpoints(model, [covered, ...ends], options, (throughSeq) => {
    if (throughSeq > covered)
      for (const kind of OWNER_KINDS)
        for (const owner of model.changed.owners[kind]) touched[kind].add(owner);
    return true;
  });
  return touched;
}

/** With all owners that may write an id of theirs as well; without records that are not there yet. */
function withSharing(model: SessionModel, touched: Touched): OwnersByKind {
  return perOwnerKind((kind) => {
    const rules = OWNERS[kind];
    if (rules.sharing === undefined) return rules.all(model);
    const owners = new OwnerSet();
    for (const owner of rules.sharing(model)) owners.add(owner);
    const end = kind === 'entry' ? model.entries : Number.POSITIVE_INFINITY;
    for (const owner of touched[kind]) if (owner < end) owners.add(owner);
    return owners;
  });
}

/** Whether changes from nothing are all that the chain says, entity by entity. */
function saysAll(fold: Fold, changes: readonly Change[]): boolean {
  const said = { node: 0, relation: 0, unresolved: 0 };
  for (const { after } of changes) {
    if (!says(fold, after!)) return false;
    said[after!.group]++;
  }
  // An entry the chain has resolved is not produced any more, and need not be.
  for (const { tally } of fold.entities.unresolved.values()) if (tally === 0) said.unresolved++;
  return GROUPS.every((group) => said[group] === fold.entities[group].size);
}

function says({ entities }: Fold, entity: Entity): boolean {
  return entity.equals(entities[entity.group].get(entity.id));
}

/**
 * Grows a model checkpoint by checkpoint through all stages. `settled` is called at each, when the last stage is
 * through with it; it ends early where that gives `false`.
 */
async function throughCheckpoints(
  model: SessionModel,
  ends: readonly number[],
  { pageEntries, signal }: TimelineOptions,
  settled: (throughSeq: number) => boolean,
): Promise<void> {
  let goOn = true;
  let out = (): void => {};
  async function* pages(): AsyncGenerator<Page> {
    for (const seq of ends) {
      // The pages of a checkpoint come in when the one before has come out: no stage may see past it.
      const isOut = new Promise<void>((resolve) => {
        out = resolve;
      });
      yield* model.advance(seq, pageEntries);
      await isOut;
      if (!goOn) return;
    }
  }
  let next = 0;
  const sink = new Writable({
    objectMode: true,
    write: ({ settles }: Page, _encoding, done) =>
      settle(done, () => {
        if (!settles) return;
        goOn = settled(ends[next++]!);
        model.changed.clear();
        out();
      }),
  });
  await pipeline([streamOf(pages()), ...stagesOf(model), sink], signal === undefined ? {} : { signal });
}
