import { causeText, FormatError, StorageError } from '../format/errors.js';
import { closeSync, constants, fstatSync, openSync, readSync } from './file-system.js';

/** Most bytes of a first line that are looked at. */
export const MAX_FIRST_LINE_BYTES = 1024 * 1024;

/** Most first lines fit into one. */
const PIECE_BYTES = 4096;
const NEWLINE = 0x0a;

const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * The first line of a regular file without its newline; nothing behind it is read. Throws `StorageError` for what
 * cannot be read or is no regular file, `FormatError` for a line without an end within `maxBytes`.
 */
export function readFirstLine(path: string, maxBytes = MAX_FIRST_LINE_BYTES): string {
  try {
    const fd = openSync(path, OPEN_FLAGS);
    try {
      if (!fstatSync(fd).isFile()) throw new Error('it is not a regular file');
      return firstLine(fd, maxBytes);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    if (cause instanceof FormatError) throw cause;
    throw new StorageError(`storage: read ${path}: ${causeText(cause)}`, { cause });
  }
}

function firstLine(fd: number, maxBytes: number): string {
  let line = Buffer.alloc(0);
  for (;;) {
    const room = Math.min(Math.max(PIECE_BYTES, line.length), maxBytes - line.length);
    if (room <= 0) throw new FormatError(`its first line is longer than ${maxBytes} bytes`);
    const piece = Buffer.allocUnsafe(room);
    const read = readSync(fd, piece, 0, room, line.length);
    if (read === 0) throw new FormatError('its first line has no end');
    const end = piece.subarray(0, read).indexOf(NEWLINE);
    line = Buffer.concat([line, piece.subarray(0, end < 0 ? read : end)]);
    if (end >= 0) return line.toString('utf8');
  }
}

/**
 * The first line of a file whose bytes are at hand; of one without a newline, all of it. Throws `FormatError` for a line
 * that no header is as long as: some take seconds to decode.
 */
export function firstLineOf(bytes: Buffer): string {
  const newline = bytes.indexOf(NEWLINE);
  const end = newline < 0 ? bytes.length : newline;
  if (end > MAX_FIRST_LINE_BYTES)
    throw new FormatError(`its first line is longer than ${MAX_FIRST_LINE_BYTES} bytes`);
  return bytes.toString('utf8', 0, end);
}
