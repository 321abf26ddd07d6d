/**
 * Stage 6 of 8. Establishes the context epochs of each stream.
 * Needs: canonical records, streams. Writes: `model.epochs`, and opens `epoch_continuation`.
 *
 * A reset is cut where a record says so, at that record, and nowhere else. Order is landed order only: a
 * summary can be stamped earlier than its own boundary.
 */
import { joinId, positionId, relationId } from '../format/ids.js';
import { flag } from '../format/index-entry.js';
import type { Node, Relation } from '../format/session-flow.js';
import type { Page } from './page.js';
import type { SessionModel } from './session-model.js';
import type { StageRules } from './stage.js';
import { sessionNodeId, streamNodeId } from './streams.js';
import { UNRESOLVED } from './unresolved-entries.js';

const BOUNDARY = flag('context_reset');
const SUMMARY = flag('reset_summary');

interface Epoch {
  readonly id: string;
  readonly stream: string;
  readonly first: number;
  /** Whether its first record is the reset that opened it. */
  readonly opensWithReset: boolean;
  /** The epoch before it in its stream. */
  readonly before: Epoch | undefined;
  records: number;
}

export class Epochs implements StageRules {
  readonly #model: SessionModel;
  readonly #epochs: Epoch[] = [];
  /** Per stream rank: the epoch its latest entry stands in. */
  readonly #current: Epoch[] = [];
  /** Per entry: its epoch's place in the list, or -1 for an entry in no stream. */
  readonly #epochOf: Int32Array;
  readonly #places = new Map<Epoch, number>();

  constructor(model: SessionModel) {
    this.#model = model;
    this.#epochOf = new Int32Array(model.entries).fill(-1);
  }

  get count(): number {
    return this.#epochs.length;
  }

  /** The node id of an entry's epoch, or `undefined` for an entry in no stream. */
  nodeIdOf(entry: number): string | undefined {
    return this.#epochs[this.#epochOf[entry]!]?.id;
  }

  page({ from, to }: Page): void {
    const { index, records, streams } = this.#model;
    for (let entry = from; entry < to; entry++) {
      const rank = streams.rankOfEntry(entry);
      if (rank < 0 || !records.isCanonical(entry)) continue;
      const reset = (index.flags[entry]! & BOUNDARY) !== 0;
      if (reset || this.#current[rank] === undefined) this.#openEpoch(rank, entry, reset);
      const epoch = this.#current[rank]!;
      epoch.records++;
      this.#epochOf[entry] = this.#places.get(epoch)!;
    }
  }

  end(): void {
    const { index, records, unresolved } = this.#model;
    for (const { first, opensWithReset } of this.#byStream()) {
      const continued = index.continues[first]!;
      if (opensWithReset && continued !== 0 && records.entryOfRecord(continued) < 0)
        unresolved.open(
          'epoch_continuation',
          index.strings.record.at(continued),
          UNRESOLVED.epoch_continuation,
        );
    }
  }

  *nodes(): Generator<Node> {
    const { index } = this.#model;
    for (const { id, stream, first, opensWithReset, records } of this.#byStream()) {
      const ref = this.#model.ref(first);
      const continued = opensWithReset ? index.strings.record.at(index.continues[first]!) : '';
      yield {
        id,
        kind: 'epoch',
        parent: streamNodeId(stream),
        stream,
        ref,
        refs: opensWithReset ? [ref] : [],
        attrs: {
          ...(continued === '' ? {} : { continues_from: continued }),
          records,
          reset: opensWithReset ? 'observed_replayable' : 'none',
        },
      };
    }
  }

  *follows(): Generator<Relation> {
    for (const { id, first, before } of this.#byStream()) {
      if (before === undefined) continue;
      yield {
        id: relationId('follows', id, before.id),
        type: 'follows',
        from: id,
        to: before.id,
        quality: 'exact_unique',
        via: 'explicit context reset',
        evidence: [this.#model.ref(first)],
      };
    }
  }

  /** The boundary and summary records as steps. They sit in the epoch, not in a run. */
  *steps(): Generator<Node> {
    const { index, records, entries } = this.#model;
    for (let entry = 0; entry < entries; entry++) {
      if ((index.flags[entry]! & (BOUNDARY | SUMMARY)) === 0 || !records.isCanonical(entry)) continue;
      const boundary = (index.flags[entry]! & BOUNDARY) !== 0;
      const ref = this.#model.ref(entry);
      yield {
        id: positionId(boundary ? 'boundary' : 'summary', ref.seq, ref.row),
        kind: boundary ? 'epoch.boundary' : 'epoch.summary',
        parent: this.nodeIdOf(entry) ?? sessionNodeId(this.#model),
        stream: this.#model.streamName(entry),
        ref,
      };
    }
  }

  /** A summary whose containment parent is a boundary record summarizes that boundary. */
  *summarizes(): Generator<Relation> {
    const { index, records, entries } = this.#model;
    for (let entry = 0; entry < entries; entry++) {
      const flags = index.flags[entry]!;
      if ((flags & SUMMARY) === 0 || (flags & BOUNDARY) !== 0 || !records.isCanonical(entry)) continue;
      const parent = records.entryOfRecord(index.parent[entry]!);
      if (parent < 0 || (index.flags[parent]! & BOUNDARY) === 0 || !records.isCanonical(parent)) continue;
      const summary = this.#model.ref(entry);
      const boundary = this.#model.ref(parent);
      const from = positionId('summary', summary.seq, summary.row);
      const to = positionId('boundary', boundary.seq, boundary.row);
      yield {
        id: relationId('summarizes', from, to),
        type: 'summarizes',
        from,
        to,
        quality: 'exact_unique',
        via: 'containment parent',
        evidence: [summary],
      };
    }
  }

  #openEpoch(rank: number, entry: number, reset: boolean): void {
    const { index, streams } = this.#model;
    const stream = streams.names[rank]!;
    const record = index.strings.record.at(index.record[entry]!);
    const { seq, row } = this.#model.ref(entry);
    const name = reset ? record || `at_${seq}_${row}` : '0';
    const epoch: Epoch = {
      id: joinId('epoch', stream, name),
      stream,
      first: entry,
      opensWithReset: reset,
      before: this.#current[rank],
      records: 0,
    };
    this.#places.set(epoch, this.#epochs.length);
    this.#epochs.push(epoch);
    this.#current[rank] = epoch;
  }

  /** Epochs by stream name, then landed order. */
  *#byStream(): Generator<Epoch> {
    const { streams } = this.#model;
    for (let rank = 0; rank < streams.count; rank++) {
      const chain: Epoch[] = [];
      for (let epoch = this.#current[rank]; epoch !== undefined; epoch = epoch.before) chain.push(epoch);
      yield* chain.reverse();
    }
  }
}
