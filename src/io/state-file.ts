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
 */
import { readSmallFile } from './small-file.js';

/** A value to write. An empty text is left out with its key; a number is written even when 0. */
export type StateValue = string | number | bigint;

/** The text of a state file, keys padded to `width` and in the order given. */
export function formatState(width: number, entries: readonly (readonly [string, StateValue])[]): string {
  return entries
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key.padEnd(width - 1)} ${oneLine(value)}\n`)
    .join('');
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
  // A character a byte, there and back: text that is no UTF-8 survives.
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const [key, value] of entries) {
    const line = formatState(width, [[key, value]]).trimEnd();
    let found = false;
    for (const [i, old] of lines.entries())
      if (old.trim().startsWith(`${key} `)) {
        lines[i] = line;
        found = true;
      }
    if (!found) lines.push(line);
  }
  return Buffer.from(`${lines.join('\n')}\n`, 'latin1');
}

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

/** The fields of a file; `undefined` when there is none. Throws `StorageError` `storage: read <path>: <cause>`. */
export function readStateFile(path: string): StateFields | undefined {
  const bytes = readSmallFile(path);
  return bytes && new StateFields(bytes.toString('utf8'));
}

/** A line break inside a value would start a line of its own, with a key the value chose. */
function oneLine(value: StateValue): string {
  return String(value).replace(/[\r\n]+/g, ' ');
}
