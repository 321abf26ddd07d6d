/**
 * Everything durable goes through here: a reader meets the old bytes or all of the new ones, never a part.
 *
 * State files are replaced, landed files and rounds are published once and never again (storage spec 1.2).
 * One publication costs about 1 ms for 4 KB and 7 ms for 2 MiB; nearly all of it is fsync, which is the promise.
 */
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { AszError, causeText, isErrno, StorageError } from '../format/errors.js';
import { directoryEntries } from './directory-entries.js';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from './file-system.js';
import { makeFolder, makeFolderLast, syncInTime } from './folders.js';

/** What a file will hold. A list is written one after the other, so a big file need not be one buffer. */
export type Content = string | Uint8Array | readonly Uint8Array[];

/** The same, made while it is written. */
type Pieces = Content | Generator<Uint8Array>;

export interface PublishOptions {
  /** The storage root: the names of the folders from it down to the file's are made to last with the file. */
  readonly root?: string | undefined;
  /** The file-system calls a test replaces to act out a file system that lacks them. */
  readonly link?: (from: string, to: string) => void;
  readonly rename?: (from: string, to: string) => void;
}

/** Single writes of 256 KB and more were now and then five times slower than the same bytes in 64 KB pieces. */
const WRITE_BYTES = 64 * 1024;

/** A list up to this size is written as one: an index is dozens of short columns, and a call costs more than a copy. */
const JOINED_BYTES = 1024 * 1024;

const TEMPORARY = '.tmp-';

/** How old a left-over must be before it is taken for one: one minute (storage spec 1.2). */
export const LEFTOVER_AGE_MS = 60_000;

/**
 * Writes a state file (mode 0644), in place of the one that may be there. Makes its folder.
 * Throws `StorageError` `storage: write <path>: <cause>`; the old file is then untouched.
 */
export function replaceFile(path: string, content: Pieces): void {
  try {
    withTemporary(path, content, 0o644, syncInTime, (temporary) => renameSync(temporary, path));
  } catch (cause) {
    throw new StorageError(`storage: write ${path}: ${causeText(cause)}`, { cause });
  }
}

/**
 * Publishes a landed file or a round (mode 0444) under a name that must be free. Makes its folder.
 *
 * The bytes are complete, read-only and synced before the name exists. A hard link gives the name, because it
 * fails where a plain rename would replace. Only on a file system without hard links the name is reserved by
 * an empty file first and the complete file renamed over it; a kill between the two leaves the empty file.
 *
 * Throws `StorageError`: `storage: target already exists: <path>`, else `storage: publish <path>: <cause>`.
 */
export function publishNew(path: string, content: Content, options: PublishOptions = {}): void {
  try {
    const { root } = options;
    const sync = (folder: string) => makeFolderLast(folder, root);
    withTemporary(path, content, 0o444, sync, (temporary) => install(temporary, path, options));
  } catch (cause) {
    if (cause instanceof StorageError) throw cause;
    throw new StorageError(`storage: publish ${path}: ${causeText(cause)}`, { cause });
  }
}

/**
 * Writes a file that somebody asked for by its name and nobody else may read (mode 0600): under a name that must be
 * free, or in place of a regular file that is there. Throws `StorageError` as the two above; what was there is
 * then untouched. What `content` throws is passed on as it is.
 */
export function writePrivate(path: string, content: Generator<Uint8Array>, isReplaced: boolean): void {
  const finish = (temporary: string) => {
    if (!isReplaced) return install(temporary, path, {});
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false)
      throw new StorageError(`storage: write ${path}: it is no regular file, so it is not replaced`);
    renameSync(temporary, path);
  };
  try {
    withTemporary(path, content, 0o600, syncInTime, finish);
  } catch (cause) {
    if (cause instanceof AszError) throw cause;
    throw new StorageError(`storage: write ${path}: ${causeText(cause)}`, { cause });
  }
}

/**
 * Removes what killed writers left anywhere below `folder`: temporary files at least `ageMs` old. Links are
 * not followed. The age protects a writer that works beside the caller, as a parse does that rebuilds the
 * index of a session while a collector holds the session's lock.
 */
