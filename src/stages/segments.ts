/**
 * Stage 8 of 8. Establishes the activity windows of the main stream.
 * Needs: streams, talks. Writes: `model.segments`.
 *
 * A window says where the work happened, never whether it is finished. It is cut between talks, not between
 * records: two long gaps in five fall inside one interaction. Record times step back, so a negative difference is
 * no gap (seeds, "Segments").
 */
import { relationId } from '../format/ids.js';
import { compareInstants, type Instant } from '../format/time.js';
import type { EntitySink } from './entity-sink.js';
import type { SessionModel } from './session-model.js';
import type { StageRules } from './stage.js';
import { sessionNodeId } from './streams.js';
import { compareTimes, TalksInTime } from './talks-in-time.js';

/** The idle gap, fixed in the build; it is part of the policy every header carries. */
export const IDLE_GAP_MS = 10 * 60 * 1000;

/** A window. Its range, earliest first to latest last time of its talks, is absent when none has a time. */
export interface Segment {
  /** Position of its first talk among the main stream's talks in time. */
  readonly start: number;
  /** The entry it opens at: late evidence that adds an earlier window renumbers none. */
  readonly opening: number;
  from: Instant | undefined;
  through: Instant | undefined;
}

const NO_WINDOWS: readonly number[] = [];

export class Segments implements StageRules {
  readonly #model: SessionModel;
  readonly #main = new TalksInTime();
  /** Talks of other streams that have a time. */
  readonly #delegated = new TalksInTime();
  readonly #segments: Segment[] = [];
  /** Per position in `#main`: the latest last time of its window up to there. */
  readonly #through: (Instant | undefined)[] = [];
  readonly #openings = new Set<number>();
  /** Per place of a talk: the openings of the windows it is in. */
  readonly #windowsOfTalk = new Map<number, readonly number[]>();

  constructor(model: SessionModel) {
    this.#model = model;
  }

  get count(): number {
    return this.#segments.length;
  }

  page(): void {
    // Windows are cut from talks, not from entries.
  }

