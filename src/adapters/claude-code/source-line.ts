/**
 * One unit of a source that is a JSON object: its values, and where the raw ones stand. Values come from one
 * `JSON.parse`; the scan for slices runs only when a part needs one, which most lines do not.
 */
import { isUtf8 } from 'node:buffer';
import { compactSlice, type Shape, type Slice, scanJson } from '../../format/json-scan.js';
import { jsonStringForHtml } from '../../format/json-text.js';
import type { RawJson, SdPart } from '../../format/session-data.js';
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

  /** A slice as the `data` of a part. */
  dataOf(slice: Slice): string {
    return compactSlice(this.text, slice);
  }

  /** The size of a slice as it stood, in bytes. `data` is what `dataOf` gave for it. */
  bytesOf(slice: Slice, data: string): number {
    return Buffer.byteLength(slice.spaced ? this.text.slice(slice.start, slice.end) : data);
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

/** A part while it is made. */
export type Part = { -readonly [K in keyof SdPart]: SdPart[K] };

/**
 * A part that says nothing yet. All of them begin alike and are filled in place: objects of many shapes, or spread
 * out of pieces, take all that reads them longer than their content does.
 */
export function newPart(k: string, state: string): Part {
  return {
    k,
    text: '',
    id: '',
    of: '',
    name: '',
    server: '',
    server_tool: '',
    media: '',
    encoding: '',
    state,
    bytes: 0,
  };
}

/** A part of raw JSON. */
export function dataPart(k: string, data: RawJson, bytes: number): Part {
  const part = newPart(k, 'available');
  part.data = data;
  part.bytes = bytes;
  return part;
}

/** A part that keeps bytes nobody here can read, as one string; `reason` is its text. */
export function unknownPart(raw: Buffer, reason: string, text = raw.toString('utf8')): SdPart {
  const exact = decodedExactly(raw, text);
  const data = exact ? jsonStringForHtml(text) : `"${raw.toString('base64')}"`;
  const part = dataPart('unknown', data, raw.length);
  part.text = reason;
  if (!exact) part.encoding = 'base64';
  return part;
}

/** The same for a piece of a line's text. */
export function unknownSlice(line: SourceLine, { start, end }: Slice, reason: string): SdPart {
  const piece = line.text.slice(start, end);
  const part = dataPart('unknown', jsonStringForHtml(piece), Buffer.byteLength(piece));
  part.text = reason;
  return part;
}
