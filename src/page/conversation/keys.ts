/** The keyboard: what each key does, as one table that the help shows too. */
import { signal } from '@preact/signals';
import { lookFor, stopFinding } from './finding.js';
import { diveIn, failureBy, inputBy, relationBy, select, stepBy } from './moves.js';
import { findWords, selected } from './state.js';

export const helpShown = signal(false);

interface Key {
  /** As `KeyboardEvent.key` says it. */
  readonly key: string;
  readonly does: string;
  readonly do: () => void;
}

export const KEYS: readonly Key[] = [
  { key: 'j', does: 'next step', do: () => stepBy(1) },
  { key: 'k', does: 'previous step', do: () => stepBy(-1) },
  { key: 'J', does: 'next input', do: () => inputBy(1) },
  { key: 'K', does: 'previous input', do: () => inputBy(-1) },
  { key: 'f', does: 'next failure', do: () => failureBy(1) },
  { key: 'F', does: 'previous failure', do: () => failureBy(-1) },
  { key: ']', does: 'along a relation that leads from here', do: () => relationBy('out') },
  { key: '[', does: 'back along a relation that leads here', do: () => relationBy('in') },
  { key: 'Enter', does: 'into the child that the selected step started', do: diveIn },
  { key: '/', does: 'find in the whole conversation; also Ctrl-F', do: () => lookFor(findWords.value ?? '') },
  { key: 'Escape', does: 'clear: help, find, then the selection', do: clear },
  {
    key: '?',
    does: 'these keys',
    do: () => {
      helpShown.value = !helpShown.value;
    },
  },
];

const BY_KEY = new Map(KEYS.map((key) => [key.key, key]));

function clear(): void {
  if (helpShown.value) helpShown.value = false;
  else if (findWords.value !== undefined) stopFinding();
  else if (selected.value !== null) select(null);
}

/** Elements that keys are typed into or that Enter presses. */
const TYPED_INTO = 'input, select, textarea, [contenteditable]';
const PRESSED = 'button, a, summary, [role="separator"]';

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'f') {
      event.preventDefault();
      lookFor(findWords.value ?? '');
      focusFind();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches(TYPED_INTO) && event.key !== 'Escape') return;
    if (event.key === 'Enter' && target.matches(PRESSED)) return;
    const key = BY_KEY.get(event.key);
    if (key === undefined) return;
    event.preventDefault();
    key.do();
    if (key.key === '/') focusFind();
  });
}

/** The field appears with the words; then it is the one for typing. */
function focusFind(): void {
  requestAnimationFrame(() => {
    const field = document.getElementById('find');
    if (field instanceof HTMLInputElement) field.select();
  });
}
