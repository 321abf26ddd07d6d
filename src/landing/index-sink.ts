/**
 * The index, extended while landing: the records are still in memory, so no landed file is read for it, except
 * to close the gap that a crash between cursor and index left (storage spec 2.6).
 */
import type { SdHeader, SdPart, SdRecord } from '../format/session-data.js';
import {
  type EntryFields,
  type EntryPlace,
  entryOf,
  type IndexableRecord,
  IndexBuilder,
} from '../format/session-index.js';
import type { Instant } from '../format/time.js';
import { CHANGES_SCHEMA } from '../format/workspace-change.js';
import { indexLandedFiles, isIndexed, loadIndex, pathInSession, saveIndex } from '../io/index-store.js';
import type { PublishedFile } from '../io/landed-writer.js';
import { type LandedFile, listLandedFiles, sessionFolder } from '../io/storage-root.js';
import type { FileIndexing, LandedSink, SessionIndexing } from './landed-sink.js';

/** The sink that keeps the indexes of a storage root. */
export function indexSink(storageRoot: string): LandedSink {
  return {
    isCurrent: (session, throughSeq) => isIndexed(storageRoot, session, throughSeq),
    open: (session, throughSeq) => new IndexExtension(storageRoot, session, throughSeq),
  };
}

class IndexExtension implements SessionIndexing {
  readonly reindexed: number;
  readonly #root: string;
  readonly #builder: IndexBuilder;

  constructor(root: string, session: string, throughSeq: number) {
    this.#root = root;
    this.#builder = new IndexBuilder(session, loadIndex(root, session)?.index);
    const before = this.#builder.entries;
    if (this.#builder.lastSeq < throughSeq)
      indexLandedFiles(this.#builder, root, filesAfter(root, session, this.#builder.lastSeq));
    this.reindexed = this.#builder.entries - before;
  }

  get indexedSeq(): number {
    return this.#builder.lastSeq;
  }

  startFile({ kind, stream = '', batch = '' }: SdHeader): FileIndexing {
    return new FileExtension(this.#builder, this.#root, { fileKind: kind, stream, batch });
  }

  save(now: Instant): void {
    saveIndex(this.#root, this.#builder.finish(), now);
  }
}

function filesAfter(root: string, session: string, seq: number): LandedFile[] {
  return listLandedFiles(sessionFolder(root, session)).filter((file) => file.seq > seq);
}

/** Holds entries and not records: a record's texts are long, and nothing more is asked of them. */
class FileExtension implements FileIndexing {
  readonly #builder: IndexBuilder;
  readonly #root: string;
  readonly #place: EntryPlace;
  readonly #entries: EntryFields[] = [];

  constructor(builder: IndexBuilder, root: string, place: EntryPlace) {
    this.#builder = builder;
    this.#root = root;
    this.#place = place;
  }

  addRecord(record: SdRecord): void {
    this.#entries.push(entryOf(indexable(record), this.#entries.length + 1, this.#place));
  }

  published({ path, seq, sha256, sizeBytes, records }: PublishedFile): void {
    const below = pathInSession(this.#root, this.#builder.session, path);
    this.#builder.addFile({ seq, path: below, sha256, sizeBytes, records });
    for (const entry of this.#entries) this.#builder.addEntry(entry);
  }
}

/** Whether data may be a change record, whose schema JSON can also spell with escapes. Else it is not parsed. */
function mayBeChanges(data: string): boolean {
  return data.includes(CHANGES_SCHEMA) || data.includes('\\/1') || data.includes('\\u00');
}

/** A record about to be written, as it would be read. */
function indexable(record: SdRecord): IndexableRecord {
  return {
    id: record.id ?? '',
    parent: record.parent ?? '',
    call: record.call ?? '',
    run: record.run ?? '',
    continues: record.continues ?? '',
    tool: record.tool ?? '',
    child: record.child ?? '',
    batch: record.batch ?? '',
    label: record.label ?? '',
    started_by: record.started_by ?? '',
    from: record.from ?? '',
    time: record.time ?? '',
    trigger: record.trigger ?? '',
    flags: record.flags ?? [],
    parts: (record.parts ?? []).map(indexablePart),
  };
}

function indexablePart(part: SdPart): IndexableRecord['parts'][number] {
  const mayMatter = part.k === 'data' && part.data !== undefined && mayBeChanges(part.data);
  return {
    k: part.k,
    data: mayMatter ? JSON.parse(part.data!) : undefined,
    id: part.id ?? '',
    of: part.of ?? '',
    name: part.name ?? '',
    server: part.server ?? '',
    server_tool: part.server_tool ?? '',
  };
}
