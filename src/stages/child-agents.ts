/**
 * Stage 5 of 8. Establishes which call started which child stream.
 * Needs: canonical records, streams, tools. Writes: `model.children`, and opens `child_stream`, `spawn_call` and
 * `spawn_of_child`.
 *
 * Records that name a child announce an edge from a tool call to the child's stream. A journal names a batch,
 * whose launch call may land after the journal, so edges are resolved at the end.
 */

import { relationId } from '../format/ids.js';
import {
  BLOCK_TOOL_RESULT,
  KIND_JOURNAL,
  KIND_SIDECAR,
  TRIGGER_NOTIFICATION,
} from '../format/index-entry.js';
import { compareCodePoints } from '../format/json-text.js';
import type { Relation } from '../format/session-flow.js';
import { blocksEnd } from '../format/session-index.js';
import type { Page } from './page.js';
import type { SessionModel } from './session-model.js';
import type { StageRules } from './stage.js';
import { streamNodeId } from './streams.js';
import { UNRESOLVED } from './unresolved-entries.js';

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

export class ChildAgents implements StageRules {
  /** Counts a parse reports: edges whose child landed. Those of them that resolved are the kept ones. */
  launches = 0;

  readonly #model: SessionModel;
  /** Per batch string: the tool whose result launched it, 0 for none. */
  readonly #callOfBatch: Uint32Array;
  readonly #announcing: number[] = [];
  readonly #kept: Edge[] = [];
  readonly #keptOfTool = new Map<number, Edge[]>();
  readonly #keptOfChild = new Map<number, Edge[]>();
  readonly #starters = new Set<number>();

  constructor(model: SessionModel) {
    this.#model = model;
    this.#callOfBatch = new Uint32Array(model.index.strings.batch.size + 1);
  }

  get resolved(): number {
    return this.#kept.length;
  }

  /** Whether a child that is no auxiliary stream joined to this tool: then its node is an `agent.call`. */
  startsAgent(tool: number): boolean {
    return this.#starters.has(tool);
  }

  /** The edges kept for a tool, or for a child stream (by string number), in edge order. */
  keptOfTool(tool: number): readonly Edge[] {
    return this.#keptOfTool.get(tool) ?? [];
  }

  keptOfChild(stream: number): readonly Edge[] {
    return this.#keptOfChild.get(stream) ?? [];
  }

  page({ from, to }: Page): void {
    const { index, records } = this.#model;
    for (let entry = from; entry < to; entry++) {
      if (!records.isCanonical(entry)) continue;
      const batch = index.batch[entry]!;
      if (batch !== 0 && this.#callOfBatch[batch] === 0 && index.kind[entry] !== KIND_JOURNAL)
        this.#callOfBatch[batch] = this.#firstResultTool(entry);
      if (index.child[entry] !== 0) this.#announcing.push(entry);
    }
  }

  end(): void {
    for (const edge of this.#edges()) this.#resolve(edge);
    const { index, streams, unresolved } = this.#model;
    for (const [rank, name] of streams.names.entries()) {
      const stream = index.stream[streams.entriesOf(rank)[0]!]!;
      if (streams.roles[rank] !== 'main' && !this.#keptOfChild.has(stream))
        unresolved.open('spawn_of_child', name, UNRESOLVED.spawn_of_child);
    }
  }

  /** A `starts` relation per kept edge whose tool has a node. A stream-to-stream edge has none. */
  *starts(): Generator<Relation> {
    const { index, tools } = this.#model;
    for (const { tool, child, via, quality, entry } of this.#kept) {
      const from = tools.nodeId(tool);
      if (from === undefined) continue;
      const to = streamNodeId(index.strings.stream.at(child));
      const evidence = [this.#model.ref(entry)];
      yield { id: relationId('starts', from, to), type: 'starts', from, to, quality, via, evidence };
    }
  }

  /** The distinct edges by child name, tool id and batch; among equals in landed order. */
  #edges(): Edge[] {
    const { stream, tool, batch } = this.#model.index.strings;
    const seen = new Set<string>();
    const edges: Edge[] = [];
    for (const entry of this.#announcing) {
      const edge = this.#edgeOf(entry);
      if (edge.tool === 0 && edge.batch === 0 && edge.parent === 0) continue;
      const key = `${edge.tool} ${edge.batch} ${edge.parent} ${edge.child}`;
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push(edge);
    }
    return edges.sort(
      (a, b) =>
        compareCodePoints(stream.at(a.child), stream.at(b.child)) ||
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

  #resolve(edge: Edge): void {
    const { index, streams, tools, unresolved } = this.#model;
    const { stream, tool, batch } = index.strings;
    const rank = streams.rankOf(edge.child);
    if (rank < 0) {
      unresolved.open('child_stream', stream.at(edge.child), UNRESOLVED.child_stream);
      return;
    }
    this.launches++;
    if (edge.tool === 0) {
      if (edge.parent !== 0 && streams.rankOf(edge.parent) >= 0) this.#keep(edge);
      else unresolved.open('spawn_call', batch.at(edge.batch), UNRESOLVED.spawn_batch);
      return;
    }
    if (!tools.isKnown(edge.tool)) {
      unresolved.open('spawn_call', tool.at(edge.tool), UNRESOLVED.spawn_call);
      return;
    }
    if (streams.roles[rank] !== 'auxiliary') this.#starters.add(edge.tool);
    this.#keep(edge);
  }

  #keep(edge: Edge): void {
    this.#kept.push(edge);
    append(this.#keptOfChild, edge.child, edge);
    if (edge.tool !== 0) append(this.#keptOfTool, edge.tool, edge);
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

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
