/**
 * JSON text as the two formats write it: compact, well-formed, and with the escapes their readers expect.
 *
 *     sd/1 strings              "a < b\u2028"          only U+2028 and U+2029 beyond what JSON demands
 *     sf/1, and built values    "a \u003c b\u2028"     also < > & (storage spec 3.3, dialect spec 1.11)
 */

/** A JSON string in Session Data: `<`, `>`, `&` stand as they are. Ill-formed text becomes U+FFFD. */
export function jsonString(text: string): string {
  const json = JSON.stringify(text.isWellFormed() ? text : text.toWellFormed());
  return escapeLineSeparators(json);
}

/** A JSON string with `<`, `>`, `&` escaped as well. */
export function jsonStringForHtml(text: string): string {
  return escapeForHtml(JSON.stringify(text.isWellFormed() ? text : text.toWellFormed()));
}

/**
 * Escapes the five characters sf/1 spells out in JSON text that `JSON.stringify` made. They can only stand
 * inside strings, so a plain replacement is right. Five `includes` cost less than one regular expression
 * (bench: 49.6 against 59 ms per 35,000 frames).
 */
export function escapeForHtml(json: string): string {
  let out = json;
  if (out.includes('<')) out = out.replaceAll('<', '\\u003c');
  if (out.includes('>')) out = out.replaceAll('>', '\\u003e');
  if (out.includes('&')) out = out.replaceAll('&', '\\u0026');
  return escapeLineSeparators(out);
}

function escapeLineSeparators(json: string): string {
  let out = json;
  if (out.includes('\u2028')) out = out.replaceAll('\u2028', '\\u2028');
  if (out.includes('\u2029')) out = out.replaceAll('\u2029', '\\u2029');
  return out;
}

/** JSON text as it stands, with the characters a terminal would act on spelled as escapes: the meaning stays. */
export function printableJson(json: string): string {
  return json.replace(UNPRINTABLE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** DEL, C1; U+2028 and U+2029; the marks, embeddings and isolates that change the direction of text. */
const UNPRINTABLE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Order of strings by code point, which is their order as UTF-8 bytes. JavaScript's own order is by UTF-16
 * unit and differs where a surrogate meets U+E000 to U+FFFF.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    if (x >= SURROGATES && y >= SURROGATES) return liftSurrogate(x) - liftSurrogate(y);
    return x - y;
  }
  return a.length - b.length;
}

const SURROGATES = 0xd800;

/** Moves the surrogates above U+E000 to U+FFFF, where the characters they encode belong. */
function liftSurrogate(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/**
 * The value of JSON text. Throws `SyntaxError` whose words say what is wrong and at most where: an engine's own quote
 * what stands around the place, and an error reaches readers from whom that text is withheld (view spec 7.6).
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const words = (cause as SyntaxError).message;
    throw new SyntaxError(QUOTES_NOTHING.test(words) ? words : 'Unexpected token in JSON');
  }
}

/** What the engine says of JSON text without quoting it, such as `Unterminated string in JSON at position 7`. */
const QUOTES_NOTHING =
  /^(?!Unexpected token)[\w',}\]: -]+ JSON(?: input| at position \d+(?: \(line \d+ column \d+\))?)$/;
