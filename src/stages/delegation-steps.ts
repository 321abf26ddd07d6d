/**
 * The steps of delegation, written once containers are known: launch acknowledgements, notifications, what each
 * child returned, and the ways back to the call that started a stream.
 * Source: assembly spec, stage 5, "Steps written once containers are known".
 */
import { joinId, positionId, relationId } from '../format/ids.js';
import { flag, KIND_ASSISTANT, KIND_JOURNAL, TRIGGER_NOTIFICATION } from '../format/index-entry.js';
import type { Node, Ref, Relation } from '../format/session-flow.js';
import type { SessionModel } from './session-model.js';
import { streamNodeId } from './streams.js';
import { UNRESOLVED } from './unresolved-entries.js';

const LAUNCH_ACK = flag('launch_ack');
const SYNTHETIC = flag('synthetic');
const CHILD_RESULT = flag('child_result');

export class DelegationSteps {
  readonly nodes: Node[] = [];
  readonly relations: Relation[] = [];
  /** Counts a parse reports: notification nodes, and those that name a child that did not land. */
  notifications = 0;
  unmatched = 0;

  readonly #model: SessionModel;
  /** Stream strings that a `reports` relation reaches. */
  readonly #reported = new Set<number>();
  /** Per stream string: the first journal entry that carries what the child returned. */
  readonly #journalResult = new Map<number, number>();

  constructor(model: SessionModel) {
    this.#model = model;
    for (let entry = 0; entry < model.entries; entry++)
      if (model.records.isCanonical(entry)) this.#record(entry);
    for (let rank = 0; rank < model.streams.count; rank++) this.#stream(rank);
  }

  #record(entry: number): void {
    const { index, talks } = this.#model;
    const child = index.child[entry]!;
    const flags = index.flags[entry]!;
    if (index.kind[entry] === KIND_JOURNAL && (flags & CHILD_RESULT) !== 0 && child !== 0)
      if (!this.#journalResult.has(child)) this.#journalResult.set(child, entry);
    const acknowledges = (flags & LAUNCH_ACK) !== 0;
    if (!acknowledges && index.trigger[entry] !== TRIGGER_NOTIFICATION) return;
    const ref = this.#model.ref(entry);
    const id = positionId(acknowledges ? 'ack' : 'notify', ref.seq, ref.row);
    this.nodes.push({
      id,
      kind: acknowledges ? 'agent.launch_ack' : 'runtime.notification',
      parent: talks.containerOf(entry),
      stream: this.#model.streamName(entry),
      ref,
    });
    if (!acknowledges) this.#notification(entry, id, ref);
  }

  #notification(entry: number, id: string, ref: Ref): void {
    const { index, streams, children, unresolved } = this.#model;
    this.notifications++;
    const child = index.child[entry]!;
    if (child === 0) {
      for (const edge of children.keptOfTool(index.tool[entry]!))
        this.#reports(id, ref, edge.child, 'strong_inference', 'the call the notification completes');
    } else if (streams.rankOf(child) >= 0) {
      this.#reports(id, ref, child, 'exact_unique', 'task id on the notification');
    } else {
      this.unmatched++;
      unresolved.open('notified_child', index.strings.stream.at(child), UNRESOLVED.notified_child);
    }
  }

  #reports(from: string, ref: Ref, stream: number, quality: string, via: string): void {
    this.#reported.add(stream);
    const to = streamNodeId(this.#model.index.strings.stream.at(stream));
    this.relations.push({
      id: relationId('reports', from, to),
      type: 'reports',
      from,
      to,
      quality,
      via,
      evidence: [ref],
    });
  }

  #stream(rank: number): void {
    const role = this.#model.streams.roles[rank];
    if (role === 'main') return;
    const entries = this.#model.streams.entriesOf(rank);
    const stream = this.#model.index.stream[entries[0]!]!;
    const response = this.#lastResponse(entries);
    const starter = this.#directStarter(stream);
    if (role === 'child') this.#childOutput(stream, response, starter);
    else if (response >= 0 && starter !== undefined) {
      const from = this.#model.calls.nodeId(this.#model.index.call[response]!);
      if (from !== undefined)
        this.#resultOf(from, starter, 'the result the tool that started this stream received', [
          this.#model.ref(response),
          starter.result,
        ]);
    }
  }

  #childOutput(stream: number, response: number, starter: Starter | undefined): void {
    const { index, talks } = this.#model;
    const journal = this.#journalResult.get(stream) ?? -1;
    const first = response >= 0 ? response : journal;
    if (first < 0) return;
    const name = index.strings.stream.at(stream);
    const refs = [response, journal].filter((entry) => entry >= 0).map((entry) => this.#model.ref(entry));
    if (starter !== undefined) refs.push(starter.result);
    const id = joinId('output', name);
    const returned = journal >= 0 || starter !== undefined;
    this.nodes.push({
      id,
      kind: 'agent.output',
      parent: talks.containerOf(first),
      stream: name,
      ref: refs[0]!,
      refs,
      attrs: { returned_value: returned ? 'observed_replayable' : 'unavailable' },
    });
    const from = streamNodeId(name);
    this.relations.push({
      id: relationId('ends_with', from, id),
      type: 'ends_with',
      from,
      to: id,
      quality: 'exact_unique',
      via: 'the last response in the child stream, and what it returned',
      evidence: refs,
    });
    if (starter !== undefined)
      this.#resultOf(id, starter, 'the result the call that started this stream received', [starter.result]);
  }

  #resultOf(from: string, { call, quality }: Starter, via: string, evidence: Ref[]): void {
    const id = relationId('result_of', from, call);
    this.relations.push({ id, type: 'result_of', from, to: call, quality, via, evidence });
  }

  /** The stream's last response: an assistant record the client did not make up, or -1. */
  #lastResponse(entries: Uint32Array): number {
    const { kind, flags } = this.#model.index;
    for (let i = entries.length - 1; i >= 0; i--) {
      const entry = entries[i]!;
      if (kind[entry] === KIND_ASSISTANT && (flags[entry]! & SYNTHETIC) === 0) return entry;
    }
    return -1;
  }

  /**
   * The one call that started a stream directly and got its result back, when the shape makes that exact: all
   * kept edges have that tool and none a batch, one result joined and it is no launch acknowledgement, and no
   * notification reports to the stream (seeds, "The way back from a stream a call started").
   */
  #directStarter(stream: number): Starter | undefined {
    const { index, children, tools } = this.#model;
    const edges = children.keptOfChild(stream);
    const first = edges[0];
    if (first === undefined || this.#reported.has(stream)) return undefined;
    if (edges.some(({ tool, batch }) => tool !== first.tool || batch !== 0)) return undefined;
    const result = tools.joinedResult(first.tool);
    if (result < 0 || (index.flags[index.blockEntry[result]!]! & LAUNCH_ACK) !== 0) return undefined;
    return {
      call: tools.nodeId(first.tool)!,
      quality: first.quality,
      result: this.#model.blockRef(result),
    };
  }
}

interface Starter {
  /** Node id of the call. */
  readonly call: string;
  readonly quality: string;
  readonly result: Ref;
}
