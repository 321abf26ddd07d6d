/**
 * Raw slices of JSON text: what a value looked like before it was parsed.
 *
 *     {"message":{"content":[{"input":{"n": 1.0, "10":0}}]}}
 *                                     └───────┬───────┘        a slice: start, end, depth 1, spaced
 *
 * `JSON.parse` gives values and loses number spellings, key order and duplicate keys; a landed part must keep
 * them (dialect spec 1.11). So a record is parsed once for its values, and scanned once, only when a slice is
 * needed, for where they stood. The scan visits each character at most once, jumps over strings with
 * `indexOf`, and recurses only as deep as the shape it is asked for, never as deep as the text.
 *
 * Every function expects text that `JSON.parse` has accepted; on other text it throws or answers nonsense.
 */
import { FormatError } from './errors.js';

/** Which members and elements of a value the scan should remember. No members and elements: the value alone. */
export interface Shape {
  readonly members?: ReadonlyMap<string, Shape>;
  readonly elements?: Shape;
}

/** Where a value stands in its text. */
export interface Slice {
  readonly start: number;
  /** The first position after it. */
  readonly end: number;
  /** Most objects and lists open at once: 0 for a scalar, 1 for `{}`. */
  readonly depth: number;
  /** White space stands between its tokens. */
  readonly spaced: boolean;
  /** The members the shape asked for. Of two equal keys the last counts, as in `JSON.parse`. */
  readonly members: ReadonlyMap<string, Slice>;
  /** The elements of a list, when the shape asked for them. */
  readonly elements: readonly Slice[];
}

/** The value that begins at or after `from`, with the parts of it that `shape` names. */
export function scanJson(text: string, shape: Shape = WHOLE, from = 0): Slice {
  const start = skipSpace(text, from);
  const first = text.charCodeAt(start);
  if (first === OPEN_BRACE && shape.members !== undefined) return scanObject(text, start, shape.members);
  if (first === OPEN_BRACKET && shape.elements !== undefined) return scanList(text, start, shape.elements);
  return measure(text, start);
}

/** The slice's text without white space between tokens. Without any it is copied as it stands. */
export function compactSlice(text: string, { start, end, spaced }: Slice): string {
  return spaced ? squeeze(text, start, end) : text.slice(start, end);
}

/** A whole JSON text without white space between tokens. */
export function compactJson(text: string): string {
  return compactSlice(text, scanJson(text));
}

/** Most objects and lists open at once in a JSON text. */
export function nestingDepth(text: string): number {
  return scanJson(text).depth;
}

const WHOLE: Shape = {};
const NO_MEMBERS: ReadonlyMap<string, Slice> = new Map();
const NO_ELEMENTS: readonly Slice[] = [];

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function scanObject(text: string, start: number, wanted: ReadonlyMap<string, Shape>): Slice {
  const members = new Map<string, Slice>();
  let depth = 0;
  let spaced = false;
  let at = skipSpace(text, start + 1);
  spaced ||= at > start + 1;
  while (text.charCodeAt(at) !== CLOSE_BRACE) {
    const keyEnd = endOfString(text, at);
    const key = keyOf(text, at, keyEnd);
    const colon = skipSpace(text, keyEnd);
    const shape = wanted.get(key);
    const value = scanJson(text, shape, expect(text, colon, COLON));
    if (shape !== undefined) members.set(key, value);
    const after = skipSpace(text, value.end);
    depth = Math.max(depth, value.depth);
    spaced ||= value.spaced || colon > keyEnd || value.start > colon + 1 || after > value.end;
    at = after;
    if (text.charCodeAt(at) === CLOSE_BRACE) break;
    at = skipSpace(text, expect(text, after, COMMA));
    spaced ||= at > after + 1;
  }
  return { start, end: at + 1, depth: depth + 1, spaced, members, elements: NO_ELEMENTS };
}

function scanList(text: string, start: number, shape: Shape): Slice {
  const elements: Slice[] = [];
  let depth = 0;
  let spaced = false;
  let at = skipSpace(text, start + 1);
  spaced ||= at > start + 1;
  while (text.charCodeAt(at) !== CLOSE_BRACKET) {
    const value = scanJson(text, shape, at);
    elements.push(value);
    const after = skipSpace(text, value.end);
    depth = Math.max(depth, value.depth);
    spaced ||= value.spaced || after > value.end;
    at = after;
    if (text.charCodeAt(at) === CLOSE_BRACKET) break;
    at = skipSpace(text, expect(text, after, COMMA));
    spaced ||= at > after + 1;
  }
  return { start, end: at + 1, depth: depth + 1, spaced, members: NO_MEMBERS, elements };
}

/** A value nobody looks into: a counter of open brackets replaces recursion, for 40,000 levels too. */
function measure(text: string, start: number): Slice {
  let open = 0;
  let depth = 0;
  let spaced = false;
  let at = start;
  do {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      open++;
      if (open > depth) depth = open;
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) open--;
    else if (open === 0) {
      at = endOfLiteral(text, at);
      break;
    } else if (isSpace(unit)) spaced = true;
    at++;
    if (at > text.length) throw new FormatError('json: the text ends inside a value');
  } while (open > 0);
  return { start, end: at, depth, spaced, members: NO_MEMBERS, elements: NO_ELEMENTS };
}

/** The position after a string's closing quote. Runs of backslashes do not overlap, so this is linear. */
function endOfString(text: string, quote: number): number {
  for (let from = quote + 1; ; ) {
    const end = text.indexOf('"', from);
    if (end < 0) throw new FormatError('json: the text ends inside a string');
    let run = end - 1;
    while (text.charCodeAt(run) === BACKSLASH) run--;
    if ((end - run) % 2 === 1) return end + 1;
    from = end + 1;
  }
}

/** The position after `true`, `null` or a number. */
function endOfLiteral(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === COMMA || unit === CLOSE_BRACE || unit === CLOSE_BRACKET || isSpace(unit)) break;
  }
  return at;
}

function keyOf(text: string, start: number, end: number): string {
  const key = text.slice(start + 1, end - 1);
  return key.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : key;
}

function squeeze(text: string, start: number, end: number): string {
  let out = '';
  let kept = start;
  for (let at = start; at < end; ) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (isSpace(unit)) {
      out += text.slice(kept, at);
      at = skipSpace(text, at);
      kept = at;
    } else at++;
  }
  return out + text.slice(kept, end);
}

function expect(text: string, at: number, unit: number): number {
  if (text.charCodeAt(at) !== unit) throw new FormatError(`json: unexpected text at ${at}`);
  return at + 1;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** JSON's four: space, tab, line feed, carriage return. */
function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}
