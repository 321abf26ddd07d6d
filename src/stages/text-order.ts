import { compareCodePoints } from '../format/json-text.js';
import type { StringTable } from '../format/string-table.js';

/**
 * The numbers of all strings in the order in which ids made of them are to be written. Only a `/`, which becomes `_`
 * in an id, can make two texts one id, and only then does the order matter: the later one replaces the earlier. So
 * without any the sort, the dearest part of a large session's steps, is left out.
 */
export function inIdOrder(strings: StringTable): number[] {
  const numbers = Array.from({ length: strings.size }, (_, i) => i + 1);
  if (!strings.holdsSlash()) return numbers;
  return numbers.sort((a, b) => compareCodePoints(strings.at(a), strings.at(b)));
}
