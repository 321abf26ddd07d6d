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
import type { Talk } from './talks.js';

/** The idle gap, fixed in the build; it is part of the policy every header carries. */
export const IDLE_GAP_MS = 10 * 60 * 1000;

export interface Segment {
  readonly talks: Talk[];
  /** Earliest first and latest last time of its talks; absent when none has a time. */
  from: Instant | undefined;
  through: Instant | undefined;
}

const NO_WINDOWS: readonly number[] = [];

/** A window is known by the entry it opens at: late evidence that adds an earlier window renumbers none. */
export class Segments implements StageRules {
  readonly #model: SessionModel;
  #openings: ReadonlySet<number> = new Set();
  /** Per place of a talk: the windows it is in. */
  #windowsOfTalk: ReadonlyMap<number, readonly number[]> = new Map();

  constructor(model: SessionModel) {
    this.#model = model;
  }

  get count(): number {
    return this.#openings.size;
  }

  page(): void {
    // Windows are cut from talks, not from entries.
  }

  end(): void {
    const { changed, talks, streams } = this.#model;
    if (!changed.talkTimes) return;
    const places = talks.places();
    const main = places.filter((place) => streams.isMain(talks.talkAt(place).stream));
    const segments = cutSegments(main.map((place) => talks.talkAt(place)));
    const windowOf = new Map<Talk, number>();
    for (const segment of segments)
      for (const talk of segment.talks) windowOf.set(talk, segment.talks[0]!.first);
    const windows = new Map<number, readonly number[]>();
    for (const place of main) windows.set(place, [windowOf.get(talks.talkAt(place))!]);
    const delegated = places.filter(
      (place) => !streams.isMain(talks.talkAt(place).stream) && talks.talkAt(place).from !== undefined,
    );
    const holding = windowsHolding(
      segments,
      delegated.map((place) => talks.talkAt(place).from!),
    );
    for (const [i, place] of delegated.entries())
      windows.set(
        place,
        holding[i]!.map((segment) => segment.talks[0]!.first),
      );
    this.#replace(new Set(segments.map((segment) => segment.talks[0]!.first)), windows);
  }

  /** Windows in the order in which they open. */
  inOrder(): number[] {
    return [...this.#openings];
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

  #replace(openings: ReadonlySet<number>, windows: ReadonlyMap<number, readonly number[]>): void {
    const { changed } = this.#model;
    for (const opening of openings) if (!this.#openings.has(opening)) changed.mark('segment', opening);
    for (const opening of this.#openings) if (!openings.has(opening)) changed.mark('segment', opening);
    for (const [place, now] of windows) {
      const before = this.#windowsOfTalk.get(place) ?? NO_WINDOWS;
      if (now.length !== before.length || now.some((opening, i) => opening !== before[i]))
        changed.mark('talk', place);
    }
    this.#openings = openings;
    this.#windowsOfTalk = windows;
  }

  #idOf(opening: number): string {
    const { seq, row } = this.#model.ref(opening);
    return `segment/at_${seq}_${row}`;
  }
}

/** Windows over talks in the order they opened: by first time, those without a time first. */
export function cutSegments(talks: readonly Talk[]): readonly Segment[] {
  const ordered = talks.toSorted((a, b) => {
    if (a.from === undefined || b.from === undefined)
      return Number(a.from !== undefined) - Number(b.from !== undefined);
    return compareInstants(a.from, b.from);
  });
  const segments: Segment[] = [];
  let before: Talk | undefined;
  for (const talk of ordered) {
    if (before === undefined || isIdleGap(before.through, talk.from))
      segments.push({ talks: [], from: undefined, through: undefined });
    const segment = segments.at(-1)!;
    segment.talks.push(talk);
    segment.from ??= talk.from;
    if (
      talk.through !== undefined &&
      (segment.through === undefined || compareInstants(talk.through, segment.through) > 0)
    )
      segment.through = talk.through;
    before = talk;
  }
  return segments;
}

/** Strictly longer than the idle gap; to or from a talk without a time nothing is measured. */
function isIdleGap(through: Instant | undefined, from: Instant | undefined): boolean {
  if (through === undefined || from === undefined) return false;
  const gapMs = from.ms - through.ms;
  return gapMs > IDLE_GAP_MS || (gapMs === IDLE_GAP_MS && from.ns > through.ns);
}

/**
 * For each time, every window whose closed range holds it; windows can overlap. One sweep through the times: a
 * window opens when its range begins, and once a time lies past its end no later one can be in it.
 */
export function windowsHolding(
  segments: readonly Segment[],
  times: readonly Instant[],
): (readonly Segment[])[] {
  const windows = segments.filter(({ from }) => from !== undefined);
  const holding: (readonly Segment[])[] = new Array(times.length);
  const inTime = times.map((_, i) => i).sort((a, b) => compareInstants(times[a]!, times[b]!));
  let next = 0;
  let open: Segment[] = [];
  for (const i of inTime) {
    const begun = next;
    while (next < windows.length && compareInstants(windows[next]!.from!, times[i]!) <= 0) next++;
    open = [...open, ...windows.slice(begun, next)].filter(
      ({ through }) => compareInstants(through!, times[i]!) >= 0,
    );
    holding[i] = open;
  }
  return holding;
}
