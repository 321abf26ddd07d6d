/**
 * Marks on a time axis: on the clock's round times, as a reader's own clock shows them, and where a stretch of
 * activity begins, because a short one may hold no round time at all. How many there are is bounded by the width of
 * the axis and never by the times, which may be anything.
 */
import type { Ms } from '../../format/view-document.js';
import { lastIndex, type Span, type TimeAxis } from './time-axis.js';

export interface Tick {
  readonly x: number;
  readonly at: Ms;
  /** False for a mark too near to the label before it. */
  readonly isLabelled: boolean;
  /** The label names the day: the first one, and each on another day than the label before. */
  readonly isNewDay: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** Minutes are the spec's (9.3); seconds are ours, because a screen at 100 % often shows less than a minute. */
const CLOCK_STEPS: readonly Ms[] = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1440].map((minutes) => minutes * MINUTE),
];
const LEAST_TICK_PX = 100;
const LEAST_LABEL_PX = 92;

/** How far a clock is ahead of UTC at a time, in ms. */
export type ClockOffset = (at: Ms) => Ms;

/** The clock of whoever reads this. */
export const localOffset: ClockOffset = (at) => -new Date(at).getTimezoneOffset() * MINUTE;

/** The clock of everybody. */
export const utcOffset: ClockOffset = () => 0;

/** Every mark of an axis, from left to right. */
export function ticksOf(axis: TimeAxis, offset: ClockOffset): readonly Tick[] {
  const ticks: Tick[] = [];
  let labelAt = Number.NEGATIVE_INFINITY;
  let day: number | undefined;
  for (const span of axis.spans) {
    if (span.kind === 'pause' && !span.isOpen) continue;
    for (const at of marksOf(span, offset)) {
      const x = axis.xOf(at);
      const isLabelled = x - labelAt >= LEAST_LABEL_PX;
      const today = Math.floor((at + offset(at)) / DAY);
      ticks.push({ x, at, isLabelled, isNewDay: isLabelled && today !== day });
      if (!isLabelled) continue;
      labelAt = x;
      day = today;
    }
  }
  return ticks;
}

/** The first step of the clock that is wide enough; above a day, days doubled. */
export function clockStep(pxPerMs: number): Ms {
  const step = CLOCK_STEPS.find((step) => step * pxPerMs >= LEAST_TICK_PX);
  if (step !== undefined) return step;
  return DAY * 2 ** Math.ceil(Math.log2(LEAST_TICK_PX / (DAY * pxPerMs)));
}

function* marksOf({ kind, from, to, width }: Span, offset: ClockOffset): Generator<Ms> {
  if (kind === 'activity') yield from;
  if (to === from) return;
  const step = clockStep(width / (to - from));
  const first = Math.ceil((from + offset(from)) / step);
  const most = Math.ceil(width / LEAST_TICK_PX) + 1;
  let last = from;
  for (let i = 0; i < most; i++) {
    const local = (first + i) * step;
    // Summer time may begin between two marks: each is held to the clock of its own time, and none comes twice.
    const at = local - offset(local - offset(from));
    if (!(at > last && at <= to)) continue;
    last = at;
    yield at;
  }
}

/** Marks in a window, by binary search. */
export function ticksIn(ticks: readonly Tick[], from: number, to: number): readonly Tick[] {
  return ticks.slice(lastIndex(ticks, ({ x }) => x < from) + 1, lastIndex(ticks, ({ x }) => x <= to) + 1);
}
