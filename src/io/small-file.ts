/**
 * The small files of the storage root, read whole. Only regular files are read: a pipe or a device in the place of
 * one would hold a command for ever, and a link would have it believe a file that is not the root's.
 */

import { causeText, isErrno, StorageError } from '../format/errors.js';
import { closeSync, constants, fstatSync, openSync, readSync } from './file-system.js';

/** What is in a file's place is something else. Apart from other failures, because a cache may count it as absent. */
export class UnfitFileError extends Error {}

export interface ReadOptions {
  /** More than any honest state file has, and little enough to hold. */
  readonly maxBytes?: number;
  /** Whether a link counts as what it leads to: for files that belong to people, not to the root. */
  readonly followLinks?: boolean;
  /** Memory of this size to read into, from whoever reads many files. */
  readonly allocate?: (size: number) => Buffer;
}

const MIB = 1024 * 1024;

/** The bound of a state file. */
export const MAX_STATE_BYTES = 64 * MIB;

/**
 * The content of a file of the root; `undefined` when there is none.
 * Throws `StorageError` `storage: read <path>: <cause>`, whose cause is an `UnfitFileError` for no regular file.
 */
export function readSmallFile(path: string, options: ReadOptions = {}): Buffer | undefined {
  try {
    return readRegularFile(path, options);
  } catch (cause) {
    if (isErrno(cause, 'ENOENT')) return undefined;
    throw new StorageError(`storage: read ${path}: ${causeText(cause)}`, { cause });
  }
}

/**
 * The content of a regular file, in a buffer of its own, aligned, so that columns can be views of it. Throws an
 * `UnfitFileError` for anything else, without waiting for it, and the system's error for what does not open.
 */
export function readRegularFile(
  path: string,
  { maxBytes = MAX_STATE_BYTES, followLinks = false, allocate = Buffer.allocUnsafeSlow }: ReadOptions = {},
): Buffer {
  const fd = openRegular(path, followLinks);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new UnfitFileError(NOT_REGULAR);
    if (stat.size > maxBytes) throw new UnfitFileError(`it is larger than ${maxBytes / MIB} MiB`);
    return readAll(fd, allocate(stat.size));
  } finally {
    closeSync(fd);
  }
}

const NOT_REGULAR = 'it is not a regular file';

/** Windows has none of these flags. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

function openRegular(path: string, followLinks: boolean): number {
  try {
    return openSync(path, followLinks ? OPEN_FLAGS : OPEN_FLAGS | NO_FOLLOW);
  } catch (cause) {
    // How Linux and macOS answer O_NOFOLLOW, and how FreeBSD does.
    if (!followLinks && isErrno(cause, 'ELOOP', 'EMLINK'))
      throw new UnfitFileError('it is a symbolic link', { cause });
    // A socket, a device without a driver; a directory where those do not open.
    if (isErrno(cause, 'ENXIO', 'ENODEV', 'EOPNOTSUPP', 'EISDIR'))
      throw new UnfitFileError(NOT_REGULAR, { cause });
    throw cause;
  }
}

/** Fewer bytes than there is room for when the file was cut short meanwhile. */
function readAll(fd: number, bytes: Buffer): Buffer {
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(fd, bytes, filled, Math.min(bytes.length - filled, MAX_READ_BYTES), filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** One read call takes less than 2 GiB. */
const MAX_READ_BYTES = 1024 * MIB;
