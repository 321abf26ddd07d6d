/**
 * The index on disk, `index/entries.bin` with `index/index.state` beside it: loaded when the two agree, built
 * again from the landed files when not. Both may be deleted at any time (storage spec 2.6).
 */

import { dirname, join, relative } from 'node:path';
import { causeText, FormatError, StorageError } from '../format/errors.js';
import { decodeIndex, encodeIndex, INDEX_VERSION } from '../format/index-file.js';
import { kindOfPrefix } from '../format/landed-name.js';
import type { SdHeaderRead } from '../format/session-data.js';
import { type EntryFields, entryOf, IndexBuilder, type SessionIndex } from '../format/session-index.js';
import { formatTime, type Instant } from '../format/time.js';
import { lstatSync, type Stats } from './file-system.js';
import { makeFolderLast } from './folders.js';
import { LandedFileError, readLandedFile } from './landed-file.js';
import { misplaced } from './landed-place.js';
import { replaceFile } from './publish.js';
import { readSmallFile, UnfitFileError } from './small-file.js';
import { formatState, readStateCache, type StateFields } from './state-file.js';
import { indexFolder, type LandedFile, listLandedFiles, sessionFolder } from './storage-root.js';

/** An index with the highest landed sequence it holds, which is where assembly's watermark is fixed. */
export interface StoredIndex {
  readonly index: SessionIndex;
  readonly indexedSeq: number;
}

/**
 * Loads a session's index; `undefined` when it is absent, of another version, damaged, no file at all, or its
 * state disagrees with it: a crash between the two writes would otherwise count records without ids twice.
 */
export function loadIndex(root: string, session: string): StoredIndex | undefined {
  const state = readIndexState(root, session);
  if (state === undefined || state.count('schema') !== INDEX_VERSION) return undefined;
  const bytes = unlessUnfit(() =>
    readSmallFile(entriesFile(root, session), { maxBytes: Number.POSITIVE_INFINITY }),
  );
  const index = bytes === undefined ? undefined : decodeIndex(bytes);
  if (index === undefined || index.session !== session) return undefined;
  const indexedSeq = state.count('indexed_seq');
  if (index.entries !== state.count('entries') || lastSeq(index) !== indexedSeq) return undefined;
  return { index, indexedSeq };
}

/** Whether the index on disk says it reaches a sequence, without loading it. */
export function isIndexed(root: string, session: string, throughSeq: number): boolean {
  const state = readIndexState(root, session);
  return (
    state?.count('schema') === INDEX_VERSION &&
    state.count('indexed_seq') === throughSeq &&
    hasEntries(root, session)
  );
}

/** What an index says of itself without being loaded: equal words, equal index. Empty when there is none. */
export function indexFingerprint(root: string, session: string): string {
  const state = readIndexState(root, session);
  if (state?.count('schema') !== INDEX_VERSION || !hasEntries(root, session)) return '';
  return ['indexed_seq', 'entries', 'blocks', 'strings'].map((key) => state.count(key)).join(' ');
}

/**
 * Saves an index, entries first and state last. `now` is recorded; `built_at` is kept from the first save.
 * Throws `StorageError` `storage: write <path>: <cause>`.
 */
export function saveIndex(root: string, index: SessionIndex, now: Instant): void {
  const { session } = index;
  checkPlaces(root, session);
  const builtAt = readIndexState(root, session)?.text('built_at') || formatTime(now);
  replaceFile(entriesFile(root, session), encodeIndex(index));
  replaceFile(
    stateFile(root, session),
    formatState(12, [
      ['schema', INDEX_VERSION],
      ['session', session],
      ['indexed_seq', lastSeq(index)],
      ['entries', index.entries],
      ['blocks', index.blocks],
      ['strings', Object.values(index.strings).reduce((sum, table) => sum + table.size, 0)],
      ['built_at', builtAt],
      ['updated_at', formatTime(now)],
    ]),
  );
}

/**
 * The session's index, from disk when it is there and names the files that are there, else built from the landed
 * files and saved. An index that is merely behind is taken as it is: extending it is the collector's work.
 * Throws `FormatError` when a landed file does not read, for none is ever skipped.
 */
export function openIndex(root: string, session: string, now: Instant): StoredIndex {
  const landed = listLandedFiles(sessionFolder(root, session));
  const stored = loadIndex(root, session);
  if (stored !== undefined && namesAgree(root, stored, landed)) return stored;
  const builder = new IndexBuilder(session);
  try {
    indexLandedFiles(builder, root, landed);
  } catch (cause) {
    throw new FormatError(`parse: rebuild index for ${session}: ${causeText(cause)}`, { cause });
  }
  if (landed.length === 0) throw new StorageError(`parse: no landed records for session ${session}`);
  const index = builder.finish();
  saveIndex(root, index, now);
  return { index, indexedSeq: lastSeq(index) };
}

/**
 * Adds landed files to an index by reading them. What an index holds may go into a round, and a round must not outlast
 * its evidence: whoever landed these may have been killed before their names were synced.
 */
export function indexLandedFiles(builder: IndexBuilder, root: string, files: readonly LandedFile[]): void {
  for (const file of files) indexLandedFile(builder, root, file);
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) makeFolderLast(folder, root);
}

