/**
 * After the eighth stage: everything the model holds, as entities in the order of a round. Nodes, then relations,
 * then unresolved entries, each group by id in code point order.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { type Entity, EntityWriter } from '../format/entity.js';
import { sortById } from '../format/id-order.js';
import { type Node, type Relation, TALLY } from '../format/session-flow.js';
import { type AssemblyCounts, assemblyCounts } from './assembly-counts.js';
import { OWNER_KINDS } from './changed.js';
import type { EntitySink } from './entity-sink.js';
import { OWNERS } from './owners.js';
import type { Page } from './page.js';
import { mergeRelations, relationOf } from './relations.js';
import type { SessionModel } from './session-model.js';
import { settle } from './settle.js';
import { openEntry, type UnresolvedKind } from './unresolved.js';

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
      const written = new WrittenEntities();
      for (const kind of OWNER_KINDS)
        for (const owner of OWNERS[kind].all(this.#model)) OWNERS[kind].emit(this.#model, owner, written);
      const nodes = written.nodes();
      this.#counts = assemblyCounts(this.#model, countSteps(nodes));
      this.#emit(nodes);
      this.#emit(written.relations());
      this.#emit(written.unresolvedEntries());
    });
  }

  #emit(entities: readonly Entity[]): void {
    for (let from = 0; from < entities.length; from += BATCH) this.push(entities.slice(from, from + BATCH));
  }
}

/**
 * Entities in the order they are written. Once all are there they are sorted, and only then it shows which of them
 * were written twice: a map would cost more than the sort.
 */
class WrittenEntities implements EntitySink {
  readonly #writer = new EntityWriter();
  readonly #nodes: Entity[] = [];
  readonly #relations: Entity[] = [];
  readonly #entries: Entity[] = [];

  node(node: Node): void {
    this.#nodes.push(this.#writer.node(node));
  }

  relation(relation: Relation): void {
    this.#relations.push(this.#writer.relation(relation));
  }

  unresolved(kind: UnresolvedKind, ref: string, reason: string): void {
    this.#entries.push(this.#writer.unresolved(openEntry(kind, ref, reason)));
  }

  /** Of a node written twice the later one stays. */
  nodes(): Entity[] {
    return onePerId(this.#nodes, (same) => same.at(-1)!);
  }

  /** A relation written twice is observed twice. */
  relations(): Entity[] {
    return onePerId(this.#relations, (same) =>
      this.#writer.relation(same.map(relationOf).reduce(mergeRelations)),
    );
  }

  /** Of an entry opened twice the first one stays. */
  unresolvedEntries(): Entity[] {
    return onePerId(this.#entries, (same) => same[0]!);
  }
}

/** Sorts entities by id, and makes one of those that share one, given in the order they were written. */
function onePerId(entities: Entity[], one: (same: readonly Entity[]) => Entity): Entity[] {
  sortById(entities);
  let kept = 0;
  for (let from = 0, to = 1; from < entities.length; from = to++) {
    while (to < entities.length && entities[to]!.id === entities[from]!.id) to++;
    entities[kept++] = to === from + 1 ? entities[from]! : one(entities.slice(from, to));
  }
  entities.length = kept;
  return entities;
}

/** Provider calls are steps of the conversation, but a parse counts them apart. */
function countSteps(nodes: readonly Entity[]): number {
  let steps = 0;
  for (const { tally } of nodes) if ((tally & (TALLY.steps | TALLY.llm_calls)) === TALLY.steps) steps++;
  return steps;
}
