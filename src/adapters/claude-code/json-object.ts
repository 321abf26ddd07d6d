/**
 * Reading a client's objects member by member: a member of another type than expected counts as absent, so
 * that one odd field cannot cost a record its identifiers (dialect spec 3.2).
 */
export type JsonObject = { readonly [key: string]: unknown };

export const EMPTY_OBJECT: JsonObject = {};

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectAt(object: JsonObject, key: string): JsonObject | undefined {
  const value = object[key];
  return isObject(value) ? value : undefined;
}

/**
 * The empty string stands for absence, as it does in Session Data. A lone surrogate becomes U+FFFD here and
 * not only when it is written, so that an id reads the same from the record and from the landed file.
 */
export function textAt(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value.toWellFormed() : '';
}

/** Whole and exactly representable, else 0: `1.0` counts as 1. */
export function countAt(object: JsonObject, key: string): number {
  const value = object[key];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
}

/** The first of these members that is a non-empty string. */
export function firstText(object: JsonObject, ...keys: readonly string[]): string {
  for (const key of keys) {
    const value = textAt(object, key);
    if (value !== '') return value;
  }
  return '';
}
