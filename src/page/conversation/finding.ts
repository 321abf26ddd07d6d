/** Find in conversation: the words, the hits, and which of them the reader is at. */
import { batch, computed, signal } from '@preact/signals';
import { FindIndex, hitFrom, NOTHING_FOUND } from '../model/find.js';
import { goTo } from './moves.js';
import { findWords, outline, said, selected } from './state.js';

const index = computed(() => new FindIndex(outline.value));

/** What there is to find, as the words and the document are now. */
export const found = computed(() =>
  findWords.value === undefined ? NOTHING_FOUND : index.value.find(findWords.value),
);

/** The hit the reader is at; -1 before the first. */
export const hitNow = signal(-1);

/** Reads a document for finding while nothing else is to do, so that the first search need not. */
export function readAhead(): void {
  const reading = index.peek();
  const on = () => {
    if (index.peek() === reading && !reading.readOn()) whenIdle(on);
  };
  whenIdle(on);
}

function whenIdle(task: () => void): void {
  // Safari has none.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(task, { timeout: 1000 });
  else setTimeout(task, 16);
}

/** Other words; the reader is at none of their hits yet. */
export function lookFor(words: string): void {
  batch(() => {
    findWords.value = words;
    hitNow.value = -1;
  });
  const { hits, matches } = found.value;
  said.value = hits.length === 0 ? 'Nothing found' : `${matches} found in ${hits.length} places`;
}

export function hitBy(by: 1 | -1): void {
  const { hits } = found.value;
  const at = hits.findIndex(({ id }) => id === selected.value);
  hitNow.value = hitFrom(found.value, at === -1 ? hitNow.value : at, by);
  const hit = hits[hitNow.value];
  if (hit !== undefined) goTo(hit.id);
}

export function stopFinding(): void {
  batch(() => {
    findWords.value = undefined;
    hitNow.value = -1;
  });
}
