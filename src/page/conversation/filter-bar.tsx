import { computed } from '@preact/signals';
import { EVERYTHING, isFailure, PRESETS, picksOut, presetOf, showsKind, withKind } from '../model/filters.js';
import { countText } from '../model/quantity-text.js';
import { failureBy, foldAll } from './moves.js';
import { filter, opened, outline, stream } from './state.js';

const steps = computed(() => outline.value.stepsOf(stream.value));

const kinds = computed(() => {
  const counts = new Map<string, number>();
  for (const { kind } of steps.value) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
});

const failures = computed(() => steps.value.filter(isFailure).length);

/** Which steps of the stream are shown, and whether talks are laid open. */
export function FilterBar() {
  const now = presetOf(filter.value);
  return (
    <div class="filter-bar" role="toolbar" aria-label="What is shown">
      {PRESETS.map(({ name, label, filter: preset }) => (
        <button
          type="button"
          key={name}
          aria-pressed={now === name}
          onClick={() => {
            filter.value = preset;
          }}
        >
          {label}
          {name === 'failures' ? <span class="number">{countText(failures.value)}</span> : null}
        </button>
      ))}
      {failures.value === 0 ? null : (
        <button
          type="button"
          class="bare"
          aria-label="next failure"
          title="To the next failure of this stream"
          onClick={() => failureBy(1)}
        >
          ↓
        </button>
      )}
      <details class="kinds-menu">
        <summary aria-label="Filter by kind">{now === undefined ? 'Kinds: some' : 'Kinds'}</summary>
        <div class="menu">
          {kinds.value.map(([kind, number]) => (
            <label key={kind}>
              <input
                type="checkbox"
                checked={showsKind(filter.value, kind)}
                onChange={(event) => {
                  filter.value = withKind(filter.value, kind, event.currentTarget.checked);
                }}
              />
              <code>{kind}</code>
              <span class="muted number">{countText(number)}</span>
              <button
                type="button"
                class="quiet-button"
                onClick={() => {
                  filter.value = { ...EVERYTHING, only: new Set([kind]) };
                }}
              >
                only
              </button>
            </label>
          ))}
        </div>
      </details>
      {picksOut(filter.value) ? null : <Folds />}
    </div>
  );
}

/** A filter that picks out lays everything open by itself. */
function Folds() {
  return (
    <div class="folds">
      <button
        type="button"
        class="bare"
        aria-label="expand all"
        title="Show what the agent did in every talk"
        onClick={() => foldAll(true)}
      >
        expand
      </button>
      <button
        type="button"
        class="bare"
        aria-label="collapse all"
        title="Only inputs and replies, and every text folded again"
        onClick={() => {
          foldAll(false);
          opened.value = new Map();
        }}
      >
        collapse
      </button>
    </div>
  );
}
