import { helpShown, KEYS } from './keys.js';

export function KeysHelp() {
  if (!helpShown.value) return null;
  return (
    <section class="keys-help" role="dialog" aria-label="Keys">
      <h2>Keys</h2>
      <dl>
        {KEYS.map(({ key, does }) => (
          <div key={key}>
            <dt>
              {key === key.toUpperCase() && /^[A-Z]$/.test(key) ? <kbd>Shift</kbd> : null} <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">
        The bars between panels move with the arrow keys, faster with Shift; Home puts them back.
      </p>
      <button
        type="button"
        onClick={() => {
          helpShown.value = false;
        }}
      >
        Close
      </button>
    </section>
  );
}
