/**
 * One unit of a source that is a JSON object: its values, and where the raw ones stand. Values come from one
 * `JSON.parse`; the scan for slices runs only when a part needs one, which most lines do not.
 */
import { isUtf8 } from 'node:buffer';
import { compactSlice, type Shape, type Slice, scanJson } from '../../format/json-scan.js';
import { jsonStringForHtml } from '../../format/json-text.js';
import type { SdPart } from '../../format/session-data.js';
import { EMPTY_OBJECT, isObject, type JsonObject } from './json-object.js';

export class SourceLine {
  readonly raw: Buffer;
  readonly text: string;
  readonly object: JsonObject;
  #slices: Slice | undefined;

  constructor(raw: Buffer, text: string, object: JsonObject) {
    this.raw = raw;
    this.text = text;
    this.object = object;
  }

  /** The line and the slices parts are made of. Scanned once. */
  get slices(): Slice {
    this.#slices ??= scanJson(this.text, LINE_SHAPE);
    return this.#slices;
  }

  /** Nesting of the line if anything raw was taken from it, else 0: strings and built values are shallow. */
  get depthTaken(): number {
    return this.#slices?.depth ?? 0;
  }

  get messageContent(): Slice | undefined {
    return this.slices.members.get('message')?.members.get('content');
  }

  /** `data` and `bytes` of a part: the slice as it lands, and its size as it stood. */
  rawData(slice: Slice | undefined): Pick<SdPart, 'data' | 'bytes'> {
    if (slice === undefined) return {};
    const json = compactSlice(this.text, slice);
    const stood = slice.spaced ? this.text.slice(slice.start, slice.end) : json;
    return { data: json, bytes: Buffer.byteLength(stood) };
  }
}

const LEAF: Shape = {};
const BLOCK: Shape = {
  members: new Map([
    ['input', LEAF],
    ['content', LEAF],
  ]),
};
const MESSAGE: Shape = { members: new Map([['content', { elements: BLOCK }]]) };
const LINE_SHAPE: Shape = {
  members: new Map([
    ['message', MESSAGE],
    ['toolUseResult', LEAF],
    ['attachment', LEAF],
  ]),
};

/**
 * Reads a unit; `undefined` when it is not a JSON object. A bare `null` counts as an empty object. Bytes that
 * are not UTF-8 become U+FFFD; a byte order mark stays and makes the unit no JSON (dialect spec 3.2).
 */
export function readLine(raw: Buffer): SourceLine | undefined {
  const text = raw.toString('utf8');
  const value = parse(text);
  if (value !== null && !isObject(value)) return undefined;
  return new SourceLine(raw, text, value ?? EMPTY_OBJECT);
}

/** As `JSON.parse`; `undefined`, which no JSON text means, when the text is not JSON. */
export function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether decoding lost nothing. Almost always answered by the text alone, which holds no U+FFFD. */
export function decodedExactly(raw: Buffer, text: string): boolean {
  return !text.includes('\ufffd') || isUtf8(raw);
}

/** A part that keeps bytes nobody here can read, as one string; `reason` is its text. */
export function unknownPart(raw: Buffer, reason: string, text = raw.toString('utf8')): SdPart {
  const exact = decodedExactly(raw, text);
  return {
    k: 'unknown',
    text: reason,
    data: exact ? jsonStringForHtml(text) : `"${raw.toString('base64')}"`,
    encoding: exact ? '' : 'base64',
    state: 'available',
    bytes: raw.length,
  };
}

/** The same for a piece of a line's text. */
export function unknownSlice(line: SourceLine, { start, end }: Slice, reason: string): SdPart {
  const piece = line.text.slice(start, end);
  return {
    k: 'unknown',
    text: reason,
    data: jsonStringForHtml(piece),
    state: 'available',
    bytes: Buffer.byteLength(piece),
  };
}
