/**
 * Stage 8 of 8. Establishes the activity windows of the main stream.
 * Needs: streams, talks. Writes: `model.segments`.
 *
 * A window says where the work happened, never whether it is finished. It is cut between talks, not between
 * records: two long gaps in five fall inside one interaction. Record times step back, so a negative difference is
 * no gap (seeds, "Segments").
 */
import { relationId } from '../format/ids.js';
import type { Node, Relation } from '../format/session-flow.js';
import { compareInstants, type Instant } from '../format/time.js';
import type { SessionModel } from './session-model.js';
import type { StageRules } from './stage.js';
import { MAIN_STREAM, sessionNodeId } from './streams.js';
import type { Talk } from './talks.js';

/** The idle gap, fixed in the build; it is part of the policy every header carries. */
export const IDLE_GAP_MS = 10 * 60 * 1000;

export interface Segment {
  readonly talks: Talk[];
  /** Earliest first and latest last time of its talks; absent when none has a time. */
  from: Instant | undefined;
  through: Instant | undefined;
}

export class Segments implements StageRules {
  readonly #model: SessionModel;
  #segments: readonly Segment[] = [];

  constructor(model: SessionModel) {
    this.#model = model;
  }

  get count(): number {
    return this.#segments.length;
  }

  page(): void {
    // Windows are cut from talks, not from entries.
  }

  end(): void {
    const talks = this.#model.talks.talks.filter(({ stream }) => stream === MAIN_STREAM);
    this.#segments = cutSegments(talks);
  }

  *nodes(): Generator<Node> {
    for (const segment of this.#segments)
      yield {
        id: this.#idOf(segment),
        kind: 'segment',
        parent: sessionNodeId(this.#model),
        ref: this.#model.ref(segment.talks[0]!.first),
      };
  }

  *inSegment(): Generator<Relation> {
    for (const segment of this.#segments)
      for (const talk of segment.talks)
        yield this.#relation(talk, segment, 'exact_unique', 'activity window');
    const delegated = this.#model.talks.talks.filter(
      ({ stream, from }) => stream !== MAIN_STREAM && from !== undefined,
    );
    const holding = windowsHolding(
      this.#segments,
      delegated.map(({ from }) => from!),
    );
    for (const [i, talk] of delegated.entries())
      for (const segment of holding[i]!)
        yield this.#relation(
          talk,
          segment,
          'strong_inference',
          'inside the window of the talk that delegated it',
        );
  }

  #relation(talk: Talk, segment: Segment, quality: string, via: string): Relation {
    const to = this.#idOf(segment);
    const evidence = [this.#model.ref(talk.first)];
    return {
      id: relationId('in_segment', talk.id, to),
      type: 'in_segment',
      from: talk.id,
      to,
      quality,
      via,
      evidence,
    };
  }

  /** From where the window opens, so late evidence that adds an earlier window renumbers none. */
  #idOf({ talks }: Segment): string {
    const { seq, row } = this.#model.ref(talks[0]!.first);
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
