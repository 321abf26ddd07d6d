/**
 * The members of a record line that was parsed as Latin-1: of a text past ASCII that is not what it says, but whether
 * it is a text is the same. Every function throws `UNSURE` for what only reading the line in full can tell.
 */
export type Members = Readonly<Record<string, unknown>>;

/** Caught where the line is read, so it needs no stack. */
export const UNSURE = new Error('only reading in full can tell');

const NONE: Members = {};
const NOTHING: readonly unknown[] = [];
const PAST_ASCII = /[\u0080-\uffff]/;

export function word(value: unknown): string {
  if (typeof value !== 'string') {
    if ((value ?? undefined) === undefined) return '';
    throw UNSURE;
  }
  if (PAST_ASCII.test(value)) throw UNSURE;
  return value;
}

export function anyText(value: unknown): void {
  if (typeof (value ?? '') !== 'string') throw UNSURE;
}

export function integer(value: unknown): number {
  const number = value ?? 0;
  if (!Number.isSafeInteger(number)) throw UNSURE;
  return number as number;
}

export function natural(value: unknown): number {
  const number = integer(value);
  if (number < 0) throw UNSURE;
  return number;
}

export function members(value: unknown): Members {
  if ((value ?? undefined) === undefined) return NONE;
  if (typeof value !== 'object' || Array.isArray(value)) throw UNSURE;
  return value as Members;
}

export function list(value: unknown): readonly unknown[] {
  const items = value ?? NOTHING;
  if (!Array.isArray(items)) throw UNSURE;
  return items;
}
