/**
 * The nodes of a fold as the trees they make by containment (view spec 3.2, 3.3, 4.3).
 *
 * Rounds are data: a parent may be missing, and parents may even lead in a circle, which is then cut open, so that
 * no run and no step is lost. Nothing recurses, because nothing says how deep a tree is.
 */
import type { Entity } from '../format/entity.js';
import { type Node, type Ref, TALLY } from '../format/session-flow.js';
import { byPlace } from '../rounds/display-order.js';
import type { Fold } from '../rounds/fold.js';
import type { Json } from './byte-store.js';
import type { Evidence } from './evidence.js';

/** What a node's records gave, for as long as the document is not written. */
export interface Content {
  /** Members of the document, each after a comma. */
  pieces(evidence: Evidence): readonly Json[];
}

/** A node of the fold, and what the document says of it beyond the fold. */
export class ViewNode {
  readonly id: string;
  readonly kind: string;
  readonly parent: string;
  readonly stream: string;
  readonly ref: Ref | undefined;
  readonly refs: readonly Ref[];
  readonly entity: Entity;
  /** Its tree: what it contains, by landed position. */
  children: ViewNode[] = NONE;
  /** What contains it in its tree. */
  container: ViewNode | undefined;
  /** Its place in the forest's order from the roots down. */
  order = 0;
  content: Content | undefined;
  /** The words of the record it stands on are withheld. */
  isWithheld = false;

  /** `words`: the few that many nodes say, so that each is kept once. */
  constructor(entity: Entity, words: Map<string, string>) {
    const { kind, parent = '', stream = '', ref, refs = NONE } = entity.membersButAttributes<Node>();
    this.id = entity.id;
    this.kind = once(words, kind);
    this.parent = once(words, parent);
    this.stream = once(words, stream);
    this.ref = ref;
    this.refs = refs;
    this.entity = entity;
    this.container = undefined;
    this.content = undefined;
  }
}

function once(words: Map<string, string>, word: string): string {
  const known = words.get(word);
  if (known !== undefined) return known;
  words.set(word, word);
  return word;
}

/** Shared by all that have none; never written to. */
const NONE: never[] = [];

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

/** A request to a tool or to another agent. What came of it may stand on the same record, and is none. */
export function isRequest({ kind }: Pick<ViewNode, 'kind'>): boolean {
  return kind === 'tool' || kind === 'agent.call';
}

export function forestOf(fold: Fold): Forest {
  const nodes = new Map<string, ViewNode>();
  const words = new Map<string, string>();
  for (const entity of fold.entities.node.values()) nodes.set(entity.id, new ViewNode(entity, words));
  for (const node of nodes.values()) node.container = nodes.get(node.parent);
  cutCircles(nodes.values());
  const topDown: ViewNode[] = [];
  for (const node of nodes.values()) {
    const { container } = node;
    if (container === undefined) topDown.push(node);
    else if (container.children.length === 0) container.children = [node];
    else container.children.push(node);
  }
  for (const node of nodes.values()) if (node.children.length > 1) node.children.sort(byPlace);
  topDown.sort(byPlace);
  // The list grows while it is read: children stand behind those that contain them.
  for (let i = 0; i < topDown.length; i++) {
    const node = topDown[i]!;
    node.order = i;
    for (const child of node.children) topDown.push(child);
  }
  return { nodes, topDown, loose: looseRoots(topDown) };
}

/** Of every circle one node, a talk if it has one, is contained by nothing. */
function cutCircles(nodes: Iterable<ViewNode>): void {
  const seen = new Set<ViewNode>();
  for (const start of nodes) {
    if (start.container === undefined || seen.has(start.container)) {
      seen.add(start);
      continue;
    }
    const path: ViewNode[] = [];
    let node: ViewNode | undefined = start;
    for (; node !== undefined && !seen.has(node); node = node.container) {
      seen.add(node);
      path.push(node);
    }
    const circle = node === undefined ? -1 : path.indexOf(node);
    if (circle >= 0) path.slice(circle).sort(byRankInCircle)[0]!.container = undefined;
  }
}

function byRankInCircle(a: ViewNode, b: ViewNode): number {
  const rank = (node: ViewNode) => (node.kind === 'talk' ? 0 : isRunOrStep(node) ? 1 : 2);
  return rank(a) - rank(b) || byPlace(a, b);
}

function isRunOrStep(node: ViewNode): boolean {
  return node.kind === 'run' || isStep(node);
}

/** The highest run or step above each run and step that is in no talk. */
function looseRoots(topDown: readonly ViewNode[]): ViewNode[] {
  const inTalk = new Uint8Array(topDown.length);
  const roots: (ViewNode | undefined)[] = new Array(topDown.length);
  const loose = new Set<ViewNode>();
  for (const [i, node] of topDown.entries()) {
    const above = node.container?.order;
    if (node.kind === 'talk' || (above !== undefined && inTalk[above] === 1)) {
      inTalk[i] = 1;
      continue;
    }
    const root = above === undefined ? undefined : roots[above];
    roots[i] = root ?? (isRunOrStep(node) ? node : undefined);
    if (isRunOrStep(node)) loose.add(roots[i]!);
  }
  return [...loose].sort(byPlace);
}