export function sweepTemporaries(folder: string, ageMs = LEFTOVER_AGE_MS, nowMs = Date.now()): void {
  for (const entry of directoryEntries(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sweepTemporaries(path, ageMs, nowMs);
    else if (entry.isFile() && isTemporary(entry.name)) removeIfOld(path, ageMs, nowMs);
  }
}

/** The same in one folder, and in none below it. */
export function sweepFolder(folder: string, ageMs = LEFTOVER_AGE_MS, nowMs = Date.now()): void {
  for (const entry of directoryEntries(folder))
    if (entry.isFile() && isTemporary(entry.name)) removeIfOld(join(folder, entry.name), ageMs, nowMs);
}

/** Whether a name is that of a file somebody is writing, or was writing when it was killed. */
export function isTemporary(name: string): boolean {
  return name.startsWith(TEMPORARY);
}

/** Removes a file at least `ageMs` old. A file that somebody else removed meanwhile is as good. */
export function removeIfOld(path: string, ageMs: number, nowMs: number): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && nowMs - stat.mtimeMs >= ageMs) rmSync(path, { force: true });
}

/** `sync` is what becomes of the folder once the file has its name. */
function withTemporary(
  path: string,
  content: Pieces,
  mode: number,
  sync: (folder: string) => void,
  finish: (temporary: string) => void,
): void {
  const folder = dirname(path);
  const temporary = join(folder, `${TEMPORARY}${randomBytes(8).toString('hex')}`);
  const fd = openTemporary(temporary, folder);
  try {
    writeSynced(fd, content, mode);
    finish(temporary);
  } catch (cause) {
    removeAfter(temporary, cause);
    throw cause;
  }
  sync(folder);
}

/** The folder is nearly always there, so it is made only when that turns out to be wrong. */
function openTemporary(path: string, folder: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (cause) {
    if (!isErrno(cause, 'ENOENT')) throw cause;
    makeFolder(folder);
    return openSync(path, 'wx', 0o600);
  }
}

function writeSynced(fd: number, content: Pieces, mode: number): void {
  try {
    for (const bytes of piecesOf(content)) writeAll(fd, bytes);
    fchmodSync(fd, mode);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function piecesOf(content: Pieces): Iterable<Uint8Array> {
  if (typeof content === 'string') return [Buffer.from(content)];
  if (content instanceof Uint8Array) return [content];
  if (!Array.isArray(content)) return content;
  const bytes = content.reduce((sum, { length }) => sum + length, 0);
  return bytes <= JOINED_BYTES ? [Buffer.concat(content)] : content;
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; )
    at += writeSync(fd, bytes, at, Math.min(WRITE_BYTES, bytes.length - at));
}

function install(temporary: string, path: string, { link = linkSync, rename = renameSync }: PublishOptions) {
  try {
    link(temporary, path);
  } catch (cause) {
    if (!isErrno(cause, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP')) throw refusal(path, cause);
    installByReservation(temporary, path, rename);
    return;
  }
  try {
    unlinkSync(temporary);
  } catch {
    // Published all the same: to report a failure would have the caller publish twice. The sweep takes it.
  }
}

function installByReservation(temporary: string, path: string, rename: (from: string, to: string) => void) {
  try {
    closeSync(openSync(path, 'wx', 0o444));
  } catch (cause) {
    throw refusal(path, cause);
  }
  try {
    rename(temporary, path);
  } catch (cause) {
    removeAfter(path, cause);
    throw cause;
  }
}

function refusal(path: string, cause: unknown): unknown {
  if (!isErrno(cause, 'EEXIST')) return cause;
  return new StorageError(`storage: target already exists: ${path}`, { cause });
}

/** Cleans up behind a failure. When that fails too, both are told. */
function removeAfter(path: string, first: unknown): void {
  try {
    rmSync(path, { force: true });
  } catch (second) {
    const words = `${causeText(first)}; and then ${basename(path)} could not be removed: ${causeText(second)}`;
    throw new AggregateError([first, second], words);
  }
}
