/**
 * A time axis that does not waste the screen on waiting (view spec 9.3): stretches of activity share the width in
 * proportion to their length, a pause between them is a gap of fixed width. An opened gap is drawn at the scale of the
 * activity, so that opening one moves the rest aside and squeezes nothing.
 */
import type { Ms } from '../../format/view-document.js';
import { isObserved } from './moments.js';

/** A pause longer than this is a gap (view spec 9.3). */
export const LONGEST_QUIET_MS = 120_000;
export const LEAST_ZOOM = 0.1;
export const MOST_ZOOM = 2;

const STEP_PX = 104;
const LEAST_WIDTH = 1280;
const GAP_SHARE = 0.07;
const MOST_GAP_PX = 90;
const LEAST_STRETCH_PX = 24;
/** An opened gap is at most this wide: a pause may last years. */
const MOST_OPENED_PX = 4096;
/** Browsers lay out up to 2^25 px, and place less exactly long before. */
const MOST_WIDTH = 16_000_000;

export interface Span {
  /** Its place in the axis; activity has the even ones. */
  readonly index: number;
  readonly kind: 'activity' | 'pause';
  /** A pause that the reader opened, drawn as long as it was. */
  readonly isOpen: boolean;
  readonly from: Ms;
  readonly to: Ms;
  readonly left: number;
  readonly width: number;
}

export interface TimeAxis {
  /** From left to right without holes; empty when no time is known. */
  readonly spans: readonly Span[];
  /** In px. */
  readonly width: number;
  /** Where a time is; what lies outside is held at the edge. */
  xOf(at: Ms): number;
  /** The time at a place, 0 when no time is known. */
  atOf(x: number): Ms;
}

export function clampedZoom(zoom: number): number {
  return Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom));
}

/** How wide a timeline of so many steps is, in px. @param zoom 0.1 to 2; what lies outside is held at the edge */
export function axisWidth(steps: number, zoom: number): number {
  return Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, STEP_PX * steps) * clampedZoom(zoom));
}

/**
 * Lays times out from left to right.
 * @param times of the steps, in any order; 0 is nobody's time and left out
 * @param wanted width in px; the axis is wider when its gaps and shortest stretches, or an opened gap, need more
 * @param opened pauses that are open, by the time they begin
 */
export function timeAxis(times: readonly Ms[], wanted: number, opened: ReadonlySet<Ms>): TimeAxis {
  const pieces = piecesOf(times, opened);
  const gap = Math.min(MOST_GAP_PX, GAP_SHARE * wanted);
  const gaps = pieces.filter(({ kind }) => kind === 'pause').length;
  const active = pieces.reduce((sum, { kind, from, to }) => sum + (kind === 'activity' ? to - from : 0), 0);
  // Gaps leave at least half of the width to what happened; with very many of them the axis grows.
  const room = Math.max(wanted - gaps * gap, wanted / 2);
  const widthOf = ({ kind, isOpen, from, to }: Piece) => {
    if (kind === 'pause' && !isOpen) return gap;
    const atScale =
      active === 0 ? (kind === 'activity' ? room / (gaps + 1) : 0) : (room * (to - from)) / active;
    if (kind === 'activity') return Math.max(LEAST_STRETCH_PX, atScale);
    return Math.min(MOST_OPENED_PX, Math.max(gap, atScale));
  };
  const total = pieces.reduce((sum, piece) => sum + widthOf(piece), 0);
  const shrunk = Math.min(1, MOST_WIDTH / total);
  let left = 0;
  const spans = pieces.map((piece, index): Span => {
    const span = { ...piece, index, left, width: widthOf(piece) * shrunk };
    left += span.width;
    return span;
  });
  return {
    spans,
    width: spans.length === 0 ? wanted : left,
    xOf(at) {
      const span = spans[lastIndex(spans, (span) => span.from <= at)];
      if (span === undefined) return 0;
      const length = span.to - span.from;
      return length === 0 ? span.left : span.left + (span.width * Math.min(length, at - span.from)) / length;
    },
    atOf(x) {
      const span =
        spans[
          Math.max(
            0,
            lastIndex(spans, (span) => span.left <= x),
          )
        ];
      if (span === undefined) return 0;
      return span.from + (span.to - span.from) * Math.min(1, Math.max(0, (x - span.left) / span.width));
    },
  };
}

type Piece = Omit<Span, 'index' | 'left' | 'width'>;

/** Activity and pauses by turns. */
function piecesOf(times: readonly Ms[], opened: ReadonlySet<Ms>): Piece[] {
  const sorted = Float64Array.from(times.filter(isObserved)).sort();
  const pieces: Piece[] = [];
  const [first] = sorted;
  if (first === undefined) return pieces;
  let from = first;
  let last = first;
  for (const at of sorted) {
    if (at - last > LONGEST_QUIET_MS) {
      pieces.push({ kind: 'activity', isOpen: false, from, to: last });
      pieces.push({ kind: 'pause', isOpen: opened.has(last), from: last, to: at });
      from = at;
    }
    last = at;
  }
  pieces.push({ kind: 'activity', isOpen: false, from, to: last });
  return pieces;
}

/** The last index of a sorted list for which `holds`, which is true up to some index and false from there; or -1. */
export function lastIndex<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Spans that reach into a window, by binary search. */
export function spansIn({ spans }: TimeAxis, from: number, to: number): readonly Span[] {
  const first = Math.max(
    0,
    lastIndex(spans, ({ left }) => left <= from),
  );
  return spans.slice(first, lastIndex(spans, ({ left }) => left <= to) + 1);
}
