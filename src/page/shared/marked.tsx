import { stretchesOf } from '../model/marks.js';

/** A text in which the words are marked. */
export function Marked({ text, words }: { readonly text: string; readonly words: string }) {
  return (
    <>
      {stretchesOf(text, words).map(({ text, isMatch }, i) => (isMatch ? <mark key={i}>{text}</mark> : text))}
    </>
  );
}
