/**
 * How full the context of a stream was: what went into each call, over time. A sum over calls says nothing about it,
 * because every call is given the whole context again. A reset begins a new epoch, and the curve a new line.
 */
import type { Moment } from './moments.js';
import { contextOf, isSynthetic } from './usage.js';

export interface FillPoint extends Moment {
  /** Tokens: in, cache read and cache write of the call. */
  readonly fill: number;
  /** Resets before it, in reading order. */
  readonly epoch: number;
}

export interface ContextFill {
  /** Calls that state their usage, in reading order. */
  readonly points: readonly FillPoint[];
  readonly resets: readonly Moment[];
  /** The first point of the greatest fill, if there is a point. */
  readonly peak: FillPoint | undefined;
  /** Calls to a model that do not state it. */
  readonly unknown: number;
}

/** @param moments one stream's, in reading order */
export function contextFill(moments: readonly Moment[]): ContextFill {
  const points: FillPoint[] = [];
  const resets: Moment[] = [];
  let peak: FillPoint | undefined;
  let unknown = 0;
  for (const moment of moments) {
    const { node } = moment;
    if (node.kind === 'epoch.boundary') resets.push(moment);
    if (node.kind !== 'llm.call' || isSynthetic(node)) continue;
    if (!node.usage) {
      unknown++;
      continue;
    }
    const point = { ...moment, fill: contextOf(node), epoch: resets.length };
    points.push(point);
    if (peak === undefined || point.fill > peak.fill) peak = point;
  }
  return { points, resets, peak, unknown };
}
