/** What the context fill is drawn with: its scale and times, pauses, resets, the peak and the call pointed at. */
import type { FillPoint } from '../model/context-fill.js';
import type { CurveLine, CurvePoint, FillCurve } from '../model/fill-curve.js';
import { countText } from '../model/quantity-text.js';
import type { TimeAxis } from '../model/time-axis.js';
import { spanText, utcText } from '../model/time-text.js';
import { ticksOf } from '../model/time-ticks.js';
import { clockOffset, clockText } from '../shared/clock.js';

/** Px around the curve. */
export const LEFT_PX = 56;
export const RIGHT_PX = 16;
export const TOP_PX = 18;
export const BOTTOM_PX = 20;
const LEAST_LABEL_PX = 92;
/** Labels of resets are at least so far apart. */
const LEAST_RESET_PX = 44;
/** Narrower pauses are only noise behind the curve. */
const LEAST_PAUSE_PX = 12;

/** A line that lasts until the next call, as the path of a drawing. */
export function stairs({ points: [first, ...rest], until }: CurveLine): string {
  return `M${first!.x} ${first!.y}${rest.map(({ x, y }) => `H${x}V${y}`).join('')}H${until}`;
}

export function Pauses({ axis, width, height }: { axis: TimeAxis; width: number; height: number }) {
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

export function Scale({ top, width, height }: { top: number; width: number; height: number }) {
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

export function Times({ axis, width, height }: { axis: TimeAxis; width: number; height: number }) {
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

export function Resets({ curve, width, height }: { curve: FillCurve; width: number; height: number }) {
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

export function Peak({ peak, curve, width }: { peak: FillPoint; curve: FillCurve; width: number }) {
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

export function Dot({ place: { x, y }, height }: { place: CurvePoint; height: number }) {
  return (
    <g>
      <path class="curve-hair" d={`M${x} 0V${height}`} />
      <circle class="curve-dot" cx={x} cy={y} r={4} />
    </g>
  );
}
