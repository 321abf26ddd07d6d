/**
 * Protobuf, written back to front: a message's length stands before it, and is known once the message is there. So
 * nothing is measured first or moved after. Large values are not copied: they become pieces of their own.
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

const ROOM_BYTES = 16 * 1024;
/** A value of this size is cheaper to hand on than to copy. */
const PIECE_BYTES = 4 * 1024;

export class ProtobufWriter {
  readonly #roomBytes: number;
  #room: Buffer;
  /** What is written last begins here. */
  #at: number;
  /** What is no piece yet ends here. */
  #end: number;
  /** From the last to the first. */
  readonly #pieces: Uint8Array[] = [];
  #pieceBytes = 0;

  /** `roomBytes`: memory that is taken at a time for what is not handed on. */
  constructor(roomBytes = ROOM_BYTES) {
    this.#roomBytes = roomBytes;
    this.#room = Buffer.allocUnsafe(roomBytes);
    this.#at = roomBytes;
    this.#end = roomBytes;
  }

  /** What has been written, in order. Large values among it are those that were given. */
  get pieces(): Uint8Array[] {
    this.#cut();
    return this.#pieces.toReversed();
  }

  get length(): number {
    return this.#pieceBytes + this.#end - this.#at;
  }

  /** What has been written, as one. */
  get written(): Buffer {
    return Buffer.concat(this.pieces);
  }

  /** Fields that another writer wrote, as its pieces. */
  encoded(pieces: readonly Uint8Array[]): void {
    this.#cut();
    for (let i = pieces.length - 1; i >= 0; i--) this.#hand(pieces[i]!);
  }

  message(field: number, write: () => void): void {
    const end = this.length;
    write();
    this.#varint(this.length - end);
    this.#key(field, BYTES);
  }

  bytes(field: number, value: Uint8Array): void {
    if (value.length >= PIECE_BYTES) {
      this.#cut();
      this.#hand(value);
    } else {
      this.#move(value.length);
      this.#room.set(value, this.#at);
    }
    this.#varint(value.length);
    this.#key(field, BYTES);
  }

  /** A lone surrogate becomes U+FFFD. */
  text(field: number, value: string): void {
    const length = Buffer.byteLength(value);
    this.#move(length);
    this.#room.write(value, this.#at, length, 'utf8');
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
    this.#room.writeBigUInt64LE(BigInt.asUintN(64, value), this.#at);
    this.#key(field, FIXED64);
  }

  #key(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number): void {
    if (value >= 0 && value < 0x80) {
      this.#move(1);
      this.#room[this.#at] = value;
      return;
    }
    const bytes = varintBytes(value);
    this.#move(bytes.length);
    this.#room.set(bytes, this.#at);
  }

  /** Makes what is written a piece. */
  #cut(): void {
    if (this.#at === this.#end) return;
    this.#hand(this.#room.subarray(this.#at, this.#end));
    this.#end = this.#at;
  }

  #hand(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#pieceBytes += piece.length;
  }

  /** Makes room before what is written. */
  #move(bytes: number): void {
    if (bytes > this.#at) {
      this.#cut();
      const size = Math.max(this.#roomBytes, bytes);
      this.#room = Buffer.allocUnsafe(size);
      this.#at = size;
      this.#end = size;
    }
    this.#at -= bytes;
  }
}

/** Seven bits a byte, the lowest first; the high bit says that more follow. */
function varintBytes(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  if (value < 0) {
    const complement = BigInt.asUintN(64, BigInt(value));
    bytes.push(Number(complement & 0x7fn) | 0x80, Number((complement >> 7n) & 0x7fn) | 0x80);
    rest = Number(complement >> 14n); // 50 bits, which a double holds.
  }
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return bytes;
}
