/** What is wrong with the chain, line by line, and with the address one came by. */
import { signal } from '@preact/signals';
import { CrossIcon } from '../shared/icons.js';
import { outline } from './state.js';

/** Opened by the badge; by itself when there are problems and nothing to show. */
export const problemsShown = signal(false);

/** What the address names and the document has not. */
export const lostPlace = signal<string | undefined>(undefined);

/** The lines of whoever checked the chain, as they are. */
export function Problems() {
  const { problems } = outline.value.document.summary;
  const lines = [
    ...(lostPlace.value === undefined ? [] : [lostPlace.value]),
    ...(problemsShown.value ? problems : []),
  ];
  if (lines.length === 0) return null;
  return (
    <section class="problems" role="alert" aria-label="Problems">
      <ul>
        {lines.map((problem, i) => (
          <li key={`${i}:${problem}`}>{problem}</li>
        ))}
      </ul>
      <button
        type="button"
        class="bare"
        aria-label="Close the problems"
        onClick={() => {
          problemsShown.value = false;
          lostPlace.value = undefined;
        }}
      >
        <CrossIcon />
      </button>
    </section>
  );
}
