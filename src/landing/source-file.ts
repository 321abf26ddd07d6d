/**
 * Reading files that belong to somebody else: they grow, vanish and are replaced while we look, and a pipe in
 * their place must not stop us.
 */
import { createHash } from 'node:crypto';
import { isErrno, StorageError } from '../format/errors.js';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from '../io/file-system.js';

export interface SourceStat {
  readonly size: number;
  readonly dev: bigint;
  readonly ino: bigint;
  /** Seconds since 1970. */
  readonly mtime: number;
}

/** The file at a path; `undefined` when there is none. Throws for what is no regular file, links included. */
export function statSource(path: string): SourceStat | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && describe(stat);
}

/** An open source. Its `close` must be called. */
export class SourceFile {
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  stat(): SourceStat {
    return describe(fstatSync(this.#fd, { bigint: true }));
  }

  /** The bytes from `start` to `end`, fewer when the file ends before. */
  read(start: number, end: number): Buffer {
    return this.readInto(Buffer.allocUnsafe(end - start), start);
  }

  /** The bytes from `start`, as many as `buffer` holds or the file has: a view of it. */
  readInto(buffer: Buffer, start: number): Buffer {
    let filled = 0;
    while (filled < buffer.length) {
      const wanted = Math.min(buffer.length - filled, MAX_READ_BYTES);
      const count = readSync(this.#fd, buffer, filled, wanted, start + filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  }

  /** SHA-256 of the bytes from `start` to `end` and then of `rest`, in pieces. */
  digest(start: number, end: number, rest: Buffer = NO_BYTES): string {
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, Math.max(0, end - start)));
    for (let at = start; at < end; at += piece.length)
      hash.update(this.readInto(piece.subarray(0, Math.min(piece.length, end - at)), at));
    return hash.update(rest).digest('hex');
  }

  close(): void {
    closeSync(this.#fd);
  }
}

const PIECE_BYTES = 256 * 1024;
/** One read call takes less than 2 GiB. */
const MAX_READ_BYTES = 1024 * 1024 * 1024;
const NO_BYTES = Buffer.alloc(0);

const IS_LINK = 'it is a symbolic link, and none is followed';

/** Windows has no such flag, and no pipes in directories either. */
const OPEN_FLAGS =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Opens a source; `undefined` when it is gone. Throws for what is no regular file, without waiting for a pipe. */
export function openSource(path: string): SourceFile | undefined {
  let fd: number;
  try {
    fd = openSync(path, OPEN_FLAGS);
  } catch (cause) {
    if (isErrno(cause, 'ENOENT')) return undefined;
    // How Linux and macOS answer O_NOFOLLOW, and how FreeBSD does.
    if (isErrno(cause, 'ELOOP', 'EMLINK')) throw new StorageError(IS_LINK, { cause });
    throw cause;
  }
  const file = new SourceFile(fd);
  try {
    file.stat();
    return file;
  } catch (cause) {
    file.close();
    throw cause;
  }
}

function describe(stat: {
  isFile(): boolean;
  isSymbolicLink(): boolean;
  size: bigint;
  dev: bigint;
  ino: bigint;
  mtimeMs: bigint;
}): SourceStat {
  if (stat.isSymbolicLink()) throw new StorageError(IS_LINK);
  if (!stat.isFile()) throw new StorageError('it is not a regular file');
  const mtime = Math.floor(Number(stat.mtimeMs) / 1000);
  return { size: Number(stat.size), dev: stat.dev, ino: stat.ino, mtime };
}
