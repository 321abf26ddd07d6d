import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Stream } from '../../format/view-document.js';
import { contextFill, type FillPoint } from '../model/context-fill.js';
import { fillCurve } from '../model/fill-curve.js';
import { resetReason } from '../model/kind-words.js';
import { momentsOf } from '../model/moments.js';
import type { Outline } from '../model/outline.js';
import { countOf, countText } from '../model/quantity-text.js';
import { timeAxis } from '../model/time-axis.js';
import { utcText } from '../model/time-text.js';
import { tokensOf } from '../model/usage.js';
import { clockText } from '../shared/clock.js';
import {
  BOTTOM_PX,
  Dot,
  LEFT_PX,
  Pauses,
  Peak,
  Resets,
  RIGHT_PX,
  Scale,
  stairs,
  Times,
  TOP_PX,
} from './curve-drawing.js';

export interface ContextCurveProps {
  readonly outline: Outline;
  /** By name. */
  readonly stream: string;
  /** A node by its id. */
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
}

/** How full the context of a stream was at each call to the model, over time; resets and the peak are marked. */
export function ContextCurve({ outline, stream, selected, onSelect }: ContextCurveProps) {
  const moments = useMemo(() => momentsOf(outline.stepsOf(stream)), [outline, stream]);
  const fill = useMemo(() => contextFill(moments), [moments]);
  const [box, frame] = useSize();
  const width = Math.max(120, box.width - LEFT_PX - RIGHT_PX);
  const height = Math.max(60, box.height - TOP_PX - BOTTOM_PX);
  const axis = useMemo(() => {
    const times = moments.map(({ at }) => at);
    return timeAxis(times, width, new Set());
  }, [moments, width]);
  const curve = useMemo(() => fillCurve(fill, axis, width, height), [fill, axis, width, height]);
  const [pointed, setPointed] = useState<FillPoint | undefined>(undefined);
  const now = fill.points.findIndex(({ node }) => node.id === selected);
  const shown = pointed ?? fill.points[now];
  const pointAt = (event: PointerEvent | MouseEvent) =>
    curve.nearest(event.clientX - frame.current!.getBoundingClientRect().left - LEFT_PX);
  const go = (index: number) => {
    const point = fill.points[Math.min(fill.points.length - 1, Math.max(0, index))];
    if (point !== undefined) onSelect(point.node.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ...{ ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1 },
      ...{ PageDown: now - 10, PageUp: now + 10, Home: 0, End: fill.points.length - 1 },
    };
    if (!Object.hasOwn(moves, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    go(moves[event.key]!);
  };
  return (
    <section class="context-curve" aria-label={`Context fill of ${stream}`}>
      <p class="curve-words number">
        {wordsOf(fill, outline.streams.get(stream))}
        {shown === undefined ? null : (
          <span class="curve-now" title={utcText(shown.at)}>
            {' '}
            {pointText(shown)}
          </span>
        )}
      </p>
      <div
        ref={frame}
        class="curve-frame"
        role="slider"
        tabIndex={0}
        aria-label="Calls by time"
        aria-valuemin={0}
        aria-valuemax={fill.points.length}
        aria-valuenow={now + 1}
        aria-valuetext={now === -1 ? 'no call selected' : pointText(fill.points[now]!)}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => setPointed(pointAt(event))}
        onPointerLeave={() => setPointed(undefined)}
        onClick={(event) => {
          const point = pointAt(event);
          if (point !== undefined) onSelect(point.node.id);
        }}
      >
        {box.width === 0 ? null : (
          <svg width={box.width} height={box.height} aria-hidden="true">
            <g transform={`translate(${LEFT_PX} ${TOP_PX})`}>
              <Pauses axis={axis} width={width} height={height} />
              <Scale top={curve.top} width={width} height={height} />
              <Times axis={axis} width={width} height={height} />
              {curve.lines.map((line) => (
                <g key={line.points[0]!.x}>
                  <path class="curve-area" d={`${stairs(line)}V${height}H${line.points[0]!.x}Z`} />
                  <path class="curve-line" d={stairs(line)} />
                </g>
              ))}
              <Resets curve={curve} width={width} height={height} />
              {fill.peak === undefined ? null : <Peak peak={fill.peak} curve={curve} width={width} />}
              {shown === undefined ? null : <Dot place={curve.placeOf(shown)} height={height} />}
            </g>
          </svg>
        )}
      </div>
    </section>
  );
}

function wordsOf(
  { points, resets, peak, unknown }: ReturnType<typeof contextFill>,
  stream: Stream | undefined,
): string {
  const who = stream === undefined || stream.label === '' ? '' : `${stream.label}: `;
  if (peak === undefined)
    return `${who}No call here states its usage${unknown > 0 ? ` (${countOf(unknown, 'call')} unknown)` : ''}.`;
  const reasons = resets.map(({ node }) => {
    const { trigger, before } = resetReason(node);
    const words = [trigger, before === undefined ? undefined : `at ${countText(before)} tokens`];
    return words.filter((word) => word !== undefined).join(' ');
  });
  const [reason] = reasons;
  return [
    `${who}Peak ${countText(peak.fill)} tokens`,
    countOf(points.length, 'call'),
    ...(unknown > 0 ? [`${countText(unknown)} unknown`] : []),
    resets.length === 0
      ? 'never reset'
      : countOf(resets.length, 'reset') + (reason && resets.length === 1 ? ` (${reason})` : ''),
  ].join(' · ');
}

function pointText({ node, fill, at, isObserved }: FillPoint): string {
  const { in: input, cacheRead, cacheWrite } = tokensOf(node);
  const when = isObserved ? clockText(at) : 'time unavailable';
  return `${countText(fill)} tokens: ${countText(input)} in, ${countText(cacheRead)} cache read, ${countText(cacheWrite)} cache write · ${when}`;
}

function useSize() {
  const frame = useRef<HTMLDivElement>(null);
  const [box, setBox] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const measure = () => setBox({ width: frame.current!.clientWidth, height: frame.current!.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  return [box, frame] as const;
}
