/** Members of the document as JSON text, each after a comma; one that would be empty is left out. */
import type { Ref } from '../format/session-flow.js';
import type { Instant } from '../format/time.js';

/** A string; half of a surrogate pair becomes U+FFFD. `<`, `>` and `&` stand as they are. */
export function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text.isWellFormed() ? text : text.toWellFormed());
}

/** Most ids and words are JSON as they stand; to find that out costs a fraction of `JSON.stringify`. */
const PLAIN = /^[ !#-[\]-~]{0,100}$/;

export function textMember(key: string, text: string): string {
  return text === '' ? '' : `,"${key}":${quoted(text)}`;
}

/** A member whose value is JSON text already; none when that is empty. */
export function rawMember(key: string, json: string): string {
  return json === '' ? '' : `,"${key}":${json}`;
}

export function countMember(key: string, count: number): string {
  return count === 0 ? '' : `,"${key}":${count}`;
}

export function flagMember(key: string, flag: boolean | undefined): string {
  return flag === undefined ? '' : `,"${key}":${flag}`;
}

export function listMember(key: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `,"${key}":[${items.join(',')}]`;
}

export function refText({ seq, row, block }: Ref): string {
  return block === undefined ? `{"seq":${seq},"row":${row}}` : `{"seq":${seq},"row":${row},"block":${block}}`;
}

/** Unix milliseconds, rounded down; 0 for no time, which is what that instant means. */
export function msOf(time: Instant | undefined): number {
  return time?.ms ?? 0;
}

/** A mapping of counts, its keys in the order given. */
export function countsText(counts: Iterable<readonly [string, number]>): string {
  const members = [...counts].map(([key, count]) => `${quoted(key)}:${count}`);
  return `{${members.join(',')}}`;
}
