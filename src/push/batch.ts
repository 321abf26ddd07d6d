import { createHash } from 'node:crypto';
import { newlinesIn } from '../io/measure-file.js';
import { readRegularFile } from '../io/small-file.js';
import type { EncodedRecord, ResourceRecords } from './encode-request.js';
import type { Body } from './landed-record.js';

/** One file in a batch. */
export interface Queued {
  readonly path: string;
  readonly digest: string;
  readonly service: string;
  /** Of its body. */
  readonly bytes: number;
  readonly record: EncodedRecord;
}

/** More than any file that a receiver takes, and less than one request can hold. */
export const MAX_FILE_BYTES = 1024 * 1024 * 1024;

/** A receiver that makes each file last takes some 10 ms for one; then so many are answered well within a minute. */
const MAX_FILES = 1000;

/** The files of one request: their bytes lie in one piece of memory, which a later batch uses again. */
export class Batch {
  readonly #budgetBytes: number;
  #memory = Buffer.alloc(0);
  #bytes = 0;
  #files: Queued[] = [];

  constructor(budgetBytes: number) {
    this.#budgetBytes = Math.min(budgetBytes, MAX_FILE_BYTES);
  }

  get files(): readonly Queued[] {
    return this.#files;
  }

  /** Of the files' bodies. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Reads a file of the root into the batch's memory, which does not add it yet; `undefined` when it has no room beside
   * what is there. Throws the system's error, and `UnfitFileError` for what is no regular file.
   */
  read(path: string): Body | undefined {
    if (this.#files.length === MAX_FILES) return undefined;
    try {
      const allocate = (size: number) => this.#room(size);
      const bytes = readRegularFile(path, { maxBytes: MAX_FILE_BYTES, allocate });
      const digest = createHash('sha256').update(bytes).digest('hex');
      return { bytes, digest, lines: newlinesIn(bytes) };
    } catch (cause) {
      if (cause instanceof NoRoom) return undefined;
      throw cause;
    }
  }

  add(file: Queued): void {
    this.#files.push(file);
    this.#bytes += file.bytes;
  }

  /** Empties it. */
  clear(): void {
    this.#files = [];
    this.#bytes = 0;
  }

  /** A file larger than the budget has a batch of its own. */
  #room(size: number): Buffer {
    if (this.#files.length > 0 && this.#bytes + size > this.#budgetBytes) throw new NoRoom();
    if (this.#bytes + size > this.#memory.length)
      this.#memory = Buffer.allocUnsafeSlow(Math.max(this.#budgetBytes, size));
    return this.#memory.subarray(this.#bytes, this.#bytes + size);
  }
}

class NoRoom extends Error {}

/** Files by service, in the order in which services come. */
export function groupsOf(
  files: readonly Queued[],
  resource: (service: string) => ResourceRecords['resource'],
): ResourceRecords[] {
  const groups = new Map<string, EncodedRecord[]>();
  for (const { service, record } of files) {
    const group = groups.get(service);
    if (group === undefined) groups.set(service, [record]);
    else group.push(record);
  }
  return [...groups].map(([service, records]) => ({ resource: resource(service), records }));
}
