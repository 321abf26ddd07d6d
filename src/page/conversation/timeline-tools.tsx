import type { Stream } from '../../format/view-document.js';
import { LEAST_ZOOM, MOST_ZOOM } from '../model/time-axis.js';
import { ForwardIcon } from '../shared/icons.js';

/** Each press zooms by so much. */
export const ZOOM_BY = 1.25;
/** A call may start forty children; the inspector lists them all. */
const MOST_DIVES = 3;

export interface TimelineToolsProps {
  readonly zoom: number;
  readonly zoomTo: (zoom: number) => void;
  readonly fades: boolean;
  readonly onFade: (fades: boolean) => void;
  readonly onMarkView: () => void;
}

/** What a reader can do with a timeline without a pointer on it. */
export function TimelineTools(props: TimelineToolsProps) {
  const { zoom, zoomTo, fades, onFade, onMarkView } = props;
  return (
    <>
      <span class="zoom">
        <button
          type="button"
          aria-label="Zoom out"
          title="Zoom out (-)"
          disabled={zoom <= LEAST_ZOOM}
          onClick={() => zoomTo(zoom / ZOOM_BY)}
        >
          −
        </button>
        <input
          type="range"
          aria-label="Zoom"
          min={LEAST_ZOOM * 100}
          max={MOST_ZOOM * 100}
          step={1}
          value={Math.round(zoom * 100)}
          aria-valuetext={`${Math.round(zoom * 100)} %`}
          onInput={(event) => zoomTo(Number(event.currentTarget.value) / 100)}
        />
        <button
          type="button"
          aria-label="Zoom in"
          title="Zoom in (+)"
          disabled={zoom >= MOST_ZOOM}
          onClick={() => zoomTo(zoom * ZOOM_BY)}
        >
          +
        </button>
        <button type="button" class="zoom-now number" title="Back to 100 % (0)" onClick={() => zoomTo(1)}>
          {Math.round(zoom * 100)} %
        </button>
      </span>
      <button
        type="button"
        aria-pressed={fades}
        title="Dim what does not touch the selected step"
        onClick={() => onFade(!fades)}
      >
        Fade unrelated
      </button>
      <button
        type="button"
        title="Counts, tokens and times of what is in view; or drag over the lanes"
        onClick={onMarkView}
      >
        Sum up the view
      </button>
    </>
  );
}

/** Ways into the child agents that the selected step started. */
export function Dives(props: {
  readonly started: readonly Stream[];
  readonly onOpenStream: (name: string) => void;
}) {
  const { started, onOpenStream } = props;
  if (started.length === 0) return null;
  return (
    <div class="timeline-dives">
      {started.slice(0, MOST_DIVES).map(({ name, label }) => (
        <button
          key={name}
          type="button"
          class="dive"
          title="Open its stream"
          onClick={() => onOpenStream(name)}
        >
          Dive in: <span class="dive-name">{label || name}</span> <ForwardIcon />
        </button>
      ))}
      {started.length > MOST_DIVES ? (
        <span class="muted">and {started.length - MOST_DIVES} more, in the inspector</span>
      ) : null}
    </div>
  );
}
