/**
 * Stage 2 of 8. Establishes the streams of the session, their order, their roles and the session's own facts.
 * Needs: canonical records. Writes: `model.streams`. Barrier: later stages go by the order of stream names.
 */

import { joinId } from '../format/ids.js';
import { flag, KIND_MANIFEST, KIND_SIDECAR } from '../format/index-entry.js';
import { compareCodePoints } from '../format/json-text.js';
import type { Node } from '../format/session-flow.js';
import { compareInstants, formatTime, type Instant, isNoTime } from '../format/time.js';
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
  /** Stream names in code point order. A stream's place in this list is its rank. */
  names: readonly string[] = [];
  roles: readonly StreamRole[] = [];

  readonly #model: SessionModel;
  /** Per stream string: how many entries, how it was named, the label its sidecar gives. */
  readonly #sizes: Uint32Array;
  readonly #named: Uint8Array;
  readonly #labels: Uint32Array;
  readonly #ranks: Int32Array;
  #starts = new Uint32Array(0);
  #rows = new Uint32Array(0);
  #title = 0;
  #from: Instant | undefined;
  #through: Instant | undefined;

  constructor(model: SessionModel) {
    const strings = model.index.strings.stream.size + 1;
    this.#model = model;
    this.#sizes = new Uint32Array(strings);
    this.#named = new Uint8Array(strings);
    this.#labels = new Uint32Array(strings);
    this.#ranks = new Int32Array(strings).fill(-1);
  }

  get count(): number {
    return this.names.length;
  }

  /** The rank of a stream string (by number), or -1 when no canonical entry stands in such a stream. */
  rankOf(stream: number): number {
    return this.#ranks[stream]!;
  }

  /** The rank of the stream an entry stands in, or -1. */
  rankOfEntry(entry: number): number {
    return this.#ranks[this.#model.index.stream[entry]!]!;
  }

  /** The canonical entries of a stream, in landed order. */
  entriesOf(rank: number): Uint32Array {
    return this.#rows.subarray(this.#starts[rank]!, this.#starts[rank + 1]!);
  }

  /** The session's title, empty when none is known. */
  get title(): string {
    return this.#model.index.strings.label.at(this.#title);
  }

  page({ from, to }: Page): void {
    const { index, records } = this.#model;
    for (let entry = from; entry < to; entry++) {
      if (!records.isCanonical(entry)) continue;
      const stream = index.stream[entry]!;
      if (stream !== 0) this.#sizes[stream]!++;
      const child = index.child[entry]!;
      if (child !== 0)
        this.#named[child]! |= (index.flags[entry]! & AUXILIARY) !== 0 ? NAMED_AUXILIARY : NAMED_PLAIN;
      this.#label(entry, stream, child);
      this.#widen({ ms: index.timeMs[entry]!, ns: index.timeNs[entry]! });
    }
  }

  end(): void {
    const { index, records, entries } = this.#model;
    const strings = index.strings.stream;
    const present: number[] = [];
    for (let stream = 1; stream < this.#sizes.length; stream++)
      if (this.#sizes[stream]! > 0) present.push(stream);
    present.sort((a, b) => compareCodePoints(strings.at(a), strings.at(b)));
    this.names = present.map((stream) => strings.at(stream));
    this.roles = present.map((stream) => this.#role(stream));
    this.#starts = new Uint32Array(present.length + 1);
    for (const [rank, stream] of present.entries()) {
      this.#ranks[stream] = rank;
      this.#starts[rank + 1] = this.#starts[rank]! + this.#sizes[stream]!;
    }
    this.#rows = new Uint32Array(this.#starts.at(-1)!);
    const next = this.#starts.slice();
    for (let entry = 0; entry < entries; entry++) {
      if (!records.isCanonical(entry)) continue;
      const rank = this.#ranks[index.stream[entry]!]!;
      if (rank >= 0) this.#rows[next[rank]!++] = entry;
    }
  }

  *nodes(): Generator<Node> {
    const { conversation, index } = this.#model;
    const id = sessionNodeId(this.#model);
    const times =
      this.#from === undefined
        ? {}
        : { from_time: formatTime(this.#from), through_time: formatTime(this.#through!) };
    const titled = this.title === '' ? {} : { title: this.title, title_from: 'observed_replayable' };
    yield { id, kind: 'session', attrs: { conversation, ...times, ...titled } };
    for (const [rank, name] of this.names.entries()) {
      const entries = this.entriesOf(rank);
      const label = index.strings.label.at(this.#labels[index.stream[entries[0]!]!]!);
      yield {
        id: streamNodeId(name),
        kind: 'stream',
        parent: id,
        stream: name,
        ref: this.#model.ref(entries[0]!),
        attrs: { ...(label === '' ? {} : { label }), records: entries.length, role: this.roles[rank]! },
      };
    }
  }

  /**
   * A sidecar labels the stream it stands in and the child it names, the first one wins. The title is the
   * last label on a record without an id, because it is rewritten as the work goes on.
   */
  #label(entry: number, stream: number, child: number): void {
    const { label, kind, record } = this.#model.index;
    if (label[entry] === 0) return;
    if (kind[entry] === KIND_SIDECAR) {
      for (const named of [stream, child])
        if (named !== 0 && this.#labels[named] === 0) this.#labels[named] = label[entry]!;
    } else if (record[entry] === 0 && kind[entry] !== KIND_MANIFEST) this.#title = label[entry]!;
  }

  #widen(time: Instant): void {
    if (isNoTime(time)) return;
    if (this.#from === undefined || compareInstants(time, this.#from) < 0) this.#from = time;
    if (this.#through === undefined || compareInstants(time, this.#through) > 0) this.#through = time;
  }

  #role(stream: number): StreamRole {
    if (this.#model.index.strings.stream.at(stream) === MAIN_STREAM) return 'main';
    return this.#named[stream] === NAMED_AUXILIARY ? 'auxiliary' : 'child';
  }
}

export function sessionNodeId(model: SessionModel): string {
  return joinId('session', model.index.session);
}

export function streamNodeId(name: string): string {
  return joinId('stream', name);
}
