import { compareCodePoints } from '../../format/json-text.js';
import type { RawJson } from '../../format/session-data.js';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/**
 * Generated data as JSON: keys sorted by code point at every level, everything else as `JSON.stringify` writes
 * it (dialect spec 5). One value then has one spelling, whatever order a scenario gives its keys in.
 * Written by hand because an object with sorted keys would still list integer-like ones first.
 */
export function dataJson(value: JsonValue): RawJson {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(dataJson).join(',')}]`;
  const members = Object.keys(value)
    .sort(compareCodePoints)
    .map((key) => `${JSON.stringify(key)}:${dataJson(value[key]!)}`);
  return `{${members.join(',')}}`;
}

/** `Array.isArray` does not narrow a readonly list out of a union. */
function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
