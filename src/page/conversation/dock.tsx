/** Below the transcript: the stream in view on a time axis, and how full its context was. */
import { ContextCurve } from './context-curve.js';
import { goTo, openStream } from './moves.js';
import { dock, following, type Dock as Name, outline, selected, stream } from './state.js';
import { Timeline } from './timeline.js';

const TABS: readonly (readonly [Name, string])[] = [
  ['timeline', 'Timeline'],
  ['context', 'Context fill'],
];

export function Dock() {
  return (
    <section class="dock" aria-label="Over time">
      <div class="tabs" role="tablist" aria-label="Over time">
        {TABS.map(([name, words]) => (
          <button
            type="button"
            role="tab"
            key={name}
            id={`dock-${name}`}
            aria-selected={dock.value === name}
            aria-controls="docked"
            onClick={() => {
              dock.value = dock.value === name ? 'closed' : name;
            }}
          >
            {words}
          </button>
        ))}
      </div>
      {dock.value === 'closed' ? null : (
        <div class="docked" id="docked" role="tabpanel" aria-labelledby={`dock-${dock.value}`}>
          <Docked />
        </div>
      )}
    </section>
  );
}

function Docked() {
  const shown = { outline: outline.value, stream: stream.value, selected: selected.value, onSelect: goTo };
  return dock.value === 'timeline' ? (
    <Timeline {...shown} onOpenStream={openStream} follows={following.value} />
  ) : (
    <ContextCurve {...shown} />
  );
}
