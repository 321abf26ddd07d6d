/**
 * Where landing tells of what it landed: the index, seen from here. Landing knows nothing of its format.
 */
import type { SdHeader, SdRecord } from '../format/session-data.js';
import type { Instant } from '../format/time.js';

export interface LandedSink {
  /**
   * Whether the index is known to hold everything through a sequence, asked cheaply, of its state alone. A
   * session where nothing lands is then never opened. Without this method every session of a pass is.
   */
  isCurrent?(session: string, throughSeq: number): boolean;
  /**
   * The index of a session, to be extended. Called under the session's lock, after the numbers were recovered.
   * `throughSeq` is the highest number on disk: landed files above what the index holds, which a crash between
   * cursor and index left behind, are to be read again here, in sequence order (dialect spec 4.2).
   * What it throws is an error of the session; landing goes on without the index, because evidence can be
   * deleted at its source and an index can always be built again.
   */
  open(session: string, throughSeq: number): SessionIndexing;
}

export interface SessionIndexing {
  /** The highest sequence it holds, the gap closed. */
  readonly indexedSeq: number;
  /** Records that closing the gap read again. When above 0 the session is saved though nothing lands. */
  readonly reindexed: number;
  /** A file that is published under its final name. Sequences only grow. Nothing is written before `save`. */
  addLandedFile(file: LandedAddition): void;
  /** Writes the index and then its state. Called at most once, at the end of the session's pass. */
  save(now: Instant): void;
}

export interface LandedAddition {
  readonly path: string;
  readonly seq: number;
  /** The source's stream, or empty for a run's file; then `batch` is set. */
  readonly stream: string;
  readonly batch: string;
  readonly header: SdHeader;
  /** In row order, from row 1. Their texts are well-formed, so they read as they would from the file. */
  readonly records: readonly SdRecord[];
  /** SHA-256 of the whole file, lower-case hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
}
