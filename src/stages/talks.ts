/**
 * Stage 7 of 8. Establishes talks and runs, and with them the container of every record.
 * Needs: canonical records, streams, epochs. Writes: `model.talks`. Barrier: what starts a talk is known only when
 * every record of a run has been seen.
 *
 * A response carries no run id but reaches one through its containment parents. A run belongs to its stream: the
 * same id has been seen in a parent and in three children. A talk starts on input from outside, or on a run that
 * states no trigger at all; a background agent finishing is the same talk going on (seeds, the eight rules).
 */
import { joinId } from '../format/ids.js';
import { TRIGGER_EXTERNAL, TRIGGER_NONE } from '../format/index-entry.js';
import type { Node } from '../format/session-flow.js';
import { compareInstants, type Instant, isNoTime } from '../format/time.js';
import type { Page } from './page.js';
import type { SessionModel } from './session-model.js';
import type { StageRules } from './stage.js';
import { MAIN_STREAM, sessionNodeId } from './streams.js';

/** The walk's limit, only so that corrupt data cannot loop (seeds, "Membership is resolved by walking backward"). */
export const MAX_PARENT_LINKS = 64;

export interface Talk {
  readonly id: string;
  readonly stream: string;
  /** Node id of the epoch in which it opened. */
  readonly epoch: string;
  /** Its earliest record. */
  readonly first: number;
  runs: number;
  /** Range of its records that resolve to a run and carry a time; absent when none does. */
  from: Instant | undefined;
  through: Instant | undefined;
}

interface Run {
  readonly id: string;
  readonly talk: Talk;
  readonly first: number;
  readonly opensTalk: boolean;
}

export class Talks implements StageRules {
  readonly #model: SessionModel;
  readonly #talks: Talk[] = [];
  readonly #runs: Run[] = [];
  /** Per entry: its run's and its talk's place in the lists, or -1. */
  readonly #runOf: Int32Array;
  readonly #talkOf: Int32Array;
  readonly #walk: RunWalk;

  constructor(model: SessionModel) {
    this.#model = model;
    this.#runOf = new Int32Array(model.entries).fill(-1);
    this.#talkOf = new Int32Array(model.entries).fill(-1);
    this.#walk = new RunWalk(model);
  }

  /** Talks in the order they opened, stream by stream. */
  get talks(): readonly Talk[] {
    return this.#talks;
  }

  get runCount(): number {
    return this.#runs.length;
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

  page(_page: Page): void {
    // A talk is cut stream by stream, in the order of stream names, so all of it happens at the end.
  }

  end(): void {
    const { streams } = this.#model;
    for (let rank = 0; rank < streams.count; rank++) this.#partition(rank);
  }

  *nodes(): Generator<Node> {
    for (const { id, stream, epoch, first, runs } of this.#talks)
      yield {
        id,
        kind: 'talk',
        parent: epoch,
        stream,
        ref: this.#model.ref(first),
        attrs: { loops: runs, runs, trigger: stream === MAIN_STREAM ? 'external' : 'unknown' },
      };
    for (const { id, talk, first, opensTalk } of this.#runs)
      yield {
        id,
        kind: 'run',
        parent: talk.id,
        stream: talk.stream,
        ref: this.#model.ref(first),
        attrs: { trigger: opensTalk ? 'external' : 'notification' },
      };
  }

  #partition(rank: number): void {
    const { index, streams } = this.#model;
    const entries = streams.entriesOf(rank);
    const stream = streams.names[rank]!;
    const main = streams.roles[rank] === 'main';
    const triggers = main ? this.#statedTriggers(entries) : undefined;
    const placeOfRun = new Map<number, number>();
    // A child stream is always exactly one talk, from the start (seeds, "One rule is asserted").
    let current = main ? -1 : this.#openTalk(joinId('talk', stream), stream, entries[0]!);
    for (const entry of entries) {
      const run = this.#walk.runOf(entry);
      if (run === 0) {
        this.#talkOf[entry] = current;
        continue;
      }
      let place = placeOfRun.get(run);
      if (place === undefined) {
        const name = index.strings.run.at(run);
        if (current < 0 || (triggers !== undefined && startsTalk(triggers[run]!)))
          current = this.#openTalk(joinId('talk', stream, name), stream, entry);
        place = this.#openRun(name, this.#talks[current]!, entry);
        placeOfRun.set(run, place);
      }
      // A run already known belongs to the talk that owns it, wherever the record stands.
      this.#runOf[entry] = place;
      widen(this.#runs[place]!.talk, { ms: index.timeMs[entry]!, ns: index.timeNs[entry]! });
    }
  }

  /** What the records with a run id of their own say of it, as bits per run string. */
  #statedTriggers(entries: Uint32Array): Uint8Array {
    const { index } = this.#model;
    const stated = new Uint8Array(index.strings.run.size + 1);
    for (const entry of entries) {
      const trigger = index.trigger[entry]!;
      if (trigger !== TRIGGER_NONE)
        stated[index.run[entry]!]! |= trigger === TRIGGER_EXTERNAL ? STATED | STATED_EXTERNAL : STATED;
    }
    return stated;
  }

  #openTalk(id: string, stream: string, first: number): number {
    const epoch = this.#model.epochs.nodeIdOf(first)!;
    return this.#talks.push({ id, stream, epoch, first, runs: 0, from: undefined, through: undefined }) - 1;
  }

  #openRun(name: string, talk: Talk, first: number): number {
    talk.runs++;
    return this.#runs.push({ id: joinId('run', talk.id, name), talk, first, opensTalk: talk.runs === 1 }) - 1;
  }
}

const STATED = 1;
const STATED_EXTERNAL = 2;

/** Input from outside starts a talk, and so does a run that states no trigger: a person typed a command. */
function startsTalk(stated: number): boolean {
  return (stated & STATED_EXTERNAL) !== 0 || stated === 0;
}

function widen(talk: Talk, time: Instant): void {
  if (isNoTime(time)) return;
  if (talk.from === undefined || compareInstants(time, talk.from) < 0) talk.from = time;
  if (talk.through === undefined || compareInstants(time, talk.through) > 0) talk.through = time;
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

  constructor(model: SessionModel) {
    this.#model = model;
    this.#links = new Int32Array(model.entries).fill(UNKNOWN);
    this.#run = new Uint32Array(model.entries);
  }

  /** The run string of an entry, 0 for none. */
  runOf(entry: number): number {
    const own = this.#model.index.run[entry]!;
    if (own !== 0) return own;
    if (this.#links[entry] === UNKNOWN) this.#resolve(entry);
    return this.#links[entry]! <= MAX_PARENT_LINKS ? this.#run[entry]! : 0;
  }

  #resolve(entry: number): void {
    const { index, records } = this.#model;
    const path: number[] = [];
    let [links, run] = [NEVER, 0];
    for (let at = entry; at >= 0; at = records.entryOfRecord(index.parent[at]!)) {
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
}
