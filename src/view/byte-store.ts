/**
 * JSON text kept as bytes. What a document says of its steps is most of the document: as strings it would be copied
 * by the garbage collector while it waits, and encoded once more when it is written.
 */
import { type ByteText, printableBytes } from '../format/byte-text.js';
import { printableJson } from '../format/json-text.js';

/** A stretch of bytes somewhere in a store. */
export interface Span {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

/** A piece of JSON text, in either form. */
export type Json = string | Span;

const CHUNK_BYTES = 256 * 1024;

/** Keeps text, in chunks that stay where they are. */
export class ByteStore {
  #chunk: Buffer = Buffer.alloc(0);
  #filled = 0;

  /** Keeps JSON text; characters a terminal would act on become escapes. */
  keep(json: ByteText): Span {
    const bytes = printableBytes(json);
    if (bytes.length > this.#chunk.length - this.#filled) {
      this.#chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, bytes.length));
      this.#filled = 0;
    }
    const from = this.#filled;
    this.#filled += this.#chunk.write(bytes, from, 'latin1');
    return { bytes: this.#chunk, from, to: this.#filled };
  }
}

/** Pieces are joined to buffers of about this size: a write for each would cost more than the piece. */
const BUFFER_BYTES = 64 * 1024;

/** Short texts are joined first: so much of them is encoded at once. */
const TEXT_UNITS = 4 * 1024;

/** The pieces as UTF-8, in buffers that are the caller's to keep. They are given by the list, which costs less. */
export function* joined(lists: Iterable<readonly Json[]>): Generator<Buffer> {
  const writer = new BufferWriter();
  let text = '';
  for (const pieces of lists)
    for (const piece of pieces) {
      if (typeof piece === 'string') text += piece;
      if (text.length >= TEXT_UNITS || (typeof piece !== 'string' && text !== '')) {
        if (writer.text(printableJson(text))) yield writer.full!;
        text = '';
      }
      if (typeof piece !== 'string' && writer.span(piece)) yield writer.full!;
    }
  if (writer.text(printableJson(text))) yield writer.full!;
  yield writer.end();
}

class BufferWriter {
  /** The buffer that became full with the last write that said so. */
  full: Buffer | undefined;
  #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #filled = 0;

  /** Whether a buffer became full. */
  text(text: string): boolean {
    const isFull = this.#needs(text.length * 3); // A UTF-16 unit takes at most three bytes.
    this.#filled += this.#buffer.write(text, this.#filled, 'utf8');
    return isFull;
  }

  /** The same. */
  span({ bytes, from, to }: Span): boolean {
    const isFull = this.#needs(to - from);
    this.#filled += bytes.copy(this.#buffer, this.#filled, from, to);
    return isFull;
  }

  end(): Buffer {
    return this.#buffer.subarray(0, this.#filled);
  }

  #needs(bytes: number): boolean {
    if (bytes <= this.#buffer.length - this.#filled) return false;
    this.full = this.#buffer.subarray(0, this.#filled);
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(BUFFER_BYTES, bytes));
    this.#filled = 0;
    return true;
  }
}
