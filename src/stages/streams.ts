/**
 * Stage 2 of 8. Establishes the streams of the session, their order, their roles and the session's own facts.
 * Needs: canonical records. Writes: `model.streams`. Barrier: a later stage goes by all streams there are.
 *
 * A stream is known by the number of its name; `order` compares names.
 */
import { joinId } from '../format/ids.js';
import { flag, KIND_MANIFEST, KIND_SIDECAR } from '../format/index-entry.js';
import { compareCodePoints } from '../format/json-text.js';
import type { SessionIndex } from '../format/session-index.js';
import { formatTime } from '../format/time.js';
import type { EntitySink } from './entity-sink.js';
import type { Page } from './page.js';
import type { SessionModel } from './session-model.js';
import type { StageRules } from './stage.js';

export type StreamRole = 'main' | 'child' | 'auxiliary';

/** The name of the parent lineage's stream. */
export const MAIN_STREAM = 'main';

const AUXILIARY = flag('auxiliary');

/** What the records that name a child say of it, as bits per stream string. */
const NAMED_AUXILIARY = 1;
const NAMED_PLAIN = 2;

export class Streams implements StageRules {
  /** Per stream string: its place among all names in code point order. */
  readonly order: Uint32Array;

  readonly #model: SessionModel;
  readonly #main: number;
  /** The canonical entries that have landed, stream by stream, and in landed order within one. */
  readonly #entries: Uint32Array;
  /** Per stream string: where its entries begin there, and how many have landed. */
  readonly #begin: Uint32Array;
  readonly #landed: Uint32Array;
  readonly #named: Uint8Array;
  /** The label a sidecar gives it. */
  readonly #labels: Uint32Array;
  #title = 0;
  /** The entries with the first and the last time, or -1. */
  #earliest = -1;
  #latest = -1;

  constructor(model: SessionModel) {
    const names = model.index.strings.stream;
    this.#model = model;
    this.#main = names.find(MAIN_STREAM);
    this.#entries = new Uint32Array(model.index.entries);
    this.#begin = placesOf(model.index, names.size);
    this.#landed = new Uint32Array(names.size + 1);
    this.#named = new Uint8Array(names.size + 1);
    this.#labels = new Uint32Array(names.size + 1);
    this.order = new Uint32Array(names.size + 1);
    const sorted = Array.from({ length: names.size }, (_, i) => i + 1);
    sorted.sort((a, b) => compareCodePoints(names.at(a), names.at(b)));
    for (const [place, stream] of sorted.entries()) this.order[stream] = place + 1;
  }

