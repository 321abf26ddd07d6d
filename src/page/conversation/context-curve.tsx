import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Stream } from '../../format/view-document.js';
import { contextFill, type FillPoint } from '../model/context-fill.js';
import { type CurveLine, type CurvePoint, type FillCurve, fillCurve } from '../model/fill-curve.js';
import { resetReason } from '../model/kind-words.js';
import { momentsOf } from '../model/moments.js';
import type { Outline } from '../model/outline.js';
import { countOf, countText } from '../model/quantity-text.js';
import { type TimeAxis, timeAxis } from '../model/time-axis.js';
import { spanText, utcText } from '../model/time-text.js';
import { ticksOf } from '../model/time-ticks.js';
import { tokensOf } from '../model/usage.js';
import { clockOffset, clockText } from '../shared/clock.js';

const LEFT_PX = 56;
const RIGHT_PX = 16;
const TOP_PX = 18;
const BOTTOM_PX = 20;
const LEAST_LABEL_PX = 92;
/** Labels of resets are at least so far apart. */
const LEAST_RESET_PX = 44;
/** Narrower pauses are only noise behind the curve. */
const LEAST_PAUSE_PX = 12;

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

function stairs({ points: [first, ...rest], until }: CurveLine): string {
  return `M${first!.x} ${first!.y}${rest.map(({ x, y }) => `H${x}V${y}`).join('')}H${until}`;
}

function Pauses({ axis, width, height }: { axis: TimeAxis; width: number; height: number }) {
  const scale = width / axis.width;
  const pauses = axis.spans.filter((span) => span.kind === 'pause' && span.width * scale >= LEAST_PAUSE_PX);
  return (
    <>
      <defs>
        <pattern
          id="curve-quiet"
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <path class="curve-hatch" d="M0 0V6" />
        </pattern>
      </defs>
      {pauses.map(({ from, to, left, width }) => (
        <g key={from}>
          <rect x={left * scale} y={0} width={width * scale} height={height} fill="url(#curve-quiet)" />
          {width * scale < 40 ? null : (
            <text class="curve-label middle" x={(left + width / 2) * scale} y={height - 4}>
              {spanText(to - from)}
            </text>
          )}
        </g>
      ))}
    </>
  );
}

function Scale({ top, width, height }: { top: number; width: number; height: number }) {
  return (
    <>
      {[0, 0.5, 1].map((part) => (
        <g key={part}>
          <path class="curve-grid" d={`M0 ${height * (1 - part)}H${width}`} />
          <text class="curve-label end" x={-6} y={height * (1 - part) + 4}>
            {shortText(part * top)}
          </text>
        </g>
      ))}
    </>
  );
}

/** `0`, `500`, `25k`, `1M`: the scale has round numbers only. */
function shortText(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1e6 ? `${tokens / 1000}k` : `${tokens / 1e6}M`;
}

function Times({ axis, width, height }: { axis: TimeAxis; width: number; height: number }) {
  const scale = width / axis.width;
  let last = Number.NEGATIVE_INFINITY;
  const shown = ticksOf(axis, clockOffset()).filter(({ x, isLabelled }) => {
    const isFar = isLabelled && x * scale - last >= LEAST_LABEL_PX && x * scale <= width - LEAST_LABEL_PX / 2;
    if (isFar) last = x * scale;
    return isFar;
  });
  return (
    <>
      {shown.map(({ x, at }) => (
        <g key={x}>
          <title>{utcText(at)}</title>
          <path class="curve-tick" d={`M${x * scale} ${height}v4`} />
          <text class="curve-label" x={x * scale} y={height + 15}>
            {clockText(at)}
          </text>
        </g>
      ))}
    </>
  );
}

function Resets({ curve, width, height }: { curve: FillCurve; width: number; height: number }) {
  let last = Number.NEGATIVE_INFINITY;
  return (
    <>
      {curve.resets.map((x) => {
        const isLast = x > width - LEAST_RESET_PX;
        // The last one's label stands before it.
        const isLabelled = x - last >= LEAST_RESET_PX * (isLast ? 2 : 1);
        if (isLabelled) last = x;
        return (
          <g key={x}>
            <path class="curve-reset" d={`M${x} ${-TOP_PX + 4}V${height}`} />
            {isLabelled ? (
              <text class={`curve-label reset ${isLast ? 'end' : ''}`} x={isLast ? x - 4 : x + 4} y={-6}>
                reset
              </text>
            ) : null}
          </g>
        );
      })}
    </>
  );
}

function Peak({ peak, curve, width }: { peak: FillPoint; curve: FillCurve; width: number }) {
  const { x, y } = curve.placeOf(peak);
  const isLeft = x > width - 120;
  return (
    <g>
      <circle class="curve-peak" cx={x} cy={y} r={3.5} />
      <text class={`curve-label peak ${isLeft ? 'end' : ''}`} x={isLeft ? x - 5 : x + 5} y={y - 6}>
        peak {countText(peak.fill)}
      </text>
    </g>
  );
}

function Dot({ place: { x, y }, height }: { place: CurvePoint; height: number }) {
  return (
    <g>
      <path class="curve-hair" d={`M${x} 0V${height}`} />
      <circle class="curve-dot" cx={x} cy={y} r={4} />
    </g>
  );
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
