/**
 * Where the steps of a stream stand on a time axis, lane by lane (view spec 9.3). A clip stands at its time. One too
 * near to the clip before it is pushed to the right, and the one before it shortened, until both can be seen; but only
 * as far as a clip still covers its own time. Steps that would have to go further share the clip before them, so that
 * a lane never holds more clips than fit side by side, however many steps one instant has.
 */
import type { Stream, ViewNode } from '../../format/view-document.js';
import { LANES, type Lane, laneOf } from './lanes.js';
import type { Moment } from './moments.js';
import { lastIndex, type TimeAxis } from './time-axis.js';

export const CLIP_PX = 110;
const LEAST_CLIP_PX = 30;
/** What a pushed clip must still cover of the place it would have at its time. */
const VISIBLE_PX = 24;
const MOST_PUSH_PX = CLIP_PX - VISIBLE_PX;

export interface Clip {
  /** Unlike every other clip's: its lane and its first step. */
  readonly key: string;
  readonly lane: Lane;
  readonly left: number;
  readonly width: number;
  /** Its steps in the order of their times; more than one when they share the place. */
  readonly moments: readonly Moment[];
  /** The child streams that its steps started, in the lane of nested streams; empty in every other. */
  readonly streams: readonly Stream[];
}

export interface LaneClips {
  readonly lane: Lane;
  readonly title: string;
  /** From left to right. */
  readonly clips: readonly Clip[];
  /** Steps, or in the lane of nested streams the streams. */
  readonly count: number;
}

export interface ClipLayout {
  /** Only the lanes that hold something, from the top. */
  readonly lanes: readonly LaneClips[];
  /** The clip that holds a step, by the step's id. */
  readonly clipOf: ReadonlyMap<string, Clip>;
  /** The clip of the streams a step started, by the step's id. */
  readonly nestedOf: ReadonlyMap<string, Clip>;
  /** The clip of a child stream, by the stream's id; the first one when several steps may have started it. */
  readonly streamOf: ReadonlyMap<string, Clip>;
}

/** @param startedBy the child streams a step started (`Outline.startedBy`) */
export function layClips(
  moments: readonly Moment[],
  axis: TimeAxis,
  startedBy: (node: ViewNode) => readonly Stream[],
): ClipLayout {
  const held = new Map<Lane, Moment[]>(LANES.map(({ lane }) => [lane, []]));
  const streams = new Map<ViewNode, readonly Stream[]>();
  for (const moment of moments) {
    held.get(laneOf(moment.node.kind))!.push(moment);
    const started = startedBy(moment.node);
    if (started.length === 0) continue;
    streams.set(moment.node, started);
    held.get('nested')!.push(moment);
  }
  const clipOf = new Map<string, Clip>();
  const nestedOf = new Map<string, Clip>();
  const lanes: LaneClips[] = [];
  for (const { lane, title } of LANES) {
    const members = held.get(lane)!;
    if (members.length === 0) continue;
    const isNested = lane === 'nested';
    const clips = placed(members, axis).map(({ left, width, moments }): Clip => {
      return {
        key: `${lane} ${moments[0]!.node.id}`,
        lane,
        left,
        width,
        moments,
        streams: isNested ? moments.flatMap(({ node }) => streams.get(node)!) : [],
      };
    });
    for (const clip of clips)
      for (const { node } of clip.moments) (isNested ? nestedOf : clipOf).set(node.id, clip);
    const count = isNested ? clips.reduce((sum, clip) => sum + clip.streams.length, 0) : members.length;
    lanes.push({ lane, title, clips, count });
  }
  const streamOf = new Map<string, Clip>();
  for (const clip of nestedOf.values())
    for (const { id } of clip.streams) if (!streamOf.has(id)) streamOf.set(id, clip);
  return { lanes, clipOf, nestedOf, streamOf };
}

/** Clips of a lane that reach into a window, in O(log n + shown): no clip is wider than `CLIP_PX`. */
export function clipsIn(clips: readonly Clip[], from: number, to: number): readonly Clip[] {
  const first = lastIndex(clips, ({ left }) => left <= from - CLIP_PX) + 1;
  return clips.slice(first, lastIndex(clips, ({ left }) => left <= to) + 1);
}

/** One lane's moments side by side. */
function placed(
  members: readonly Moment[],
  axis: TimeAxis,
): { left: number; width: number; moments: Moment[] }[] {
  // By time and not by place: two times share a place when the axis is narrow, and keep their order.
  const sorted = members.toSorted((a, b) => a.at - b.at);
  const clips: { left: number; width: number; moments: Moment[] }[] = [];
  for (const moment of sorted) {
    const x = axis.xOf(moment.at);
    const before = clips.at(-1);
    const left = before === undefined ? x : Math.max(x, before.left + LEAST_CLIP_PX);
    if (before !== undefined && left - x > MOST_PUSH_PX) {
      before.moments.push(moment);
      continue;
    }
    if (before !== undefined) before.width = Math.min(CLIP_PX, left - before.left);
    clips.push({ left, width: CLIP_PX, moments: [moment] });
  }
  return clips;
}
