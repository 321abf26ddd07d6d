/**
 * Stage 5 of 8. Establishes which call started which child stream, and which streams a notification reports to.
 * Needs: canonical records, streams, tools. Writes: `model.children`.
 *
 * Records that name a child announce an edge from a tool call to the child's stream. A journal names a batch,
 * whose launch call may land after the journal, so edges are resolved when a checkpoint is settled: those of
 * every child about which something changed.
 */
import { relationId } from '../format/ids.js';
import {
  BLOCK_TOOL_RESULT,
  flag,
  KIND_ASSISTANT,
  KIND_JOURNAL,
  KIND_SIDECAR,
  TRIGGER_NOTIFICATION,
} from '../format/index-entry.js';
import { compareCodePoints } from '../format/json-text.js';
import { blocksEnd } from '../format/session-index.js';
import type { EntitySink } from './entity-sink.js';
import { Groups } from './groups.js';
import type { Page } from './page.js';
import type { SessionModel } from './session-model.js';
import type { StageRules } from './stage.js';
import { streamNodeId } from './streams.js';
import { UNRESOLVED } from './unresolved.js';

const LAUNCH_ACK = flag('launch_ack');
const SYNTHETIC = flag('synthetic');
const CHILD_RESULT = flag('child_result');

/** An announced start. Tool, batch and streams are string numbers, 0 for none. */
export interface Edge {
  readonly tool: number;
  readonly batch: number;
  /** The stream that says it started the child, on a sidecar. */
  readonly parent: number;
  readonly child: number;
  /** The announcing record. */
  readonly entry: number;
  readonly via: string;
  readonly quality: 'exact_unique' | 'strong_inference';
}

const NO_EDGES: readonly Edge[] = [];
const NO_STREAMS: readonly number[] = [];

export class ChildAgents implements StageRules {
  readonly #model: SessionModel;
  /** Per batch string: the tool whose result launched it, 0 for none. */
  readonly #callOfBatch: Uint32Array;
  /** Per stream string: the last response in it, the first journal result for it, reports that reach it. */
  readonly #lastResponse: Int32Array;
  readonly #journalResult: Int32Array;
  readonly #reported: Uint32Array;
  /** Per tool string: kept edges to children that are no auxiliary streams. */
  readonly #starts: Uint32Array;
  /** Records that name a child, by child; and the edges of each child that were kept. */
  readonly #announcing = new Groups();
  readonly #kept = new Map<number, readonly Edge[]>();
  /** Children with a kept edge, by tool, and whether each makes the tool one that starts an agent. */
  readonly #keptByTool = new Map<number, Map<number, boolean>>();
  /** Children to resolve again, by the batch, tool or parent stream their edges name. */
  readonly #childrenOfBatch = new Groups();
  readonly #childrenOfTool = new Groups();
  readonly #childrenOfParent = new Groups();
  readonly #seenTool = new Set<string>();
  /** Notifications that name no child, by tool; and the streams each notification reports to. */
  readonly #notificationsOfTool = new Groups();
  readonly #reports = new Map<number, readonly number[]>();
  /** Marked since the last checkpoint. */
  readonly #children = new Set<number>();
  readonly #notifications = new Set<number>();

  constructor(model: SessionModel) {
    const streams = model.index.strings.stream.size + 1;
    this.#model = model;
    this.#callOfBatch = new Uint32Array(model.index.strings.batch.size + 1);
    this.#lastResponse = new Int32Array(streams).fill(-1);
    this.#journalResult = new Int32Array(streams).fill(-1);
    this.#reported = new Uint32Array(streams);
    this.#starts = new Uint32Array(model.index.strings.tool.size + 1);
  }

  /** Whether a child that is no auxiliary stream joined to this tool: then its node is an `agent.call`. */
  startsAgent(tool: number): boolean {
    return this.#starts[tool]! > 0;
  }

  /** The edges kept for a child stream, by tool id and batch. */
  keptOfChild(stream: number): readonly Edge[] {
    return this.#kept.get(stream) ?? NO_EDGES;
  }

  /** The stream's last response, an assistant record the client did not make up, or -1. */
  lastResponse(stream: number): number {
    return this.#lastResponse[stream]!;
  }

  /** The first journal record that carries what a child returned, or -1. */
  journalResult(stream: number): number {
    return this.#journalResult[stream]!;
  }

  /** Whether a `reports` relation, of either quality, reaches a stream. */
  isReported(stream: number): boolean {
    return this.#reported[stream]! > 0;
  }

  /** The streams a notification reports to, once for each observation. */
  reportedBy(notification: number): readonly number[] {
    return this.#reports.get(notification) ?? NO_STREAMS;
  }

