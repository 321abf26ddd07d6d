/**
 * The records of a session by landed position, for readers that show what was said. They read Session Data and
 * nothing else; the index is assembly's alone (seeds, changes).
 */
import { AszError } from '../format/errors.js';
import type { SdRecordRead } from '../format/session-data.js';
import { readLandedFile, readLandedHeader } from './landed-file.js';
import { type LandedFile, listLandedFiles, sessionFolder } from './storage-root.js';

/** A landed file is at most a few megabytes. */
const MAX_OPEN_FILES = 4;

export class LandedRecords {
  readonly #files: ReadonlyMap<number, LandedFile>;
  /** The files read last, the latest at the end: a tree goes back and forth between a parent and its children. */
  readonly #open = new Map<number, readonly SdRecordRead[]>();

  constructor(root: string, session: string) {
    this.#files = filesBySeq(root, session);
  }

  /** The record at a position; `undefined` when its file is missing, does not read that far, or has no such row. */
  at(seq: number, row: number): SdRecordRead | undefined {
    const records = this.#open.get(seq) ?? this.#read(seq);
    this.#open.delete(seq);
    this.#open.set(seq, records);
    if (this.#open.size > MAX_OPEN_FILES) this.#open.delete(this.#open.keys().next().value!);
    return records[row - 1];
  }

  /** The dialect of the session's first landed file; empty when there is none. */
  dialect(): string {
    const [first] = this.#files.values();
    try {
      return first === undefined ? '' : readLandedHeader(first.path).dialect;
    } catch (cause) {
      if (cause instanceof AszError) return ''; // Damage is for verify to name; here it costs only a word.
      throw cause;
    }
  }

  #read(seq: number): readonly SdRecordRead[] {
    const file = this.#files.get(seq);
    const records: SdRecordRead[] = [];
    if (file === undefined) return records;
    try {
      readLandedFile(file.path, { record: (record) => records.push(record) });
    } catch (cause) {
      if (!(cause instanceof AszError)) throw cause; // What was read before the fault can still be shown.
    }
    return records;
  }
}

function filesBySeq(root: string, session: string): ReadonlyMap<number, LandedFile> {
  try {
    return new Map(listLandedFiles(sessionFolder(root, session)).map((file) => [file.seq, file]));
  } catch (cause) {
    if (cause instanceof AszError) return new Map();
    throw cause;
  }
}
