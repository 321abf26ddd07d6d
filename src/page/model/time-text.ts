/** Times and lengths of time in words. Times are Unix milliseconds in the reader's zone unless one is named. */
import type { Ms } from '../../format/view-document.js';

/** What stands where nobody knows. */
export const UNKNOWN = '—';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `420 ms`, `42 s`, `7 min`, `3.4 h`, `2.5 d`, `12 d`: never more than it was. A dash for none and for a negative one. */
export function spanText(ms: number): string {
  if (!(ms > 0)) return UNKNOWN;
  if (ms < SECOND) return `${Math.floor(ms)} ms`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${tenths(ms / HOUR)} h`;
  return ms < 10 * DAY ? `${tenths(ms / DAY)} d` : `${Math.floor(ms / DAY)} d`;
}

/** A time between two records, which is short as a rule: `640 ms`, `2.9 s`, then as a span. */
export function intervalText(ms: number): string {
  return ms >= SECOND && ms < MINUTE ? `${tenths(ms / SECOND)} s` : ms === 0 ? '0 ms' : spanText(ms);
}

function tenths(value: number): number {
  return Math.floor(value * 10) / 10;
}

/** `Mar 2, 2026, 18:00`. */
export function dateText(at: Ms, timeZone?: string): string {
  return formatted(at, { year: 'numeric', month: 'short', day: 'numeric', ...MINUTES }, timeZone);
}

/** `Mar 2, 2026`. */
export function dayText(at: Ms, timeZone?: string): string {
  return formatted(at, { year: 'numeric', month: 'short', day: 'numeric' }, timeZone);
}

/** `Mar 2, 2026, 18:00:05`. */
export function momentText(at: Ms, timeZone?: string): string {
  const options = { year: 'numeric', month: 'short', day: 'numeric', ...MINUTES, second: '2-digit' } as const;
  return formatted(at, options, timeZone);
}

/** `18:00:05`. */
export function clockText(at: Ms, timeZone?: string): string {
  return formatted(at, { ...MINUTES, second: '2-digit' }, timeZone);
}

/** `2026-03-02 17:00:05.250 UTC`. */
export function utcText(at: Ms): string {
  return isTime(at) ? new Date(at).toISOString().replace('T', ' ').replace('Z', ' UTC') : UNKNOWN;
}

const MINUTES = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Making a format takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatted(at: Ms, options: Intl.DateTimeFormatOptions, timeZone: string | undefined): string {
  if (!isTime(at)) return UNKNOWN;
  const key = `${options.year} ${options.hour} ${options.second} ${timeZone}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { ...options, ...(timeZone !== undefined && { timeZone }) });
    formats.set(key, format);
  }
  return format.format(at);
}

/** 0 is no time, and what a `Date` cannot hold is none either. */
function isTime(at: Ms): boolean {
  return at !== 0 && !Number.isNaN(new Date(at).getTime());
}
