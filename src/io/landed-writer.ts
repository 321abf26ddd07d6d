/**
 * Builds one landed file in memory and publishes it whole.
 *
 * In memory, because a file is about as large as the budget lets it be (2 MiB), and because nothing then lies
 * on disk that a failure would have to take back: neither a name nor a sequence is spent before the bytes
 * are complete (dialect spec 4.7).
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { landedKind, landedName } from '../format/landed-name.js';
import {
  type SdHeader,
  type SdRecord,
  writeClosing,
  writeHeader,
  writeRecord,
} from '../format/session-data.js';
import { type PublishOptions, publishNew } from './publish.js';

/** A file that was published. */
export interface PublishedFile {
  readonly path: string;
  readonly seq: number;
  /** SHA-256 of every byte, lower-case hex: what rounds bind. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly records: number;
}

export class LandedWriter {
  readonly header: SdHeader;
  #bytes = takeRoom();
  #sizeBytes = 0;
  #records = 0;

  /** Throws `FormatError` for a header a reader would refuse, or a kind that nobody lands. */
  constructor(header: SdHeader) {
    this.header = header;
    landedKind(header.kind);
    this.#sizeBytes = this.#write(writeHeader(header));
  }

  get records(): number {
    return this.#records;
  }

  /** Size of the file if it were closed now, header and closing line included. */
  get sizeBytes(): number {
    return this.#sizeBytes + closingBytes(this.#records);
  }

  add(record: SdRecord): void {
    this.addLine(writeRecord(record));
  }

  /** Adds a record's line as it stands, without its newline: a record carried on keeps its bytes. */
  addLine(line: string): void {
    this.#sizeBytes = this.#write(line);
    this.#records++;
  }

  /**
   * Adds a record unless the file, closed, would then be larger than `budgetBytes`; the first record is added
   * at any size. Gives whether it was added: if not, this file is done and the record begins the next.
   */
  addWithin(record: SdRecord, budgetBytes: number): boolean {
    // A line that is too much stays behind the end, where the next one overwrites it.
    const end = this.#write(writeRecord(record));
    if (this.#records > 0 && end + closingBytes(this.#records + 1) > budgetBytes) return false;
    this.#sizeBytes = end;
    this.#records++;
    return true;
  }

  /**
   * Closes the file and publishes it in `folder`. `stamp` is that of the session's pass. To be called once.
   * Throws the `StorageError` of `publishNew`; nothing is left on disk then.
   */
  publish(folder: string, stamp: string, options?: PublishOptions): PublishedFile {
    const hash = createHash('sha256').update(this.#bytes.subarray(0, this.#sizeBytes));
    const bodyEnd = this.#sizeBytes;
    this.#sizeBytes = this.#write(writeClosing(this.#records, hash.copy().digest('hex')));
    const sha256 = hash.update(this.#bytes.subarray(bodyEnd, this.#sizeBytes)).digest('hex');
    const { seq, kind } = this.header;
    const path = join(folder, landedName(landedKind(kind).prefix, stamp, seq));
    publishNew(path, this.#bytes.subarray(0, this.#sizeBytes), options);
    giveBackRoom(this.#bytes);
    this.#bytes = NO_ROOM;
    return { path, seq, sha256, sizeBytes: this.#sizeBytes, records: this.#records };
  }

  /** Writes a line behind the end and gives where the end would then be. */
  #write(line: string): number {
    // What a unit can take at most is asked first, because counting a line's bytes costs as much as writing it.
    const most = line.length < COUNTED_FROM ? line.length * 3 : Buffer.byteLength(line);
    const needed = this.#sizeBytes + most + 1;
    if (needed > this.#bytes.length) this.#bytes = grown(this.#bytes, this.#sizeBytes, needed);
    const end = this.#sizeBytes + this.#bytes.write(line, this.#sizeBytes);
    this.#bytes[end] = NEWLINE;
    return end + 1;
  }
}

const NEWLINE = 0x0a;
/** Lines of so many units are counted before they are written, so that they take no room they do not need. */
const COUNTED_FROM = 256 * 1024;

const FIRST_ROOM_BYTES = 64 * 1024;
/** A file of the default budget, and some: what a writer leaves is kept for the next one up to this size. */
const KEPT_ROOM_BYTES = 4 * 1024 * 1024;
const NO_ROOM = Buffer.alloc(0);

/** Fresh memory costs more than what is written into it, so one file after the other is built in the same. */
let spareRoom: Buffer = NO_ROOM;

function takeRoom(): Buffer {
  const room = spareRoom.length > 0 ? spareRoom : Buffer.allocUnsafeSlow(FIRST_ROOM_BYTES);
  spareRoom = NO_ROOM;
  return room;
}

function giveBackRoom(room: Buffer): void {
  if (room.length > spareRoom.length && room.length <= KEPT_ROOM_BYTES) spareRoom = room;
}

/** The first `filled` bytes in room for `needed`. */
function grown(room: Buffer, filled: number, needed: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, room.length * 2));
  room.copy(larger, 0, 0, filled);
  return larger;
}

const HEX_DIGEST_LENGTH = 64;

function closingBytes(records: number): number {
  return writeClosing(records, '').length + HEX_DIGEST_LENGTH + 1;
}