  /** Cuts anew from the earliest talk that moved; what lies before it stays as it is. */
  end(): void {
    const { changed, talks, streams } = this.#model;
    if (changed.movedTalks.size === 0) return;
    const talkAt = (place: number) => talks.talkAt(place);
    const moved = [...changed.movedTalks];
    const cut = this.#main.update(
      moved.filter((place) => streams.isMain(talkAt(place).stream)),
      talkAt,
    );
    const begun = this.#delegated.update(
      moved.filter((place) => {
        const { stream, from, gone } = talkAt(place);
        if (streams.isMain(stream)) return false;
        return gone || (from !== undefined && !this.#delegated.holds(place, from));
      }),
      talkAt,
    );
    const held = cut === undefined ? undefined : this.#cutFrom(cut);
    for (const place of moved) if (talkAt(place).gone) this.#put(place, NO_WINDOWS);
    this.#hold(Math.min(begun ?? Number.POSITIVE_INFINITY, held ?? Number.POSITIVE_INFINITY));
  }

  /** Windows in the order in which they open. */
  inOrder(): number[] {
    return this.#segments.map(({ opening }) => opening);
  }

  emit(opening: number, sink: EntitySink): void {
    if (!this.#openings.has(opening)) return;
    sink.node({
      id: this.#idOf(opening),
      kind: 'segment',
      parent: sessionNodeId(this.#model),
      ref: this.#model.ref(opening),
    });
  }

  /** The windows a talk is in: exactly its own, or those in whose range a delegated talk began. */
  emitMembership(place: number, sink: EntitySink): void {
    const { talks, streams } = this.#model;
    const talk = talks.talkAt(place);
    const main = streams.isMain(talk.stream);
    for (const opening of this.#windowsOfTalk.get(place) ?? NO_WINDOWS) {
      const to = this.#idOf(opening);
      sink.relation({
        id: relationId('in_segment', talk.id, to),
        type: 'in_segment',
        from: talk.id,
        to,
        quality: main ? 'exact_unique' : 'strong_inference',
        via: main ? 'activity window' : 'inside the window of the talk that delegated it',
        evidence: [this.#model.ref(talk.first)],
      });
    }
  }

  /**
   * Cuts the main stream's talks from a position on. Gives the first position of the delegated talks whose windows
   * may be others now.
   */
  #cutFrom(cut: number): number {
    const { places } = this.#main;
    const { changed, talks } = this.#model;
    while (this.#segments.length > 0 && this.#segments.at(-1)!.start >= cut) this.#close();
    let segment = this.#segments.at(-1);
    const begun = cut === 0 ? undefined : talks.talkAt(places[cut - 1]!).from;
    if (segment !== undefined) {
      segment.through = this.#through[cut - 1];
      if (begun === undefined) segment.from = undefined;
    }
    this.#through.length = cut;
    for (let position = cut; position < places.length; position++) {
      const place = places[position]!;
      const { from, through, first } = talks.talkAt(place);
      const before = position === 0 ? undefined : talks.talkAt(places[position - 1]!);
      if (segment === undefined || isIdleGap(before!.through, from)) {
        segment = { start: position, opening: first, from: undefined, through: undefined };
        this.#segments.push(segment);
        this.#openings.add(first);
        changed.mark('segment', first);
      }
      segment.from ??= from;
      if (compareTimes(through, segment.through) > 0) segment.through = through;
      this.#through.push(segment.through);
      this.#put(place, [segment.opening]);
    }
    // What was cut anew begins at or after the talk before it began, and ends after that.
    return this.#delegated.firstFrom(begun);
  }

  #close(): void {
    const { opening } = this.#segments.pop()!;
    this.#openings.delete(opening);
    this.#model.changed.mark('segment', opening);
  }

  /** Says of the delegated talks from a position on which windows hold the time they began at. */
  #hold(position: number): void {
    const places = this.#delegated.places.slice(position);
    if (places.length === 0) return;
    const times = places.map((place) => this.#model.talks.talkAt(place).from!);
    const holding = windowsHolding(this.#segments, times);
    for (const [i, place] of places.entries())
      this.#put(
        place,
        holding[i]!.map(({ opening }) => opening),
      );
  }

  #put(place: number, openings: readonly number[]): void {
    const before = this.#windowsOfTalk.get(place) ?? NO_WINDOWS;
    if (openings.length === before.length && openings.every((opening, i) => opening === before[i])) return;
    this.#windowsOfTalk.set(place, openings);
    this.#model.changed.mark('talk', place);
  }

  #idOf(opening: number): string {
    const { seq, row } = this.#model.ref(opening);
    return `segment/at_${seq}_${row}`;
  }
}

/** Strictly longer than the idle gap; to or from a talk without a time nothing is measured. */
function isIdleGap(through: Instant | undefined, from: Instant | undefined): boolean {
  if (through === undefined || from === undefined) return false;
  const gapMs = from.ms - through.ms;
  return gapMs > IDLE_GAP_MS || (gapMs === IDLE_GAP_MS && from.ns > through.ns);
}

/**
 * For each time, in their order, every window whose closed range holds it; windows can overlap. One sweep: a window
 * opens when its range begins, and once a time lies past its end no later one can be in it.
 */
export function windowsHolding(
  segments: readonly Segment[],
  times: readonly Instant[],
): (readonly Segment[])[] {
  const [earliest] = times;
  if (earliest === undefined) return [];
  const windows = segments.filter(
    ({ from, through }) => from !== undefined && compareInstants(through!, earliest) >= 0,
  );
  let next = 0;
  let open: Segment[] = [];
  return times.map((time) => {
    const begun = next;
    while (next < windows.length && compareInstants(windows[next]!.from!, time) <= 0) next++;
    open = [...open, ...windows.slice(begun, next)].filter(
      ({ through }) => compareInstants(through!, time) >= 0,
    );
    return open;
  });
}
