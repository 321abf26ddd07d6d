import type { DiffLine } from '../model/line-diff.js';
import { countText } from '../model/quantity-text.js';
import { FindMarked } from './find-marked.js';
import { setOpen } from './moves.js';
import { opened } from './state.js';

interface DiffLinesProps {
  readonly id: string;
  readonly lines: readonly DiffLine[];
}

/** Shown at first; a rewritten file has thousands. */
const FIRST_LINES = 40;
const MOST_UNITS_A_LINE = 2000;

const CLASSES = { ' ': 'kept', '-': 'removed', '+': 'added' } as const;

export function DiffLines({ id, lines }: DiffLinesProps) {
  const key = `diff:${id}`;
  const isOpen = opened.value.get(key) ?? false;
  const shown = isOpen ? lines : lines.slice(0, FIRST_LINES);
  return (
    <div class="diff">
      {shown.map(({ mark, text }, i) => (
        <div key={i} class={CLASSES[mark]}>
          <span class="mark" aria-hidden="true">
            {mark}
          </span>
          {mark === ' ' ? null : <span class="unseen">{CLASSES[mark]}: </span>}
          <FindMarked
            text={text.length > MOST_UNITS_A_LINE ? `${text.slice(0, MOST_UNITS_A_LINE)}…` : text}
          />
        </div>
      ))}
      {lines.length > FIRST_LINES ? (
        <button
          type="button"
          class="quiet-button"
          aria-expanded={isOpen}
          onClick={() => setOpen(key, !isOpen)}
        >
          {isOpen ? 'Show less' : `Show all ${countText(lines.length)} lines`}
        </button>
      ) : null}
    </div>
  );
}
