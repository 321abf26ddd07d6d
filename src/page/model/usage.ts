/**
 * Tokens, rolled up. The total is every `llm.call` once, from the one usage its node carries and never from fragments.
 * What a child stream used is added to the step that started it only when that step is its one origin; a child with
 * several origins, or none, is shown apart, since adding it to each would count it twice and nobody knows which is
 * right. A call without usage is unknown, not free; a synthetic one was written by the client and asked no model.
 */
import type { Stream, ViewNode } from '../../format/view-document.js';
import type { Outline } from './outline.js';

export interface Tokens {
  readonly in: number;
  readonly out: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Calls to a model, synthetic ones left out. */
  readonly calls: number;
  /** Those of them that say nothing of their usage. */
  readonly unknown: number;
}

export const NO_TOKENS: Tokens = { in: 0, out: 0, cacheRead: 0, cacheWrite: 0, calls: 0, unknown: 0 };

export interface UsageRollUp {
  /** Every call of the document once. */
  readonly total: Tokens;
  /** The calls of a talk or of any other root, without what its children used. */
  ofTree(root: ViewNode): Tokens;
  /** The same with the children that only its steps started, and theirs, at any depth. */
  ofTreeNested(root: ViewNode): Tokens;
  /** The calls on a stream, by its name. */
  ofStream(stream: string): Tokens;
  ofStreamNested(stream: string): Tokens;
  /** What the children used whose one origin is this step, theirs included. */
  ofChildren(step: ViewNode): Tokens;
  /** Streams that no step may claim for itself, the main ones aside: several origins, or none. */
  readonly apart: readonly Stream[];
}

/** What a client wrote in the model's name: a call of which no part came from one. */
export function isSynthetic(call: ViewNode): boolean {
  return (call.children ?? []).some(({ kind }) => kind === 'message.synthetic');
}

/** The tokens of one node: none for anything but a call. */
export function tokensOf(node: ViewNode): Tokens {
  if (node.kind !== 'llm.call') return NO_TOKENS;
  const { usage } = node;
  const calls = isSynthetic(node) ? 0 : 1;
  if (!usage) return { ...NO_TOKENS, calls, unknown: calls };
  return {
    in: count(usage.in),
    out: count(usage.out),
    cacheRead: count(usage.cache_read),
    cacheWrite: count(usage.cache_write),
    calls,
    unknown: 0,
  };
}

/** What a call's context held when it was made: all that went in, whether it was read from a cache or not. */
export function contextOf(call: ViewNode): number {
  const { in: input, cacheRead, cacheWrite } = tokensOf(call);
  return input + cacheRead + cacheWrite;
}

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    in: a.in + b.in,
    out: a.out + b.out,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    calls: a.calls + b.calls,
    unknown: a.unknown + b.unknown,
  };
}

export function sumTokens(nodes: Iterable<ViewNode>): Tokens {
  let sum = NO_TOKENS;
  for (const node of nodes) if (node.kind === 'llm.call') sum = addTokens(sum, tokensOf(node));
  return sum;
}

/** In, out and both caches as one number: what a reader compares talks by. */
export function allTokens({ in: input, out, cacheRead, cacheWrite }: Tokens): number {
  return input + out + cacheRead + cacheWrite;
}

/** Rolls a document's usage up. One walk; what is asked for is summed from sums per step and per stream. */
export function usageOf(outline: Outline): UsageRollUp {
  const claimed = new Map<string, Stream[]>();
  const apart: Stream[] = [];
  for (const stream of outline.document.streams) {
    const origins = new Set(stream.opened_by.map(({ step }) => step));
    const [only] = origins;
    if (only !== undefined && origins.size === 1) {
      const list = claimed.get(only);
      if (list === undefined) claimed.set(only, [stream]);
      else list.push(stream);
    } else if (stream.role !== 'main') apart.push(stream);
  }
  const own = new Map<string, Tokens>();
  const ofStream = (stream: string) => {
    const known = own.get(stream) ?? sumTokens(outline.stepsOf(stream));
    own.set(stream, known);
    return known;
  };

  /** Children below these steps, each stream once however the origins lead: also round in a circle. */
  const below = (steps: Iterable<ViewNode>, seen: Set<string>): Tokens => {
    let sum = NO_TOKENS;
    const waiting = [...started(steps)];
    for (let stream = waiting.pop(); stream !== undefined; stream = waiting.pop()) {
      if (seen.has(stream.name)) continue;
      seen.add(stream.name);
      sum = addTokens(sum, ofStream(stream.name));
      waiting.push(...started(outline.stepsOf(stream.name)));
    }
    return sum;
  };
  const started = function* (steps: Iterable<ViewNode>) {
    for (const step of steps) yield* claimed.get(step.id) ?? [];
  };
  return {
    total: sumTokens(outline.nodes.values()),
    ofTree: (root) => sumTokens(walk(root)),
    ofTreeNested: (root) => addTokens(sumTokens(walk(root)), below(walk(root), new Set([root.stream ?? '']))),
    ofStream,
    ofStreamNested: (stream) =>
      addTokens(ofStream(stream), below(outline.stepsOf(stream), new Set([stream]))),
    ofChildren: (step) => below([step], new Set([step.stream ?? ''])),
    apart,
  };
}

function* walk(root: ViewNode): Generator<ViewNode> {
  yield root;
  for (const child of root.children ?? []) yield* walk(child);
}

/** A count as a document states it; one that is none (a document is not checked) adds nothing. */
function count(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}