/**
 * The session's index from disk, or else built in memory and not saved: for readers, which may run beside a collector
 * and hold no lock. `undefined` when nothing landed. Throws `FormatError` when a landed file does not read.
 */
export function readIndex(root: string, session: string): SessionIndex | undefined {
  const stored = loadIndex(root, session);
  if (stored !== undefined) return stored.index;
  const landed = listLandedFiles(sessionFolder(root, session));
  if (landed.length === 0) return undefined;
  const builder = new IndexBuilder(session);
  for (const file of landed) indexLandedFile(builder, root, file);
  return builder.finish();
}

/** Whether there are files of an index that cannot be believed: damaged, torn, or of another version. */
export function isIndexDamaged(root: string, session: string): boolean {
  return hasEntries(root, session) && loadIndex(root, session) === undefined;
}

/**
 * Adds a landed file to an index by reading it whole. Nothing is added when it does not read, or did not land there.
 * Throws `FormatError` with the texts of storage spec 2.6.
 */
export function indexLandedFile(builder: IndexBuilder, root: string, file: LandedFile): void {
  const entries: EntryFields[] = [];
  let place = { fileKind: kindOfPrefix(file.kindPrefix), stream: file.stream, batch: file.batch };
  try {
    const { sha256, sizeBytes, records } = readLandedFile(file.path, {
      header: (header) => {
        const [misfit] = misplaced(header, file, builder.session);
        if (misfit !== undefined)
          throw new FormatError(
            `index: landed file ${file.path} does not belong here: ${misfit}; run asz verify`,
          );
        place = placeOf(header, file);
      },
      outline: (outline, row) => {
        entries.push(entryOf(outline, row, place));
      },
    });
    builder.addFile({
      seq: file.seq,
      path: pathInSession(root, builder.session, file.path),
      sha256,
      sizeBytes,
      records,
    });
  } catch (cause) {
    if (!(cause instanceof LandedFileError)) throw cause;
    const what = cause.row === 0 ? `landed file ${file.path} is unreadable` : `${file.path} row ${cause.row}`;
    throw new FormatError(`index: ${what}: ${cause.message}`, { cause });
  }
  for (const entry of entries) builder.addEntry(entry);
}

/** What a file says of all its records: its header's words, and where it is silent its directory's. */
export function placeOf(
  header: Pick<SdHeaderRead, 'kind' | 'stream' | 'batch'>,
  file: Pick<LandedFile, 'stream' | 'batch'>,
): { readonly fileKind: string; readonly stream: string; readonly batch: string } {
  return {
    fileKind: header.kind,
    stream: header.stream || file.stream,
    batch: header.batch || file.batch,
  };
}

function namesAgree(
  root: string,
  { index, indexedSeq }: StoredIndex,
  landed: readonly LandedFile[],
): boolean {
  const covered = landed.filter(({ seq }) => seq <= indexedSeq);
  return (
    covered.length === index.files.length &&
    covered.every((file, i) => pathInSession(root, index.session, file.path) === index.files[i]!.path)
  );
}

/** A landed file's path as the index keeps it: below the session's directory, with `/`. */
export function pathInSession(root: string, session: string, path: string): string {
  return relative(sessionFolder(root, session), path).replaceAll('\\', '/');
}

function lastSeq(index: SessionIndex): number {
  return index.files.at(-1)?.seq ?? 0;
}

function entriesFile(root: string, session: string): string {
  return join(indexFolder(root, session), 'entries.bin');
}

function stateFile(root: string, session: string): string {
  return join(indexFolder(root, session), 'index.state');
}

/**
 * What `index.state` says; `undefined` when there is none, or something else in its place or its folder's. A link in
 * place of a folder is refused here, because an open looks at the last name of a path alone.
 */
function readIndexState(root: string, session: string): StateFields | undefined {
  for (const folder of [sessionFolder(root, session), indexFolder(root, session)])
    if (!statOf(folder)?.isDirectory()) return undefined;
  return readStateCache(stateFile(root, session));
}

function hasEntries(root: string, session: string): boolean {
  return statOf(entriesFile(root, session))?.isFile() === true;
}

/**
 * Refuses what a save would write through (a link in place of the folder) or could not replace, before it writes
 * anything. Anything but a directory in a file's place is replaced.
 */
function checkPlaces(root: string, session: string): void {
  const folder = indexFolder(root, session);
  const stat = statOf(folder);
  if (stat?.isSymbolicLink()) throw unwritable(folder, 'it is a symbolic link');
  if (stat?.isDirectory() === false) throw unwritable(folder, 'it is not a directory');
  for (const file of [entriesFile(root, session), stateFile(root, session)])
    if (statOf(file)?.isDirectory()) throw unwritable(file, 'is a directory');
}

function unwritable(path: string, rule: string): StorageError {
  return new StorageError(`storage: write ${path}: ${rule}`);
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw new StorageError(`storage: ${causeText(cause)}`, { cause });
  }
}

/** A file that cannot be an index is none. One that may not be read stays an error: nothing says it is damaged. */
function unlessUnfit<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const cause = error instanceof StorageError ? error.cause : error;
    // A RangeError: larger than memory, as only a file with a hole in it is.
    if (cause instanceof UnfitFileError || cause instanceof RangeError) return undefined;
    throw error;
  }
}
