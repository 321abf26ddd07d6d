import type { ReadonlySignal } from '@preact/signals';
import type { Ms } from '../../format/view-document.js';
import type { TimeAxis } from '../model/time-axis.js';
import { spansIn } from '../model/time-axis.js';
import { spanText, utcText } from '../model/time-text.js';
import { type Tick, ticksIn } from '../model/time-ticks.js';
import { clockText, dayText, otherClockText } from '../shared/clock.js';
import type { Window } from './scrolled-view.js';

/** Times along the top, and the pauses between: each a button that draws it as long as it was, or short again. */
export function Ruler(props: {
  readonly axis: TimeAxis;
  readonly ticks: readonly Tick[];
  readonly window: ReadonlySignal<Window>;
  readonly onToggleGap: (from: Ms) => void;
}) {
  const { axis, ticks, onToggleGap } = props;
  const window = props.window.value;
  return (
    <div class="timeline-ruler">
      {ticksIn(ticks, window.from, window.to)
        .filter(({ isLabelled }) => isLabelled)
        .map(({ x, at, isNewDay }) => (
          <span key={x} class="tick-label" style={{ left: `${x}px` }} title={otherClockText(at)}>
            {at % 60_000 === 0 ? clockText(at).slice(0, 5) : clockText(at)}
            {isNewDay ? <span class="tick-day">{dayText(at)}</span> : null}
          </span>
        ))}
      {spansIn(axis, window.from, window.to)
        .filter(({ kind }) => kind === 'pause')
        .map(({ from, to, left, width, isOpen }) => (
          <button
            key={from}
            type="button"
            class="gap-button"
            style={{ left: `${left}px`, width: isOpen ? undefined : `${width}px` }}
            aria-expanded={isOpen}
            aria-label={`${spanText(to - from)} quiet from ${clockText(from)} to ${clockText(to)}`}
            title={`${spanText(to - from)} quiet, ${utcText(from)} to ${utcText(to)}. ${isOpen ? 'Close' : 'Open'} it.`}
            onClick={() => onToggleGap(from)}
          >
            {isOpen ? `close ${spanText(to - from)}` : spanText(to - from)}
          </button>
        ))}
    </div>
  );
}

/** Behind the lanes: the stretches of activity in turn light and dark, the pauses hatched, a line for each mark. */
export function Bands(props: {
  readonly axis: TimeAxis;
  readonly ticks: readonly Tick[];
  readonly window: ReadonlySignal<Window>;
}) {
  const { axis, ticks } = props;
  const window = props.window.value;
  return (
    <div class="timeline-bands" aria-hidden="true">
      {spansIn(axis, window.from, window.to).map(({ index, kind, isOpen, left, width }) => (
        <div
          key={index}
          class={
            kind === 'pause' ? `band quiet ${isOpen ? 'open' : ''}` : `band ${index % 4 === 0 ? '' : 'other'}`
          }
          style={{ left: `${left}px`, width: `${width}px` }}
        />
      ))}
      {ticksIn(ticks, window.from, window.to).map(({ x }) => (
        <div key={x} class="tick" style={{ left: `${x}px` }} />
      ))}
    </div>
  );
}
