/**
 * After the eighth stage: everything the model holds, as entities in the order of a round. Nodes, then relations,
 * then unresolved entries, each group by id in code point order.
 *
 * Each stage says what its own entities look like; here is only the order of writing, which matters where two
 * writers make one id: the later one replaces the earlier (assembly spec, "Remaining steps").
 */
import { Transform, type TransformCallback } from 'node:stream';
import { compareCodePoints } from '../format/json-text.js';
import {
  type Entity,
  type Node,
  nodeEntity,
  type Relation,
  relationEntity,
  type Unresolved,
  unresolvedEntity,
} from '../format/session-flow.js';
import { DelegationSteps } from './delegation-steps.js';
import type { Page } from './page.js';
import { controlSteps, inputSteps } from './record-steps.js';
import { Relations } from './relations.js';
import type { SessionModel } from './session-model.js';
import { settle } from './settle.js';

/** What a parse reports of the session (assembly spec, "Counts a parse reports"). */
export interface AssemblyCounts {
  readonly entries: number;
  readonly duplicates: number;
  readonly evidence: number;
  readonly beyondWatermark: number;
  readonly streams: number;
  readonly epochs: number;
  readonly talks: number;
  readonly runs: number;
  readonly steps: number;
  readonly segments: number;
  readonly calls: number;
  readonly fragments: number;
  readonly unfinishedCalls: number;
  readonly syntheticMessages: number;
  readonly toolUses: number;
  readonly toolsJoined: number;
  readonly childLaunches: number;
  readonly childrenResolved: number;
  readonly orphanStreams: number;
  readonly notifications: number;
  readonly unmatchedNotifications: number;
}

/** How many entities travel as one chunk. */
const BATCH = 1024;

/** Swallows the pages; at the end emits batches of entities (`Entity[]`), and holds the counts. */
export class Steps extends Transform {
  readonly #model: SessionModel;
  #counts: AssemblyCounts | undefined;

  constructor(model: SessionModel) {
    super({ objectMode: true, highWaterMark: 4 });
    this.#model = model;
  }

  /** Known once the stream has ended. */
  get counts(): AssemblyCounts {
    if (this.#counts === undefined) throw new Error('the counts of an assembly are known when it has ended');
    return this.#counts;
  }

  override _transform(_page: Page, _encoding: BufferEncoding, done: TransformCallback): void {
    done();
  }

  override _flush(done: TransformCallback): void {
    settle(done, () => {
      const { nodes, relations, unresolved, counts } = collect(this.#model);
      this.#counts = counts;
      this.#emit(nodes, nodeEntity);
      this.#emit(relations, relationEntity);
      this.#emit(unresolved, unresolvedEntity);
    });
  }

  #emit<T>(byId: ReadonlyMap<string, T>, entityOf: (value: T) => Entity): void {
    const ids = sortIds([...byId.keys()]);
    for (let from = 0; from < ids.length; from += BATCH)
      this.push(ids.slice(from, from + BATCH).map((id) => entityOf(byId.get(id)!)));
  }
}

interface Collected {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly relations: ReadonlyMap<string, Relation>;
  readonly unresolved: ReadonlyMap<string, Unresolved>;
  readonly counts: AssemblyCounts;
}

function collect(model: SessionModel): Collected {
  const { streams, epochs, talks, segments, calls, tools, children } = model;
  const delegation = new DelegationSteps(model);
  const nodes = new Map<string, Node>();
  for (const writer of [
    streams.nodes(),
    epochs.nodes(),
    talks.nodes(),
    segments.nodes(),
    calls.nodes(),
    tools.nodes(),
    epochs.steps(),
    delegation.nodes,
    inputSteps(model),
    controlSteps(model),
  ])
    for (const node of writer) nodes.set(node.id, node);
  const relations = new Relations();
  for (const writer of [
    epochs.follows(),
    segments.inSegment(),
    epochs.summarizes(),
    delegation.relations,
    children.starts(),
  ])
    for (const relation of writer) relations.observe(relation);
  const unresolved = new Map<string, Unresolved>();
  for (const entry of model.unresolved.values()) unresolved.set(entry.id, entry);
  return { nodes, relations: relations.byId(), unresolved, counts: countsOf(model, delegation, nodes) };
}

/** Kinds that are structure or calls, not steps, in the counts of a parse. The header counts otherwise. */
const NO_STEPS = new Set(['session', 'stream', 'epoch', 'segment', 'talk', 'run', 'llm.call']);

function countsOf(
  model: SessionModel,
  delegation: DelegationSteps,
  nodes: ReadonlyMap<string, Node>,
): AssemblyCounts {
  const calls = model.calls.counts();
  const tools = model.tools.counts();
  let steps = 0;
  for (const { kind } of nodes.values()) if (!NO_STEPS.has(kind)) steps++;
  return {
    entries: model.records.kept,
    duplicates: model.records.duplicates,
    evidence: model.records.evidence,
    beyondWatermark: model.records.beyondWatermark,
    streams: model.streams.count,
    epochs: model.epochs.count,
    talks: model.talks.talks.length,
    runs: model.talks.runCount,
    steps,
    segments: model.segments.count,
    calls: calls.calls,
    fragments: calls.fragments,
    unfinishedCalls: calls.unfinished,
    syntheticMessages: calls.synthetic,
    toolUses: tools.uses,
    toolsJoined: tools.joined,
    childLaunches: model.children.launches,
    childrenResolved: model.children.resolved,
    orphanStreams: model.unresolved.count('spawn_of_child'),
    notifications: delegation.notifications,
    unmatchedNotifications: delegation.unmatched,
  };
}

/**
 * Ids in code point order. The plain sort is right and twice as fast unless some id holds a unit from U+D800 on
 * (bench: 8.5 against 17.7 ms per 35,000 ids).
 */
export function sortIds(ids: string[]): string[] {
  return ids.some((id) => /[\ud800-\uffff]/.test(id)) ? ids.sort(compareCodePoints) : ids.sort();
}
