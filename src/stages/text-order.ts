import { compareCodePoints } from '../format/json-text.js';

/**
 * The numbers 1 to `count` in the order in which their ids are to be written. Only a `/`, which becomes `_` in
 * an id, can make two texts one id, and only then does the order matter: the later one replaces the earlier. So
 * without any the sort, the dearest part of a large session's steps, is left out.
 */
export function inIdOrder(count: number, textOf: (number: number) => string): number[] {
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  if (!numbers.some((number) => textOf(number).includes('/'))) return numbers;
  return numbers.sort((a, b) => compareCodePoints(textOf(a), textOf(b)));
}
