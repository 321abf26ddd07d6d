/** The range of the times that the records of a landed file carry (export spec 5). */
import { compareInstants, type Instant, isNoTime, parseTime } from '../format/time.js';
import { LineReader } from '../io/lines.js';

/** The earliest and the latest of some times. */
export interface TimeRange {
  readonly from: Instant;
  readonly through: Instant;
}

const NEWLINE = 0x0a;

/** The range in the bytes of a landed file; `undefined` when no record has a time. */
export function recordTimes(landed: Buffer): TimeRange | undefined {
  return rangeOf((take) => {
    for (let from = 0; from < landed.length; ) {
      const newline = landed.indexOf(NEWLINE, from);
      const end = newline < 0 ? landed.length : newline;
      take(lineTime(landed, from, end));
      from = end + 1;
    }
  });
}

/** The same of a file on disk, read a piece at a time. Throws the system's error. */
export function recordTimesIn(path: string): TimeRange | undefined {
  return rangeOf((take) => {
    const reader = new LineReader(path);
    try {
      for (; reader.next(); ) take(lineTime(reader.line, 0, reader.line.length));
    } finally {
      reader.close();
    }
  });
}

const TIME = '"time":"';
const PARTS = '"parts":';
/** Records have their parts within so many bytes; for one that has not, more is looked at. */
const HEAD_BYTES = 512;

/** A record's own time as it is written: the first in its line that stands before its parts; empty for none. */
function lineTime(bytes: Buffer, from: number, end: number): string {
  let head = '';
  let parts = -1;
  // One character a byte: what is sought is ASCII, and a time that is not does not parse.
  for (let size = HEAD_BYTES; parts < 0; size *= 8) {
    head = bytes.toString('latin1', from, Math.min(end, from + size));
    parts = head.indexOf(PARTS);
    if (from + size >= end) break;
  }
  const at = head.indexOf(TIME);
  if (at < 0 || (parts >= 0 && at > parts)) return '';
  const begin = at + TIME.length;
  return head.slice(begin, head.indexOf('"', begin));
}

/** `2026-01-01T00:00:00.000Z`: texts of this form are ordered as their times are. */
const USUAL_LENGTH = 24;

/**
 * The range of times as they are written. Nearly all have one form, and of those only the first and the last in order
 * are read; unless one of the two is no time, as a 30th of February is none: then all are.
 */
function rangeOf(each: (take: (time: string) => void) => void): TimeRange | undefined {
  let [least, greatest] = ['', ''];
  let others: TimeRange | undefined;
  each((time) => {
    if (time.length !== USUAL_LENGTH || !time.endsWith('Z') || time[19] !== '.') {
      if (time !== '') others = widened(others, parseTime(time));
      return;
    }
    if (least === '' || time < least) least = time;
    if (time > greatest) greatest = time;
  });
  if (least === '') return others;
  const ends = [least, greatest].map(parseTime);
  if (!ends.some(isNoTime)) return ends.reduce(widened, others);
  let all: TimeRange | undefined;
  each((time) => {
    all = widened(all, parseTime(time));
  });
  return all;
}

function widened(range: TimeRange | undefined, time: Instant): TimeRange | undefined {
  if (isNoTime(time)) return range;
  if (range === undefined) return { from: time, through: time };
  return {
    from: compareInstants(time, range.from) < 0 ? time : range.from,
    through: compareInstants(time, range.through) > 0 ? time : range.through,
  };
}
