/**
 * What waits in a session, judged without its lock: a pass in which nothing moved then takes no lock, writes
 * nothing, and costs a stat and a small read for each source. Whatever is not exactly as the last pass left it
 * waits, and is decided under the lock: here nothing is believed but that there is nothing to do.
 */
import { dirname, join } from 'node:path';
import type { DiscoveredSession, Source } from '../adapters/adapter.js';
import { causeText, StorageError } from '../format/errors.js';
import { loadAppendCursor, loadCursor, loadSnapshotCursor } from '../io/cursor.js';
import { existsSync } from '../io/file-system.js';
import { loadSessionState } from '../io/session-state.js';
import {
  cursorFile,
  refuseLink,
  refuseSessionLinks,
  sessionFolder,
  sessionStateFile,
  surveySession,
} from '../io/storage-root.js';
import { isUnchanged } from './append-source.js';
import type { LandedSink } from './landed-sink.js';
import { isAbsent } from './pruned-sources.js';
import type { LandingPlace } from './session-landing.js';
import { contentDigest } from './snapshot-source.js';
import { statSource } from './source-file.js';

export interface WaitingPlace extends Omit<LandingPlace, 'session'> {
  readonly index: LandedSink;
}

/**
 * About how many source bytes wait in a session, 0 when what is to be done lands none; `undefined` when nothing is
 * to be done. Throws `StorageError` for an id that may not become a directory, for a link in its place, and for a new session none of whose
 * sources can be read.
 */
export function waitingBytes(place: WaitingPlace, { id, sources }: DiscoveredSession): number | undefined {
  const folder = sessionFolder(place.storageRoot, id);
  refuseSessionLinks(folder);
  if (existsSync(folder)) {
    const waiting = sources.map((source) => waitingIn(place, id, source));
    if (waiting.every((bytes) => bytes === undefined) && isAsLeft(place, id, folder, sources))
      return undefined;
    return sum(waiting);
  }
  // Nothing is made for a session whose files are all still empty.
  const sizes: number[] = [];
  let fault: unknown;
  for (const { relativePath } of sources)
    try {
      sizes.push(statSource(join(place.sourceRoot, relativePath))?.size ?? 0);
    } catch (cause) {
      fault ??= new StorageError(`${relativePath}: ${causeText(cause)}`, { cause });
    }
  // Nor for one that has no other source than what cannot be read.
  if (sizes.every((size) => size === 0)) {
    if (fault !== undefined) throw fault;
    return undefined;
  }
  return sum(sizes);
}

/** What waits in a source behind its cursor; `undefined` when that is nothing. */
function waitingIn(
  { storageRoot, sourceRoot }: WaitingPlace,
  session: string,
  { relativePath, kind, stream, batch, growth }: Source,
): number | undefined {
  const path = join(sourceRoot, relativePath);
  try {
    const stat = statSource(path);
    if (stat === undefined) return 0;
    const cursorPath = cursorFile(storageRoot, session, kind, stream || batch);
    refuseLink(dirname(cursorPath));
    if (growth === 'snapshot') {
      const { state, contentSha256 } = loadSnapshotCursor(cursorPath, relativePath);
      return state === 'active' && contentDigest(path) === contentSha256 ? undefined : stat.size;
    }
    const cursor = loadAppendCursor(cursorPath, relativePath);
    return cursor.state === 'active' && isUnchanged(cursor, stat)
      ? undefined
      : Math.max(0, stat.size - cursor.offset);
  } catch {
    return 0; // what it is, its own turn will tell
  }
}

/** Whether a session whose sources have nothing new is complete, and no other of its cursors lost its source. */
function isAsLeft(
  { storageRoot, sourceRoot, index }: WaitingPlace,
  session: string,
  folder: string,
  sources: readonly Source[],
): boolean {
  try {
    const survey = surveySession(folder);
    const throughSeq = survey.highestSequence;
    const { nextSeq } = loadSessionState(sessionStateFile(storageRoot, session), session);
    if (survey.hasTemporaries || nextSeq !== throughSeq + 1) return false;
    if (index.isCurrent?.(session, throughSeq) !== true) return false;
    const claimed = new Set(
      sources.map(({ kind, stream, batch }) => cursorFile(storageRoot, session, kind, stream || batch)),
    );
    if (claimed.size < sources.length) return false;
    return survey.cursors.every((path) => {
      if (claimed.has(path)) return true;
      const cursor = loadCursor(path);
      if (cursor?.state === 'damaged') return false;
      return cursor?.state !== 'active' || !isAbsent(join(sourceRoot, cursor.source));
    });
  } catch {
    return false;
  }
}

function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((total, n) => total + (n ?? 0), 0);
}
