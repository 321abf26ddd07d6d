/**
 * State files and cursors: text, one `key value` a line. All of them are caches that may be deleted.
 *
 *     schema     1
 *     session    s1
 *     next_seq   7
 *
 * Keys are padded so that values line up, in an order each file fixes. A reader takes what is between the
 * first space and the line's end, trimmed; blank lines, `#` lines, lines without a space and unknown keys are
 * skipped, and a number that is none reads as 0 (storage spec 1.3, dialect spec 4.4).
 *
 * Ours end with a line that others pass over, `check`, a digest of all before it: a flipped digit would otherwise be
 * believed. A file without one is another writer's, and believed when it is text that ends in a newline.
 */
import { isUtf8 } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import { StorageError } from '../format/errors.js';
import { readSmallFile, UnfitFileError } from './small-file.js';

/** A value to write. An empty text is left out with its key; a number is written even when 0. */
export type StateValue = string | number | bigint;

/** The text of a state file, keys padded to `width` and in the order given. */
export function formatState(width: number, entries: readonly (readonly [string, StateValue])[]): string {
  const written = entries.filter(([, value]) => value !== '');
  const text = written.map(([key, value]) => lineOf(width, key, value)).join('');
  return text + lineOf(width, CHECK, checkOf(Buffer.from(text)));
}

/** Some of a list, enough for one call of the system. */
const PIECE_LINES = 512;

/**
 * The content of a state file whose lines are a list, with its check: every line without its newline. What it gives is
 * void once it is asked for more.
 */
export function* formatStateLines(lines: Iterable<string>): Generator<Uint8Array> {
  const hash = createHash('sha256');
  let room = Buffer.alloc(0);
  const bytesOf = (piece: readonly string[]) => {
    const text = [...piece, ''].join('\n');
    const length = Buffer.byteLength(text);
    if (length > room.length) room = Buffer.allocUnsafe(length);
    const bytes = room.subarray(0, room.write(text));
    hash.update(bytes);
    return bytes;
  };
  let piece: string[] = [];
  for (const line of lines) {
    if (piece.push(line) < PIECE_LINES) continue;
    yield bytesOf(piece);
    piece = [];
  }
  if (piece.length > 0) yield bytesOf(piece);
  yield Buffer.from(lineOf(0, CHECK, shortened(hash)));
}

function lineOf(width: number, key: string, value: StateValue): string {
  return `${key.padEnd(width - 1)} ${oneLine(value)}\n`;
}

/**
 * A state file with other values for some keys, and every other byte of it as it was: whatever else it says, also in
 * keys that only another release knows, is carried on. A key it lacks is added at its end.
 */
export function replaceStateValues(
  bytes: Uint8Array,
  width: number,
  entries: readonly (readonly [string, StateValue])[],
): Buffer {
  const old = Buffer.from(bytes);
  const isChecked = checkAtEnd(old) !== undefined;
  // What is damaged stays so: only a check that was right is made anew.
  if (isChecked && !isSound(old)) return old;
  // A character a byte, there and back: text that is no UTF-8 survives.
  const lines = old.toString('latin1').split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (isChecked) lines.pop();
  for (const [key, value] of entries) {
    const line = lineOf(width, key, value).trimEnd();
    let found = false;
    for (const [i, before] of lines.entries())
      if (before.trim().startsWith(`${key} `)) {
        lines[i] = line;
        found = true;
      }
    if (!found) lines.push(line);
  }
  const text = Buffer.from(`${lines.join('\n')}\n`, 'latin1');
  return isChecked ? Buffer.concat([text, Buffer.from(lineOf(width, CHECK, checkOf(text)))]) : text;
}

const CHECK = 'check';

function checkOf(bytes: Buffer): string {
  return shortened(createHash('sha256').update(bytes));
}

function shortened(hash: Hash): string {
  return hash.digest('hex').slice(0, 16);
}

/** Whether the bytes of a state file are what somebody wrote, as far as they tell. */
function isSound(bytes: Buffer): boolean {
  if (bytes.at(-1) !== NEWLINE || bytes.includes(0) || !isUtf8(bytes)) return false;
  const claimed = checkAtEnd(bytes);
  return claimed === undefined || claimed === checkOf(bytes.subarray(0, bytes.lastIndexOf(CHECK)));
}

/** The check that the bytes end with. Not sought as a line: the newline before it may be what is damaged. */
function checkAtEnd(bytes: Buffer): string | undefined {
  return CHECK_AT_END.exec(bytes.toString('latin1', Math.max(0, bytes.length - MAX_CHECK_BYTES)))?.[1];
}

const CHECK_AT_END = /check +([0-9a-f]{16})\n$/;
const MAX_CHECK_BYTES = 64;

const NEWLINE = 0x0a;

/** What a state file says, by key. The last line of a key counts. */
export class StateFields {
  readonly #values = new Map<string, string>();

  constructor(text: string) {
    for (const raw of text.split('\n')) {
      const line = raw.trim();
      const space = line.indexOf(' ');
      if (line.startsWith('#') || space < 0) continue;
      this.#values.set(line.slice(0, space), line.slice(space + 1).trim());
    }
  }

  text(key: string): string {
    return this.#values.get(key) ?? '';
  }

  /** A whole number from 0 that a double holds exactly, else 0. */
  count(key: string): number {
    const text = this.text(key);
    return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : 0;
  }

  /** A whole number, also below 0, that a double holds exactly, else 0. */
  integer(key: string): number {
    const text = this.text(key);
    return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : 0;
  }

  /** Unsigned 64 bit: device and inode numbers use all of it. */
  wide(key: string): bigint {
    const text = this.text(key);
    return /^\d{1,20}$/.test(text) && BigInt(text) < 2n ** 64n ? BigInt(text) : 0n;
  }
}

/**
 * The fields of a file; `undefined` when there is none, `DAMAGED` when it cannot be believed or is no regular file.
 * `alwaysWritten`: what every writer writes, its last key among them, so that a file cut at a line's end is told.
 * Throws `StorageError` `storage: read <path>: <cause>` for one that may not be read.
 */
export function readStateFile(
  path: string,
  alwaysWritten: readonly string[] = ['updated_at'],
): StateFields | typeof DAMAGED | undefined {
  const text = readStateText(path);
  if (text === undefined || text === DAMAGED) return text;
  const fields = new StateFields(text);
  return alwaysWritten.every((key) => fields.text(key) !== '') ? fields : DAMAGED;
}

/** The same for a file whose lines are a list: all of its text. */
export function readStateText(path: string, maxBytes?: number): string | typeof DAMAGED | undefined {
  try {
    const bytes = readSmallFile(path, maxBytes === undefined ? {} : { maxBytes });
    if (bytes === undefined) return undefined;
    return isSound(bytes) ? bytes.toString('utf8') : DAMAGED;
  } catch (error) {
    if (error instanceof StorageError && error.cause instanceof UnfitFileError) return DAMAGED;
    throw error;
  }
}

/** Another thing than a state file stands in its place. */
export const DAMAGED = Symbol('damaged');

/** As `readStateFile`, for a cache that is nothing when it is damaged. */
export function readStateCache(path: string): StateFields | undefined {
  const fields = readStateFile(path);
  return fields === DAMAGED ? undefined : fields;
}

/** A line break inside a value would start a line of its own, with a key the value chose. */
function oneLine(value: StateValue): string {
  return String(value).replace(/[\r\n]+/g, ' ');
}
