/**
 * Talks in the order of their first times, those without a time first, those of one time in the order they opened.
 * New evidence comes late in time nearly always, so a change is put in from the end, and what lies before it stays.
 */
import { compareInstants, type Instant } from '../format/time.js';

type Timed = { readonly from: Instant | undefined; readonly gone: boolean };

export class TalksInTime {
  /** Their places in the list of talks. */
  readonly places: number[] = [];
  /** First times as they are ordered by, by position and by place. */
  readonly #times: (Instant | undefined)[] = [];
  readonly #timeOf = new Map<number, Instant | undefined>();

  /** Whether a talk stands here as one of this first time. */
  holds(place: number, time: Instant | undefined): boolean {
    return this.#timeOf.has(place) && compareTimes(this.#timeOf.get(place), time) === 0;
  }

  /**
   * Puts talks that are new, have other times or are no more where they belong. Gives the first position that may
   * hold another talk than before, or a talk with another time; `undefined` when nothing moved.
   */
  update(moved: readonly number[], talkAt: (place: number) => Timed): number | undefined {
    if (moved.length === 0) return undefined;
    const again = new Set(moved);
    let cut = this.places.length;
    for (const place of moved) {
      const talk = talkAt(place);
      if (this.#timeOf.has(place)) cut = this.#back(cut, this.#timeOf.get(place));
      if (!talk.gone) cut = this.#back(cut, talk.from);
    }
    for (const place of this.places.slice(cut)) again.add(place);
    const behind: number[] = [];
    for (const place of again)
      if (talkAt(place).gone) this.#timeOf.delete(place);
      else behind.push(place);
    behind.sort((a, b) => compareTimes(talkAt(a).from, talkAt(b).from) || a - b);
    this.places.length = cut;
    this.#times.length = cut;
    for (const place of behind) {
      const { from } = talkAt(place);
      this.places.push(place);
      this.#times.push(from);
      this.#timeOf.set(place, from);
    }
    return cut;
  }

  /** The first position whose talk begins at or after a time; without a time, the first of all. */
  firstFrom(time: Instant | undefined): number {
    return this.#back(this.places.length, time);
  }

  /** From a position back over all that do not begin before a time. */
  #back(position: number, time: Instant | undefined): number {
    let at = position;
    while (at > 0 && compareTimes(this.#times[at - 1], time) >= 0) at--;
    return at;
  }
}

/** Orders times, none before all. */
export function compareTimes(a: Instant | undefined, b: Instant | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return compareInstants(a, b);
}
