/**
 * Every landed file of a session, read once (view spec 3.1): what each file is, when its records happened, and,
 * on the way, the records that somebody wants to see.
 */

import type { RecordGlance } from '../format/record-glance.js';
import type { Ref } from '../format/session-flow.js';
import { compareInstants, type Instant, isNoTime, NO_TIME, parseTime } from '../format/time.js';
import { LandedFileError, readLandedFile } from '../io/landed-file.js';
import { misplaced, NO_DIGEST } from '../io/landed-place.js';
import { type MeasuredFile, measureFile } from '../io/measure-file.js';
import type { LandedFile } from '../io/storage-root.js';

/** A landed file as the document lists it. */
export interface EvidenceFile extends MeasuredFile {
  /** Relative to the storage root, with `/`. */
  readonly path: string;
  readonly seq: number;
  /** As its header says; empty when that does not parse. */
  readonly kind: string;
  readonly stream: string;
  readonly run: string;
  /** Earliest and latest record time; `undefined` when no record has one. */
  readonly from: Instant | undefined;
  readonly through: Instant | undefined;
}

/** Looks at one record. */
export type Take = (record: RecordGlance, ref: Ref) => void;

/** Looks at the records of its references; `which` tells them apart. */
export interface Taker {
  see(record: RecordGlance, ref: Ref, which: number): void;
}

interface Wanted {
  readonly row: number;
  readonly taker: Taker;
  readonly which: number;
}

/** The records that are wanted. Of one record's takers the first to ask is the first to see it. */
export class WantedRecords {
  readonly #bySeq = new Map<number, Wanted[]>();

  at({ seq, row }: Ref, taker: Taker, which = 0): void {
    const wanted = this.#bySeq.get(seq);
    if (wanted === undefined) this.#bySeq.set(seq, [{ row, taker, which }]);
    else wanted.push({ row, taker, which });
  }

  /** The wanted rows of a file, ascending. */
  of(seq: number): readonly Wanted[] {
    return (this.#bySeq.get(seq) ?? []).sort((a, b) => a.row - b.row);
  }
}

export interface Evidence {
  readonly files: readonly EvidenceFile[];
  /** SHA-256 of every file by sequence; `NO_DIGEST` for one that stands where it did not land. */
  readonly digests: ReadonlyMap<number, string>;
  /** When a record happened; `NO_TIME` when it says nothing, or is not there, or there is no reference. */
  timeAt(ref: Ref | undefined): Instant;
  /** What orders the records of a file among others: `stream/<name>`, `run/<id>`, or empty. */
  laneOf(seq: number): string;
}

/**
 * Reads a session's files. `every` sees each record of each file before those who want it. Gives control back
 * after each file. Records behind one that does not decode are not seen. Throws `StorageError` for a file that
 * cannot be read as bytes.
 */
export function* readEvidence(
  session: string,
  landed: readonly LandedFile[],
  wanted: WantedRecords,
  every: (file: LandedFile, kind: string) => Take | undefined,
): Generator<void, Evidence> {
  const files: EvidenceFile[] = [];
  const digests = new Map<number, string>();
  const times = new Map<number, Times>();
  const lanes = new Map<number, string>();
  for (const file of landed) {
    const rows = new Times();
    times.set(file.seq, rows);
    lanes.set(file.seq, laneOf(file));
    const { fits, ...read } = readOne(session, file, rows, wanted, every);
    digests.set(file.seq, fits ? read.sha256 : NO_DIGEST);
    files.push({
      path: pathInRoot(session, file),
      seq: file.seq,
      stream: file.stream,
      run: file.batch,
      ...read,
    });
    yield;
  }
  return {
    files,
    digests,
    timeAt: (ref) => (ref && times.get(ref.seq)?.at(ref.row)) ?? NO_TIME,
    laneOf: (seq) => lanes.get(seq) ?? '',
  };
}

function readOne(
  session: string,
  file: LandedFile,
  times: Times,
  wanted: WantedRecords,
  every: (file: LandedFile, kind: string) => Take | undefined,
): Omit<EvidenceFile, 'path' | 'seq' | 'stream' | 'run'> & { readonly fits: boolean } {
  const { seq, path } = file;
  const takers = wanted.of(seq);
  let next = 0;
  let kind = '';
  let fits = true;
  let seesAll: Take | undefined;
  const measured = measuring(path, {
    header: (header) => {
      kind = header.kind;
      fits = misplaced(header, file, session).length === 0;
      seesAll = every(file, kind);
    },
    glance: (record, row) => {
      times.push(parseTime(record.time));
      if (seesAll !== undefined) seesAll(record, { seq, row });
      while (next < takers.length && takers[next]!.row < row) next++;
      for (; next < takers.length && takers[next]!.row === row; next++) {
        const { taker, which } = takers[next]!;
        taker.see(record, { seq, row }, which);
      }
    },
  });
  return { kind, fits, from: times.earliest, through: times.latest, ...measured };
}

/** Size, digest and lines of a file, from reading its records; of a damaged one from its bytes. */
function measuring(path: string, visitor: Parameters<typeof readLandedFile>[1]): MeasuredFile {
  try {
    const { sha256, sizeBytes, records, oddLine } = readLandedFile(path, visitor);
    // A file that ends as written is a header, its records and a closing line, each with its newline.
    return oddLine === 0 ? { sha256, sizeBytes, lines: records + 2 } : measureFile(path);
  } catch (cause) {
    if (!(cause instanceof LandedFileError)) throw cause;
    return measureFile(path); // What its digest is, the chain's check holds against the rounds.
  }
}

/** The times of a file's records, by row. */
class Times {
  earliest: Instant | undefined;
  latest: Instant | undefined;
  readonly #ms: number[] = [];
  readonly #ns: number[] = [];

  push(time: Instant): void {
    this.#ms.push(time.ms);
    this.#ns.push(time.ns);
    if (isNoTime(time)) return;
    if (this.earliest === undefined || compareInstants(time, this.earliest) < 0) this.earliest = time;
    if (this.latest === undefined || compareInstants(time, this.latest) > 0) this.latest = time;
  }

  at(row: number): Instant | undefined {
    const ms = this.#ms[row - 1];
    return ms === undefined ? undefined : { ms, ns: this.#ns[row - 1]! };
  }
}

function laneOf({ stream, batch }: LandedFile): string {
  return stream !== '' ? `stream/${stream}` : batch !== '' ? `run/${batch}` : '';
}

function pathInRoot(session: string, { stream, batch, name }: LandedFile): string {
  const place = stream !== '' ? `streams/${stream}` : batch !== '' ? `runs/${batch}` : 'provider_body';
  return `${session}/${place}/${name}`;
}
