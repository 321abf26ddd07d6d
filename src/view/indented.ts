/**
 * Compact JSON as it is printed for people: two spaces a level, a space behind every colon, as `JSON.stringify`
 * does it. On bytes, because numbers must keep their spelling and a document need not fit in memory.
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const NEWLINE = 0x0a;
const OPEN = [0x7b, 0x5b];
const CLOSE = [0x7d, 0x5d];

const INDENT = 2;

/** Expects JSON without white space between its tokens, cut anywhere. */
export function* indented(pieces: Iterable<Buffer>): Generator<Buffer> {
  const printer = new Printer();
  for (const piece of pieces) yield printer.print(piece);
}

class Printer {
  #level = 0;
  #inString = false;
  #escaped = false;
  /** A brace or bracket was opened, and nothing stands in it yet. */
  #justOpened = false;
  #out = Buffer.alloc(0);
  #filled = 0;

  print(piece: Buffer): Buffer {
    this.#out = Buffer.allocUnsafe(piece.length * 2);
    this.#filled = 0;
    for (const byte of piece) {
      if (this.#inString) this.#inside(byte);
      else this.#between(byte);
    }
    return this.#out.subarray(0, this.#filled);
  }

  #inside(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
    this.#put(byte);
  }

  #between(byte: number): void {
    const closes = CLOSE.includes(byte);
    if (closes) this.#level--;
    if (this.#justOpened !== closes && (this.#justOpened || closes)) this.#newLine();
    this.#justOpened = OPEN.includes(byte);
    if (this.#justOpened) this.#level++;
    this.#inString = byte === QUOTE;
    this.#put(byte);
    if (byte === COLON) this.#put(SPACE);
    if (byte === COMMA) this.#newLine();
  }

  #newLine(): void {
    this.#put(NEWLINE);
    for (let i = this.#level * INDENT; i > 0; i--) this.#put(SPACE);
  }

  #put(byte: number): void {
    if (this.#filled === this.#out.length) this.#out = Buffer.concat([this.#out], 2 * this.#filled + 64);
    this.#out[this.#filled++] = byte;
  }
}
