/** The range of the times that the records of a landed file carry (export spec 5). */
import { compareInstants, type Instant, isNoTime, NO_TIME, parseTime } from '../format/time.js';

/** The earliest and the latest of some times. */
export interface TimeRange {
  readonly from: Instant;
  readonly through: Instant;
}

const NEWLINE = 0x0a;
const QUOTE = 0x22;

/** The range in the bytes of a landed file; `undefined` when no record has a time. */
export function recordTimes(landed: Buffer): TimeRange | undefined {
  return rangeOfUsual(landed) ?? rangeOfAll(landed);
}

const TIME = Buffer.from('"time":"');
const PARTS = Buffer.from('"parts":');

/** Where the time of each record begins that has one. */
function eachTime(landed: Buffer, take: (at: number) => void): void {
  for (let from = 0; from < landed.length; ) {
    const newline = landed.indexOf(NEWLINE, from);
    const end = newline < 0 ? landed.length : newline;
    const time = timeIn(landed, from, end);
    if (time >= 0) take(time + TIME.length);
    from = end + 1;
  }
}

/** The first in a line, if it stands before the record's parts; else -1. Both stand near its beginning. */
function timeIn(bytes: Buffer, from: number, end: number): number {
  for (let i = from; i < end; i++) {
    if (bytes[i] !== QUOTE) continue;
    if (stands(TIME, bytes, i)) return i;
    if (stands(PARTS, bytes, i)) return -1;
  }
  return -1;
}

function stands(text: Buffer, bytes: Buffer, at: number): boolean {
  for (let i = 1; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}

/** `2026-01-01T00:00:00.000Z`: of this form the bytes are ordered as the times are. */
const USUAL_LENGTH = 24;

function isUsual(bytes: Buffer, at: number): boolean {
  const end = at + USUAL_LENGTH;
  return bytes[at + 19] === 0x2e && bytes[end - 1] === 0x5a && bytes[end] === QUOTE;
}

/** Of two times of the usual form in the same bytes. */
function isBefore(bytes: Buffer, a: number, b: number): boolean {
  for (let i = 0; i < USUAL_LENGTH; i++) {
    const difference = bytes[a + i]! - bytes[b + i]!;
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/**
 * The range, where no more than the first and the last of the times need be read: nearly all have the usual form.
 * `undefined` where that is not enough, because one of the two is no time, as a 30th of February is none; or for no times.
 */
function rangeOfUsual(landed: Buffer): TimeRange | undefined {
  let [least, greatest] = [-1, -1];
  let others: TimeRange | undefined;
  eachTime(landed, (at) => {
    if (!isUsual(landed, at)) others = widened(others, timeAt(landed, at));
    else {
      if (least < 0 || isBefore(landed, at, least)) least = at;
      if (greatest < 0 || isBefore(landed, greatest, at)) greatest = at;
    }
  });
  if (least < 0) return others;
  const ends = [timeAt(landed, least), timeAt(landed, greatest)];
  return ends.some(isNoTime) ? undefined : ends.reduce(widened, others);
}

function rangeOfAll(landed: Buffer): TimeRange | undefined {
  let range: TimeRange | undefined;
  eachTime(landed, (at) => {
    range = widened(range, timeAt(landed, at));
  });
  return range;
}

/** Longer than any fraction of a second that somebody writes. */
const MAX_TIME_LENGTH = 1024;

function timeAt(bytes: Buffer, at: number): Instant {
  const end = bytes.indexOf(QUOTE, at);
  return end < 0 || end - at > MAX_TIME_LENGTH ? NO_TIME : parseTime(bytes.toString('latin1', at, end));
}

function widened(range: TimeRange | undefined, time: Instant): TimeRange | undefined {
  if (isNoTime(time)) return range;
  if (range === undefined) return { from: time, through: time };
  return {
    from: compareInstants(time, range.from) < 0 ? time : range.from,
    through: compareInstants(time, range.through) > 0 ? time : range.through,
  };
}
