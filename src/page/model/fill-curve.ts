/** The context fill of a stream as lines of a drawing: one for each epoch, with no more points than it has pixels. */
import type { ContextFill, FillPoint } from './context-fill.js';
import { lastIndex, type TimeAxis } from './time-axis.js';

export interface CurvePoint {
  /** From the left and from the top, in px. */
  readonly x: number;
  readonly y: number;
}

/** One epoch: a fill lasts until the next call, and the last one until the reset or the end. */
export interface CurveLine {
  /** From left to right. */
  readonly points: readonly CurvePoint[];
  readonly until: number;
}

export interface FillCurve {
  /** One for each epoch that has a point. */
  readonly lines: readonly CurveLine[];
  /** The places of the resets. */
  readonly resets: readonly number[];
  /** Tokens at the top of the drawing: a round number not below the peak. */
  readonly top: number;
  placeOf(point: FillPoint): CurvePoint;
  /** The point drawn nearest to a place from the left. */
  nearest(x: number): FillPoint | undefined;
}

/** @param axis the time axis, squeezed or stretched to `width` */
export function fillCurve(fill: ContextFill, axis: TimeAxis, width: number, height: number): FillCurve {
  const top = roundAbove(fill.peak?.fill ?? 0);
  const xOf = (at: number) => (axis.xOf(at) / axis.width) * width;
  const placeOf = (point: FillPoint): CurvePoint => ({
    x: xOf(point.at),
    y: height - (point.fill / top) * height,
  });
  const sorted = fill.points.toSorted((a, b) => a.at - b.at);
  const epochs = new Map<number, FillPoint[]>();
  for (const point of sorted) {
    const line = epochs.get(point.epoch);
    if (line === undefined) epochs.set(point.epoch, [point]);
    else line.push(point);
  }
  return {
    lines: [...epochs].map(([epoch, held]) => {
      const points = thinned(held.map(placeOf));
      const reset = fill.resets[epoch];
      return { points, until: Math.max(points.at(-1)!.x, reset === undefined ? width : xOf(reset.at)) };
    }),
    resets: [...new Set(fill.resets.map(({ at }) => Math.round(xOf(at))))],
    top,
    placeOf,
    nearest(x) {
      const before = lastIndex(sorted, ({ at }) => xOf(at) <= x);
      const [left, right] = [sorted[before], sorted[before + 1]];
      if (left === undefined || right === undefined) return left ?? right;
      return x - xOf(left.at) <= xOf(right.at) - x ? left : right;
    },
  };
}

/** Of the points on one px, the highest and the last: what is drawn of them. */
function thinned(points: readonly CurvePoint[]): CurvePoint[] {
  const kept: CurvePoint[] = [];
  let column = Number.NaN;
  let highest = 0;
  for (const point of points) {
    if (Math.floor(point.x) !== column) {
      column = Math.floor(point.x);
      highest = kept.push(point) - 1;
      continue;
    }
    if (point.y < kept[highest]!.y) {
      kept.length = highest;
      kept.push(point);
    } else {
      kept.length = highest + 1;
      kept.push(point);
    }
  }
  return kept;
}

/** 1, 2, 2.5 or 5 times a power of ten, at least 1000. */
function roundAbove(tokens: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1000, tokens)));
  return [1, 2, 2.5, 5, 10].map((times) => times * power).find((round) => round >= tokens) ?? tokens;
}
