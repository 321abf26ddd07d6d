/** Below the transcript: the stream in view on a time axis, and how full its context was. */
import type { Dock as Name } from '../model/place.js';
import { Tabs } from '../shared/tabs.js';
import { ContextCurve } from './context-curve.js';
import { goTo, openStream, showDock } from './moves.js';
import { dock, following, outline, selected, stream } from './state.js';
import { Timeline } from './timeline.js';

const TABS: readonly (readonly [Name, string])[] = [
  ['timeline', 'Timeline'],
  ['context', 'Context fill'],
];

export function Dock() {
  return (
    <section class="dock" aria-label="Over time">
      <Tabs
        label="Over time"
        tabs={TABS}
        now={dock.value === 'closed' ? undefined : dock.value}
        prefix="dock"
        controls="docked"
        onPick={(name) => showDock(dock.value === name ? 'closed' : name)}
      />
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
