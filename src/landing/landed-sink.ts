/**
 * Where landing tells of what it landed: the index, seen from here. Landing knows nothing of its format.
 */
import type { SdHeader, SdRecord } from '../format/session-data.js';
import type { Instant } from '../format/time.js';
import type { PublishedFile } from '../io/landed-writer.js';

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
  /** A file that is being built. Nothing of it counts before it says that it is published. */
  startFile(header: SdHeader): FileIndexing;
  /** Writes the index and then its state. Called at most once, at the end of the session's pass. */
  save(now: Instant): void;
}

/** One file on its way into the index. Dropping it leaves no trace. */
export interface FileIndexing {
  /** The next row, from row 1. Its texts are well-formed, so it reads as it would from the file. It is not kept. */
  addRecord(record: SdRecord): void;
  /** The file has its final name. Sequences only grow. Nothing is written before `save`. */
  published(file: PublishedFile): void;
}
