/**
 * The index file, `index/entries.bin`: columns that load with one read and no object per entry.
 *
 *     bytes 0-7    "aszindex"                     magic
 *     8-11         1                              version, u32, little endian like everything below
 *     12-15        length of the head             u32
 *     16-19        CRC-32 of everything from 20   u32
 *     24-…         {"session":"s1","entries":118,"blocks":140,"strings":{"record":[97,3492],…},"files":[…]}
 *     then, each section beginning at a multiple of 8: the columns of ENTRY_COLUMNS, those of BLOCK_COLUMNS,
 *     and per string space the ends (u32 each) and the bytes of its strings
 *
 * The checksum covers every byte behind it, for the head holds digests that rounds bind. Another version, magic or checksum means the file is absent:
 * an index is never migrated, it is built again (storage spec 2.6).
 */
import { crc32 } from 'node:zlib';
import {
  BLOCK_COLUMNS,
  ENTRY_COLUMNS,
  type IndexedFile,
  type NumberArray,
  type SessionIndex,
  STRING_SPACES,
  type StringSpace,
} from './session-index.js';
import { StringTable } from './string-table.js';

/** Number of this layout. `index/index.state` repeats it as `schema`. */
export const INDEX_VERSION = 1;

const MAGIC = Buffer.from('aszindex', 'latin1');
const CHECKSUM_AT = 16;
const HEAD_AT = 24;

interface Head {
  readonly session: string;
  readonly entries: number;
  readonly blocks: number;
  /** Per space: number of strings, and of their bytes. */
  readonly strings: Readonly<Record<StringSpace, readonly [number, number]>>;
  readonly files: readonly IndexedFile[];
}

/** The bytes of an index, as pieces to be written one after the other. */
export function encodeIndex(index: SessionIndex): Buffer[] {
  const strings = STRING_SPACES.map((space) => ({ space, ...index.strings[space].encode() }));
  const sections: Buffer[] = [
    ...columnNames(ENTRY_COLUMNS).map((name) => bytesOf(index[name].subarray(0, index.entries))),
    ...columnNames(BLOCK_COLUMNS).map((name) => bytesOf(index[name].subarray(0, index.blocks))),
    ...strings.flatMap(({ ends, bytes }) => [bytesOf(ends), bytes]),
  ].map(padded);
  const head: Head = {
    session: index.session,
    entries: index.entries,
    blocks: index.blocks,
    strings: Object.fromEntries(
      strings.map(({ space, ends, bytes }) => [space, [ends.length, bytes.length]]),
    ) as unknown as Head['strings'],
    files: index.files,
  };
  const headBytes = Buffer.from(JSON.stringify(head), 'utf8');
  const prefix = Buffer.alloc(HEAD_AT);
  MAGIC.copy(prefix);
  prefix.writeUInt32LE(INDEX_VERSION, 8);
  prefix.writeUInt32LE(headBytes.length, 12);
  const first = padded(Buffer.concat([prefix, headBytes]));
  first.writeUInt32LE(checksum([first.subarray(CHECKSUM_AT + 4), ...sections]), CHECKSUM_AT);
  return [first, ...sections];
}

/** CRC-32 of the pieces as one. Node's own gives 0 for an empty piece, whatever came before it. */
function checksum(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, piece) => (piece.length === 0 ? sum : crc32(piece, sum)), 0);
}

/**
 * An index over the bytes of a file, whose `buffer` it keeps as its columns; `undefined` when the file is
 * another version's, cut short or damaged, which all mean the same: build it again.
 */
export function decodeIndex(bytes: Buffer): SessionIndex | undefined {
  const head = readHead(bytes);
  if (head === undefined) return undefined;
  let at = ceil8(HEAD_AT + bytes.readUInt32LE(12));
  const take = (sizeBytes: number): Buffer => {
    const section = bytes.subarray(at, at + sizeBytes);
    at += ceil8(sizeBytes);
    return section;
  };
  const columns: Record<string, NumberArray> = {};
  for (const [group, length] of [
    [ENTRY_COLUMNS, head.entries],
    [BLOCK_COLUMNS, head.blocks],
  ] as const)
    for (const [name, { type: Column }] of Object.entries(group))
      columns[name] = viewOf(Column, take(length * Column.BYTES_PER_ELEMENT), length);
  const strings = {} as Record<StringSpace, StringTable>;
  for (const space of STRING_SPACES) {
    const [count, sizeBytes] = head.strings[space];
    const ends = viewOf(Uint32Array, take(count * 4), count);
    strings[space] = new StringTable(take(sizeBytes), ends);
  }
  return {
    session: head.session,
    files: head.files,
    entries: head.entries,
    blocks: head.blocks,
    strings,
    ...(columns as unknown as Pick<SessionIndex, keyof typeof ENTRY_COLUMNS | keyof typeof BLOCK_COLUMNS>),
  };
}

function readHead(bytes: Buffer): Head | undefined {
  if (bytes.length < HEAD_AT || !bytes.subarray(0, 8).equals(MAGIC)) return undefined;
  if (bytes.readUInt32LE(8) !== INDEX_VERSION) return undefined;
  if (bytes.readUInt32LE(CHECKSUM_AT) !== checksum([bytes.subarray(CHECKSUM_AT + 4)])) return undefined;
  const end = HEAD_AT + bytes.readUInt32LE(12);
  if (end > bytes.length) return undefined;
  let head: Head;
  try {
    head = JSON.parse(bytes.toString('utf8', HEAD_AT, end)) as Head;
  } catch {
    return undefined; // A damaged head is an absent index, which is the answer, not an error.
  }
  return sizeOfSections(head) === bytes.length - ceil8(end) ? head : undefined;
}

/** Size of everything after the head, or NaN when the head does not say it. */
function sizeOfSections(head: Head): number {
  let size = 0;
  for (const { type } of Object.values(ENTRY_COLUMNS)) size += ceil8(head.entries * type.BYTES_PER_ELEMENT);
  for (const { type } of Object.values(BLOCK_COLUMNS)) size += ceil8(head.blocks * type.BYTES_PER_ELEMENT);
  for (const space of STRING_SPACES) {
    const [count, sizeBytes] = head.strings?.[space] ?? [Number.NaN, Number.NaN];
    size += ceil8(count * 4) + ceil8(sizeBytes);
  }
  return size;
}

function columnNames<T extends object>(group: T): (keyof T)[] {
  return Object.keys(group) as (keyof T)[];
}

function bytesOf(array: NumberArray): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

function viewOf<T extends NumberArray>(
  Column: { new (buffer: ArrayBufferLike, at: number, length: number): T; BYTES_PER_ELEMENT: number },
  section: Buffer,
  length: number,
): T {
  // Sections are aligned in the file; a buffer that starts unaligned in memory needs one copy.
  if (section.byteOffset % Column.BYTES_PER_ELEMENT === 0)
    return new Column(section.buffer, section.byteOffset, length);
  const copy = new Uint8Array(section);
  return new Column(copy.buffer, 0, length);
}

function padded(section: Buffer): Buffer {
  const rest = ceil8(section.length) - section.length;
  return rest === 0 ? section : Buffer.concat([section, Buffer.alloc(rest)]);
}

function ceil8(size: number): number {
  return Math.ceil(size / 8) * 8;
}
