/**
 * Stage 4 of 8. Establishes which tool-use request goes with which result.
 * Needs: canonical records, streams. Writes: `model.tools`, and opens `tool_use` and `tool_result`.
 *
 * The key is the tool-use id of a block, in all streams, whatever the record's kind: every tool result stands
 * on a record whose type is user. The first request wins. A second result makes the tool ambiguous, and then
 * none is chosen (seeds, "Qualification"). The request and its result are joined by the node's references, not
 * by a relation.
 */
import { joinId } from '../format/ids.js';
import { BLOCK_TOOL_RESULT, BLOCK_TOOL_USE, KIND_MANIFEST } from '../format/index-entry.js';
import type { Attributes, Node, Ref } from '../format/session-flow.js';
import { blocksEnd } from '../format/session-index.js';
import type { Page } from './page.js';
import type { SessionModel } from './session-model.js';
import type { StageRules } from './stage.js';
import { inIdOrder } from './text-order.js';
import { UNRESOLVED } from './unresolved-entries.js';

export class Tools implements StageRules {
  readonly #model: SessionModel;
  /** Per tool string: the first request and result block or -1, each with its stream's rank; result count. */
  readonly #request: Int32Array;
  readonly #requestRank: Int32Array;
  readonly #result: Int32Array;
  readonly #resultRank: Int32Array;
  readonly #results: Uint32Array;
  /** Per batch string: the first canonical manifest entry, or -1. */
  readonly #manifest: Int32Array;

  constructor(model: SessionModel) {
    const strings = model.index.strings.tool.size + 1;
    this.#model = model;
    this.#request = new Int32Array(strings).fill(-1);
    this.#requestRank = new Int32Array(strings).fill(-1);
    this.#result = new Int32Array(strings).fill(-1);
    this.#resultRank = new Int32Array(strings).fill(-1);
    this.#results = new Uint32Array(strings);
    this.#manifest = new Int32Array(model.index.strings.batch.size + 1).fill(-1);
  }

  /** The node id of a tool string (by number), or `undefined` when its request did not land. */
  nodeId(tool: number): string | undefined {
    return this.hasRequest(tool) ? joinId('tool', this.#model.index.strings.tool.at(tool)) : undefined;
  }

  hasRequest(tool: number): boolean {
    return tool !== 0 && this.#request[tool]! >= 0;
  }

  /** Whether any block, request or result, carries this id. */
  isKnown(tool: number): boolean {
    return tool !== 0 && (this.#request[tool]! >= 0 || this.#results[tool]! > 0);
  }

  /** The one result block of a request that landed, or -1: no request, no result, or several results. */
  joinedResult(tool: number): number {
    return this.hasRequest(tool) && this.#results[tool] === 1 ? this.#result[tool]! : -1;
  }

  page({ from, to }: Page): void {
    const { index, records, streams } = this.#model;
    for (let entry = from; entry < to; entry++) {
      if (!records.isCanonical(entry)) continue;
      const batch = index.batch[entry]!;
      if (batch !== 0 && index.kind[entry] === KIND_MANIFEST && this.#manifest[batch]! < 0)
        this.#manifest[batch] = entry;
      const rank = streams.rankOfEntry(entry);
      if (rank < 0) continue;
      for (let block = index.firstBlock[entry]!; block < blocksEnd(index, entry); block++) {
        const tool = index.blockTool[block]!;
        if (tool === 0) continue;
        if (index.blockKind[block] === BLOCK_TOOL_USE)
          keepFirst(tool, block, rank, this.#request, this.#requestRank);
        else if (index.blockKind[block] === BLOCK_TOOL_RESULT) {
          keepFirst(tool, block, rank, this.#result, this.#resultRank);
          this.#results[tool]!++;
        }
      }
    }
  }

  end(): void {
    const { index, unresolved } = this.#model;
    for (const tool of this.#byId()) {
      const id = index.strings.tool.at(tool);
      if (!this.hasRequest(tool)) unresolved.open('tool_use', id, UNRESOLVED.tool_use);
      else if (this.#results[tool]! > 1) unresolved.open('tool_result', id, UNRESOLVED.ambiguous_result);
      else if (this.#results[tool] === 0) unresolved.open('tool_result', id, UNRESOLVED.tool_result);
    }
  }

  *nodes(): Generator<Node> {
    for (const tool of this.#byId()) if (this.hasRequest(tool)) yield this.#node(tool);
  }

  /** The counts a parse reports: ids with a request, and those whose result joined. */
  counts(): { uses: number; joined: number } {
    const counts = { uses: 0, joined: 0 };
    for (let tool = 1; tool < this.#request.length; tool++) {
      if (!this.hasRequest(tool)) continue;
      counts.uses++;
      if (this.joinedResult(tool) >= 0) counts.joined++;
    }
    return counts;
  }

  #byId(): number[] {
    const strings = this.#model.index.strings.tool;
    return inIdOrder(strings.size, (n) => strings.at(n)).filter((tool) => this.isKnown(tool));
  }

  #node(tool: number): Node {
    const { index, calls, children, streams, talks } = this.#model;
    const request = this.#request[tool]!;
    const entry = index.blockEntry[request]!;
    const manifest = this.#manifestOf(tool);
    const refs: Ref[] = [this.#model.blockRef(request)];
    const joined = this.joinedResult(tool);
    if (joined >= 0) refs.push(this.#model.blockRef(joined));
    if (manifest >= 0) refs.push(this.#model.ref(manifest));
    const ranks = [this.#requestRank[tool]!, this.#resultRank[tool]!].filter((rank) => rank >= 0);
    return {
      id: this.nodeId(tool)!,
      kind: children.startsAgent(tool) ? 'agent.call' : 'tool',
      parent: calls.nodeId(index.call[entry]!) ?? talks.containerOf(entry),
      stream: streams.names[Math.min(...ranks)]!,
      ref: refs[0]!,
      refs,
      attrs: this.#attrs(tool, request, manifest),
    };
  }

  #attrs(tool: number, request: number, manifest: number): Attributes {
    const { index } = this.#model;
    const names = index.strings.name;
    const joined = this.joinedResult(tool) >= 0;
    const launched = manifest < 0 ? '' : index.strings.label.at(index.label[manifest]!);
    const server = names.at(index.blockServer[request]!);
    return {
      ...(launched === '' ? {} : { launched }),
      ...(server === '' ? {} : { mcp_server: server, mcp_tool: names.at(index.blockServerTool[request]!) }),
      name: names.at(index.blockName[request]!),
      result: joined ? 'available' : 'unavailable',
      result_join: joined ? 'exact_unique' : this.#results[tool] === 0 ? 'unresolved' : 'exact_ambiguous',
      timing: 'unavailable',
    };
  }

  /** The manifest of the batch that the first result launched, or -1; the tool may be ambiguous. */
  #manifestOf(tool: number): number {
    const { index } = this.#model;
    const result = this.#result[tool]!;
    return result < 0 ? -1 : this.#manifest[index.batch[index.blockEntry[result]!]!]!;
  }
}

/** Streams are gone through by name: a block in a stream of lower rank comes before any in a later one. */
function keepFirst(tool: number, block: number, rank: number, first: Int32Array, ranks: Int32Array): void {
  if (first[tool]! >= 0 && ranks[tool]! <= rank) return;
  first[tool] = block;
  ranks[tool] = rank;
}
