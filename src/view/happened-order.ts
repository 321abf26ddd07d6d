/**
 * Relations in the order they happened (view spec 4.4).
 *
 * A landed position orders records only within its lane, the stream or the run that wrote them: a child's file may
 * land before its parent's. So the lanes are merged: each in its own order, and of their next items always the
 * earliest is taken. An item waits for those before it in its lane, so it counts as late as the latest of them;
 * sorting by that is the merge.
 */
import { compareCodePoints } from '../format/json-text.js';
import type { Ref } from '../format/session-flow.js';
import { compareInstants, type Instant, isNoTime } from '../format/time.js';
import { compareRefs } from '../rounds/display-order.js';

/** Where and when something was observed. */
export interface Point {
  /** `stream/<name>`, `run/<id>`, or empty for the session's own files. */
  readonly lane: string;
  readonly ref: Ref;
  readonly time: Instant;
}

export interface Happening {
  /** `undefined`: nothing was observed. Such come last. */
  readonly point: Point | undefined;
  /** Order of what was observed at one place: by id, then as given here. */
  readonly id: string;
  readonly rank?: number;
}

/** Gives a new list. */
export function inHappenedOrder<T extends Happening>(items: readonly T[]): T[] {
  if (items.length < 2) return [...items];
  const placed = items.filter(({ point }) => point !== undefined).sort(byLane);
  let latest: Point | undefined;
  const keyed = placed.map((item, i) => {
    const point = item.point!;
    if (latest === undefined || latest.lane !== point.lane || earlier(latest, point) < 0) latest = point;
    return { item, latest, i };
  });
  keyed.sort((a, b) => earlier(a.latest, b.latest) || a.i - b.i);
  const unplaced = items.filter(({ point }) => point === undefined).sort(byTie);
  return [...keyed.map(({ item }) => item), ...unplaced];
}

/** The point of a relation: of the first place in each lane that shows it, the earliest. */
export function earliestPoint(points: Iterable<Point>): Point | undefined {
  const first = new Map<string, Point>();
  for (const point of points) {
    const other = first.get(point.lane);
    if (other === undefined || compareRefs(point.ref, other.ref) < 0) first.set(point.lane, point);
  }
  let earliest: Point | undefined;
  for (const point of first.values())
    if (earliest === undefined || earlier(point, earliest) < 0) earliest = point;
  return earliest;
}

/** Timed before untimed, then by time, then by place. */
function earlier(a: Point, b: Point): number {
  return (
    Number(isNoTime(a.time)) - Number(isNoTime(b.time)) ||
    compareInstants(a.time, b.time) ||
    compareRefs(a.ref, b.ref)
  );
}

function byLane(a: Happening, b: Happening): number {
  return (
    compareCodePoints(a.point!.lane, b.point!.lane) || compareRefs(a.point!.ref, b.point!.ref) || byTie(a, b)
  );
}

function byTie(a: Happening, b: Happening): number {
  return compareCodePoints(a.id, b.id) || (a.rank ?? 0) - (b.rank ?? 0);
}
