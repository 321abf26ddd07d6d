/**
 * Text as the bytes of its UTF-8, one a unit: what a line is when it is taken for Latin-1. JSON means the same in it,
 * for bytes past ASCII stand within strings alone. So text that comes from a file as bytes and leaves as bytes need
 * not become anything else between.
 */

import { printableJson } from './json-text.js';

/** ASCII is the same either way. */
export type ByteText = string;

export function bytesOf(text: string): ByteText {
  return PAST_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

export function textOf(bytes: ByteText): string {
  return PAST_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}

/** The longest beginning of whole characters within so many bytes. Expects well-formed text. */
export function headOf(bytes: ByteText, maxBytes: number): ByteText {
  if (bytes.length <= maxBytes) return bytes;
  let end = maxBytes;
  while ((bytes.charCodeAt(end) & CONTINUATION_MASK) === CONTINUATION) end--;
  return bytes.slice(0, end);
}

/** As `printableJson`: JSON text with the characters a terminal would act on spelled as escapes. */
export function printableBytes(json: ByteText): ByteText {
  return PAST_PRINTABLE_ASCII.test(json) ? json.replace(UNPRINTABLE, (c) => printableJson(textOf(c))) : json;
}

const PAST_ASCII = /[\u0080-\uffff]/;
/** Most text has none, and that is found out sooner than what each is. */
const PAST_PRINTABLE_ASCII = /[\x7f-\xff]/;
/** DEL; C1; U+061C; U+200E, U+200F and U+2028 to U+202E; U+2066 to U+2069. */
const UNPRINTABLE = /\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2(?:\x80[\x8e\x8f\xa8-\xae]|\x81[\xa6-\xa9])/g;
/** The two highest bits of a byte that goes on with a character. */
const CONTINUATION_MASK = 0xc0;
const CONTINUATION = 0x80;
