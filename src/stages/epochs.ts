/**
 * Stage 6 of 8. Establishes the context epochs of each stream.
 * Needs: canonical records, streams. Writes: `model.epochs`.
 *
 * A reset is cut where a record says so, at that record, and nowhere else. Order is landed order only: a
 * summary can be stamped earlier than its own boundary.
 */
import { joinId, positionId, relationId } from '../format/ids.js';
import { flag } from '../format/index-entry.js';
import type { EntitySink } from './entity-sink.js';
import { Groups } from './groups.js';
import type { Page } from './page.js';
import type { SessionModel } from './session-model.js';
import type { StageRules } from './stage.js';
import { sessionNodeId, streamNodeId } from './streams.js';
import { UNRESOLVED } from './unresolved.js';

const BOUNDARY = flag('context_reset');
const SUMMARY = flag('reset_summary');

interface Epoch {
  readonly id: string;
  /** String number of its stream. */
  readonly stream: number;
  readonly first: number;
  /** Whether its first record is the reset that opened it. */
  readonly opensWithReset: boolean;
  /** Node id of the epoch before it in its stream. */
  readonly before: string | undefined;
  records: number;
}

export class Epochs implements StageRules {
  readonly #model: SessionModel;
  readonly #epochs: Epoch[] = [];
  /** Per stream string: the place of the epoch its latest entry stands in, or -1. */
  readonly #current: Int32Array;
  /** Per entry: its epoch's place in the list, or -1 for an entry in no stream. */
  readonly #epochOf: Int32Array;
  /** Epochs that continue a record, and summaries whose parent is one, by the record that has not landed. */
  readonly #continuing = new Groups();
  readonly #summarizing = new Groups();

  constructor(model: SessionModel) {
    this.#model = model;
    this.#current = new Int32Array(model.index.strings.stream.size + 1).fill(-1);
    this.#epochOf = new Int32Array(model.index.entries).fill(-1);
  }

  get count(): number {
    return this.#epochs.length;
  }

  /** The node id of an entry's epoch, or `undefined` for an entry in no stream. */
  nodeIdOf(entry: number): string | undefined {
    return this.#epochs[this.#epochOf[entry]!]?.id;
  }

  page({ from, to }: Page): void {
    const { index, records, changed } = this.#model;
    for (let entry = from; entry < to; entry++) {
      if (!records.isCanonical(entry)) continue;
      const flags = index.flags[entry]!;
      const reset = (flags & BOUNDARY) !== 0;
      if (!reset && (flags & SUMMARY) !== 0) this.#await(this.#summarizing, index.parent[entry]!, entry);
      const stream = index.stream[entry]!;
      if (stream === 0) continue;
      if (reset || this.#current[stream]! < 0) this.#openEpoch(stream, entry, reset);
      const place = this.#current[stream]!;
      this.#epochs[place]!.records++;
      this.#epochOf[entry] = place;
      changed.mark('epoch', place);
    }
  }

  end(): void {
    const { changed } = this.#model;
    for (const record of changed.arrivedRecords) {
      for (const place of this.#continuing.of(record)) changed.mark('epoch', place);
      for (const entry of this.#summarizing.of(record)) changed.mark('entry', entry);
    }
  }

  /** Epochs by stream name, then landed order. */
  inOrder(): number[] {
    return Array.from(this.#epochs.keys()).sort((a, b) => this.compare(a, b));
  }

  compare(a: number, b: number): number {
    const { order } = this.#model.streams;
    return order[this.#epochs[a]!.stream]! - order[this.#epochs[b]!.stream]! || a - b;
  }

  /** The epoch, its place after the one before, and the record it continues when that did not land. */
  emit(place: number, sink: EntitySink): void {
    const { index, records } = this.#model;
    const epoch = this.#epochs[place]!;
    const stream = index.strings.stream.at(epoch.stream);
    const ref = this.#model.ref(epoch.first);
    const continued = epoch.opensWithReset ? index.continues[epoch.first]! : 0;
    const continues_from = index.strings.record.at(continued);
    sink.node({
      id: epoch.id,
      kind: 'epoch',
      parent: streamNodeId(stream),
      stream,
      ref,
      refs: epoch.opensWithReset ? [ref] : [],
      attrs: {
        ...(continued === 0 ? {} : { continues_from }),
        records: epoch.records,
        reset: epoch.opensWithReset ? 'observed_replayable' : 'none',
      },
    });
    if (epoch.before !== undefined)
      sink.relation({
        id: relationId('follows', epoch.id, epoch.before),
        type: 'follows',
        from: epoch.id,
        to: epoch.before,
        quality: 'exact_unique',
        via: 'explicit context reset',
        evidence: [ref],
      });
    if (continued !== 0 && records.entryOfRecord(continued) < 0)
      sink.unresolved('epoch_continuation', continues_from, UNRESOLVED.epoch_continuation);
  }

  /** A boundary or summary record as a step. It sits in the epoch, not in a run. */
  emitStep(entry: number, sink: EntitySink): void {
    const { index } = this.#model;
    const flags = index.flags[entry]!;
    if ((flags & (BOUNDARY | SUMMARY)) === 0) return;
    const boundary = (flags & BOUNDARY) !== 0;
    const ref = this.#model.ref(entry);
    const id = positionId(boundary ? 'boundary' : 'summary', ref.seq, ref.row);
    sink.node({
      id,
      kind: boundary ? 'epoch.boundary' : 'epoch.summary',
      parent: this.nodeIdOf(entry) ?? sessionNodeId(this.#model),
      stream: this.#model.streamName(entry),
      ref,
    });
    if (!boundary) this.#emitSummarizes(entry, id, sink);
  }

  /** A summary whose containment parent is a boundary record summarizes that boundary. */
  #emitSummarizes(entry: number, from: string, sink: EntitySink): void {
    const { index, records } = this.#model;
    const parent = records.entryOfRecord(index.parent[entry]!);
    if (parent < 0 || (index.flags[parent]! & BOUNDARY) === 0 || !records.isCanonical(parent)) return;
    const boundary = this.#model.ref(parent);
    const to = positionId('boundary', boundary.seq, boundary.row);
    sink.relation({
      id: relationId('summarizes', from, to),
      type: 'summarizes',
      from,
      to,
      quality: 'exact_unique',
      via: 'containment parent',
      evidence: [this.#model.ref(entry)],
    });
  }

  #openEpoch(stream: number, entry: number, reset: boolean): void {
    const { index } = this.#model;
    const record = index.strings.record.at(index.record[entry]!);
    const { seq, row } = this.#model.ref(entry);
    const name = reset ? record || `at_${seq}_${row}` : '0';
    this.#epochs.push({
      id: joinId('epoch', index.strings.stream.at(stream), name),
      stream,
      first: entry,
      opensWithReset: reset,
      before: this.#epochs[this.#current[stream]!]?.id,
      records: 0,
    });
    this.#current[stream] = this.#epochs.length - 1;
    if (reset) this.#await(this.#continuing, index.continues[entry]!, this.#current[stream]!);
  }

  /** Whether it has landed yet or not: a record may land in the same page, later. */
  #await(waiting: Groups, record: number, waiter: number): void {
    if (record === 0 || this.#model.records.entryOfRecord(record) >= 0) return;
    this.#model.records.await(record);
    waiting.add(record, waiter);
  }
}
