/**
 * The containment tree of a fold, in the order people read it: by where a node's record landed (storage spec 5,
 * "Display order").
 */
import { compareCodePoints } from '../format/json-text.js';
import type { Node, Ref } from '../format/session-flow.js';
import type { Fold } from './fold.js';

export interface Tree {
  /** Nodes without a parent in the fold, by id. */
  readonly roots: readonly Node[];
  /** Children in display order. */
  childrenOf(id: string): readonly Node[];
}

export function treeOf(fold: Fold): Tree {
  const nodes: Node[] = [];
  for (const entity of fold.entities.node.values()) nodes.push({ ...entity.members<Node>(), id: entity.id });
  const children = new Map<string, Node[]>();
  const roots: Node[] = [];
  for (const node of nodes) {
    const { parent = '' } = node;
    if (!fold.entities.node.has(parent)) roots.push(node);
    else if (children.has(parent)) children.get(parent)!.push(node);
    else children.set(parent, [node]);
  }
  for (const list of children.values()) list.sort(byPlace);
  roots.sort((a, b) => compareCodePoints(a.id, b.id));
  return { roots, childrenOf: (id) => children.get(id) ?? [] };
}

/** What has an id, and lies where its reference says. */
export type Placed = Pick<Node, 'id' | 'ref'>;

/** A node with a reference before one without; at one row a node without a block first; ties by id. */
export function byPlace(a: Placed, b: Placed): number {
  if (a.ref === undefined || b.ref === undefined)
    return Number(a.ref === undefined) - Number(b.ref === undefined) || compareCodePoints(a.id, b.id);
  return compareRefs(a.ref, b.ref) || compareCodePoints(a.id, b.id);
}

export function compareRefs(a: Ref, b: Ref): number {
  return a.seq - b.seq || a.row - b.row || (a.block ?? -1) - (b.block ?? -1);
}
