import { useLayoutEffect, useRef } from 'preact/hooks';
import { countOf, countText } from '../model/quantity-text.js';
import { CrossIcon, SearchIcon } from '../shared/icons.js';
import { found, hitBy, hitNow, lookFor, stopFinding } from './finding.js';
import { findWords } from './state.js';

/** The field that finds words anywhere in the document, drawn or not. */
export function FindBar() {
  const words = findWords.value;
  const field = useRef<HTMLInputElement>(null);
  const isOpen = words !== undefined;
  const button = useRef<HTMLButtonElement>(null);
  const isFromButton = useRef(false);
  // Before anything is drawn: the field is not yet there to have the focus, and what has it is where it goes back to.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const { activeElement: before } = document;
    field.current?.focus();
    return () => {
      // Elsewhere by now, the reader stays there.
      if (document.activeElement !== document.body) return;
      if (isFromButton.current) button.current?.focus();
      else if (before instanceof HTMLElement) before.focus();
      isFromButton.current = false;
    };
  }, [isOpen]);
  if (words === undefined)
    return (
      <button
        type="button"
        ref={button}
        onClick={() => {
          isFromButton.current = true;
          lookFor('');
        }}
        title="Find in the whole conversation ( / or Ctrl-F )"
      >
        <SearchIcon /> Find
      </button>
    );
  const { hits, matches } = found.value;
  return (
    <search class="find-bar">
      <input
        ref={field}
        type="search"
        id="find"
        aria-label="Find in conversation"
        placeholder="Find in the whole conversation"
        value={words}
        onInput={(event) => lookFor(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') hitBy(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') stopFinding();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span class="muted number" role="status" id="found">
        {words.trim() === ''
          ? ''
          : hits.length === 0
            ? 'nothing'
            : `${hitNow.value < 0 ? '' : `${countText(hitNow.value + 1)} of `}${countOf(hits.length, 'place')} · ${countOf(matches, 'match', 'matches')}`}
      </span>
      <button
        type="button"
        class="bare"
        disabled={hits.length === 0}
        aria-label="Previous hit"
        title="Shift-Enter"
        onClick={() => hitBy(-1)}
      >
        ↑
      </button>
      <button
        type="button"
        class="bare"
        disabled={hits.length === 0}
        aria-label="Next hit"
        title="Enter"
        onClick={() => hitBy(1)}
      >
        ↓
      </button>
      <button type="button" class="bare" aria-label="Stop finding" onClick={stopFinding}>
        <CrossIcon />
      </button>
    </search>
  );
}
