import { Marked } from '../shared/marked.js';
import { findWords } from './state.js';

/** A text with what the reader looks for marked in it. */
export function FindMarked({ text }: { readonly text: string }) {
  return <Marked text={text} words={findWords.value?.trim() ?? ''} />;
}
