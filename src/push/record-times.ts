/** The range of the times that the records of a landed file carry (export spec 5). */
import { compareInstants, type Instant, isNoTime, NO_TIME, parseTime } from '../format/time.js';
import { LineReader } from '../io/lines.js';

/** The earliest and the latest of some times. */
export interface TimeRange {
  readonly from: Instant;
  readonly through: Instant;
}

const NEWLINE = 0x0a;

/** The range in the bytes of a landed file; `undefined` when no record has a time. */
export function recordTimes(landed: Buffer): TimeRange | undefined {
  let range: TimeRange | undefined;
  for (let from = 0; from < landed.length; ) {
    const newline = landed.indexOf(NEWLINE, from);
    const end = newline < 0 ? landed.length : newline;
    range = widened(range, lineTime(landed.subarray(from, end)));
    from = end + 1;
  }
  return range;
}

/** The latest of those times, of a file on disk, read a piece at a time. Throws the system's error. */
export function latestTimeIn(path: string): Instant | undefined {
  const reader = new LineReader(path);
  try {
    let range: TimeRange | undefined;
    while (reader.next()) range = widened(range, lineTime(reader.line));
    return range?.through;
  } finally {
    reader.close();
  }
}

const TIME = Buffer.from('"time":"');
const PARTS = Buffer.from('"parts":');
const QUOTE = 0x22;

/** A record's own time: the first in its line that stands before its parts; `NO_TIME` when there is none, or none that parses. */
function lineTime(line: Buffer): Instant {
  const parts = line.indexOf(PARTS);
  const fields = parts < 0 ? line : line.subarray(0, parts);
  const at = fields.indexOf(TIME);
  if (at < 0) return NO_TIME;
  const from = at + TIME.length;
  const end = fields.indexOf(QUOTE, from);
  return end < 0 ? NO_TIME : parseTime(fields.toString('latin1', from, end));
}

function widened(range: TimeRange | undefined, time: Instant): TimeRange | undefined {
  if (isNoTime(time)) return range;
  if (range === undefined) return { from: time, through: time };
  return {
    from: compareInstants(time, range.from) < 0 ? time : range.from,
    through: later(range.through, time),
  };
}

/** The later of two times. */
export function later(a: Instant, b: Instant): Instant {
  return compareInstants(b, a) > 0 ? b : a;
}
