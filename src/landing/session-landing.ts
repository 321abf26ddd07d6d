/**
 * What the sources of one session share while they are collected: one instant, one sequence, one index.
 * Only the holder of the session's lock may have one.
 */
import { dirname } from 'node:path';
import type { CollectingAdapter, Source } from '../adapters/adapter.js';
import type { SdHeader, SdRecord } from '../format/session-data.js';
import { formatStamp, formatTime, type Instant } from '../format/time.js';
import { LandedWriter, type PublishedFile } from '../io/landed-writer.js';
import {
  cursorFile,
  landedFolder,
  listEvidenceFolders,
  refuseLink,
  sessionFolder,
} from '../io/storage-root.js';
import { Twins } from '../io/twins.js';
import type { FileIndexing, SessionIndexing } from './landed-sink.js';
import type { PassTally } from './pass-tally.js';

export interface LandingPlace {
  readonly adapter: CollectingAdapter;
  readonly sourceRoot: string;
  readonly storageRoot: string;
  readonly session: string;
  /** Bounds a window of source bytes, and a landed file. */
  readonly maxDeltaBytes: number;
}

export class SessionLanding {
  readonly place: LandingPlace;
  readonly tally: PassTally;
  /** When this pass began, RFC 3339: every header, cursor and state of the pass says the same. */
  readonly at: string;
  /** Files of this pass that this session got. */
  filesLanded = 0;
  #nextSeq: number;
  readonly #stamp: string;
  readonly #openIndex: () => SessionIndexing | undefined;
  #twins: Twins | undefined;

  /** `openIndex` is called before the first file is built, and gives the same index whenever it is called. */
  constructor(
    place: LandingPlace,
    tally: PassTally,
    now: Instant,
    nextSeq: number,
    openIndex: () => SessionIndexing | undefined,
  ) {
    this.place = place;
    this.tally = tally;
    this.at = formatTime(now);
    this.#stamp = formatStamp(now);
    this.#nextSeq = nextSeq;
    this.#openIndex = openIndex;
  }

  /** The number the next file gets. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** Throws `StorageError` for a link in place of its folder. */
  cursorPath({ kind, stream, batch }: Source): string {
    const path = cursorFile(this.place.storageRoot, this.place.session, kind, stream || batch);
    refuseLink(dirname(path));
    return path;
  }

  /** Counts a source whose cursor says conflict, and remembers which. */
  stop({ relativePath }: Source, cursor: string): void {
    this.tally.conflicts++;
    this.tally.stopped.push({ relativePath, cursor });
  }

  /** Refuses a stream or run whose folder a disk might take for that of another. */
  #claimFolder(folder: string): void {
    this.#twins ??= new Twins(
      listEvidenceFolders(sessionFolder(this.place.storageRoot, this.place.session)).map(({ path }) => path),
    );
    this.#twins.claim(folder);
  }

  /** The next file of a source. Nothing is taken or written until it is published. */
  startFile({ relativePath, kind, stream, batch }: Source): FileLanding {
    const { adapter, session, storageRoot } = this.place;
    const header: SdHeader = {
      seq: this.#nextSeq,
      at: this.at,
      kind,
      adapter: adapter.contract,
      dialect: adapter.dialect,
      src: relativePath,
      session,
      // A workflow's child lands beside the others: a stream's file never names a run.
      ...(stream === '' ? { batch } : { stream }),
    };
    const folder = landedFolder(storageRoot, session, kind, stream || batch);
    this.#claimFolder(folder);
    const indexing = this.#openIndex();
    return new FileLanding(header, indexing?.startFile(header), (writer) => {
      const file = writer.publish(folder, this.#stamp, { root: storageRoot });
      this.#nextSeq++;
      this.filesLanded++;
      this.tally.records += file.records;
      if (indexing !== undefined) this.tally.indexed += file.records;
      return file;
    });
  }
}

/** One file while it lands: its records go into the file, and into the index for when it is published. */
export class FileLanding {
  readonly #writer: LandedWriter;
  readonly #indexing: FileIndexing | undefined;
  readonly #publish: (writer: LandedWriter) => PublishedFile;

  constructor(
    header: SdHeader,
    indexing: FileIndexing | undefined,
    publish: (writer: LandedWriter) => PublishedFile,
  ) {
    this.#writer = new LandedWriter(header);
    this.#indexing = indexing;
    this.#publish = publish;
  }

  get records(): number {
    return this.#writer.records;
  }

  /** Adds a record as `LandedWriter.addWithin` does. */
  addWithin(record: SdRecord, budgetBytes: number): boolean {
    if (!this.#writer.addWithin(record, budgetBytes)) return false;
    this.#indexing?.addRecord(record);
    return true;
  }

  /**
   * Publishes the file. Its number is spent and the index told only after it has its final name, so that a
   * failed write leaves neither a hole nor entries of a file that does not exist (dialect spec 4.7).
   */
  publish(): PublishedFile {
    const file = this.#publish(this.#writer);
    this.#indexing?.published(file);
    return file;
  }
}