  /** The streams that landed, in the order of their names. */
  inOrder(): number[] {
    const landed: number[] = [];
    for (let stream = 1; stream < this.#landed.length; stream++)
      if (this.hasLanded(stream)) landed.push(stream);
    return landed.sort((a, b) => this.order[a]! - this.order[b]!);
  }

  hasLanded(stream: number): boolean {
    return this.#landed[stream]! > 0;
  }

  /** The canonical entries of a stream, in landed order. */
  entriesOf(stream: number): Uint32Array {
    const begin = this.#begin[stream]!;
    return this.#entries.subarray(begin, begin + this.#landed[stream]!);
  }

  isMain(stream: number): boolean {
    return stream !== 0 && stream === this.#main;
  }

  roleOf(stream: number): StreamRole {
    if (this.isMain(stream)) return 'main';
    return this.#named[stream] === NAMED_AUXILIARY ? 'auxiliary' : 'child';
  }

  /** The session's title, empty when none is known. */
  get title(): string {
    return this.#model.index.strings.label.at(this.#title);
  }

  page(page: Page): void {
    this.#land(page);
    this.#heed(page);
    this.#widen(page);
    this.#model.changed.mark('session', 0);
  }

  emitSession(sink: EntitySink): void {
    const { conversation, index } = this.#model;
    const time = (entry: number) => formatTime({ ms: index.timeMs[entry]!, ns: index.timeNs[entry]! });
    const times =
      this.#earliest < 0 ? {} : { from_time: time(this.#earliest), through_time: time(this.#latest) };
    const titled = this.title === '' ? {} : { title: this.title, title_from: 'observed_replayable' };
    sink.node({
      id: sessionNodeId(this.#model),
      kind: 'session',
      attrs: { conversation, ...times, ...titled },
    });
  }

  emit(stream: number, sink: EntitySink): void {
    const entries = this.entriesOf(stream);
    if (entries.length === 0) return;
    const { index } = this.#model;
    const name = index.strings.stream.at(stream);
    const label = index.strings.label.at(this.#labels[stream]!);
    sink.node({
      id: streamNodeId(name),
      kind: 'stream',
      parent: sessionNodeId(this.#model),
      stream: name,
      ref: this.#model.ref(entries[0]!),
      attrs: { ...(label === '' ? {} : { label }), records: entries.length, role: this.roleOf(stream) },
    });
  }

  #land({ from, to }: Page): void {
    const { records, index, changed } = this.#model;
    const entries = this.#entries;
    const begin = this.#begin;
    const landed = this.#landed;
    let marked = 0;
    for (let entry = from; entry < to; entry++) {
      const stream = index.stream[entry]!;
      if (stream === 0 || !records.isCanonical(entry)) continue;
      // Records of a stream come in rows: what one has marked, the next need not.
      if (stream !== marked) {
        if (landed[stream] === 0) changed.landedStreams.add(stream);
        changed.mark('stream', stream);
        marked = stream;
      }
      entries[begin[stream]! + landed[stream]!++] = entry;
    }
  }

  /** What the few records say that name a child or give a label. */
  #heed({ from, to }: Page): void {
    const { records, index } = this.#model;
    const { child, label } = index;
    for (let entry = from; entry < to; entry++) {
      if ((child[entry] === 0 && label[entry] === 0) || !records.isCanonical(entry)) continue;
      if (child[entry] !== 0) this.#name(child[entry]!, (index.flags[entry]! & AUXILIARY) !== 0);
      if (label[entry] !== 0) this.#label(entry);
    }
  }

  #name(child: number, auxiliary: boolean): void {
    const before = this.roleOf(child);
    this.#named[child]! |= auxiliary ? NAMED_AUXILIARY : NAMED_PLAIN;
    if (this.roleOf(child) === before) return;
    this.#model.changed.roles.add(child);
    this.#model.changed.mark('stream', child);
  }

  /**
   * A sidecar labels the stream it stands in and the child it names, the first one wins. The title is the
   * last label on a record without an id, because it is rewritten as the work goes on.
   */
  #label(entry: number): void {
    const { label, kind, record, stream, child } = this.#model.index;
    if (kind[entry] === KIND_SIDECAR) {
      for (const named of [stream[entry]!, child[entry]!]) {
        if (named === 0 || this.#labels[named] !== 0) continue;
        this.#labels[named] = label[entry]!;
        this.#model.changed.mark('stream', named);
      }
    } else if (record[entry] === 0 && kind[entry] !== KIND_MANIFEST) this.#title = label[entry]!;
  }

  #widen({ from, to }: Page): void {
    const { records, index } = this.#model;
    const { timeMs, timeNs } = index;
    let earliest = this.#earliest;
    let latest = this.#latest;
    for (let entry = from; entry < to; entry++) {
      if ((timeMs[entry] === 0 && timeNs[entry] === 0) || !records.isCanonical(entry)) continue;
      if (earliest < 0) earliest = latest = entry;
      if (this.#isBefore(entry, earliest)) earliest = entry;
      if (this.#isBefore(latest, entry)) latest = entry;
    }
    this.#earliest = earliest;
    this.#latest = latest;
  }

  #isBefore(a: number, b: number): boolean {
    const { timeMs, timeNs } = this.#model.index;
    return timeMs[a] === timeMs[b] ? timeNs[a]! < timeNs[b]! : timeMs[a]! < timeMs[b]!;
  }
}

/**
 * Where the entries of each stream begin when all of the index are put stream by stream: it says how many there can
 * be, and lists that grow would cost more than all else here.
 */
function placesOf({ stream, entries }: SessionIndex, streams: number): Uint32Array {
  const begin = new Uint32Array(streams + 2);
  for (let entry = 0; entry < entries; entry++) begin[stream[entry]! + 1]!++;
  for (let number = 1; number < begin.length; number++) begin[number]! += begin[number - 1]!;
  return begin;
}

export function sessionNodeId(model: SessionModel): string {
  return joinId('session', model.index.session);
}

export function streamNodeId(name: string): string {
  return joinId('stream', name);
}
