/**
 * Sources that their runtime deleted. What landed stays; the cursor says that nothing more can come
 * (dialect spec 4.8).
 */

import { join } from 'node:path';
import type { CollectingAdapter, DiscoveredSession, SourceLocation } from '../adapters/adapter.js';
import { type Cursor, loadCursor, saveCursor } from '../io/cursor.js';
import { directoryEntries } from '../io/directory-entries.js';
import { statSync } from '../io/file-system.js';
import { landedEnd } from '../io/landed-end.js';
import { cursorFile, listEvidenceFolders, sessionFolder } from '../io/storage-root.js';
import { derivedAppendCursor } from './append-source.js';

export interface SessionPlace {
  readonly adapter: CollectingAdapter;
  readonly sourceRoot: string;
  readonly storageRoot: string;
  readonly session: string;
}

/**
 * Marks the active cursors of a session whose source is known not to exist, and gives their number.
 * `claimed` are the cursors whose sources this pass has seen. Only under the session's lock.
 */
export function markPrunedSources(place: SessionPlace, at: string, claimed: ReadonlySet<string>): number {
  let gone = 0;
  for (const { path, cursor } of ownCursors(place)) {
    if (cursor.state !== 'active' || claimed.has(path)) continue;
    if (!isAbsent(join(place.sourceRoot, cursor.source))) continue;
    saveCursor(path, { ...cursor, state: 'source_gone', updatedAt: at });
    gone++;
  }
  return gone;
}

/** A session's directories as its cursors remember them, for the filter of a session that is gone. */
export function rememberedDirectories(
  place: SessionPlace,
): Pick<DiscoveredSession, 'primary' | 'directories'> {
  const locations = ownCursors(place).map(({ location }) => location);
  return {
    primary: locations.find(({ isMain }) => isMain)?.directory ?? '',
    directories: [...new Set(locations.map(({ directory }) => directory))].sort(),
  };
}

interface OwnCursor {
  readonly path: string;
  readonly cursor: Cursor;
  readonly location: SourceLocation;
}

/**
 * Cursors this adapter itself would keep where they are: the source they name is one of this session, and its
 * cursor is this file. Everything else, of other adapters and of scenario builds, is left alone.
 */
function ownCursors(place: SessionPlace): OwnCursor[] {
  const { adapter, storageRoot, session } = place;
  const own: OwnCursor[] = [];
  for (const folder of listEvidenceFolders(sessionFolder(storageRoot, session))) {
    for (const entry of directoryEntries(folder.path)) {
      if (!entry.isFile() || !entry.name.endsWith('.cursor')) continue;
      const path = join(folder.path, entry.name);
      const cursor = readCursor(place, path);
      const location = cursor && adapter.locate(cursor.source);
      if (cursor === undefined || location === undefined || location.session !== session) continue;
      const { kind, stream, batch } = location.source;
      if (cursorFile(storageRoot, session, kind, stream || batch) === path)
        own.push({ path, cursor, location });
    }
  }
  return own;
}

/** A cursor, and of a damaged one what landed tells it was: its source would otherwise never be missed. */
function readCursor({ adapter }: SessionPlace, path: string): Cursor | undefined {
  const cursor = loadCursor(path);
  if (cursor?.kind !== 'append' || cursor.state !== 'damaged') return cursor;
  const end = landedEnd(path, 0);
  const growth = end && adapter.locate(end.source)?.source.growth;
  if (end === undefined || growth === undefined) return undefined;
  const derived = derivedAppendCursor({ ...cursor, source: end.source }, end);
  return growth === 'append' ? derived : { ...derived, kind: 'snapshot', contentSha256: '' };
}

/** Known not to exist. A directory we may not look into is no proof. */
export function isAbsent(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
