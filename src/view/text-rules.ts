/**
 * How a document shows text: what counts as white space, and where a text is cut (view spec 3.4, 3.6).
 *
 * White space is Unicode's own property. `String.trim` also takes U+FEFF and leaves U+0085, and every producer of
 * the document must cut at the same byte.
 */

import { bytesOf, headOf, textOf } from '../format/byte-text.js';

/** Most bytes of UTF-8 that a document carries of one text. */
export const MAX_TEXT_BYTES = 2000;

const SPACES = /\p{White_Space}+/gu;
const IS_SPACE = /^\p{White_Space}$/u;

export function trimmed(text: string): string {
  if (text === '' || (!isSpace(text[0]!) && !isSpace(text.at(-1)!))) return text;
  let [from, to] = [0, text.length];
  // By unit: no white space lies beyond the basic plane. A pattern for the end would try every space of the text.
  while (from < to && isSpace(text[from]!)) from++;
  while (to > from && isSpace(text[to - 1]!)) to--;
  return text.slice(from, to);
}

/** Every run of white space as one space, none outside. */
export function collapsed(text: string): string {
  return trimmed(text).replace(SPACES, ' ');
}

/** The longest beginning of whole characters within so many bytes of UTF-8. */
export function clipped(text: string, maxBytes = MAX_TEXT_BYTES): string {
  // A unit takes one to three bytes: short texts fit, and of long ones only so many units can.
  if (text.length * 3 <= maxBytes) return text;
  return textOf(headOf(bytesOf(text.slice(0, maxBytes + 1)), maxBytes));
}

function isSpace(unit: string): boolean {
  return IS_SPACE.test(unit);
}
