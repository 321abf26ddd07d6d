/** A text of a step: its beginning, the rest behind a button, and what the document itself does not carry. */
import type { Ref } from '../../format/view-document.js';
import { clippedAt, excerptOf, MOST_UNITS } from '../model/clipped.js';
import { patternOf } from '../model/marks.js';
import { countOf, countText } from '../model/quantity-text.js';
import { CopyButton } from '../shared/copy-button.js';
import { FindMarked } from './find-marked.js';
import { LandedRecord } from './landed-record.js';
import { setOpen } from './moves.js';
import { findWords, opened } from './state.js';

interface TextBlockProps {
  /** Tells this text from others, for remembering whether it is open. */
  readonly id: string;
  readonly text: string;
  /** The text of the document that it was taken out of, where it is another one. */
  readonly source?: string | undefined;
  /** What it is: decides how much is shown at first. */
  readonly kind: string;
  readonly bytes?: number | undefined;
  /** The record that holds the whole. */
  readonly cited?: Ref | undefined;
  readonly mono?: boolean;
  readonly copied: string;
}

export function TextBlock(props: TextBlockProps) {
  const { id, text, source = text, kind, bytes, cited, mono = false, copied } = props;
  const key = `text:${id}`;
  const words = findWords.value;
  const byHand = opened.value.get(key);
  const first = excerptOf(text, kind, false);
  // What is looked for is shown, also behind the fold.
  const isSought =
    words !== undefined &&
    words.trim() !== '' &&
    patternOf(words.trim(), 'iu').test(text.slice(first.text.length));
  const isOpen = byHand ?? isSought;
  const excerpt = isOpen ? excerptOf(text, kind, true) : first;
  if (text.trim() === '') return <p class="muted">blank</p>;
  return (
    <div class="text-block">
      <div class={mono ? 'text mono' : 'text'}>
        <FindMarked text={excerpt.text} />
        {excerpt.isWhole ? null : '…'}
      </div>
      <div class="under-text">
        {first.isWhole ? null : (
          <button
            type="button"
            class="quiet-button"
            aria-expanded={isOpen}
            onClick={() => setOpen(key, !isOpen)}
          >
            {isOpen
              ? 'Show less'
              : `Show all ${first.lines > 1 ? countOf(first.lines, 'line') : `${countText(text.length)} characters`}`}
          </button>
        )}
        {isOpen && !excerpt.isWhole ? (
          <span class="muted">the first {countText(MOST_UNITS)} characters</span>
        ) : null}
        <Clipped text={source} bytes={bytes} cited={cited} />
        <CopyButton text={() => text} label={`Copy ${copied}`} />
      </div>
    </div>
  );
}

interface ClippedProps {
  readonly text: string;
  readonly bytes: number | undefined;
  readonly cited: Ref | undefined;
}

/** Says that the document carries only the beginning, and offers the rest. */
export function Clipped({ text, bytes, cited }: ClippedProps) {
  const shown = clippedAt(text, bytes);
  if (shown === undefined) return null;
  return (
    <>
      <span class="muted">
        clipped: {countText(shown)} of {countText(bytes!)} bytes
      </span>
      {cited === undefined ? null : <LandedRecord at={cited} />}
    </>
  );
}
