import type { Panel } from '../model/place.js';
import { countText } from '../model/quantity-text.js';
import { Tabs } from '../shared/tabs.js';
import { goTo, openStream, showPanel } from './moves.js';
import { outline, panel, selected, stream } from './state.js';

/** What fills the middle: the stream in view and the way up from it, or a table over the whole conversation. */
export function PanelTabs() {
  const { document } = outline.value;
  const tabs: readonly (readonly [Panel, string])[] = [
    ['transcript', 'Transcript'],
    ['overview', 'Overview'],
    ['changes', `Changes ${countText(document.workspace_changes.length)}`],
    ['unresolved', `Unresolved ${countText(document.summary.unresolved)}`],
    ['relations', `Relations ${countText(document.relations.length)}`],
    ['proof', 'Rounds and files'],
  ];
  return (
    <div class="panel-head">
      <Tabs label="Views" tabs={tabs} now={panel.value} prefix="view" controls="view" onPick={showPanel} />
      <StreamPath />
    </div>
  );
}

/** Streams above each other are a document's word; a circle ends where it began. */
const MOST_LEVELS = 50;

function StreamPath() {
  const above = [];
  const seen = new Set<string>();
  for (let at = outline.value.streams.get(stream.value); at !== undefined && above.length < MOST_LEVELS; ) {
    if (seen.has(at.name)) break;
    seen.add(at.name);
    above.unshift(at);
    at = outline.value.streams.get(at.parent);
  }
  if (above.length < 2) return null;
  const origin = above.at(-1)!.opened_by[0]?.step;
  return (
    <nav class="stream-path" aria-label="Streams above this one">
      {above.map(({ name, label }, i) => (
        <span key={name}>
          {i === 0 ? null : <span class="muted"> › </span>}
          {i === above.length - 1 ? (
            <strong>{label || name}</strong>
          ) : (
            <button type="button" class="link-button" onClick={() => openStream(name)}>
              {label || name}
            </button>
          )}
        </span>
      ))}
      {origin === undefined || selected.value === origin ? null : (
        <button
          type="button"
          class="way"
          title="To the step that opened this stream"
          onClick={() => goTo(origin)}
        >
          ↰ back
        </button>
      )}
    </nav>
  );
}
