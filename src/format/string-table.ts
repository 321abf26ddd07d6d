/**
 * Interned identifiers of one kind: text ⇄ small number, 0 for the empty string, numbers from 1 in order of
 * first appearance (storage spec 2.3). Nothing outside an index may depend on the numbers.
 *
 * A table read from disk holds bytes and decodes a string when it is asked for: assembly compares numbers and
 * needs few of the texts. The map from text to number is made when the first string is added.
 */
export class StringTable {
  #decoded: (string | undefined)[];
  #numbers: Map<string, number> | undefined;
  readonly #bytes: Buffer | undefined;
  readonly #ends: Uint32Array;

  /** An empty table, or one over `bytes`, where string n ends at `ends[n - 1]`. */
  constructor(bytes?: Buffer, ends: Uint32Array = new Uint32Array(0)) {
    this.#bytes = bytes;
    this.#ends = ends;
    this.#decoded = new Array(ends.length + 1).fill(undefined);
    this.#decoded[0] = '';
  }

  /** How many strings, the empty one not counted: numbers run from 1 to `size`. */
  get size(): number {
    return this.#decoded.length - 1;
  }

  at(number: number): string {
    const known = this.#decoded[number];
    if (known !== undefined) return known;
    if (number > this.#ends.length || this.#bytes === undefined)
      throw new RangeError(`string ${number} of ${this.size}`);
    const from = number === 1 ? 0 : this.#ends[number - 2]!;
    const text = this.#bytes.toString('utf8', from, this.#ends[number - 1]!);
    this.#decoded[number] = text;
    return text;
  }

  /** The number of a string, adding it when it is new. Ill-formed text counts as its U+FFFD form. */
  intern(text: string): number {
    if (text === '') return 0;
    const numbers = this.#lookup();
    const known = numbers.get(text);
    if (known !== undefined) return known;
    if (!text.isWellFormed()) {
      const number = this.intern(text.toWellFormed());
      numbers.set(text, number);
      return number;
    }
    const number = this.#decoded.length;
    this.#decoded.push(text);
    numbers.set(text, number);
    return number;
  }

  /** The number of a string, or 0 when the table does not hold it. Never adds. */
  find(text: string): number {
    return text === '' ? 0 : (this.#lookup().get(text) ?? 0);
  }

  /** Whether any of the strings holds a `/`. */
  holdsSlash(): boolean {
    if (this.#bytes?.includes(0x2f)) return true;
    for (let number = this.#ends.length + 1; number <= this.size; number++)
      if (this.at(number).includes('/')) return true;
    return false;
  }

  /** The bytes of all strings end to end, and where each ends. */
  encode(): { bytes: Buffer; ends: Uint32Array } {
    const ends = new Uint32Array(this.size);
    const pieces: Buffer[] = [];
    let end = 0;
    for (let number = 1; number <= this.size; number++) {
      const piece = Buffer.from(this.at(number), 'utf8');
      pieces.push(piece);
      end += piece.length;
      ends[number - 1] = end;
    }
    return { bytes: Buffer.concat(pieces), ends };
  }

  #lookup(): Map<string, number> {
    if (this.#numbers === undefined) {
      this.#numbers = new Map();
      for (let number = 1; number <= this.size; number++) this.#numbers.set(this.at(number), number);
    }
    return this.#numbers;
  }
}
