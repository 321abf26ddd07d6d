/**
 * Protobuf, written back to front: a message's length stands before it, and is known once the message is there. So
 * nothing is measured first or copied after, and one buffer holds it all.
 *
 * What is written last stands first: fields, and the members of a repeated one, go in from the last to the first.
 */

/** Wire types of the encoding. */
export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const GROUP_START = 3;
export const GROUP_END = 4;
export const FIXED32 = 5;

const MIN_BYTES = 1024;

export class ProtobufWriter {
  #buffer: Buffer;
  #at: number;

  /** `buffer`: room to begin with, from an earlier writer or of a guessed size; more is taken when it is full. */
  constructor(buffer: Buffer) {
    this.#buffer = buffer;
    this.#at = buffer.length;
  }

  /** What has been written: a view. */
  get written(): Buffer {
    return this.#buffer.subarray(this.#at);
  }

  /** The whole room, for the next writer. */
  get room(): Buffer {
    return this.#buffer;
  }

  message(field: number, write: () => void): void {
    const end = this.#fromEnd;
    write();
    this.#varint(this.#fromEnd - end);
    this.#key(field, BYTES);
  }

  bytes(field: number, value: Uint8Array): void {
    this.#move(value.length);
    this.#buffer.set(value, this.#at);
    this.#varint(value.length);
    this.#key(field, BYTES);
  }

  /** A lone surrogate becomes U+FFFD. */
  text(field: number, value: string): void {
    const length = Buffer.byteLength(value);
    this.#move(length);
    this.#buffer.write(value, this.#at, length, 'utf8');
    this.#varint(length);
    this.#key(field, BYTES);
  }

  /** A whole number, as int64: one below 0 is its two's complement. */
  integer(field: number, value: number): void {
    this.#varint(value);
    this.#key(field, VARINT);
  }

  /** An unsigned number of 64 bits; what is more or less is taken modulo 2^64. */
  fixed64(field: number, value: bigint): void {
    this.#move(8);
    this.#buffer.writeBigUInt64LE(BigInt.asUintN(64, value), this.#at);
    this.#key(field, FIXED64);
  }

  get #fromEnd(): number {
    return this.#buffer.length - this.#at;
  }

  #key(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number): void {
    if (value >= 0 && value < 0x80) {
      this.#move(1);
      this.#buffer[this.#at] = value;
      return;
    }
    const bytes = varintBytes(value);
    this.#move(bytes.length);
    this.#buffer.set(bytes, this.#at);
  }

  /** Makes room before what is written. */
  #move(bytes: number): void {
    if (bytes > this.#at) {
      const { written } = this;
      const room = Buffer.allocUnsafeSlow(Math.max(MIN_BYTES, 2 * (written.length + bytes)));
      room.set(written, room.length - written.length);
      this.#at = room.length - written.length;
      this.#buffer = room;
    }
    this.#at -= bytes;
  }
}

/** Seven bits a byte, the lowest first; the high bit says that more follow. */
function varintBytes(value: number): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return bytes;
}
