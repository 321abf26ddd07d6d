/** The keys of a timeline: arrows go from step to step, with Shift along time; `+`, `-` and `0` zoom. */
import type { ClipLayout } from '../model/clips.js';
import type { TimelineKey } from '../model/key-words.js';
import type { Moment } from '../model/moments.js';
import { lastIndex, type TimeAxis } from '../model/time-axis.js';
import type { ScrolledView } from './scrolled-view.js';
import { ZOOM_BY } from './timeline-tools.js';

/** Parts of the view that a pan moves by: an arrow, a page. */
const ARROW = 0.2;
const PAGE = 0.9;

export interface KeyContext {
  readonly view: ScrolledView;
  readonly axis: TimeAxis;
  readonly layout: ClipLayout;
  readonly moments: readonly Moment[];
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  readonly zoom: number;
  readonly zoomTo: (zoom: number) => void;
  /** Takes the mark away, when there is one. */
  readonly unmark: (() => void) | undefined;
}

type Actions = Readonly<Record<TimelineKey, () => void>>;

/** `onPan` has no steps to go to: its arrows go along time without Shift. */
export function timelineKeys(context: KeyContext) {
  const { view, axis, zoom, zoomTo, unmark } = context;
  const by = (part: number) => () => view.goTo(view.now() + part * view.width.value);
  const common = {
    PageUp: by(-PAGE),
    PageDown: by(PAGE),
    Home: () => view.goTo(0),
    End: () => view.goTo(axis.width),
    '+': () => zoomTo(zoom * ZOOM_BY),
    '=': () => zoomTo(zoom * ZOOM_BY),
    '-': () => zoomTo(zoom / ZOOM_BY),
    '0': () => zoomTo(1),
  };
  const leaving: Partial<Actions> = unmark === undefined ? {} : { Escape: unmark };
  const pan: Partial<Actions> = { ...common, ...leaving, ArrowLeft: by(-ARROW), ArrowRight: by(ARROW) };
  const go: Omit<Actions, 'Escape'> & Partial<Actions> = {
    ...common,
    ...leaving,
    ArrowLeft: () => alongTime(context, -1),
    ArrowRight: () => alongTime(context, 1),
    ArrowUp: () => acrossLanes(context, -1),
    ArrowDown: () => acrossLanes(context, 1),
  };
  const handler = (actions: Partial<Actions>, event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = Object.hasOwn(actions, event.key) ? actions[event.key as TimelineKey] : undefined;
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  return {
    onPan: (event: KeyboardEvent) => handler(pan, event),
    onKeyDown: (event: KeyboardEvent) => handler(event.shiftKey ? { ...go, ...pan } : go, event),
  };
}

/** The step before or after, in reading order; from nothing, the first. */
function alongTime({ moments, selected, onSelect }: KeyContext, by: -1 | 1): void {
  const now = moments.findIndex(({ node }) => node.id === selected);
  const next = moments[now === -1 ? 0 : now + by];
  if (next !== undefined) onSelect(next.node.id);
}

/** The step of the next used lane that stands nearest. */
function acrossLanes({ layout, selected, moments, onSelect }: KeyContext, by: -1 | 1): void {
  const clip = selected === null ? undefined : layout.clipOf.get(selected);
  if (clip === undefined) {
    onSelect(moments[0]!.node.id);
    return;
  }
  const lanes = layout.lanes.filter(({ lane }) => lane !== 'nested');
  const clips = lanes[lanes.findIndex(({ lane }) => lane === clip.lane) + by]?.clips;
  if (clips === undefined) return;
  const before = lastIndex(clips, ({ left }) => left <= clip.left);
  const near = [clips[before], clips[before + 1]].filter((found) => found !== undefined);
  near.sort((a, b) => Math.abs(a.left - clip.left) - Math.abs(b.left - clip.left));
  onSelect(near[0]!.moments[0]!.node.id);
}
