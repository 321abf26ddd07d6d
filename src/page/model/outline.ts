/**
 * Lookups over a document, made once when it arrives: any node by its id, what stands above it, the steps of a stream
 * in reading order, and how streams hang together. Reading order is landed order (view spec 9.2): a runtime stamps
 * batches late, so by time the opening line would sink. Cost: one walk over the document, no copy of a node.
 */
import type { Stream, ViewDocument, ViewNode } from '../../format/view-document.js';

/** What structure a kind names rather than something that happened (view spec 2.2). */
const STRUCTURE: ReadonlySet<string> = new Set(['session', 'segment', 'stream', 'epoch', 'talk', 'run']);

/** A talk, or a root that stands outside every talk, on one stream. */
export interface Passage {
  readonly root: ViewNode;
  /** The talk, or `undefined` for what stands outside. */
  readonly talk: ViewNode | undefined;
  /** Its steps in reading order. */
  readonly steps: readonly ViewNode[];
}

export interface Outline {
  readonly document: ViewDocument;
  /** Talks, runs and steps by id. */
  readonly nodes: ReadonlyMap<string, ViewNode>;
  /** The containing node of a run or step, where it is in the document. */
  readonly above: ReadonlyMap<ViewNode, ViewNode>;
  /** The talk above a node, or the node itself when it is one; `undefined` outside every talk. */
  talkOf(node: ViewNode): ViewNode | undefined;
  /** Streams by name. */
  readonly streams: ReadonlyMap<string, Stream>;
  /** What a stream holds: its talks in reading order, then what stands outside them. */
  passagesOf(stream: string): readonly Passage[];
  /** The steps of a stream in reading order, those outside every talk last. */
  stepsOf(stream: string): readonly ViewNode[];
  /** Streams that one opened, in the document's order. A stream nobody opened hangs from `""`. */
  childrenOf(stream: string): readonly Stream[];
  /** Child streams that a step started, in the order they happened. */
  startedBy(node: ViewNode): readonly Stream[];
}

/** True for what happened, false for talks, runs and the rest of the structure. */
export function isStep(node: ViewNode): boolean {
  return !STRUCTURE.has(node.kind);
}

/** Compares nodes by the position their record landed at; what cites no record comes last. */
export function byLanding(a: ViewNode, b: ViewNode): number {
  if (a.ref === undefined || b.ref === undefined)
    return Number(a.ref === undefined) - Number(b.ref === undefined);
  return a.ref.seq - b.ref.seq || a.ref.row - b.ref.row || (a.ref.block ?? -1) - (b.ref.block ?? -1);
}

/** Every step below a node, itself included, in the order of the tree. */
export function stepsBelow(root: ViewNode, into: ViewNode[] = []): ViewNode[] {
  if (isStep(root)) into.push(root);
  for (const child of root.children ?? []) stepsBelow(child, into);
  return into;
}

/** Looks a document through once. */
export function outlineOf(document: ViewDocument): Outline {
  const nodes = new Map<string, ViewNode>();
  const above = new Map<ViewNode, ViewNode>();
  const passages = new Map<string, Passage[]>();
  const visit = (node: ViewNode) => {
    nodes.set(node.id, node);
    for (const child of node.children ?? []) {
      above.set(child, node);
      visit(child);
    }
  };
  const passage = (root: ViewNode, talk: ViewNode | undefined) => {
    visit(root);
    const stream = root.stream ?? '';
    const list = passages.get(stream) ?? [];
    if (list.length === 0) passages.set(stream, list);
    // A sort keeps equals in place, so a call stays before its own parts.
    list.push({ root, talk, steps: stepsBelow(root).sort(byLanding) });
  };
  for (const talk of document.talks) passage(talk, talk);
  for (const list of passages.values()) list.sort((a, b) => byLanding(a.root, b.root));
  for (const root of document.loose) passage(root, undefined);

  const streams = new Map(document.streams.map((stream) => [stream.name, stream]));
  const children = new Map<string, Stream[]>();
  const byId = new Map(document.streams.map((stream) => [stream.id, stream]));
  for (const stream of document.streams) {
    const parent = parentOf(stream, streams);
    const list = children.get(parent) ?? [];
    if (list.length === 0) children.set(parent, list);
    list.push(stream);
  }
  return {
    document,
    nodes,
    above,
    talkOf(node) {
      for (let at: ViewNode | undefined = node; at !== undefined; at = above.get(at)) {
        if (at.kind === 'talk') return at;
      }
      return undefined;
    },
    streams,
    passagesOf: (stream) => passages.get(stream) ?? [],
    stepsOf: (stream) => (passages.get(stream) ?? []).flatMap((held) => held.steps),
    childrenOf: (stream) => children.get(stream) ?? [],
    startedBy: (node) =>
      (node.edges ?? [])
        .filter((edge) => edge.type === 'starts' && edge.dir === 'out')
        .map((edge) => byId.get(edge.other))
        .filter((stream) => stream !== undefined),
  };
}

/** How deep streams may start each other before a page stops following. */
const MAX_STREAM_DEPTH = 1000;

/**
 * The stream that one hangs from, `""` for the top: also when its parent is not in the document, and when following
 * parents leads round in a circle, since nobody would find it there.
 */
function parentOf(stream: Stream, streams: ReadonlyMap<string, Stream>): string {
  let above = streams.get(stream.parent);
  for (let depth = 0; above !== undefined; depth++) {
    if (above === stream || depth === MAX_STREAM_DEPTH) return '';
    above = streams.get(above.parent);
  }
  return streams.has(stream.parent) ? stream.parent : '';
}
