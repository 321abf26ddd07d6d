/**
 * Ids in code point order, the order of a round. JavaScript's own order is by UTF-16 unit, twice as fast, and the
 * same unless some id holds a unit from U+D800 on (bench: 8.5 against 17.7 ms per 35,000 ids).
 */
import type { Entity } from './entity.js';
import { compareCodePoints } from './json-text.js';

/** Sorts ids in place. */
export function sortIds(ids: string[]): string[] {
  return ids.some(isHigh) ? ids.sort(compareCodePoints) : ids.sort();
}

/** Sorts entities of one group by their ids, in place. */
export function sortById(entities: Entity[]): Entity[] {
  return entities.some(({ id }) => isHigh(id))
    ? entities.sort((a, b) => compareCodePoints(a.id, b.id))
    : entities.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function isHigh(id: string): boolean {
  return /[\ud800-\uffff]/.test(id);
}
