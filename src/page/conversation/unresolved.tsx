/** What the evidence leaves open, with the reason; and what was open once. */
import type { Unresolved } from '../../format/view-document.js';
import { isKnown } from '../model/inspect.js';
import { countOf } from '../model/quantity-text.js';
import { type Column, Table } from '../shared/table.js';
import { goTo } from './moves.js';
import { outline } from './state.js';

export function UnresolvedEntries() {
  const { unresolved } = outline.value.document;
  const states = Map.groupBy(unresolved, ({ state }) => state);
  return (
    <div class="panel-page">
      <h2>Unresolved</h2>
      <p class="muted">
        Where the evidence does not say, nothing is guessed: it is written down here, and a later round may
        resolve it, or none ever will: “not yet” is what a round knew when it was written.
      </p>
      {unresolved.length === 0 ? <p>Nothing was left unresolved.</p> : null}
      {[...states].map(([state, entries]) => (
        <section key={state}>
          <h3>
            {state} <span class="muted">{countOf(entries.length, 'entry', 'entries')}</span>
          </h3>
          <Table columns={COLUMNS} rows={entries} keyOf={({ id }, i) => `${i}:${id}`} />
        </section>
      ))}
    </div>
  );
}

const COLUMNS: readonly Column<Unresolved>[] = [
  { head: 'kind', cell: ({ id, kind }) => <code title={id}>{kind}</code> },
  { head: 'reason', cell: ({ reason }) => reason },
  { head: 'about', cell: (entry) => <About entry={entry} /> },
];

/** The reference is a name in the agent's own words; a tool's is also the name of its step. */
function About({ entry: { ref } }: { readonly entry: Unresolved }) {
  const step = `tool/${ref}`;
  return isKnown(outline.value, step) ? (
    <button type="button" class="link-button" onClick={() => goTo(step)}>
      {ref}
    </button>
  ) : (
    <code>{ref}</code>
  );
}
