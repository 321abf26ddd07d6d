/**
 * Stage 4 of 8. Establishes which tool-use request goes with which result.
 * Needs: canonical records, streams, calls. Writes: `model.tools`.
 *
 * The key is the tool-use id of a block, in all streams, whatever the record's kind: every tool result stands
 * on a record whose type is user. The first request wins. A second result makes the tool ambiguous, and then
 * none is chosen (seeds, "Qualification"). The request and its result are joined by the node's references, not
 * by a relation.
 */
import { joinId } from '../format/ids.js';
import { BLOCK_TOOL_RESULT, BLOCK_TOOL_USE, KIND_MANIFEST } from '../format/index-entry.js';
import type { Attributes, Ref } from '../format/session-flow.js';
import { blocksEnd } from '../format/session-index.js';
import type { EntitySink } from './entity-sink.js';
import { Groups } from './groups.js';
import type { Page } from './page.js';
import type { SessionModel } from './session-model.js';
import type { StageRules } from './stage.js';
import { inIdOrder } from './text-order.js';
import { UNRESOLVED } from './unresolved.js';

export class Tools implements StageRules {
  readonly #model: SessionModel;
  /** Per tool string: the first request and result block or -1, and how many results there are. */
  readonly #request: Int32Array;
  readonly #result: Int32Array;
  readonly #results: Uint32Array;
  /** Per batch string: the first canonical manifest entry, or -1. */
  readonly #manifest: Int32Array;
  /** Tools by the batch their first result may launch, and by the call their request may stand under. */
  readonly #ofBatch = new Groups();
  readonly #ofCall = new Groups();

  constructor(model: SessionModel) {
    const strings = model.index.strings.tool.size + 1;
    this.#model = model;
    this.#request = new Int32Array(strings).fill(-1);
    this.#result = new Int32Array(strings).fill(-1);
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
    const { index, records } = this.#model;
    for (let entry = from; entry < to; entry++) {
      if (!records.isCanonical(entry)) continue;
      if (index.kind[entry] === KIND_MANIFEST) this.#landManifest(entry);
      if (index.stream[entry] === 0) continue;
      for (let block = index.firstBlock[entry]!; block < blocksEnd(index, entry); block++)
        if (index.blockTool[block] !== 0) this.#land(block, entry);
    }
  }

  end(): void {
    const { changed } = this.#model;
    for (const call of changed.newCalls) for (const tool of this.#ofCall.of(call)) changed.mark('tool', tool);
  }

  /** Tools in the order they are written. */
  inOrder(): number[] {
    const strings = this.#model.index.strings.tool;
    return inIdOrder(strings).filter((tool) => this.isKnown(tool));
  }

  /** The tool, and what is missing of it. */
  emit(tool: number, sink: EntitySink): void {
    if (!this.isKnown(tool)) return;
    const id = this.#model.index.strings.tool.at(tool);
    if (!this.hasRequest(tool)) {
      sink.unresolved('tool_use', id, UNRESOLVED.tool_use);
      return;
    }
    this.#emitNode(tool, sink);
    if (this.#results[tool]! > 1) sink.unresolved('tool_result', id, UNRESOLVED.ambiguous_result);
    else if (this.#results[tool] === 0) sink.unresolved('tool_result', id, UNRESOLVED.tool_result);
  }

  /** The tools a record requests: its place may be theirs. */
  requestedAt(entry: number): number[] {
    const { index } = this.#model;
    const tools: number[] = [];
    for (let block = index.firstBlock[entry]!; block < blocksEnd(index, entry); block++)
      if (index.blockKind[block] === BLOCK_TOOL_USE && index.blockTool[block] !== 0)
        tools.push(index.blockTool[block]!);
    return tools;
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

  #landManifest(entry: number): void {
    const batch = this.#model.index.batch[entry]!;
    if (batch === 0 || this.#manifest[batch]! >= 0) return;
    this.#manifest[batch] = entry;
    for (const tool of this.#ofBatch.of(batch)) this.#model.changed.mark('tool', tool);
  }

  #land(block: number, entry: number): void {
    const { index, changed } = this.#model;
    const tool = index.blockTool[block]!;
    if (index.blockKind[block] === BLOCK_TOOL_USE) {
      if (!this.#keepFirst(this.#request, tool, block)) return;
      if (index.call[entry] !== 0) this.#ofCall.add(index.call[entry]!, tool);
    } else if (index.blockKind[block] === BLOCK_TOOL_RESULT) {
      this.#results[tool]!++;
      if (this.#keepFirst(this.#result, tool, block) && index.batch[entry] !== 0)
        this.#ofBatch.add(index.batch[entry]!, tool);
    } else return;
    changed.mark('tool', tool);
  }

  /** Streams are gone through by name: a block in a stream named earlier comes before any in a later one. */
  #keepFirst(first: Int32Array, tool: number, block: number): boolean {
    if (first[tool]! >= 0 && this.#orderOf(first[tool]!) <= this.#orderOf(block)) return false;
    first[tool] = block;
    return true;
  }

  #streamOf(block: number): number {
    return this.#model.index.stream[this.#model.index.blockEntry[block]!]!;
  }

  #orderOf(block: number): number {
    return this.#model.streams.order[this.#streamOf(block)]!;
  }

  #emitNode(tool: number, sink: EntitySink): void {
    const { index, calls, children, talks } = this.#model;
    const request = this.#request[tool]!;
    const result = this.#result[tool]!;
    const entry = index.blockEntry[request]!;
    const manifest = result < 0 ? -1 : this.#manifest[index.batch[index.blockEntry[result]!]!]!;
    const refs: Ref[] = [this.#model.blockRef(request)];
    const joined = this.joinedResult(tool);
    if (joined >= 0) refs.push(this.#model.blockRef(joined));
    if (manifest >= 0) refs.push(this.#model.ref(manifest));
    const shownFirst = result >= 0 && this.#orderOf(result) < this.#orderOf(request) ? result : request;
    sink.node({
      id: this.nodeId(tool)!,
      kind: children.startsAgent(tool) ? 'agent.call' : 'tool',
      parent: calls.nodeId(index.call[entry]!) ?? talks.containerOf(entry),
      stream: index.strings.stream.at(this.#streamOf(shownFirst)),
      ref: refs[0]!,
      refs,
      attrs: this.#attrs(tool, request, manifest),
    });
  }

  #attrs(tool: number, request: number, manifest: number): Attributes {
    const { index } = this.#model;
    const names = index.strings.name;
    const joined = this.joinedResult(tool) >= 0;
    // The manifest is that of the first result, be the tool ambiguous or not.
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
}
