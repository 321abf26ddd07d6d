import { FormatError } from './errors.js';
import { BYTES, FIXED32, FIXED64, GROUP_END, GROUP_START, VARINT } from './protobuf-writer.js';

/**
 * Reads the fields of one protobuf message, in whatever order they come; nothing is copied, and nothing allocated that
 * the bytes ask for. Throws `FormatError` `protobuf: …` for bytes that are no message.
 *
 *     while (fields.next())
 *       if (fields.is(1, BYTES)) name = fields.bytes;
 *
 * A field that nobody asks for is passed over, also one of the old groups.
 */
export class ProtobufReader {
  readonly #message: Uint8Array;
  #at = 0;
  /** Of the current field. */
  #field = 0;
  #wireType = VARINT;
  #from = 0;
  #to = 0;

  constructor(message: Uint8Array) {
    this.#message = message;
  }

  /** Goes to the next field; false at the end. */
  next(): boolean {
    if (this.#at === this.#message.length) return false;
    this.#key();
    if (this.#wireType === GROUP_START) this.#skipGroup();
    else this.#skipValue();
    return true;
  }

  /** Whether the current field is this one, and of this kind: as another kind it is an unknown field. */
  is(field: number, wireType: number): boolean {
    return this.#field === field && this.#wireType === wireType;
  }

  /** What the current field holds: a view, of wire type 2 without its length. */
  get bytes(): Uint8Array {
    return this.#message.subarray(this.#from, this.#to);
  }

  /** The current varint, as a signed number of 64 bits. */
  get integer(): bigint {
    let value = 0n;
    for (let at = this.#to - 1; at >= this.#from; at--)
      value = (value << 7n) | BigInt(this.#message[at]! & 0x7f);
    return BigInt.asIntN(64, value);
  }

  #key(): void {
    const key = this.#small('a field number');
    this.#field = Math.floor(key / 8);
    this.#wireType = key % 8;
    if (this.#field === 0) throw new FormatError('protobuf: a field has the number 0');
  }

  #skipValue(): void {
    this.#from = this.#at;
    switch (this.#wireType) {
      case VARINT:
        this.#skipVarint();
        break;
      case FIXED64:
        this.#skip(8);
        break;
      case BYTES: {
        const length = this.#small('a length');
        this.#from = this.#at;
        this.#skip(length);
        break;
      }
      case FIXED32:
        this.#skip(4);
        break;
      default:
        throw new FormatError(`protobuf: a field has the wire type ${this.#wireType}`);
    }
    this.#to = this.#at;
  }

  /** To the end of a group, whatever is in it. The field stays the group's. */
  #skipGroup(): void {
    const open = [this.#field];
    while (open.length > 0) {
      if (this.#at === this.#message.length) throw new FormatError('protobuf: a group has no end');
      this.#key();
      if (this.#wireType === GROUP_START) open.push(this.#field);
      else if (this.#wireType !== GROUP_END) this.#skipValue();
      else if (open.pop() !== this.#field) throw new FormatError('protobuf: a group ends that has not begun');
      if (open.length > MAX_GROUPS) throw new FormatError('protobuf: groups are nested too deep');
    }
    this.#wireType = GROUP_START;
  }

  #skip(bytes: number): void {
    if (bytes > this.#message.length - this.#at) throw new FormatError('protobuf: it ends within a field');
    this.#at += bytes;
  }

  /** A varint of 32 bits: field keys and lengths are. */
  #small(what: string): number {
    const from = this.#at;
    this.#skipVarint();
    let value = 0;
    for (let at = this.#at - 1; at >= from; at--) value = value * 128 + (this.#message[at]! & 0x7f);
    if (value >= 2 ** 32) throw new FormatError(`protobuf: ${what} is larger than 32 bits`);
    return value;
  }

  #skipVarint(): void {
    for (let bytes = 1; ; bytes++) {
      if (this.#at === this.#message.length) throw new FormatError('protobuf: it ends within a number');
      if (this.#message[this.#at++]! < 0x80) return;
      if (bytes === MAX_VARINT_BYTES) throw new FormatError('protobuf: a number is longer than 10 bytes');
    }
  }
}

/** 64 bits, seven a byte. */
const MAX_VARINT_BYTES = 10;
/** As the reader of the reference implementation of protobuf has it. */
const MAX_GROUPS = 100;
