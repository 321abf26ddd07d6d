/**
 * What the selected step touches on its timeline: relations to other steps and to the streams it started, and what a
 * call produced or was produced by. Drawn for the selection only; all at once they would cover the lanes.
 */
import type { ViewNode } from '../../format/view-document.js';
import type { Clip, ClipLayout } from './clips.js';
import { isStep, type Outline } from './outline.js';

/** How well a relation is known, as a line: containment is no relation and has a line of its own (view spec 9.3). */
export type Line = 'solid' | 'dashed' | 'dotted' | 'faint';

export interface SelectionEdge {
  readonly from: Clip;
  readonly to: Clip;
  readonly line: Line;
  /** The relation's type; `contains` for a call and what it produced. */
  readonly type: string;
}

export interface Selection {
  readonly edges: readonly SelectionEdge[];
  /** Clips that hold the selected step or one it touches. */
  readonly touched: ReadonlySet<Clip>;
}

/** So many lines tell nothing apart; the inspector lists every relation. */
const MOST_EDGES = 200;

export function lineOf(quality: string): Line {
  if (quality === 'exact_unique') return 'solid';
  return quality === 'strong_inference' ? 'dashed' : 'dotted';
}

/** @returns nothing touched for what is no step of the stream, so that nothing is faded for it */
export function selectionOf(outline: Outline, layout: ClipLayout, selected: string | null): Selection {
  const node = selected === null ? undefined : outline.nodes.get(selected);
  const clip = selected === null ? undefined : layout.clipOf.get(selected);
  if (node === undefined || clip === undefined) return { edges: [], touched: new Set() };
  const touched = new Set([clip]);
  const edges = new Map<string, SelectionEdge>();
  const draw = (from: Clip | undefined, to: Clip | undefined, line: Line, type: string) => {
    if (from === undefined || to === undefined) return;
    touched.add(from).add(to);
    if (from !== to && edges.size < MOST_EDGES)
      edges.set(`${from.key} ${to.key} ${line} ${type}`, { from, to, line, type });
  };
  const nested = layout.nestedOf.get(node.id);
  const started = new Set(nested === undefined ? [] : outline.startedBy(node).map(({ id }) => id));
  for (const { type, other, dir, quality } of node.edges ?? []) {
    const end = started.has(other) ? nested : (layout.clipOf.get(other) ?? layout.streamOf.get(other));
    const [from, to] = dir === 'out' ? [clip, end] : [end, clip];
    draw(from, to, lineOf(quality), type);
  }
  for (const child of node.children ?? []) draw(clip, layout.clipOf.get(child.id), 'faint', CONTAINS);
  draw(callAbove(outline, node), clip, 'faint', CONTAINS);
  return { edges: [...edges.values()], touched };

  function callAbove({ above }: Outline, node: ViewNode): Clip | undefined {
    const parent = above.get(node);
    return parent !== undefined && isStep(parent) ? layout.clipOf.get(parent.id) : undefined;
  }
}

const CONTAINS = 'contains';
