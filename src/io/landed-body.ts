/**
 * The record lines of a landed file as bytes, for those who carry records on and look into none: what a line says
 * is kept by copying it, because text that was decoded need not encode to the same bytes (dialect spec 1.12).
 */
import { createHash } from 'node:crypto';
import { causeText, StorageError } from '../format/errors.js';
import { scanJson } from '../format/json-scan.js';
import { writeClosing } from '../format/session-data.js';
import { publishNew } from './publish.js';
import { readRegularFile } from './small-file.js';

export interface LandedBody {
  /** The header line, without its newline. */
  readonly header: Buffer;
  /** Every record line, each with its newline. */
  readonly records: Buffer;
}

/**
 * The body of a file whose bytes were found sound: `sha256` says which bytes those are, so that nothing that came
 * into its place since is taken for them. Throws `StorageError` when it is another file or does not read.
 */
export function readLandedBody(path: string, sha256: string): LandedBody {
  let bytes: Buffer;
  try {
    bytes = readRegularFile(path, { maxBytes: Number.POSITIVE_INFINITY });
  } catch (cause) {
    throw new StorageError(`storage: read ${path}: ${causeText(cause)}`, { cause });
  }
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new StorageError(`storage: ${path} changed while it was read; run the command again`);
  const first = bytes.indexOf(NEWLINE) + 1;
  const closing = bytes.lastIndexOf(NEWLINE, -2) + 1;
  return { header: bytes.subarray(0, first - 1), records: bytes.subarray(first, closing) };
}

/**
 * Publishes record lines under a new header and closing line. `pieces` are whole lines, each with its newline.
 * Throws as `publishNew` does; nothing is left on disk then.
 */
export function publishLandedBody(
  path: string,
  header: Buffer,
  pieces: readonly Buffer[],
  records: number,
): void {
  const before = [Buffer.concat([header, Buffer.of(NEWLINE)]), ...pieces];
  const hash = createHash('sha256');
  for (const piece of before) hash.update(piece);
  publishNew(path, [...before, Buffer.from(`${writeClosing(records, hash.digest('hex'))}\n`)]);
}

/** A header with another sequence and every other byte as it was; one that states none goes on stating none. */
export function renumbered(header: Buffer, seq: number): Buffer {
  return Buffer.from(withMembers(header, { seq: String(seq) }), 'latin1');
}

/** What a header says of all its records: the header but for its sequence and the time it was collected. */
export function wordsOf(header: Buffer): string {
  return withMembers(header, { seq: '0', at: '""' });
}

/** A character a byte, so that what is no UTF-8 survives. A member that is not there is not added. */
function withMembers(header: Buffer, values: Readonly<Record<string, string>>): string {
  const text = header.toString('latin1');
  const { members } = scanJson(text, { members: new Map(Object.keys(values).map((key) => [key, {}])) });
  const found = [...members].sort(([, a], [, b]) => b.start - a.start);
  return found.reduce(
    (changed, [key, { start, end }]) => changed.slice(0, start) + values[key] + changed.slice(end),
    text,
  );
}

const NEWLINE = 0x0a;
