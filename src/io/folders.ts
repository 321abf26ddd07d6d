/**
 * The folders of a root: made, moved, and their names synced so that they last. POSIX promises a name only once the
 * folder that holds it was synced.
 */
import { dirname, resolve } from 'node:path';
import { isErrno } from '../format/errors.js';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from './file-system.js';

/**
 * Makes a folder and what is missing above it; gives the topmost that was made. Node's own `recursive` never ends
 * below /proc, where a folder is neither there nor can be made.
 */
function makeMissing(folder: string, hasParent = false): string | undefined {
  try {
    mkdirSync(folder, { mode: 0o755 });
    lastingNames.delete(resolve(folder));
    return folder;
  } catch (cause) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined;
    if (!isErrno(cause, 'ENOENT') || hasParent || dirname(folder) === folder) throw cause;
  }
  const first = makeMissing(dirname(folder));
  const own = makeMissing(folder, true);
  return first ?? own;
}

/** Makes a folder, with its parents, and syncs each folder that got a new entry by it, so that a power cut cannot take it back. */
export function makeFolder(folder: string): void {
  const first = makeMissing(folder);
  if (first === undefined) return;
  const top = resolve(first);
  for (let made = resolve(folder); made.length >= top.length; made = dirname(made))
    if (syncInTime(dirname(made))) lastingNames.add(made);
}

/**
 * Does work that makes folders and replaces files, and syncs the folders it did so in at its end, once each, instead
 * of again and again on the way. Where a landed file or a round is published, its folder and those above it do not
 * wait: nothing can say that such a file is there before a power cut can no longer take it back. What waits are the
 * newest names of caches.
 */
export function syncingFoldersOnce<T>(work: () => T): T {
  if (waitingFolders !== undefined) return work();
  const folders = new Set<string>();
  waitingFolders = folders;
  try {
    return work();
  } finally {
    waitingFolders = undefined;
    for (const folder of folders) syncFolder(folder);
  }
}

let waitingFolders: Set<string> | undefined;

/** Syncs a folder in which a state file was replaced or a folder made, unless that waits. Gives whether it was synced. */
export function syncInTime(folder: string): boolean {
  if (waitingFolders === undefined) return syncFolder(folder);
  waitingFolders.add(resolve(folder));
  return false;
}

/**
 * Syncs the names in a folder, and those of the folder and of the ones above it up to the storage root's, if that is
 * given. To be called before anything is said of what somebody else published there: one that was killed between
 * making a name and syncing it left a name that looks like any other, and a power cut would take it away.
 */
export function makeFolderLast(folder: string, root = folder): void {
  const path = resolve(folder);
  syncFolder(path);
  waitingFolders?.delete(path);
  const top = resolve(root);
  for (let at = path; ; at = dirname(at)) {
    const above = dirname(at);
    if (!lastingNames.has(at) && syncFolder(above)) {
      lastingNames.add(at);
      waitingFolders?.delete(above);
    }
    if (at === top || at === above) return;
  }
}

/** Folders whose names are known to be on the disk, so that each is synced once. */
const lastingNames = new Set<string>();

/** Makes one folder whose name must be free, in a folder that is there. Throws the system's error. */
export function makeNewFolder(folder: string): void {
  mkdirSync(folder, { mode: 0o755 });
  syncFolder(dirname(folder));
}

/**
 * Gives a finished folder another name on the same file system, at once and for good. An empty folder of that name
 * gives way; anything else there stays, and the system's error is thrown.
 */
export function moveFolder(from: string, to: string): void {
  try {
    // A rename over it would do, but not everywhere.
    rmdirSync(to);
  } catch (cause) {
    if (!isErrno(cause, 'ENOENT')) throw cause;
  }
  renameSync(from, to);
  syncFolder(dirname(from));
  syncFolder(dirname(to));
}

/** Removes a folder with all that is in it, or nothing when it is not there. Links in it are removed, not followed. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Whether it was synced. Best effort by design: some systems cannot open or sync a folder, and nothing tells which. */
function syncFolder(folder: string): boolean {
  try {
    const fd = openSync(folder, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    return true;
  } catch {
    return false; // the file itself is synced; what a power cut could take back is its name
  }
}
