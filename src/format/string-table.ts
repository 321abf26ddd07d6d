import { constants, isAscii } from 'node:buffer';
import type { Column } from './column.js';

/**
 * Interned identifiers of one kind: text ⇄ small number, 0 for the empty string, numbers from 1 in order of
 * first appearance (storage spec 2.3). Nothing outside an index may depend on the numbers.
 *
 * A table read from disk holds bytes and decodes a string when it is asked for: assembly compares numbers and
 * needs few of the texts. Where strings begin is worked out when the first is asked for, and the map from text to
 * number is made when the first is looked for.
 */
export class StringTable {
  #size: number;
  readonly #stored: StoredStrings | undefined;
  /** By number, as far as they were asked for or added. */
  #decoded: (string | undefined)[] = [''];
  #numbers: Map<string, number> | undefined;
  /** The two texts interned last: most records name the call, the run or the record of the one before. */
  #last = '';
  #lastNumber = 0;
  #lastButOne = '';
  #lastNumberButOne = 0;

  /** An empty table, or one over `bytes`: the strings end to end, of these lengths. */
  constructor(bytes?: Buffer, lengths?: Column) {
    this.#size = lengths?.length ?? 0;
    this.#stored =
      bytes === undefined || lengths === undefined ? undefined : new StoredStrings(bytes, lengths);
  }

  /** How many strings, the empty one not counted: numbers run from 1 to `size`. */
  get size(): number {
    return this.#size;
  }

  at(number: number): string {
    const known = this.#decoded[number];
    if (known !== undefined) return known;
    if (this.#stored === undefined || !(number <= this.#stored.size))
      throw new RangeError(`string ${number} of ${this.#size}`);
    // One allocation for all there will be: a list that grows by large steps becomes a slow one.
    if (this.#decoded.length <= this.#stored.size) {
      const decoded = new Array<string | undefined>(this.#stored.size + 1);
      decoded[0] = '';
      this.#decoded = decoded;
    }
    const text = this.#stored.at(number - 1);
    this.#decoded[number] = text;
    return text;
  }

  /** The number of a string, adding it when it is new. Ill-formed text counts as its U+FFFD form. */
  intern(text: string): number {
    if (text === '') return 0;
    if (text === this.#last) return this.#lastNumber;
    if (text === this.#lastButOne) return this.#lastNumberButOne;
    const number = this.#internOther(text);
    this.#lastButOne = this.#last;
    this.#lastNumberButOne = this.#lastNumber;
    this.#last = text;
    this.#lastNumber = number;
    return number;
  }

  #internOther(text: string): number {
    const numbers = this.#lookup();
    const known = numbers.get(text);
    if (known !== undefined) return known;
    if (!text.isWellFormed()) {
      const number = this.intern(text.toWellFormed());
      numbers.set(text, number);
      return number;
    }
    const number = ++this.#size;
    this.#decoded[number] = text;
    numbers.set(text, number);
    return number;
  }

  /** The number of a string, or 0 when the table does not hold it. Never adds. */
  find(text: string): number {
    return text === '' ? 0 : (this.#lookup().get(text) ?? 0);
  }

  /** Whether any of the strings holds a `/`. */
  holdsSlash(): boolean {
    if (this.#stored?.bytes.includes(0x2f)) return true;
    for (let number = (this.#stored?.size ?? 0) + 1; number <= this.#size; number++)
      if (this.at(number).includes('/')) return true;
    return false;
  }

  /** The bytes of all strings end to end, and how many each has. */
  encode(): { bytes: Buffer; lengths: Column } {
    const stored = this.#stored?.size ?? 0;
    const added = this.#decoded.slice(stored + 1) as string[];
    if (this.#stored !== undefined && added.length === 0) return this.#stored;
    const lengths = new Uint32Array(this.#size);
    if (this.#stored !== undefined) lengths.set(this.#stored.lengths);
    // A unit of UTF-16 takes three bytes at most.
    const room = Buffer.allocUnsafe(3 * added.reduce((sum, text) => sum + text.length, 0));
    let end = 0;
    for (const [i, text] of added.entries()) {
      lengths[stored + i] = room.write(text, end);
      end += lengths[stored + i]!;
    }
    return { bytes: Buffer.concat([this.#stored?.bytes ?? NO_BYTES, room.subarray(0, end)]), lengths };
  }

  #lookup(): Map<string, number> {
    if (this.#numbers === undefined) {
      this.#numbers = new Map();
      for (let number = 1; number <= this.#size; number++) this.#numbers.set(this.at(number), number);
    }
    return this.#numbers;
  }
}

const NO_BYTES = Buffer.alloc(0);

/** Strings as they lie in the file. */
class StoredStrings {
  readonly bytes: Buffer;
  readonly lengths: Column;
  #ends: Uint32Array | undefined;
  /** All of them as one string, of which each is a slice: a seventh of what it costs to decode one by one. */
  #ascii: string | undefined;

  constructor(bytes: Buffer, lengths: Column) {
    this.bytes = bytes;
    this.lengths = lengths;
  }

  get size(): number {
    return this.lengths.length;
  }

  /** The string at a place, from 0. */
  at(place: number): string {
    this.#ends ??= this.#open();
    const [from, to] = [place === 0 ? 0 : this.#ends[place - 1]!, this.#ends[place]!];
    return this.#ascii?.slice(from, to) ?? this.bytes.toString('utf8', from, to);
  }

  #open(): Uint32Array {
    if (isAscii(this.bytes) && this.bytes.length <= constants.MAX_STRING_LENGTH)
      this.#ascii = this.bytes.toString('latin1');
    const ends = new Uint32Array(this.size);
    let end = 0;
    for (let place = 0; place < ends.length; place++) ends[place] = end += this.lengths[place]!;
    return ends;
  }
}
