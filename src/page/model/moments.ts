/**
 * When each step of a stream is drawn. Reading order is landed order; times may run backwards in it and some are not
 * known. A step without a time stands at the last known one before it (view spec 9.3), the first known one when none
 * is before.
 */
import type { Ms, ViewNode } from '../../format/view-document.js';
import { byLanding } from './outline.js';

export interface Moment {
  readonly node: ViewNode;
  /** Where it is drawn; 0 for every step when no time is known at all. */
  readonly at: Ms;
  /** False when nobody observed a time of this step. */
  readonly isObserved: boolean;
}

/** The furthest time from 1970 that a `Date` holds, in ms (ECMA-262, time values). */
const FURTHEST = 8.64e15;

/** True for a time that somebody observed; 0 means nobody did (view spec 2.7). */
export function isObserved(at: unknown): at is Ms {
  return typeof at === 'number' && at !== 0 && Math.abs(at) <= FURTHEST;
}

/** The steps of one stream in landed order, those outside every talk among them, each with its time. */
export function momentsOf(steps: readonly ViewNode[]): readonly Moment[] {
  const ordered = steps.toSorted(byLanding);
  let last = ordered.find(({ at }) => isObserved(at))?.at ?? 0;
  return ordered.map((node) => {
    const observed = isObserved(node.at);
    if (observed) last = node.at;
    return { node, at: last, isObserved: observed };
  });
}
