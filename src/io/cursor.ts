/**
 * Cursors: how far a source has been read. One per source, beside its landed files: `transcript.cursor`.
 *
 *     schema        1                    schema        1
 *     kind          append               kind          snapshot
 *     source        p/s1.jsonl           source        p/s1/subagents/agent-a1.meta.json
 *     dev           66306                content_sha256 <64 hex>
 *     ino           1839021              size          61
 *     offset        4096                 mtime         1788267363
 *     ord           12                   last_seq      3
 *     last_uuid     u12                  updated_at    2026-03-01T09:00:01Z
 *     tail_sha256   <64 hex>             state         active
 *     …
 *
 * A cursor is saved after its file is published, never before (dialect spec 4.4, 4.7). One that is lost makes
 * its source land again; records with an id are then recognised. One that is damaged is derived from what landed.
 */
import { posix } from 'node:path';
import { replaceFile } from './publish.js';
import { DAMAGED, formatState, readStateFile, type StateFields, type StateValue } from './state-file.js';

/**
 * `source_gone`: the runtime deleted it. `conflict`: it was rewritten behind the cursor; only a person clears it.
 * `damaged`, which is never written: the file does not say what was written into it, and nothing of it counts.
 */
export type CursorStatus = 'active' | 'source_gone' | 'conflict' | 'damaged';

interface CursorFields {
  /** Path relative to the adapter's source root, with `/`. */
  readonly source: string;
  /** Bytes. Recorded, never compared. */
  readonly size: number;
  /** Seconds since 1970. Recorded, never compared. */
  readonly mtime: number;
  /** Sequence of the last file landed; 0 before the first. */
  readonly lastSeq: number;
  readonly updatedAt: string;
  readonly state: CursorStatus;
}

/** A source that grows at its end. */
export interface AppendCursor extends CursorFields {
  readonly kind: 'append';
  readonly dev: bigint;
  readonly ino: bigint;
  /** Where the next read starts: 0, or just after a newline. */
  readonly offset: number;
  /** Last source line consumed. */
  readonly ord: number;
  /** For people only. */
  readonly lastUuid: string;
  /** SHA-256 of the up to 1,048,576 bytes before `offset`; empty when unknown. */
  readonly tailSha256: string;
}

/** A source that is replaced whole. */
export interface SnapshotCursor extends CursorFields {
  readonly kind: 'snapshot';
  /** SHA-256 of the trimmed document; empty before the first. */
  readonly contentSha256: string;
}

export type Cursor = AppendCursor | SnapshotCursor;

/** The cursor at `path`, or a fresh one for `source`. The path given is kept, not the one saved (spec 4.4). */
export function loadAppendCursor(path: string, source: string): AppendCursor {
  return appendCursor(fieldsFor(source, path), source);
}

/** As `loadAppendCursor`, for a source that is replaced whole. */
export function loadSnapshotCursor(path: string, source: string): SnapshotCursor {
  return snapshotCursor(fieldsFor(source, path), source);
}

/**
 * A cursor that names a file of another name is another source's, put here: it counts as damaged. A directory may
 * have another name by now.
 */
function fieldsFor(source: string, path: string): CursorText {
  const fields = cursorFields(path);
  if (fields === undefined || fields === DAMAGED) return fields;
  return posix.basename(fields.text('source')) === posix.basename(source) ? fields : DAMAGED;
}

/** The cursor at `path` as it says itself, of either kind; `undefined` when there is none. */
export function loadCursor(path: string): Cursor | undefined {
  const fields = cursorFields(path);
  if (fields === undefined) return undefined;
  const source = fields === DAMAGED ? '' : fields.text('source');
  return fields !== DAMAGED && fields.text('kind') === 'snapshot'
    ? snapshotCursor(fields, source)
    : appendCursor(fields, source);
}

type CursorText = StateFields | typeof DAMAGED | undefined;

/** What every writer puts into a cursor. */
const ALWAYS_WRITTEN = ['schema', 'kind', 'source', 'last_seq', 'state'];

function cursorFields(path: string): CursorText {
  return readStateFile(path, ALWAYS_WRITTEN);
}

/** Replaces the cursor at `path`. */
export function saveCursor(path: string, cursor: Cursor): void {
  const entries: [string, StateValue][] = [
    ['schema', 1],
    ['kind', cursor.kind],
    ['source', cursor.source],
  ];
  if (cursor.kind === 'append')
    entries.push(
      ['dev', cursor.dev],
      ['ino', cursor.ino],
      ['offset', cursor.offset],
      ['ord', cursor.ord],
      ['last_uuid', cursor.lastUuid],
      ['tail_sha256', cursor.tailSha256],
    );
  else entries.push(['content_sha256', cursor.contentSha256]);
  entries.push(
    ['size', cursor.size],
    ['mtime', cursor.mtime],
    ['last_seq', cursor.lastSeq],
    ['updated_at', cursor.updatedAt],
    ['state', cursor.state],
  );
  replaceFile(path, formatState(14, entries));
}

function appendCursor(text: CursorText, source: string): AppendCursor {
  const fields = text === DAMAGED ? undefined : text;
  return {
    kind: 'append',
    ...commonFields(text, source),
    dev: fields?.wide('dev') ?? 0n,
    ino: fields?.wide('ino') ?? 0n,
    offset: fields?.count('offset') ?? 0,
    ord: fields?.count('ord') ?? 0,
    lastUuid: fields?.text('last_uuid') ?? '',
    tailSha256: fields?.text('tail_sha256') ?? '',
  };
}

function snapshotCursor(text: CursorText, source: string): SnapshotCursor {
  const fields = text === DAMAGED ? undefined : text;
  return {
    kind: 'snapshot',
    ...commonFields(text, source),
    contentSha256: fields?.text('content_sha256') ?? '',
  };
}

function commonFields(text: CursorText, source: string): CursorFields {
  const fields = text === DAMAGED ? undefined : text;
  return {
    source,
    size: fields?.count('size') ?? 0,
    mtime: fields?.integer('mtime') ?? 0,
    lastSeq: fields?.count('last_seq') ?? 0,
    updatedAt: fields?.text('updated_at') ?? '',
    state: text === DAMAGED ? 'damaged' : statusOf(fields?.text('state')),
  };
}

/** A word nobody knows reads as active: the checks of the next pass then decide from the source itself. */
function statusOf(word: string | undefined): CursorStatus {
  return word === 'source_gone' || word === 'conflict' ? word : 'active';
}
