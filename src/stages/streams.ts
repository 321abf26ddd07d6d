/**
 * Stage 2 of 8. Establishes the streams of the session, their order, their roles and the session's own facts.
 * Needs: canonical records. Writes: `model.streams`. Barrier: a later stage goes by all streams there are.
 *
 * A stream is known by the number of its name; `order` compares names.
 */
import { joinId } from '../format/ids.js';
import { flag, KIND_MANIFEST, KIND_SIDECAR } from '../format/index-entry.js';
import { compareCodePoints } from '../format/json-text.js';
import { compareInstants, formatTime, type Instant, isNoTime } from '../format/time.js';
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
  /** Per stream string: its canonical entries in landed order; none before its first record lands. */
  readonly #entries: (number[] | undefined)[];
  readonly #named: Uint8Array;
  /** The label a sidecar gives it. */
  readonly #labels: Uint32Array;
  #title = 0;
  #from: Instant | undefined;
  #through: Instant | undefined;

  constructor(model: SessionModel) {
    const names = model.index.strings.stream;
    this.#model = model;
    this.#main = names.find(MAIN_STREAM);
    this.#entries = new Array(names.size + 1).fill(undefined);
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
    for (let stream = 1; stream < this.#entries.length; stream++)
      if (this.hasLanded(stream)) landed.push(stream);
    return landed.sort((a, b) => this.order[a]! - this.order[b]!);
  }

  hasLanded(stream: number): boolean {
    return this.#entries[stream] !== undefined;
  }

  /** The canonical entries of a stream, in landed order. */
  entriesOf(stream: number): readonly number[] {
    return this.#entries[stream] ?? [];
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

  page({ from, to }: Page): void {
    const { index, records, changed } = this.#model;
    for (let entry = from; entry < to; entry++) {
      if (!records.isCanonical(entry)) continue;
      const stream = index.stream[entry]!;
      if (stream !== 0) this.#land(stream, entry);
      const child = index.child[entry]!;
      if (child !== 0) this.#name(child, (index.flags[entry]! & AUXILIARY) !== 0);
      this.#label(entry, stream, child);
      this.#widen({ ms: index.timeMs[entry]!, ns: index.timeNs[entry]! });
    }
    changed.mark('session', 0);
  }

  emitSession(sink: EntitySink): void {
    const { conversation } = this.#model;
    const times =
      this.#from === undefined
        ? {}
        : { from_time: formatTime(this.#from), through_time: formatTime(this.#through!) };
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

  #land(stream: number, entry: number): void {
    const { changed } = this.#model;
    const entries = this.#entries[stream];
    if (entries === undefined) {
      this.#entries[stream] = [entry];
      changed.landedStreams.add(stream);
    } else entries.push(entry);
    changed.mark('stream', stream);
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
  #label(entry: number, stream: number, child: number): void {
    const { label, kind, record } = this.#model.index;
    if (label[entry] === 0) return;
    if (kind[entry] === KIND_SIDECAR) {
      for (const named of [stream, child]) {
        if (named === 0 || this.#labels[named] !== 0) continue;
        this.#labels[named] = label[entry]!;
        this.#model.changed.mark('stream', named);
      }
    } else if (record[entry] === 0 && kind[entry] !== KIND_MANIFEST) this.#title = label[entry]!;
  }

  #widen(time: Instant): void {
    if (isNoTime(time)) return;
    if (this.#from === undefined || compareInstants(time, this.#from) < 0) this.#from = time;
    if (this.#through === undefined || compareInstants(time, this.#through) > 0) this.#through = time;
  }
}

export function sessionNodeId(model: SessionModel): string {
  return joinId('session', model.index.session);
}

export function streamNodeId(name: string): string {
  return joinId('stream', name);
}
