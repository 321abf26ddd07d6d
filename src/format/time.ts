/**
 * Instants exact to the nanosecond, as two numbers that JavaScript holds exactly.
 *
 *     2026-09-01T12:56:03.1818Z  ⇄  { ms: 1788267363181, ns: 800000 }
 *
 * A signed 64-bit nanosecond count does not fit a double, and BigInt is slow in loops over columns.
 * The pair orders like the instant: compare `ms`, then `ns`.
 */
export interface Instant {
  /** Whole milliseconds since 1970, rounded down; may be negative. */
  readonly ms: number;
  /** Nanoseconds within that millisecond, 0 to 999,999. */
  readonly ns: number;
}

/** The instant 1970 itself: it stands for "no time" (storage spec 2.1). */
export const NO_TIME: Instant = { ms: 0, ns: 0 };

/** Everything up to the seconds has its fixed place, and the zone is one character or six. */
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const FRACTION_AT = 20;

/** Signed 64-bit nanoseconds: what an instant must fit (storage spec 2.1). */
const MAX_MS = 9_223_372_036_854;
const MAX_NS_AT_MAX_MS = 775_807;
const MIN_MS = -9_223_372_036_855;
const MIN_NS_AT_MIN_MS = 224_192;

/**
 * Reads an RFC 3339 time. Fraction digits past nine are cut, `,` counts as `.`, offsets reach 24 hours
 * (dialect spec 1.9). Anything else, or an instant outside signed 64-bit nanoseconds, is `NO_TIME`.
 */
export function parseTime(text: string): Instant {
  if (!RFC3339.test(text)) return NO_TIME;
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)];
  const [hour, minute, second] = [digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, 19)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return NO_TIME;
  if (hour > 23 || minute > 59 || second > 59) return NO_TIME;
  const zoneAt = text.endsWith('Z') ? text.length - 1 : text.length - '+00:00'.length;
  let offsetMinutes = 0;
  if (text[zoneAt] !== 'Z') {
    const offsetHour = digits(text, zoneAt + 1, zoneAt + 3);
    const offsetMinute = digits(text, zoneAt + 4, zoneAt + 6);
    if (offsetHour > 24 || offsetMinute > 60) return NO_TIME;
    offsetMinutes = (text[zoneAt] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  }
  const date = new Date(0);
  // Not Date.UTC: it takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, 0);
  const ms = date.getTime() - offsetMinutes * 60_000 + fraction(text, 0, 3, zoneAt);
  const ns = fraction(text, 3, 9, zoneAt);
  if (ms > MAX_MS || (ms === MAX_MS && ns > MAX_NS_AT_MAX_MS)) return NO_TIME;
  if (ms < MIN_MS || (ms === MIN_MS && ns < MIN_NS_AT_MIN_MS)) return NO_TIME;
  return { ms, ns };
}

/** UTC, RFC 3339, up to nine fraction digits without trailing zeros, no dot when the fraction is zero. */
export function formatTime({ ms, ns }: Instant): string {
  const whole = new Date(ms).toISOString();
  const fraction = (whole.slice(-4, -1) + String(ns).padStart(6, '0')).replace(/0+$/, '');
  return `${whole.slice(0, -5)}${fraction === '' ? '' : `.${fraction}`}Z`;
}

/** The stamp in landed names: `YYYYMMDDTHHMMSS.nnnnnnnnnZ`, always nine fraction digits. */
export function formatStamp({ ms, ns }: Instant): string {
  const whole = new Date(ms).toISOString();
  return `${whole.slice(0, 19).replaceAll(/[-:]/g, '')}.${whole.slice(20, 23)}${String(ns).padStart(6, '0')}Z`;
}

/** Negative, zero or positive, as `a` is before, at or after `b`. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.ms - b.ms || a.ns - b.ns;
}

export function isNoTime({ ms, ns }: Instant): boolean {
  return ms === 0 && ns === 0;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** The digits from one place of a text to another, as a number. */
function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = number * 10 + text.charCodeAt(at) - ZERO;
  return number;
}

/** Digits of the fraction, by their places in it; those it does not have are 0. */
function fraction(text: string, from: number, to: number, zoneAt: number): number {
  let number = 0;
  for (let at = FRACTION_AT + from; at < FRACTION_AT + to; at++)
    number = number * 10 + (at < zoneAt ? text.charCodeAt(at) - ZERO : 0);
  return number;
}

const ZERO = '0'.charCodeAt(0);
