/** The keyboard: what each key does. */
import type { ConversationKey } from '../model/key-words.js';
import { helpShown } from '../shared/keys-help.js';
import { lookFor, stopFinding } from './finding.js';
import { diveIn, relationBack, relationOn } from './leaps.js';
import { failureBy, inputBy, select, stepBy } from './moves.js';
import { findWords, selected } from './state.js';

const DO: Readonly<Record<ConversationKey, () => void>> = {
  j: () => stepBy(1),
  k: () => stepBy(-1),
  J: () => inputBy(1),
  K: () => inputBy(-1),
  f: () => failureBy(1),
  F: () => failureBy(-1),
  ']': relationOn,
  '[': relationBack,
  Enter: diveIn,
  '/': () => {
    lookFor(findWords.value ?? '');
    focusFind();
  },
  Escape: clear,
  '?': () => {
    helpShown.value = true;
  },
};

/** Help is a dialog, and closes by itself. */
function clear(): void {
  if (findWords.value !== undefined) stopFinding();
  else if (selected.value !== null) select(null);
}

/** Elements that keys are typed into or that Enter presses. */
const TYPED_INTO = 'input, select, textarea, [contenteditable]';
const PRESSED = 'button, a, summary, [role="separator"]';
/** The button of the row that is selected has nothing more to do, and stands for its row. */
const OF_SELECTED = '[aria-current="true"] button.kind';

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (helpShown.value) return;
    const target = event.target instanceof Element ? event.target : document.body;
    const { key } = event;
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && key === 'f') {
      event.preventDefault();
      DO['/']();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !isKey(key)) return;
    if (target.matches(TYPED_INTO) && key !== 'Escape') return;
    if (key === 'Enter' && target.closest(PRESSED) !== null && !target.matches(OF_SELECTED)) return;
    event.preventDefault();
    // A key held down goes from step to step, and not from child to child.
    if (key !== 'Enter' || !event.repeat) DO[key]();
  });
}

const isKey = (key: string): key is ConversationKey => Object.hasOwn(DO, key);

/** A field that is there already; one that appears takes the keys itself, before the next is typed. */
function focusFind(): void {
  const field = document.getElementById('find');
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.select();
}
