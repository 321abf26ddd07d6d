/** Below the transcript: the stream in view on a time axis, and how full its context was. */
import { dock, type Dock as Name } from './state.js';

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
        <div class="docked" id="docked" role="tabpanel" aria-labelledby={`dock-${dock.value}`} />
      )}
    </section>
  );
}
