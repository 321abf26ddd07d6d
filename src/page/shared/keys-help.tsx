/** The keys, listed in a dialog that takes the focus and gives it back. */
import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { KeyWords } from '../model/key-words.js';

export const helpShown = signal(false);

interface KeysHelpProps {
  readonly tables: readonly (readonly [title: string, keys: readonly KeyWords[]])[];
}

export function KeysHelp({ tables }: KeysHelpProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isShown = helpShown.value;
  // The browser holds the focus inside, and puts it back at the end; a dialog that was taken away could not.
  useLayoutEffect(() => {
    if (isShown) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isShown]);
  return (
    <dialog
      class="keys-help"
      aria-label="Keys"
      ref={dialog}
      onClose={() => {
        helpShown.value = false;
      }}
    >
      {tables.map(([title, keys]) => (
        <section key={title}>
          <h2>{title}</h2>
          <dl>
            {keys.map(({ shown, does }) => (
              <div key={shown}>
                <dt>{withKeys(shown)}</dt>
                <dd>{withKeys(does)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <button
        type="button"
        onClick={() => {
          helpShown.value = false;
        }}
      >
        Close
      </button>
    </dialog>
  );
}

/** What stands between backticks is a key. */
function withKeys(words: string) {
  return words.split('`').map((part, i) => (i % 2 === 1 ? <kbd key={i}>{part}</kbd> : part));
}

export function HelpButton() {
  return (
    <button
      type="button"
      class="bare"
      aria-label="Keys"
      title="Keys ( ? )"
      onClick={() => {
        helpShown.value = true;
      }}
    >
      ?
    </button>
  );
}
