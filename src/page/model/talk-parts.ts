/** What a talk says first and last, what its agent did between, and what stands outside every talk. */
import type { ViewNode } from '../../format/view-document.js';
import { isFailure } from './filters.js';
import { byLanding, type Passage, stepsBelow } from './outline.js';

export interface Parts {
  /** The input and the reply, which have cards of their own. */
  readonly opening: ViewNode | undefined;
  readonly closing: ViewNode | undefined;
  readonly behind: readonly ViewNode[];
  readonly failed: number;
}

const PARTS = new WeakMap<Passage, Parts>();

/** What a talk says first and last (view spec 3.5), and what stands between. */
export function partsOf(passage: Passage): Parts {
  const known = PARTS.get(passage);
  if (known !== undefined) return known;
  const inTree = passage.talk === undefined ? [] : stepsBelow(passage.talk);
  const opening = inTree.find(({ kind, ref }) => kind === 'message.external' && ref !== undefined);
  const closing = inTree.findLast(
    ({ kind, ref }) => (kind === 'message.assistant' || kind === 'agent.output') && ref !== undefined,
  );
  const parts = {
    opening,
    closing,
    behind: passage.steps.filter((step) => step !== opening && step !== closing),
    failed: passage.steps.filter(isFailure).length,
  };
  PARTS.set(passage, parts);
  return parts;
}

export interface Reset {
  readonly boundary: ViewNode;
  readonly summary: ViewNode | undefined;
}

/** Resets, each with the summary that it left, apart from everything else outside the talks. */
export function outsideTalks(passages: readonly Passage[]): { resets: Reset[]; outside: Passage[] } {
  const loose = passages.filter(({ talk }) => talk === undefined);
  const summaries = new Map<string, ViewNode>();
  for (const { root } of loose) {
    if (root.kind !== 'epoch.summary') continue;
    const edge = root.edges?.find(({ type, dir }) => type === 'summarizes' && dir === 'out');
    if (edge !== undefined) summaries.set(edge.other, root);
  }
  const resets: Reset[] = [];
  const paired = new Set<ViewNode>();
  for (const { root } of loose) {
    if (root.kind !== 'epoch.boundary') continue;
    const summary = summaries.get(root.id);
    resets.push({ boundary: root, summary });
    paired.add(root);
    if (summary !== undefined) paired.add(summary);
  }
  resets.sort((a, b) => byLanding(a.boundary, b.boundary));
  return { resets, outside: loose.filter(({ root }) => !paired.has(root)) };
}
