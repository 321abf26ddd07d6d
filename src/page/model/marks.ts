/** Where words stand in a text, for marking them. */

/** A stretch of a text; `isMatch` where the words stand. Joined in order they are the text. */
export interface Stretch {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Words as they are typed, in any case: the rule of the server's search. */
export function patternOf(words: string, flags = 'giu'): RegExp {
  return new RegExp(words.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), flags);
}

/** A text cut where the words begin and end. Without words it is one stretch. */
export function stretchesOf(text: string, words: string): Stretch[] {
  const stretches: Stretch[] = [];
  let at = 0;
  for (const { 0: match, index } of words === '' ? [] : text.matchAll(patternOf(words))) {
    if (index > at) stretches.push({ text: text.slice(at, index), isMatch: false });
    stretches.push({ text: match, isMatch: true });
    at = index + match.length;
  }
  if (at < text.length || stretches.length === 0) stretches.push({ text: text.slice(at), isMatch: false });
  return stretches;
}
