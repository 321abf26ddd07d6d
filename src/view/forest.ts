/**
 * The nodes of a fold as the trees they make by containment (view spec 3.2, 3.3, 4.3).
 *
 * Rounds are data: a parent may be missing, and parents may even lead in a circle, which is then cut open, so that
 * no run and no step is lost. Nothing recurses, because nothing says how deep a tree is.
 */
import type { Entity } from '../format/entity.js';
import { type Node, type Ref, TALLY } from '../format/session-flow.js';
import { type Instant, NO_TIME } from '../format/time.js';
import { byPlace } from '../rounds/display-order.js';
import type { Fold } from '../rounds/fold.js';

/** A node of the fold, and what the document says of it beyond the fold. */
export interface ViewNode {
  readonly id: string;
  readonly kind: string;
  readonly parent: string;
  readonly stream: string;
  readonly ref: Ref | undefined;
  readonly refs: readonly Ref[];
  readonly entity: Entity;
  /** Its tree: what it contains, by landed position. */
  children: ViewNode[];
  /** When its record happened. */
  at: Instant;
  /** Members of the document that its records gave, as JSON text, each after a comma. */
  content: string;
}

export interface Forest {
  readonly nodes: ReadonlyMap<string, ViewNode>;
  /** Every node, each after the one that contains it. */
  readonly topDown: readonly ViewNode[];
  /** The highest runs and steps outside every talk, by landed position. */
  readonly loose: readonly ViewNode[];
}

/** Everything but session, segment, stream, epoch, talk and run: what a conversation's steps are. */
export function isStep({ entity }: ViewNode): boolean {
  return (entity.tally & TALLY.steps) !== 0;
}

/** A step that shows what its own record says. A call's words are its children. */
export function hasContent(node: ViewNode): boolean {
  return isStep(node) && node.kind !== 'llm.call';
}

export function forestOf(fold: Fold): Forest {
  const nodes = new Map<string, ViewNode>();
  for (const entity of fold.entities.node.values()) nodes.set(entity.id, nodeOf(entity));
  const contained = cutCircles(nodes);
  const roots: ViewNode[] = [];
  for (const node of nodes.values()) {
    const parent = contained.get(node);
    if (parent === undefined) roots.push(node);
    else parent.children.push(node);
  }
  for (const node of nodes.values()) if (node.children.length > 1) node.children.sort(byPlace);
  const topDown = roots.sort(byPlace);
  // The list grows while it is read: children stand behind those that contain them.
  for (let i = 0; i < topDown.length; i++) for (const child of topDown[i]!.children) topDown.push(child);
  return placed(nodes, topDown, contained);
}

function nodeOf(entity: Entity): ViewNode {
  const { kind, parent = '', stream = '', ref, refs = [] } = entity.membersButAttributes<Node>();
  return { id: entity.id, kind, parent, stream, ref, refs, entity, children: [], at: NO_TIME, content: '' };
}

type Contained = ReadonlyMap<ViewNode, ViewNode>;

/** What contains each node; of every circle one node, a talk if it has one, is contained by nothing. */
function cutCircles(nodes: ReadonlyMap<string, ViewNode>): Contained {
  const contained = new Map<ViewNode, ViewNode>();
  for (const node of nodes.values()) {
    const parent = nodes.get(node.parent);
    if (parent !== undefined) contained.set(node, parent);
  }
  const seen = new Set<ViewNode>();
  for (const start of nodes.values()) {
    const path: ViewNode[] = [];
    let node: ViewNode | undefined = start;
    for (; node !== undefined && !seen.has(node); node = contained.get(node)) {
      seen.add(node);
      path.push(node);
    }
    const circle = node === undefined ? -1 : path.indexOf(node);
    if (circle >= 0) contained.delete(path.slice(circle).sort(byRankInCircle)[0]!);
  }
  return contained;
}

function byRankInCircle(a: ViewNode, b: ViewNode): number {
  const rank = (node: ViewNode) => (node.kind === 'talk' ? 0 : isRunOrStep(node) ? 1 : 2);
  return rank(a) - rank(b) || byPlace(a, b);
}

function isRunOrStep(node: ViewNode): boolean {
  return node.kind === 'run' || isStep(node);
}

function placed(
  nodes: ReadonlyMap<string, ViewNode>,
  topDown: readonly ViewNode[],
  contained: Contained,
): Forest {
  const talks = new Map<ViewNode, ViewNode>();
  const roots = new Map<ViewNode, ViewNode>();
  const loose = new Set<ViewNode>();
  for (const node of topDown) {
    const parent = contained.get(node);
    const talk = parent && (parent.kind === 'talk' ? parent : talks.get(parent));
    if (talk !== undefined) talks.set(node, talk);
    const root = (parent && roots.get(parent)) ?? (isRunOrStep(node) ? node : undefined);
    if (root !== undefined) roots.set(node, root);
    if (talk === undefined && isRunOrStep(node)) loose.add(root!);
  }
  return { nodes, topDown, loose: [...loose].sort(byPlace) };
}
