import { createHash } from 'node:crypto';
import { causeText, StorageError } from '../format/errors.js';
import { closeSync, openSync, readSync } from './file-system.js';

/** A file as bytes, whatever they mean. */
export interface MeasuredFile {
  /** SHA-256 of every byte, lower-case hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Newline bytes. */
  readonly lines: number;
}

const PIECE_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** Measures a file of any size. Throws `StorageError` for one that cannot be read. */
export function measureFile(path: string): MeasuredFile {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let [sizeBytes, lines] = [0, 0];
  try {
    const fd = openSync(path, 'r');
    try {
      for (let count = readSync(fd, piece); count > 0; count = readSync(fd, piece)) {
        const read = piece.subarray(0, count);
        hash.update(read);
        sizeBytes += count;
        lines += newlinesIn(read);
      }
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    throw new StorageError(`storage: read ${path}: ${causeText(cause)}`, { cause });
  }
  return { sha256: hash.digest('hex'), sizeBytes, lines };
}

export function newlinesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}