  page({ from, to }: Page): void {
    const { index, records, changed } = this.#model;
    for (let entry = from; entry < to; entry++) {
      if (!records.isCanonical(entry)) continue;
      const batch = index.batch[entry]!;
      if (batch !== 0 && index.kind[entry] !== KIND_JOURNAL) this.#launch(batch, entry);
      const child = index.child[entry]!;
      if (child !== 0) this.#announce(child, entry);
      if (this.#isNotification(entry)) this.#notify(entry, child);
      const stream = index.stream[entry]!;
      const answers = index.kind[entry] === KIND_ASSISTANT && (index.flags[entry]! & SYNTHETIC) === 0;
      if (stream === 0 || !answers) continue;
      this.#lastResponse[stream] = entry;
      changed.mark('output', stream);
    }
  }

  end(): void {
    const { changed } = this.#model;
    for (const stream of changed.landedStreams) {
      this.#children.add(stream);
      for (const child of this.#childrenOfParent.of(stream)) this.#children.add(child);
      for (const entry of this.#announcing.of(stream))
        if (this.#isNotification(entry)) this.#notifications.add(entry);
    }
    for (const stream of changed.roles) this.#children.add(stream);
    for (const tool of changed.owners.tool)
      for (const child of this.#childrenOfTool.of(tool)) this.#children.add(child);
    for (const child of this.#children) this.#resolve(child);
    this.#children.clear();
    for (const entry of this.#notifications) this.#resolveReports(entry);
    this.#notifications.clear();
  }

  /** The starts of a child and what is missing of them. `child` may be a stream nobody announced. */
  emit(child: number, sink: EntitySink): void {
    const { index, streams, tools } = this.#model;
    const name = index.strings.stream.at(child);
    for (const edge of this.#edgesOf(child)) {
      const lack = this.#lackOf(edge);
      if (lack !== undefined) sink.unresolved(...lack);
    }
    for (const { tool, via, quality, entry } of this.keptOfChild(child)) {
      const from = tools.nodeId(tool);
      if (from === undefined) continue;
      const to = streamNodeId(name);
      const evidence = [this.#model.ref(entry)];
      sink.relation({ id: relationId('starts', from, to), type: 'starts', from, to, quality, via, evidence });
    }
    if (streams.hasLanded(child) && !streams.isMain(child) && this.keptOfChild(child).length === 0)
      sink.unresolved('spawn_of_child', name, UNRESOLVED.spawn_of_child);
  }

  /** Every stream that landed or was announced, by name. */
  inOrder(): number[] {
    const { streams, index } = this.#model;
    const children: number[] = [];
    for (let stream = 1; stream <= index.strings.stream.size; stream++)
      if (streams.hasLanded(stream) || this.#announcing.of(stream).length > 0) children.push(stream);
    return children.sort((a, b) => streams.order[a]! - streams.order[b]!);
  }

  /** The counts a parse reports: edges whose child landed, kept ones, and streams that kept none. */
  counts(): { launches: number; resolved: number; orphans: number } {
    const { streams } = this.#model;
    const counts = { launches: 0, resolved: 0, orphans: 0 };
    for (const stream of this.inOrder()) {
      if (!streams.hasLanded(stream)) continue;
      counts.launches += this.#edgesOf(stream).length;
      counts.resolved += this.keptOfChild(stream).length;
      if (!streams.isMain(stream) && this.keptOfChild(stream).length === 0) counts.orphans++;
    }
    return counts;
  }

  #isNotification(entry: number): boolean {
    const { index } = this.#model;
    return index.trigger[entry] === TRIGGER_NOTIFICATION && (index.flags[entry]! & LAUNCH_ACK) === 0;
  }

  #launch(batch: number, entry: number): void {
    if (this.#callOfBatch[batch] !== 0) return;
    const tool = this.#firstResultTool(entry);
    if (tool === 0) return;
    this.#callOfBatch[batch] = tool;
    for (const child of this.#childrenOfBatch.of(batch)) this.#children.add(child);
  }

  #announce(child: number, entry: number): void {
    const { index, changed } = this.#model;
    this.#announcing.add(child, entry);
    this.#children.add(child);
    if (index.kind[entry] !== KIND_JOURNAL) {
      if (index.startedBy[entry] !== 0) this.#childrenOfParent.add(index.startedBy[entry]!, child);
      return;
    }
    if (index.batch[entry] !== 0) this.#childrenOfBatch.add(index.batch[entry]!, child);
    if ((index.flags[entry]! & CHILD_RESULT) === 0 || this.#journalResult[child]! >= 0) return;
    this.#journalResult[child] = entry;
    changed.mark('output', child);
  }

  #notify(entry: number, child: number): void {
    const tool = this.#model.index.tool[entry]!;
    if (child === 0 && tool !== 0) this.#notificationsOfTool.add(tool, entry);
    this.#notifications.add(entry);
  }

  /** Resolves the edges of a child anew, and marks whatever depends on them. */
  #resolve(child: number): void {
    const { changed, streams } = this.#model;
    const before = this.keptOfChild(child);
    for (const { tool } of before) this.#untie(tool, child);
    const kept: Edge[] = [];
    for (const edge of this.#edgesOf(child)) {
      this.#dependOn(edge);
      if (streams.hasLanded(child) && this.#lackOf(edge) === undefined) kept.push(edge);
    }
    this.#kept.set(child, kept);
    for (const { tool } of kept) this.#tie(tool, child);
    for (const { tool } of [...before, ...kept]) {
      if (tool === 0) continue;
      changed.mark('tool', tool);
      for (const entry of this.#notificationsOfTool.of(tool)) this.#notifications.add(entry);
    }
    changed.mark('child', child);
    changed.mark('output', child);
  }

  #tie(tool: number, child: number): void {
    if (tool === 0) return;
    const children = this.#keptByTool.get(tool) ?? new Map<number, boolean>();
    if (children.has(child)) return;
    const startsAgent = this.#model.streams.roleOf(child) !== 'auxiliary';
    this.#keptByTool.set(tool, children.set(child, startsAgent));
    if (startsAgent) this.#starts[tool]!++;
  }

  #untie(tool: number, child: number): void {
    const children = this.#keptByTool.get(tool);
    if (children?.get(child) === true) this.#starts[tool]!--;
    children?.delete(child);
  }

  #dependOn({ tool, child }: Edge): void {
    if (tool === 0 || this.#seenTool.has(`${tool} ${child}`)) return;
    this.#seenTool.add(`${tool} ${child}`);
    this.#childrenOfTool.add(tool, child);
  }

  /** The child a notification names, or else the child of every kept edge of the call it names. */
  #resolveReports(entry: number): void {
    const { index, streams, changed } = this.#model;
    const child = index.child[entry]!;
    for (const stream of this.reportedBy(entry)) this.#report(stream, -1);
    const reached =
      child === 0
        ? this.#childrenStartedBy(index.tool[entry]!)
        : streams.hasLanded(child)
          ? [child]
          : NO_STREAMS;
    this.#reports.set(entry, reached);
    for (const stream of reached) this.#report(stream, 1);
    changed.mark('entry', entry);
  }

  #report(stream: number, by: 1 | -1): void {
    this.#reported[stream]! += by;
    this.#model.changed.mark('output', stream);
  }

  /** By name, once for each kept edge. */
  #childrenStartedBy(tool: number): number[] {
    const { order } = this.#model.streams;
    const children = [...(this.#keptByTool.get(tool)?.keys() ?? [])].sort((a, b) => order[a]! - order[b]!);
    return children.flatMap((child) =>
      this.keptOfChild(child).flatMap((edge) => (edge.tool === tool ? [child] : [])),
    );
  }

  /** Why an edge is not kept, as the unresolved entry it opens; `undefined` when it is. */
  #lackOf({ tool, batch, parent, child }: Edge): Parameters<EntitySink['unresolved']> | undefined {
    const { index, streams, tools } = this.#model;
    if (!streams.hasLanded(child))
      return ['child_stream', index.strings.stream.at(child), UNRESOLVED.child_stream];
    if (tool === 0)
      return parent !== 0 && streams.hasLanded(parent)
        ? undefined
        : ['spawn_call', index.strings.batch.at(batch), UNRESOLVED.spawn_batch];
    if (!tools.isKnown(tool)) return ['spawn_call', index.strings.tool.at(tool), UNRESOLVED.spawn_call];
    return undefined;
  }

  /** The distinct edges to a child by tool id and batch; among equals in landed order. */
  #edgesOf(child: number): Edge[] {
    const { tool, batch } = this.#model.index.strings;
    const edges: Edge[] = [];
    const seen = new Set<string>();
    for (const entry of this.#announcing.of(child)) {
      const edge = this.#edgeOf(entry);
      if (edge.tool === 0 && edge.batch === 0 && edge.parent === 0) continue;
      const key = `${edge.tool} ${edge.batch} ${edge.parent}`;
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push(edge);
    }
    return edges.sort(
      (a, b) =>
        compareCodePoints(tool.at(a.tool), tool.at(b.tool)) ||
        compareCodePoints(batch.at(a.batch), batch.at(b.batch)),
    );
  }

  #edgeOf(entry: number): Edge {
    const { index } = this.#model;
    const child = index.child[entry]!;
    const batch = index.batch[entry]!;
    if (index.kind[entry] === KIND_JOURNAL)
      return {
        tool: this.#callOfBatch[batch]!,
        batch,
        parent: 0,
        child,
        entry,
        via: 'run journal',
        quality: 'strong_inference',
      };
    const anchor = index.tool[entry]! || this.#firstResultTool(entry);
    const edge = { tool: anchor, batch: 0, parent: 0, child, entry, quality: 'exact_unique' as const };
    if (index.kind[entry] === KIND_SIDECAR)
      return { ...edge, parent: index.startedBy[entry]!, via: 'child sidecar' };
    if (index.trigger[entry] === TRIGGER_NOTIFICATION) return { ...edge, via: 'completion notification' };
    return { ...edge, via: 'parent tool result' };
  }

  /** The tool of the first result block that names one, or 0. */
  #firstResultTool(entry: number): number {
    const { index } = this.#model;
    for (let block = index.firstBlock[entry]!; block < blocksEnd(index, entry); block++)
      if (index.blockKind[block] === BLOCK_TOOL_RESULT && index.blockTool[block] !== 0)
        return index.blockTool[block]!;
    return 0;
  }
}
