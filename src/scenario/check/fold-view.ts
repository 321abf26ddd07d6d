/** A fold with its entities read, as expectations and properties ask about it. */
import type { Entity } from '../../format/entity.js';
import type { Node, Relation, Unresolved } from '../../format/session-flow.js';
import type { Fold } from '../../rounds/fold.js';

export type Revised<T> = T & { readonly revision: number };

export class FoldView {
  readonly fold: Fold;
  readonly nodes: ReadonlyMap<string, Revised<Node>>;
  readonly relations: ReadonlyMap<string, Revised<Relation>>;
  readonly unresolved: ReadonlyMap<string, Revised<Unresolved>>;

  constructor(fold: Fold) {
    this.fold = fold;
    this.nodes = read<Node>(fold.entities.node);
    this.relations = read<Relation>(fold.entities.relation);
    this.unresolved = read<Unresolved>(fold.entities.unresolved);
  }

  get session(): Revised<Node> | undefined {
    return [...this.nodes.values()].find(({ kind }) => kind === 'session');
  }

  /** How many nodes of each kind. */
  kinds(): Map<string, number> {
    return countBy(this.nodes.values(), ({ kind }) => kind);
  }

  relationTypes(): Map<string, number> {
    return countBy(this.relations.values(), ({ type }) => type);
  }

  /** How many talks each stream has. */
  talks(): Map<string, number> {
    return countBy(this.#ofKind('talk'), ({ stream = '' }) => stream);
  }

  streams(): string[] {
    return this.#ofKind('stream').map(({ stream = '' }) => stream);
  }

  openKinds(): Map<string, number> {
    return countBy(
      [...this.unresolved.values()].filter(({ state }) => state === 'open'),
      ({ kind }) => kind,
    );
  }

  #ofKind(wanted: string): Revised<Node>[] {
    return [...this.nodes.values()].filter(({ kind }) => kind === wanted);
  }
}

/** An attribute of a node; `undefined` when it has none of that name. */
export function attributeOf(node: Node | undefined, name: string): unknown {
  const { attrs } = node ?? {};
  if (typeof attrs !== 'object' || attrs === null || !Object.hasOwn(attrs, name)) return undefined;
  return (attrs as Readonly<Record<string, unknown>>)[name];
}

export function countBy<T>(items: Iterable<T>, nameOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}

function read<T extends { readonly id: string }>(
  entities: ReadonlyMap<string, Entity>,
): Map<string, Revised<T>> {
  const found = new Map<string, Revised<T>>();
  for (const entity of entities.values())
    found.set(entity.id, { ...entity.members<T>(), id: entity.id, revision: entity.revision } as Revised<T>);
  return found;
}
