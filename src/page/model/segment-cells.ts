/**
 * The windows of activity as cells above the lanes, one for each segment that touches the stream's time (view spec
 * 9.3). Windows of a child's talks may overlap, so cells stand in rows; when no row has room, cells are joined.
 */
import type { Segment } from '../../format/view-document.js';
import { isObserved } from './moments.js';
import { lastIndex, type TimeAxis } from './time-axis.js';

const LEAST_CELL_PX = 12;
const MOST_ROWS = 3;

export interface SegmentCell {
  readonly left: number;
  readonly width: number;
  /** More than one when they share the place. */
  readonly segments: readonly Segment[];
}

/** Rows from the top, each from left to right. Segments without a time are in none. */
export function segmentCells(
  segments: readonly Segment[],
  axis: TimeAxis,
): readonly (readonly SegmentCell[])[] {
  const from = axis.spans[0]?.from;
  const to = axis.spans.at(-1)?.to;
  if (from === undefined || to === undefined) return [];
  const rows: { left: number; width: number; segments: Segment[] }[][] = [];
  const shown = segments
    .filter((segment) => isObserved(segment.from) && isObserved(segment.to))
    .filter((segment) => segment.from <= to && segment.to >= from)
    .sort((a, b) => a.from - b.from);
  for (const segment of shown) {
    const left = axis.xOf(segment.from);
    const width = Math.max(LEAST_CELL_PX, axis.xOf(segment.to) - left);
    const cell = { left, width, segments: [segment] };
    const row = rows.find((row) => row.at(-1)!.left + row.at(-1)!.width <= left);
    const last = rows.at(-1)?.at(-1);
    if (row !== undefined) row.push(cell);
    else if (rows.length < MOST_ROWS || last === undefined) rows.push([cell]);
    else {
      last.width = Math.max(last.width, left + width - last.left);
      last.segments.push(segment);
    }
  }
  return rows;
}

/** Cells of a row that reach into a window, by binary search: cells of a row do not overlap. */
export function cellsIn(row: readonly SegmentCell[], from: number, to: number): readonly SegmentCell[] {
  const first = Math.max(
    0,
    lastIndex(row, ({ left }) => left <= from),
  );
  return row.slice(first, lastIndex(row, ({ left }) => left <= to) + 1);
}
