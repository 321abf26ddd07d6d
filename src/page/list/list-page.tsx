import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ORDERS, type Order } from '../model/conversations.js';
import { LIST_KEYS } from '../model/key-words.js';
import { countOf, countText } from '../model/quantity-text.js';
import { ClockSwitch } from '../shared/clock-switch.js';
import { SearchIcon } from '../shared/icons.js';
import { HelpButton, KeysHelp } from '../shared/keys-help.js';
import { ThemeSwitch } from '../shared/theme-switch.js';
import { ConversationTable } from './conversation-table.js';
import { listenToKeys } from './keys.js';
import {
  conversations,
  failure,
  follow,
  keepInAddress,
  load,
  mostDrawn,
  order,
  searched,
  shown,
  totals,
  words,
} from './list-state.js';
import { RefreshLine } from './refresh-line.js';
import { SearchResults } from './search-results.js';
import { followStatus } from './server-status.js';
import { searchFor } from './text-search.js';

const HELP = [['Keys', LIST_KEYS]] as const;

/** The conversations there are, those with the words in their names, or what was found in their texts. */
export function ListPage() {
  useEffect(follow, []);
  useEffect(() => followStatus(() => void load()), []);
  useEffect(() => void searchFor(searched.value), [searched.value]);
  // Before anything can be clicked that leads away from here.
  useLayoutEffect(keepInAddress, [words.value, order.value, searched.value]);
  return (
    <>
      <header class="top">
        <img src="/logo.svg" alt="" width="24" height="24" />
        <h1>Conversations</h1>
        <Totals />
        <RefreshLine />
        <HelpButton />
        <ClockSwitch />
        <ThemeSwitch />
      </header>
      <main>
        <Toolbar />
        {failure.value === '' ? null : (
          <p role="alert" class="failure">
            The list could not be read: {failure.value}{' '}
            <button type="button" onClick={() => void load()}>
              Try again
            </button>
          </p>
        )}
        {searched.value === '' ? <List /> : <SearchResults words={searched.value} onClose={closeSearch} />}
      </main>
      <footer class="keys muted" aria-hidden="true">
        <kbd>/</kbd> filter <kbd>Enter</kbd> search the texts <kbd>j</kbd> <kbd>k</kbd> next, previous{' '}
        <kbd>Enter</kbd> open <kbd>?</kbd> all keys
      </footer>
      <KeysHelp tables={HELP} />
    </>
  );
}

function closeSearch(): void {
  searched.value = '';
}

function Totals() {
  if (conversations.value === undefined) return null;
  const { conversations: count, talks, steps, isAtLeast } = totals.value;
  const least = isAtLeast ? 'at least ' : '';
  return (
    <p class="totals muted number">
      {countOf(count, 'conversation')} · {least}
      {countOf(talks, 'talk')} · {least}
      {countOf(steps, 'step')}
    </p>
  );
}

const ORDER_WORDS: Readonly<Record<Order, string>> = { recent: 'Recent', largest: 'Largest', name: 'Name' };

function Toolbar() {
  const field = useRef<HTMLInputElement>(null);
  // Not after the first picture: a key that is pressed as soon as there is something to see counts.
  useLayoutEffect(() => listenToKeys(field.current!), []);
  return (
    <search class="tools">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = words.value.trim();
          if (wanted === searched.value) void searchFor(wanted);
          else searched.value = wanted;
        }}
      >
        <input
          ref={field}
          type="search"
          aria-label="Filter by title or id; Enter searches the texts"
          placeholder="Filter by title or id"
          value={words.value}
          onInput={({ currentTarget }) => {
            words.value = currentTarget.value;
          }}
        />
        <button type="submit" disabled={words.value.trim() === ''}>
          <SearchIcon /> Search the texts
        </button>
      </form>
      <fieldset class="orders" hidden={searched.value !== ''}>
        <legend class="unseen">Order</legend>
        {ORDERS.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={order.value === name}
            onClick={() => {
              order.value = name;
            }}
          >
            {ORDER_WORDS[name]}
          </button>
        ))}
      </fieldset>
      <p class="muted number" role="status">
        <ShownCount />
      </p>
    </search>
  );
}

function ShownCount() {
  const all = conversations.value?.length;
  if (all === undefined || searched.value !== '') return null;
  const some = shown.value.length;
  return <>{some === all ? `${countText(some)} shown` : `${countText(some)} of ${countText(all)}`}</>;
}

function drawAll(): void {
  mostDrawn.value = Number.POSITIVE_INFINITY;
}

function List() {
  if (conversations.value === undefined) {
    return failure.value === '' ? <p class="empty muted">Reading the list…</p> : null;
  }
  if (conversations.value.length === 0)
    return (
      <p class="empty">
        Nothing assembled yet. Run <code>asz collect</code>, then <code>asz parse</code>.
      </p>
    );
  if (shown.value.length === 0) return <p class="empty">No conversation matches that filter.</p>;
  const rows = shown.value.slice(0, mostDrawn.value);
  const more = shown.value.length - rows.length;
  return (
    <>
      <ConversationTable rows={rows} />
      {more === 0 ? null : (
        <p class="more">
          <button type="button" onClick={drawAll}>
            Show {countOf(more, 'more conversation')}
          </button>
        </p>
      )}
    </>
  );
}
