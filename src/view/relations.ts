/** The relations of a fold in the order they happened, and as each node meets them (view spec 2.8, 4.4). */
import type { Ref, Relation } from '../format/session-flow.js';
import type { Evidence } from './evidence.js';
import { earliestPoint, type Happening, inHappenedOrder, type Point } from './happened-order.js';

/** A relation as one of its ends sees it. */
export interface Edge extends Happening {
  readonly relation: Relation;
  /** `out`: this node is where it comes from. */
  readonly direction: 'in' | 'out';
}

export interface RelationsInOrder {
  readonly all: readonly Relation[];
  /** The edges of a node; a relation from a node to itself is two. */
  edgesOf(id: string): readonly Edge[];
}

export function relationsOf(relations: readonly Relation[], evidence: Evidence): RelationsInOrder {
  const edges = new Map<string, Edge[]>();
  const add = (id: string, edge: Edge) => {
    if (edges.has(id)) edges.get(id)!.push(edge);
    else edges.set(id, [edge]);
  };
  const happened = relations.map((relation) => {
    const refs = relation.evidence ?? [];
    const point = earliestPoint(refs.map((ref) => pointOf(ref, evidence)));
    const { id } = relation;
    add(relation.to, { relation, direction: 'in', id, rank: 0, point });
    add(relation.from, { relation, direction: 'out', id, rank: 1, point });
    return { relation, id, point };
  });
  return {
    all: inHappenedOrder(happened).map(({ relation }) => relation),
    edgesOf: (id) => {
      const own = edges.get(id);
      return own === undefined ? NO_EDGES : inHappenedOrder(own);
    },
  };
}

/** Of most nodes. */
const NO_EDGES: readonly Edge[] = [];

/** Where and when a record was observed. */
export function pointOf(ref: Ref, evidence: Evidence): Point {
  return { lane: evidence.laneOf(ref.seq), ref, time: evidence.timeAt(ref) };
}
