import type { ListedState } from '../model/conversations.js';
import { CheckIcon, WarningIcon } from './icons.js';

/** How much each state is worth, and what it means, in words that do not depend on a colour. */
const STATES: Readonly<Record<ListedState, { class: string; words: string; means: string }>> = {
  verified: {
    class: 'good',
    words: 'verified',
    means: 'Every digest matches: nothing is missing and nothing was altered.',
  },
  incomplete: {
    class: 'warn',
    words: 'incomplete',
    means: 'A round or a landed file is missing, or the chain could not be followed to its end.',
  },
  mismatch: { class: 'bad', words: 'mismatch', means: 'A digest does not match: something was altered.' },
  gap: { class: 'warn', words: 'gap', means: 'A round is missing from the chain.' },
  unreadable: { class: 'bad', words: 'unreadable', means: 'The last round does not read.' },
  not_checked: {
    class: '',
    words: 'not checked',
    means: 'Nobody has checked its digests yet. Opening it does.',
  },
};

/** Whether what is shown can be trusted. `hint` says more when pointed at. */
export function StateBadge({ state, hint = '' }: { readonly state: ListedState; readonly hint?: string }) {
  // A document may say any word, also one that every object knows.
  const known = Object.hasOwn(STATES, state) ? STATES[state] : { class: 'warn', words: state, means: '' };
  const { class: colour, words, means } = known;
  return (
    <span class={`badge ${colour}`} title={[means, hint].filter((text) => text !== '').join('\n')}>
      {colour === 'good' ? <CheckIcon /> : colour === '' ? null : <WarningIcon />}
      {words}
    </span>
  );
}
