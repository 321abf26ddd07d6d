/**
 * What stands in a storage root and is opened by nobody, though something that landed may be in it or behind it. Every
 * listing passes over it; verification names it.
 */
import { join } from 'node:path';
import { compareCodePoints } from '../format/json-text.js';
import { readLandedName } from '../format/landed-name.js';
import { directoryEntries } from './directory-entries.js';
import { listEvidenceFolders } from './storage-root.js';

export interface PassedOver {
  readonly path: string;
  readonly why: string;
}

/**
 * Everything in a session's directory that listings pass over though somebody may take it for evidence, at any depth:
 * links, whatever else than a file has a landed name, and `.sd` files under no landed name or in another place.
 */
export function listPassedOver(session: string): PassedOver[] {
  const places = new Set(listEvidenceFolders(session).map(({ path }) => path));
  const found: PassedOver[] = [];
  const visit = (folder: string) => {
    for (const entry of directoryEntries(folder)) {
      const path = join(folder, entry.name);
      const isLanded = places.has(folder) && readLandedName(entry.name) !== undefined;
      if (entry.isSymbolicLink() || (isLanded && !entry.isFile()))
        found.push({ path, why: 'it is not a regular file, and is not read' });
      else if (entry.isDirectory()) visit(path);
      else if (!isLanded && entry.name.endsWith('.sd'))
        found.push({ path, why: 'no landed file has this name and place, and it is not read' });
    }
  };
  visit(session);
  return found.sort((a, b) => compareCodePoints(a.path, b.path));
}

/** Names of the links in a directory whose directories are sessions or conversations; none is followed. */
export function listLinks(folder: string): string[] {
  return directoryEntries(folder)
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => entry.name)
    .sort(compareCodePoints);
}
