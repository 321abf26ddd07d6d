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

/** Digest updates and writes are both at full speed from 64 KB on. */
const PIECE_CHARACTERS = 64 * 1024;

export class LandedWriter {
  readonly header: SdHeader;
  readonly #hash = createHash('sha256');
  readonly #pieces: Buffer[] = [];
  #pending = '';
  #sizeBytes = 0;
  #records = 0;

  /** Throws `FormatError` for a header a reader would refuse, or a kind that nobody lands. */
  constructor(header: SdHeader) {
    this.header = header;
    landedKind(header.kind);
    this.#append(writeHeader(header));
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
    this.#append(line);
    this.#records++;
  }

  /**
   * Adds a record unless the file, closed, would then be larger than `budgetBytes`; the first record is added
   * at any size. Gives whether it was added: if not, this file is done and the record begins the next.
   */
  addWithin(record: SdRecord, budgetBytes: number): boolean {
    const line = writeRecord(record);
    const sizeBytes = this.#sizeBytes + Buffer.byteLength(line) + 1 + closingBytes(this.#records + 1);
    if (this.#records > 0 && sizeBytes > budgetBytes) return false;
    this.addLine(line);
    return true;
  }

  /**
   * Closes the file and publishes it in `folder`. `stamp` is that of the session's pass. To be called once.
   * Throws the `StorageError` of `publishNew`; nothing is left on disk then.
   */
  publish(folder: string, stamp: string, options?: PublishOptions): PublishedFile {
    this.#flush();
    this.#append(writeClosing(this.#records, this.#hash.copy().digest('hex')));
    this.#flush();
    const { seq, kind } = this.header;
    const path = join(folder, landedName(landedKind(kind).prefix, stamp, seq));
    publishNew(path, this.#pieces, options);
    const sha256 = this.#hash.digest('hex');
    return { path, seq, sha256, sizeBytes: this.#sizeBytes, records: this.#records };
  }

  #append(line: string): void {
    this.#sizeBytes += Buffer.byteLength(line) + 1;
    this.#pending += `${line}\n`;
    if (this.#pending.length >= PIECE_CHARACTERS) this.#flush();
  }

  #flush(): void {
    const piece = Buffer.from(this.#pending);
    this.#hash.update(piece);
    this.#pieces.push(piece);
    this.#pending = '';
  }
}

const HEX_DIGEST_LENGTH = 64;

function closingBytes(records: number): number {
  return writeClosing(records, '').length + HEX_DIGEST_LENGTH + 1;
}
