import { useId, useMemo, useState } from 'preact/hooks';
import type { Ms, Stream } from '../../format/view-document.js';
import { activityOf } from '../model/activity.js';
import { layClips } from '../model/clips.js';
import { type Moment, momentsOf } from '../model/moments.js';
import type { Outline } from '../model/outline.js';
import { countOf } from '../model/quantity-text.js';
import { rangeSummary } from '../model/range-summary.js';
import { segmentCells } from '../model/segment-cells.js';
import { selectionOf } from '../model/selection-edges.js';
import { axisWidth, clampedZoom, timeAxis } from '../model/time-axis.js';
import { ticksOf } from '../model/time-ticks.js';
import { clockOffset } from '../shared/clock.js';
import { RangeCard } from './range-card.js';
import { useScrolledView } from './scrolled-view.js';
import { SegmentStrip } from './segment-strip.js';
import { useSelectedInView } from './selected-in-view.js';
import { counts } from './state.js';
import { timelineKeys } from './timeline-keys.js';
import { clipId, Lanes } from './timeline-lanes.js';
import { useMarking } from './timeline-marking.js';
import { Minimap } from './timeline-minimap.js';
import { Bands, Ruler } from './timeline-ruler.js';
import { Dives, TimelineTools } from './timeline-tools.js';
import { useWheel } from './timeline-wheel.js';

/** Px of the titles of the lanes, left of the axis (timeline.css has the same). */
const TITLE_PX = 164;
/** Px behind the last time, so that the clips there are whole. */
const BEHIND_PX = 220;
const MINIMAP_BINS = 480;
const NONE: ReadonlySet<Ms> = new Set();

export interface TimelineProps {
  readonly outline: Outline;
  /** By name. */
  readonly stream: string;
  /** A node by its id. */
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  readonly onOpenStream: (name: string) => void;
  /** Goes along with steps that arrive. */
  readonly follows: boolean;
}

/** The steps of a stream along time, in lanes by what they are (view spec 9.3). */
export function Timeline(props: TimelineProps) {
  const { outline, stream } = props;
  const moments = useMemo(() => momentsOf(outline.stepsOf(stream)), [outline, stream]);
  if (moments.length === 0) return <p class="timeline-empty muted">No step is on this stream.</p>;
  // Another stream is another timeline: neither its zoom nor its open pauses mean anything here.
  return <StreamTimeline key={stream} moments={moments} {...props} />;
}

function StreamTimeline(props: TimelineProps & { readonly moments: readonly Moment[] }) {
  const { outline, stream, moments, selected, onSelect, onOpenStream, follows } = props;
  const id = useId();
  const [zoom, setZoom] = useState(1);
  const [opened, setOpened] = useState(NONE);
  const [fades, setFades] = useState(false);
  const axis = useMemo(() => {
    const times = moments.map(({ at }) => at);
    return timeAxis(times, axisWidth(moments.length, zoom), opened);
  }, [moments, zoom, opened]);
  const offset = clockOffset();
  const ticks = useMemo(() => ticksOf(axis, offset), [axis, offset]);
  const layout = useMemo(() => layClips(moments, axis, outline.startedBy), [moments, axis, outline]);
  const rows = useMemo(() => segmentCells(outline.document.segments, axis), [outline, axis]);
  const bins = useMemo(() => activityOf(moments, axis, MINIMAP_BINS), [moments, axis]);
  const selection = useMemo(() => selectionOf(outline, layout, selected), [outline, layout, selected]);
  const view = useScrolledView(axis, TITLE_PX, follows);
  const { scroller, left, width, window } = view;
  const marking = useMarking(view, axis, TITLE_PX);
  const { range, mark } = marking;
  const summary = useMemo(() => range && rangeSummary(moments, range.from, range.to), [moments, range]);
  const picked = selected === null ? undefined : layout.clipOf.get(selected);
  useSelectedInView(view, picked, selected);

  const zoomAround = (wanted: number, at: Ms, px: number) => {
    const next = clampedZoom(wanted);
    // At the last zoom nothing is drawn anew that the time would have to be held for.
    if (next !== zoom) view.hold(at, px);
    setZoom(next);
  };
  /** Zooms so that a place of the view keeps its time: the pointer's, else the middle. */
  const zoomTo = (next: number, px = width.value / 2) => zoomAround(next, axis.atOf(view.now() + px), px);
  useWheel(view, TITLE_PX, zoom, zoomTo);
  const zoomToPart = (from: number, to: number) => {
    const next = clampedZoom((zoom * width.value) / (to - from));
    if (next === zoom) view.goTo((from + to - width.value) / 2);
    else zoomAround(next, axis.atOf((from + to) / 2), width.value / 2);
  };
  const toggleGap = (from: Ms) => {
    view.hold(from, axis.xOf(from) - view.now());
    setOpened(
      opened.has(from) ? new Set([...opened].filter((open) => open !== from)) : new Set([...opened, from]),
    );
  };
  const openStreams = (streams: readonly Stream[]) => {
    if (streams.length === 1) onOpenStream(streams[0]!.name);
  };
  const keys = timelineKeys({
    view,
    axis,
    layout,
    moments,
    selected,
    onSelect,
    zoom,
    zoomTo,
    unmark: range && (() => mark(undefined)),
  });
  const started = picked === undefined ? [] : outline.startedBy(outline.nodes.get(selected!)!);

  return (
    <section class="timeline" aria-label={`Timeline of ${stream}`}>
      <div class="timeline-bar">
        <TimelineTools
          {...{ zoom, zoomTo, fades }}
          onFade={setFades}
          onMarkView={() => mark({ from: axis.atOf(view.now()), to: axis.atOf(view.now() + width.value) })}
        />
        <Minimap
          {...{ axis, bins, left, width }}
          controls={id}
          onGoTo={(x) => view.goTo(x - width.value / 2)}
          onZoomTo={zoomToPart}
          onKeyDown={keys.onPan}
        />
      </div>
      <div class="timeline-frame">
        <div
          {...{ id, ref: scroller, onScroll: view.onScroll }}
          {...marking.pointers}
          class="timeline-scroller"
        >
          <div class="timeline-canvas" style={{ width: `${TITLE_PX + axis.width + BEHIND_PX}px` }}>
            <div class="timeline-head">
              <div class="lane-title">{countOf(moments.length, 'step')}</div>
              <div class="lane-track">
                <Ruler {...{ axis, ticks, window }} onToggleGap={toggleGap} />
                <SegmentStrip
                  {...{ rows, window }}
                  talksOf={counts.value.talksOfSegment}
                  segments={outline.document.segments}
                  onMark={(from, to) => mark({ from, to })}
                />
              </div>
            </div>
            <div
              class="timeline-lanes"
              role="listbox"
              tabIndex={0}
              aria-label={`Steps of ${stream} by time`}
              aria-activedescendant={picked && clipId(id, picked)}
              onKeyDown={keys.onKeyDown}
            >
              <Bands {...{ axis, ticks, window }} />
              {range === undefined ? null : (
                <div
                  class="timeline-range"
                  style={{
                    left: `${axis.xOf(range.from)}px`,
                    width: `${axis.xOf(range.to) - axis.xOf(range.from)}px`,
                  }}
                />
              )}
              <Lanes
                {...{ id, layout, selection, selected, fades, window, onSelect }}
                onOpenStreams={openStreams}
              />
            </div>
          </div>
        </div>
        <Dives {...{ started, onOpenStream }} />
        {summary === undefined ? null : <RangeCard summary={summary} onClose={() => mark(undefined)} />}
      </div>
    </section>
  );
}
