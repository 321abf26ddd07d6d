/** What is wrong with the chain, line by line. */
import { signal } from '@preact/signals';
import { CrossIcon } from '../shared/icons.js';
import { outline } from './state.js';

/** Opened by the badge; by itself when there are problems and nothing to show. */
export const problemsShown = signal(false);

/** The lines of whoever checked the chain, as they are. */
export function Problems() {
  const { problems } = outline.value.document.summary;
  if (!problemsShown.value || problems.length === 0) return null;
  return (
    <section class="problems" role="alert" aria-label="Problems">
      <ul>
        {problems.map((problem, i) => (
          <li key={`${i}:${problem}`}>{problem}</li>
        ))}
      </ul>
      <button
        type="button"
        class="bare"
        aria-label="Close the problems"
        onClick={() => {
          problemsShown.value = false;
        }}
      >
        <CrossIcon />
      </button>
    </section>
  );
}
