import type { ReadonlySignal } from '@preact/signals';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { ActivityBin } from '../model/activity.js';
import type { TimeAxis } from '../model/time-axis.js';

const HEIGHT = 28;
/** A shorter drag is a press. */
const LEAST_DRAG_PX = 4;

export interface MinimapProps {
  /** The element that it scrolls. */
  readonly controls: string;
  readonly axis: TimeAxis;
  readonly bins: readonly ActivityBin[];
  readonly left: ReadonlySignal<number>;
  readonly width: ReadonlySignal<number>;
  /** Scrolls a place of the axis to the middle of the view. */
  readonly onGoTo: (x: number) => void;
  /** Zooms to a part of the axis. */
  readonly onZoomTo: (from: number, to: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** All of the stream at a glance: press to go there, drag to zoom in. Also the scroll bar of those who use keys. */
export function Minimap({ controls, axis, bins, left, width, onGoTo, onZoomTo, onKeyDown }: MinimapProps) {
  const map = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | undefined>(undefined);
  // Drawn once; only the view over it moves with a scroll.
  const drawing = useMemo(() => <Bars bins={bins} />, [bins]);
  /** A place of the pointer as a part of the axis, from 0 to 1. */
  const partAt = ({ clientX }: PointerEvent) => {
    const box = map.current!.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - box.left) / box.width));
  };
  const part = (px: number) => Math.min(1, px / axis.width);
  const end = () => {
    if (drag === undefined) return;
    const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    setDrag(undefined);
    if ((to - from) * map.current!.clientWidth < LEAST_DRAG_PX) onGoTo(to * axis.width);
    else onZoomTo(from * axis.width, to * axis.width);
  };
  return (
    <div
      ref={map}
      class="minimap"
      role="scrollbar"
      tabIndex={0}
      aria-label="Overview of the stream; drag to zoom in"
      aria-controls={controls}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * part(left.value))}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: partAt(event), to: partAt(event) });
      }}
      onPointerMove={(event) => {
        if (drag !== undefined) setDrag({ ...drag, to: partAt(event) });
      }}
      onPointerUp={end}
      onPointerCancel={() => setDrag(undefined)}
    >
      {drawing}
      <div
        class="minimap-view"
        style={{ left: percent(part(left.value)), width: percent(part(width.value)) }}
      />
      {drag === undefined ? null : (
        <div
          class="minimap-drag"
          style={{
            left: percent(Math.min(drag.from, drag.to)),
            width: percent(Math.abs(drag.to - drag.from)),
          }}
        />
      )}
    </div>
  );
}

function Bars({ bins }: { readonly bins: readonly ActivityBin[] }) {
  const most = bins.reduce((most, { steps }) => Math.max(most, steps), 1);
  return (
    <svg viewBox={`0 0 ${bins.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="minimap-steps" d={bars(bins.map(({ steps }) => Math.sqrt(steps / most)))} />
      <path class="minimap-failed" d={bars(bins.map(({ failed }) => (failed > 0 ? 0.2 : 0)))} />
    </svg>
  );
}

/** Bars side by side, each of a height from 0 to 1, as one path. */
function bars(heights: readonly number[]): string {
  return heights
    .map((height, x) => (height === 0 ? '' : `M${x} ${HEIGHT}v${-height * HEIGHT}h.8V${HEIGHT}Z`))
    .join('');
}

function percent(part: number): string {
  return `${part * 100}%`;
}
