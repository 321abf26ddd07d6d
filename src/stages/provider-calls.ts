/**
 * Stage 3 of 8. Establishes which fragments make one provider call.
 * Needs: canonical records, streams. Writes: `model.calls`.
 *
 * Fragments are grouped by message id in line order. The parent pointer is not followed, which loses a tool use
 * on nearly one call in five; nor is the request id used, which a record the client made up can share (seeds,
 * "Group a provider call"). A call seen in two streams belongs to the one whose name sorts first.
 */
import { joinId, positionId } from '../format/ids.js';
import { BLOCK_TEXT, BLOCK_THINKING, flag, KIND_ASSISTANT } from '../format/index-entry.js';
import type { Attributes } from '../format/session-flow.js';
import { blocksEnd } from '../format/session-index.js';
import type { EntitySink } from './entity-sink.js';
import type { Page } from './page.js';
import type { SessionModel } from './session-model.js';
import type { StageRules } from './stage.js';
import { inIdOrder } from './text-order.js';

const SYNTHETIC = flag('synthetic');
const FINISHED = flag('finished');

export class ProviderCalls implements StageRules {
  readonly #model: SessionModel;
  /** Per call string: its stream or 0, first and last fragment, flags of all fragments together. */
  readonly #stream: Uint32Array;
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #flags: Uint32Array;
  /** Per entry: the next fragment of its call, or -1. */
  readonly #next: Int32Array;

  constructor(model: SessionModel) {
    const strings = model.index.strings.call.size + 1;
    this.#model = model;
    this.#stream = new Uint32Array(strings);
    this.#first = new Int32Array(strings).fill(-1);
    this.#last = new Int32Array(strings).fill(-1);
    this.#flags = new Uint32Array(strings);
    this.#next = new Int32Array(model.index.entries).fill(-1);
  }

  /** The node id of a call string (by number), or `undefined` when no fragment of it landed in a stream. */
  nodeId(call: number): string | undefined {
    return this.#first[call]! >= 0 ? joinId('call', this.#model.index.strings.call.at(call)) : undefined;
  }

  page({ from, to }: Page): void {
    const { index, records, streams, changed } = this.#model;
    const { order } = streams;
    for (let entry = from; entry < to; entry++) {
      const call = index.call[entry]!;
      if (call === 0 || index.kind[entry] !== KIND_ASSISTANT || !records.isCanonical(entry)) continue;
      const stream = index.stream[entry]!;
      if (stream === 0) continue;
      if (this.#first[call]! < 0) {
        this.#first[call] = entry;
        this.#stream[call] = stream;
        changed.newCalls.add(call);
      } else {
        this.#next[this.#last[call]!] = entry;
        if (order[stream]! < order[this.#stream[call]!]!) this.#stream[call] = stream;
      }
      this.#last[call] = entry;
      this.#flags[call]! |= index.flags[entry]!;
      changed.mark('call', call);
    }
  }

  /** Calls in the order they are written. */
  inOrder(): number[] {
    const strings = this.#model.index.strings.call;
    return inIdOrder(strings).filter((call) => this.#first[call]! >= 0);
  }

  /** The call and the text and thinking under it. */
  emit(call: number, sink: EntitySink): void {
    const first = this.#first[call]!;
    if (first < 0) return;
    const stream = this.#model.index.strings.stream.at(this.#stream[call]!);
    const fragments: number[] = [];
    for (let entry = first; entry >= 0; entry = this.#next[entry]!) fragments.push(entry);
    const id = this.nodeId(call)!;
    sink.node({
      id,
      kind: 'llm.call',
      parent: this.#model.talks.containerOf(first),
      stream,
      ref: this.#model.ref(first),
      refs: fragments.map((entry) => this.#model.ref(entry)),
      attrs: this.#usage(call, fragments),
    });
    const synthetic = (this.#flags[call]! & SYNTHETIC) !== 0;
    for (const entry of fragments) this.#emitContent(entry, id, stream, synthetic, sink);
  }

  /** Text and thinking of output that names no call: steps of the run that holds it. */
  emitLoose(entry: number, sink: EntitySink): void {
    const { index, talks } = this.#model;
    if (index.kind[entry] !== KIND_ASSISTANT || index.call[entry] !== 0 || index.stream[entry] === 0) return;
    const synthetic = (index.flags[entry]! & SYNTHETIC) !== 0;
    this.#emitContent(entry, talks.containerOf(entry), this.#model.streamName(entry), synthetic, sink);
  }

  /** The call whose first fragment an entry is, or 0: its place is the call's. */
  callBegunAt(entry: number): number {
    const call = this.#model.index.call[entry]!;
    return this.#first[call] === entry ? call : 0;
  }

  /** The counts a parse reports. */
  counts(): { calls: number; fragments: number; unfinished: number; synthetic: number } {
    const counts = { calls: 0, fragments: 0, unfinished: 0, synthetic: 0 };
    for (let call = 1; call < this.#first.length; call++) {
      if (this.#first[call]! < 0) continue;
      counts.calls++;
      for (let entry = this.#first[call]!; entry >= 0; entry = this.#next[entry]!) counts.fragments++;
      if ((this.#flags[call]! & FINISHED) === 0) counts.unfinished++;
      if ((this.#flags[call]! & SYNTHETIC) !== 0) counts.synthetic++;
    }
    return counts;
  }

  /**
   * Usage stands on the last fragment in line order: not on the one with a stop reason, which a parent lineage
   * stamps on all, and never in a sum, which multiplies it (seeds, "Take usage from the last fragment").
   */
  #usage(call: number, fragments: readonly number[]): Attributes {
    const usage_from = 'last_fragment_in_line_order';
    if ((this.#flags[call]! & FINISHED) === 0)
      return { fragments: fragments.length, stop_reason: 'unavailable', usage: 'unavailable', usage_from };
    const { seq, row } = this.#model.ref(fragments.at(-1)!);
    return { fragments: fragments.length, usage: 'observed_replayable', usage_at: { row, seq }, usage_from };
  }

  #emitContent(entry: number, parent: string, stream: string, synthetic: boolean, sink: EntitySink): void {
    const { index } = this.#model;
    for (let block = index.firstBlock[entry]!; block < blocksEnd(index, entry); block++) {
      const kind = index.blockKind[block];
      if (kind !== BLOCK_TEXT && kind !== BLOCK_THINKING) continue;
      const ref = this.#model.blockRef(block);
      const thinking = kind === BLOCK_THINKING;
      sink.node({
        id: positionId(thinking ? 'think' : 'msg', ref.seq, ref.row, ref.block),
        kind: thinking ? 'thinking' : synthetic ? 'message.synthetic' : 'message.assistant',
        parent,
        stream,
        ref,
      });
    }
  }
}
