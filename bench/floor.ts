/**
 * The floor every figure stands beside: reading the same bytes, their SHA-256, and one JSON.parse of each line, in
 * one thread and one loop. No pipeline that proves what it read can be faster.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type { Sample, Tools } from './harness.js';

const PIECE_BYTES = 1024 * 1024;

/** The floor of files as one run. */
export async function floorOf(paths: readonly string[], { timed }: Tools): Promise<Sample> {
  const { ms, result } = await timed(() => floor(paths));
  return { ms, bytes: result.bytes };
}

/** Reads, hashes and parses files line by line. Gives what was read, so that nothing can be optimised away. */
export function floor(paths: readonly string[]): { bytes: number; lines: number; digest: string } {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let [bytes, lines] = [0, 0];
  for (const path of paths) {
    const fd = openSync(path, 'r');
    const held: Buffer[] = [];
    for (let read = readSync(fd, piece); read > 0; read = readSync(fd, piece)) {
      bytes += read;
      hash.update(piece.subarray(0, read));
      let from = 0;
      for (let to = piece.indexOf(0x0a, from); to >= 0 && to < read; to = piece.indexOf(0x0a, from)) {
        const line =
          held.length === 0
            ? piece.toString('utf8', from, to)
            : Buffer.concat([...held.splice(0), piece.subarray(from, to)]).toString('utf8');
        parse(line);
        lines++;
        from = to + 1;
      }
      if (from < read) held.push(Buffer.from(piece.subarray(from, read)));
    }
    closeSync(fd);
  }
  return { bytes, lines, digest: hash.digest('hex') };
}

function parse(line: string): void {
  try {
    JSON.parse(line);
  } catch {
    // A line that is not JSON costs what it cost to find that out.
  }
}
