/**
 * The records of a session by landed position, for readers that show what was said. They read Session Data and
 * nothing else; the index is assembly's alone (seeds, changes), and here at most tells which bytes it has seen.
 *
 * A file is read whole though one record of it is wanted: only so does its closing line prove that nobody changed
 * what is shown. What was wrong is remembered, and whatever can be read is given all the same; a reader of content
 * shows it and says the faults.
 */
import { join } from 'node:path';
import { AszError, causeText } from '../format/errors.js';
import type { SdRecordRead } from '../format/session-data.js';
import type { IndexedFile } from '../format/session-index.js';
import { type LandedRecord, readLandedFile, readLandedHeader, readLandedRecord } from './landed-file.js';
import { misplaced } from './landed-place.js';
import { type LandedFile, listLandedFiles, sessionFolder } from './storage-root.js';

/** A landed file is at most a few megabytes. */
const MAX_OPEN_FILES = 4;

export class LandedRecords {
  /** Where the session lies, for faults that are no file's. */
  readonly #place: string;
  readonly #session: string;
  readonly #paths = new Map<number, string>();
  /** The files as the directory lists them, when no index says what they hold. */
  readonly #listed = new Map<number, LandedFile>();
  /** SHA-256 of the files the index knows. */
  readonly #sha256 = new Map<number, string>();
  /** The files read last, the latest at the end: a tree goes back and forth between a parent and its children. */
  readonly #open = new Map<number, readonly LandedRecord[]>();
  /** The first fault of each file, by sequence: one is enough to send somebody to verify. */
  readonly #faults = new Map<number, string>();
  /** Sequences that were asked for and have no file. */
  readonly #absent = new Set<number>();
  /** Why no file could be listed; else empty. */
  #unlisted = '';

  /** `indexed`: the files as a loaded index knows them, which then says where they are and what they hold. */
  constructor(root: string, session: string, indexed?: readonly IndexedFile[]) {
    this.#place = join(root, session);
    this.#session = session;
    try {
      const folder = sessionFolder(root, session);
      for (const { seq, path, sha256 } of indexed ?? []) {
        this.#paths.set(seq, join(folder, path));
        this.#sha256.set(seq, sha256);
      }
      if (indexed === undefined)
        for (const file of listLandedFiles(folder)) {
          this.#paths.set(file.seq, file.path);
          this.#listed.set(file.seq, file);
        }
    } catch (cause) {
      this.#unlisted = wordsOf(cause);
    }
  }

  /** The record at a position; `undefined` when its file is missing, has no such row, or it does not decode. */
  at(seq: number, row: number): SdRecordRead | undefined {
    return this.#find(seq, row)?.record;
  }

  /** The line of that record as it stands in the file, for what `JSON.parse` does not keep. */
  lineAt(seq: number, row: number): string | undefined {
    return this.#find(seq, row)?.text;
  }

  /** The dialect of the session's first landed file; empty when there is none. */
  dialect(): string {
    const [first] = this.#paths;
    if (first === undefined) return '';
    const [seq, path] = first;
    try {
      return readLandedHeader(path).dialect;
    } catch (cause) {
      this.#note(seq, wordsOf(cause)); // Here it costs only a word.
      return '';
    }
  }

  /**
   * What was wrong with what has been read so far, each as `<path>: <cause>`: files that cannot be read or were
   * altered, and sequences without a file among those asked for and those up to `throughSeq`.
   */
  faults(throughSeq = 0): string[] {
    if (this.#unlisted !== '') return [`${this.#place}: ${this.#unlisted}`];
    const beyond = [...this.#absent].filter((seq) => seq > throughSeq).sort((a, b) => a - b);
    const missing = [
      ...missingRanges([...this.#paths.keys()], throughSeq),
      ...beyond.map((seq) => [seq, seq] as const),
    ].map(([from, to]) => `no landed file of sequence ${from === to ? from : `${from} to ${to}`}`);
    const damaged = [...this.#faults].sort(([a], [b]) => a - b);
    return [
      ...missing.map((words) => `${this.#place}: ${words}`),
      ...damaged.map(([seq, words]) => `${this.#paths.get(seq)}: ${words}`),
    ];
  }

  /** Whether something was wrong with the file of a sequence, as far as it has been read. */
  isFaulty(seq: number): boolean {
    return this.#unlisted !== '' || this.#absent.has(seq) || this.#faults.has(seq);
  }

  #find(seq: number, row: number): LandedRecord | undefined {
    const path = this.#paths.get(seq);
    if (path === undefined) {
      this.#absent.add(seq);
      return undefined;
    }
    const records = this.#open.get(seq) ?? this.#read(seq, path);
    this.#open.delete(seq);
    this.#open.set(seq, records);
    if (this.#open.size > MAX_OPEN_FILES) this.#open.delete(this.#open.keys().next().value!);
    return records[row - 1] ?? (this.#faults.has(seq) ? behindDamage(path, row) : undefined);
  }

  #read(seq: number, path: string): readonly LandedRecord[] {
    const records: LandedRecord[] = [];
    try {
      const { header, sha256 } = readLandedFile(path, {
        record: (record, _, text) => records.push({ record, text }),
      });
      if (sha256 !== (this.#sha256.get(seq) ?? sha256))
        this.#note(seq, 'its bytes are not those that were indexed');
      const file = this.#listed.get(seq);
      for (const words of file === undefined ? [] : misplaced(header, file, this.#session))
        this.#note(seq, words);
    } catch (cause) {
      this.#note(seq, wordsOf(cause)); // What was read before the fault can still be shown.
    }
    return records;
  }

  #note(seq: number, words: string): void {
    if (!this.#faults.has(seq)) this.#faults.set(seq, words);
  }
}

/** A record behind one that does not decode: a line is a row whatever stands in it. */
function behindDamage(path: string, row: number): LandedRecord | undefined {
  try {
    return readLandedRecord(path, row);
  } catch (cause) {
    wordsOf(cause);
    return undefined;
  }
}

/** Runs of sequences from 1 to `through` that are not among `present`, which ascend: a header may claim any range. */
function missingRanges(present: readonly number[], through: number): (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [];
  let next = 1;
  for (const seq of [...present.filter((seq) => seq <= through), through + 1]) {
    if (seq > next) ranges.push([next, seq - 1]);
    next = seq + 1;
  }
  return ranges;
}

/** The words of a fault; what is no fault of the storage root is a fault of this program, and passes through. */
function wordsOf(cause: unknown): string {
  if (!(cause instanceof AszError)) throw cause;
  return causeText(cause);
}
