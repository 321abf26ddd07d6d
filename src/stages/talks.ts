/**
 * Stage 7 of 8. Establishes talks and runs, and with them the container of every record.
 * Needs: canonical records, streams, epochs. Writes: `model.talks`. Barrier: what starts a talk is known only when
 * every record of a run up to the checkpoint has been seen.
 *
 * A response carries no run id but reaches one through its containment parents. A run belongs to its stream: the
 * same id has been seen in a parent and in three children. A talk starts on input from outside, or on a run that
 * states no trigger at all; a background agent finishing is the same talk going on (seeds, the eight rules).
 */
import { joinId } from '../format/ids.js';
import { TRIGGER_EXTERNAL, TRIGGER_NONE } from '../format/index-entry.js';
import { compareInstants, type Instant, isNoTime } from '../format/time.js';
import type { EntitySink } from './entity-sink.js';
import type { Page } from './page.js';
import type { SessionModel } from './session-model.js';
import type { StageRules } from './stage.js';
import { sessionNodeId } from './streams.js';

/** The walk's limit, only so that corrupt data cannot loop (seeds, "Membership is resolved by walking backward"). */
export const MAX_PARENT_LINKS = 64;

export interface Talk {
  readonly id: string;
  /** String number of its stream. */
  readonly stream: number;
  /** Node id of the epoch in which it opened. */
  readonly epoch: string;
  /** Its earliest record. */
  readonly first: number;
  runs: number;
  /** Range of its records that resolve to a run and carry a time; absent when none does. */
  from: Instant | undefined;
  through: Instant | undefined;
  /** Whether its stream was partitioned anew since: then it is no more. */
  gone: boolean;
}

interface Run {
  readonly id: string;
  /** Place of its talk. */
  readonly talk: number;
  readonly first: number;
  readonly opensTalk: boolean;
}

/** How far the partition of a stream has come. */
interface Partition {
  /** Entries of the stream that are placed. */
  placed: number;
  /** Place of the current talk, or -1. */
  talk: number;
  /** Place of each run's node, by run string. */
  readonly runs: Map<number, number>;
}

export class Talks implements StageRules {
  readonly #model: SessionModel;
  readonly #talks: Talk[] = [];
  readonly #runs: Run[] = [];
  /** Per entry: its run's and its talk's place in the lists, or -1. */
  readonly #runOf: Int32Array;
  readonly #talkOf: Int32Array;
  readonly #walk: RunWalk;
  readonly #partitions = new Map<number, Partition>();
  /** Per run string: what the main stream's records with that run id of their own state, as bits. */
  readonly #stated: Uint8Array;
  /** Streams with new records, and whether the main stream's runs start other talks than they did. */
  readonly #grown = new Set<number>();
  #startsChanged = false;

  constructor(model: SessionModel) {
    this.#model = model;
    this.#runOf = new Int32Array(model.index.entries).fill(-1);
    this.#talkOf = new Int32Array(model.index.entries).fill(-1);
    this.#stated = new Uint8Array(model.index.strings.run.size + 1);
    this.#walk = new RunWalk(model);
  }

