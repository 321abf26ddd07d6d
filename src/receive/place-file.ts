/** One received file under its final name, and whose fault it is when it does not get there. */
import { dirname } from 'node:path';
import { AszError, causeText, isErrno, LockedError } from '../format/errors.js';
import { lstatSync, rmSync } from '../io/file-system.js';
import { makeFolderLast } from '../io/folders.js';
import { publishNew } from '../io/publish.js';
import { readRegularFile, UnfitFileError } from '../io/small-file.js';
import { Misfit } from './record-values.js';

/** What became of a file: it is new, it was there with the same bytes, or it does not fit what is there. */
export type Stored = 'new' | 'repeat' | Misfit;

/**
 * Publishes a file; one that is there with the same bytes is a repeat, and made to last. The caller holds the lock of
 * all who publish there, so an empty file is what a kill left of a publication (storage spec 1.2), and gives way.
 */
export function placeFile(root: string, path: string, bytes: Buffer): Exclude<Stored, Misfit> {
  if (isEmptyFile(path)) rmSync(path, { force: true });
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    publishNew(path, bytes, { root });
    return 'new';
  }
  if (!isSame(path, bytes)) throw new Misfit('another file is there under its name, and stays');
  makeFolderLast(dirname(path), root);
  return 'repeat';
}

export function isEmptyFile(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size === 0;
}

function isSame(path: string, bytes: Buffer): boolean {
  try {
    return readRegularFile(path, { maxBytes: bytes.length }).equals(bytes);
  } catch (cause) {
    if (cause instanceof UnfitFileError) return false; // Larger, or no file.
    throw cause;
  }
}

/** What is wrong with a file or with where it would go. Everything else is thrown on: nobody knows what is stored. */
export function misfitOf(cause: unknown): Misfit {
  if (cause instanceof Misfit) return cause;
  if (cause instanceof LockedError || !isOfPath(cause)) throw cause;
  return new Misfit(cause instanceof AszError ? cause.message : `storage: ${causeText(cause)}`, { cause });
}

/**
 * Whether one path is at fault: it breaks a rule of ours, or something stands in its way, such as a file where a folder
 * must be. What else the system refused is the disk's fault, and another time it may not; the rest is our own.
 */
function isOfPath(cause: unknown): boolean {
  const call = refusedCall(cause);
  return call === undefined ? cause instanceof AszError : isErrno(call, ...IN_THE_WAY) || isTaken(call);
}

/** The error of the system behind an error; of several the first, which the others only followed. */
function refusedCall(cause: unknown): Error | undefined {
  for (let at = cause; at instanceof Error; at = at instanceof AggregateError ? at.errors[0] : at.cause)
    if ((at as NodeJS.ErrnoException).syscall !== undefined) return at;
  return undefined;
}

const IN_THE_WAY = ['ENOTDIR', 'EISDIR', 'ELOOP', 'ENXIO', 'ENAMETOOLONG'];

/** A folder that cannot be made, because something else has its name. */
function isTaken(cause: Error): boolean {
  return isErrno(cause, 'EEXIST') && (cause as NodeJS.ErrnoException).syscall === 'mkdir';
}