  /** Places of the talks there are; those of one stream in the order they opened. */
  places(): number[] {
    const places: number[] = [];
    for (const [place, { gone }] of this.#talks.entries()) if (!gone) places.push(place);
    return places;
  }

  /** The same, stream by stream. */
  inOrder(): number[] {
    return this.places().sort((a, b) => this.compare(a, b));
  }

  compare(a: number, b: number): number {
    const { order } = this.#model.streams;
    return order[this.#talks[a]!.stream]! - order[this.#talks[b]!.stream]! || a - b;
  }

  talkAt(place: number): Talk {
    return this.#talks[place]!;
  }

  /** Runs stream by stream, in the order they opened. */
  runsInOrder(): number[] {
    const places: number[] = [];
    for (const [place, { talk }] of this.#runs.entries()) if (!this.#talks[talk]!.gone) places.push(place);
    return places.sort((a, b) => this.compareRuns(a, b));
  }

  compareRuns(a: number, b: number): number {
    const { order } = this.#model.streams;
    const streamOf = (place: number) => this.#talks[this.#runs[place]!.talk]!.stream;
    return order[streamOf(a)]! - order[streamOf(b)]! || a - b;
  }

  /** Node id of what holds an entry: its run, else its talk, else its epoch, else the session. */
  containerOf(entry: number): string {
    return (
      this.#runs[this.#runOf[entry]!]?.id ??
      this.#talks[this.#talkOf[entry]!]?.id ??
      this.#model.epochs.nodeIdOf(entry) ??
      sessionNodeId(this.#model)
    );
  }

  page({ from, to }: Page): void {
    const { index, records, streams } = this.#model;
    for (let entry = from; entry < to; entry++) {
      const stream = index.stream[entry]!;
      if (stream === 0 || !records.isCanonical(entry)) continue;
      this.#grown.add(stream);
      if (streams.isMain(stream)) this.#state(entry);
    }
  }

  end(): void {
    const { changed, streams } = this.#model;
    // A parent that landed after its children can give them another run, in any stream.
    if (this.#walk.forget(changed.arrivedRecords)) this.#startAnew([...this.#partitions.keys()]);
    else if (this.#startsChanged)
      this.#startAnew([...this.#partitions.keys()].filter((stream) => streams.isMain(stream)));
    this.#startsChanged = false;
    for (const stream of this.#grown) this.#continue(stream);
    this.#grown.clear();
  }

  emit(place: number, sink: EntitySink): void {
    const { id, stream, epoch, first, runs, gone } = this.#talks[place]!;
    if (gone) return;
    sink.node({
      id,
      kind: 'talk',
      parent: epoch,
      stream: this.#model.index.strings.stream.at(stream),
      ref: this.#model.ref(first),
      attrs: { loops: runs, runs, trigger: this.#model.streams.isMain(stream) ? 'external' : 'unknown' },
    });
    this.#model.segments.emitMembership(place, sink);
  }

  emitRun(place: number, sink: EntitySink): void {
    const { id, talk, first, opensTalk } = this.#runs[place]!;
    const { id: parent, stream, gone } = this.#talks[talk]!;
    if (gone) return;
    sink.node({
      id,
      kind: 'run',
      parent,
      stream: this.#model.index.strings.stream.at(stream),
      ref: this.#model.ref(first),
      attrs: { trigger: opensTalk ? 'external' : 'notification' },
    });
  }

  /** Notes what a record says of its own run, and whether that changes where a talk begins. */
  #state(entry: number): void {
    const { index } = this.#model;
    const run = index.run[entry]!;
    const trigger = index.trigger[entry]!;
    if (run === 0 || trigger === TRIGGER_NONE) return;
    const before = this.#stated[run]!;
    this.#stated[run] = before | STATED | (trigger === TRIGGER_EXTERNAL ? STATED_EXTERNAL : 0);
    const known = this.#partitions.get(index.stream[entry]!)?.runs.has(run) === true;
    if (known && startsTalk(before) !== startsTalk(this.#stated[run]!)) this.#startsChanged = true;
  }

  /** Forgets the partitions of streams: all their records are placed again. */
  #startAnew(streams: readonly number[]): void {
    const { changed } = this.#model;
    const affected = new Set(streams);
    for (const [place, talk] of this.#talks.entries()) {
      if (talk.gone || !affected.has(talk.stream)) continue;
      talk.gone = true;
      changed.mark('talk', place);
      changed.movedTalks.add(place);
    }
    for (const [place, { talk }] of this.#runs.entries())
      if (affected.has(this.#talks[talk]!.stream)) changed.mark('run', place);
    for (const stream of affected) {
      for (const entry of this.#model.streams.entriesOf(stream)) {
        this.#runOf[entry] = -1;
        this.#talkOf[entry] = -1;
        this.#markPlaced(entry);
      }
      this.#partitions.delete(stream);
      this.#grown.add(stream);
    }
  }

  /** What stands where a record stands has to be written anew. */
  #markPlaced(entry: number): void {
    const { changed, calls, tools, index } = this.#model;
    changed.mark('entry', entry);
    const call = calls.callBegunAt(entry);
    if (call !== 0) changed.mark('call', call);
    for (const tool of tools.requestedAt(entry)) changed.mark('tool', tool);
    changed.mark('output', index.stream[entry]!);
  }

  /** Places the records of a stream that are not placed yet. */
  #continue(stream: number): void {
    const { index, streams } = this.#model;
    const entries = streams.entriesOf(stream);
    const name = index.strings.stream.at(stream);
    const main = streams.isMain(stream);
    const partition = this.#partitions.get(stream) ?? { placed: 0, talk: -1, runs: new Map() };
    this.#partitions.set(stream, partition);
    // A child stream is always exactly one talk, from the start (seeds, "One rule is asserted").
    if (!main && partition.talk < 0)
      partition.talk = this.#openTalk(joinId('talk', name), stream, entries[0]!);
    for (; partition.placed < entries.length; partition.placed++) {
      const entry = entries[partition.placed]!;
      const run = this.#walk.runOf(entry);
      if (run === 0) {
        this.#talkOf[entry] = partition.talk;
        continue;
      }
      let place = partition.runs.get(run);
      if (place === undefined) {
        const runName = index.strings.run.at(run);
        if (partition.talk < 0 || (main && startsTalk(this.#stated[run]!)))
          partition.talk = this.#openTalk(joinId('talk', name, runName), stream, entry);
        place = this.#openRun(runName, partition.talk, entry);
        partition.runs.set(run, place);
      }
      // A run already known belongs to the talk that owns it, wherever the record stands.
      this.#runOf[entry] = place;
      this.#widen(this.#runs[place]!.talk, { ms: index.timeMs[entry]!, ns: index.timeNs[entry]! });
    }
  }

  #openTalk(id: string, stream: number, first: number): number {
    const epoch = this.#model.epochs.nodeIdOf(first)!;
    const talk = { id, stream, epoch, first, runs: 0, from: undefined, through: undefined, gone: false };
    const place = this.#talks.push(talk) - 1;
    this.#model.changed.mark('talk', place);
    this.#model.changed.movedTalks.add(place);
    return place;
  }

  #openRun(name: string, talk: number, first: number): number {
    const { id, runs } = this.#talks[talk]!;
    this.#talks[talk]!.runs++;
    const place = this.#runs.push({ id: joinId('run', id, name), talk, first, opensTalk: runs === 0 }) - 1;
    this.#model.changed.mark('talk', talk);
    this.#model.changed.mark('run', place);
    return place;
  }

  #widen(place: number, time: Instant): void {
    if (isNoTime(time)) return;
    const talk = this.#talks[place]!;
    const earlier = talk.from === undefined || compareInstants(time, talk.from) < 0;
    const later = talk.through === undefined || compareInstants(time, talk.through) > 0;
    if (earlier) talk.from = time;
    if (later) talk.through = time;
    if (earlier || later) this.#model.changed.movedTalks.add(place);
  }

  /** The counts a parse reports. */
  counts(): { talks: number; runs: number } {
    return { talks: this.inOrder().length, runs: this.runsInOrder().length };
  }
}

const STATED = 1;
const STATED_EXTERNAL = 2;

/** Input from outside starts a talk, and so does a run that states no trigger: a person typed a command. */
function startsTalk(stated: number): boolean {
  return (stated & STATED_EXTERNAL) !== 0 || stated === 0;
}

const UNKNOWN = -1;
const VISITING = -2;
const NEVER = 0x7fffffff;

/**
 * The walk from a record to its run: its own run id, or that of the first record reached through containment
 * parents, of every kind, at most 64 links away. Answers are kept with their distance, because a record 65 links
 * away has no run even if its parent has one; so every link is followed once, and loops end.
 */
class RunWalk {
  readonly #model: SessionModel;
  readonly #links: Int32Array;
  readonly #run: Uint32Array;
  /** Parents that had not landed when a walk came to them. */
  readonly #missed = new Set<number>();

  constructor(model: SessionModel) {
    this.#model = model;
    this.#links = new Int32Array(model.index.entries).fill(UNKNOWN);
    this.#run = new Uint32Array(model.index.entries);
  }

  /** Forgets all answers when some were looked for in vain at one of these records. Gives whether it did. */
  forget(records: ReadonlySet<number>): boolean {
    if (![...records].some((record) => this.#missed.has(record))) return false;
    this.#missed.clear();
    this.#links.fill(UNKNOWN);
    return true;
  }

  /** The run string of an entry, 0 for none. */
  runOf(entry: number): number {
    const own = this.#model.index.run[entry]!;
    if (own !== 0) return own;
    if (this.#links[entry] === UNKNOWN) this.#resolve(entry);
    return this.#links[entry]! <= MAX_PARENT_LINKS ? this.#run[entry]! : 0;
  }

  #resolve(entry: number): void {
    const { index } = this.#model;
    const path: number[] = [];
    let [links, run] = [NEVER, 0];
    for (let at = entry; at >= 0; at = this.#parentOf(at)) {
      if (index.run[at] !== 0) {
        [links, run] = [0, index.run[at]!];
        break;
      }
      if (this.#links[at] !== UNKNOWN) {
        // Met again while visiting: a loop of parents, which never reaches a run.
        if (this.#links[at] !== VISITING) [links, run] = [this.#links[at]!, this.#run[at]!];
        break;
      }
      this.#links[at] = VISITING;
      path.push(at);
    }
    for (const at of path.reverse()) {
      if (links !== NEVER) links++;
      this.#links[at] = links;
      this.#run[at] = run;
    }
  }

  #parentOf(entry: number): number {
    const { index, records } = this.#model;
    const parent = index.parent[entry]!;
    const at = records.entryOfRecord(parent);
    if (at < 0 && parent !== 0) {
      this.#missed.add(parent);
      records.await(parent);
    }
    return at;
  }
}
