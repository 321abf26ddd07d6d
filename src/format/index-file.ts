/**
 * The index file, `index/entries.bin`: columns that load with one read and no object per entry.
 *
 *     bytes 0-7    "aszindex"             magic
 *     8-11         2                      version, u32, little endian like everything below
 *     12-15        length of the head     u32
 *     16-31        check of all the rest  see `checkOf`
 *     32-…         {"session":"s1","entries":118,"blocks":140,"columns":{"file":[1,118],…},"strings":{"record":[97,1,3492],…},"files":[…]}
 *     then, each section beginning at a multiple of 8: the columns of ENTRY_COLUMNS, those of BLOCK_COLUMNS, and per
 *     string space the length of each string, as a column, and the bytes of all
 *
 * A column is stored as `column.ts` says; the head has the bytes of an element and the number of elements for each.
 * With fewer elements than rows, the places of the rows that have one, u32 each, are a section before them.
 *
 * Another version, magic or check means the file is absent: an index is never migrated, it is built again (storage
 * spec 2.6). The check covers the head too, for it holds digests that rounds bind.
 */
import { createCipheriv } from 'node:crypto';
import { type Column, type ColumnType, heldColumn, storedColumn, typeOfWidth } from './column.js';
import {
  BLOCK_COLUMNS,
  type BlockColumns,
  ENTRY_COLUMNS,
  type EntryColumns,
  type IndexedFile,
  type SessionIndex,
  STRING_SPACES,
  type StringSpace,
} from './session-index.js';
import { StringTable } from './string-table.js';

/** Number of this layout. `index/index.state` repeats it as `schema`. */
export const INDEX_VERSION = 2;

const MAGIC = Buffer.from('aszindex', 'latin1');
const CHECK_AT = 16;
const CHECK_BYTES = 16;
const HEAD_AT = CHECK_AT + CHECK_BYTES;

type ColumnName = keyof EntryColumns | keyof BlockColumns;
const COLUMN_NAMES = Object.keys({ ...ENTRY_COLUMNS, ...BLOCK_COLUMNS }) as ColumnName[];

interface Head {
  readonly session: string;
  readonly entries: number;
  readonly blocks: number;
  /** Per column: bytes of an element, and how many are stored. */
  readonly columns: Readonly<Record<ColumnName, readonly [number, number]>>;
  /** Per space: number of strings, bytes of a length, and bytes of all strings. */
  readonly strings: Readonly<Record<StringSpace, readonly [number, number, number]>>;
  readonly files: readonly IndexedFile[];
}

/** A section: elements of one type, as many as the head says. */
interface Section {
  readonly type: ColumnType;
  readonly length: number;
}

/** The bytes of an index, as pieces to be written one after the other. */
export function encodeIndex(index: SessionIndex): Buffer[] {
  const sections: Buffer[] = [];
  const columns: Partial<Record<ColumnName, readonly [number, number]>> = {};
  const strings: Partial<Record<StringSpace, readonly [number, number, number]>> = {};
  for (const name of COLUMN_NAMES) {
    const { places, values } = storedColumn(index[name].subarray(0, rowsOf(name, index)));
    if (places !== undefined) sections.push(bytesOf(places));
    sections.push(bytesOf(values));
    columns[name] = [values.BYTES_PER_ELEMENT, values.length];
  }
  for (const space of STRING_SPACES) {
    const { bytes, lengths } = index.strings[space].encode();
    const { values } = storedColumn(lengths); // No string is empty, so every one has a length.
    sections.push(bytesOf(values), bytes);
    strings[space] = [values.length, values.BYTES_PER_ELEMENT, bytes.length];
  }
  const { session, entries, blocks, files } = index;
  const head = Buffer.from(JSON.stringify({ session, entries, blocks, columns, strings, files }), 'utf8');
  const prefix = Buffer.alloc(HEAD_AT);
  MAGIC.copy(prefix);
  prefix.writeUInt32LE(INDEX_VERSION, 8);
  prefix.writeUInt32LE(head.length, 12);
  const pieces = [Buffer.concat([prefix, head]), ...sections].map(padded);
  checkOf(pieces).copy(pieces[0]!, CHECK_AT);
  return pieces;
}

/**
 * An index over the bytes of a file, whose `buffer` it keeps as its columns; `undefined` when the file is
 * another version's, cut short or damaged, which all mean the same: build it again.
 */
export function decodeIndex(bytes: Buffer): SessionIndex | undefined {
  const head = readHead(bytes);
  if (head === undefined) return undefined;
  const views = viewsOf(bytes, sectionsOf(head));
  const next = () => views.next().value!;
  const columns: Partial<Record<ColumnName, Column>> = {};
  for (const name of COLUMN_NAMES) {
    const rows = rowsOf(name, head);
    const places = isSparse(head, name) ? { places: next() as Uint32Array } : {};
    columns[name] = heldColumn({ ...places, values: next() }, rows);
  }
  const strings = {} as Record<StringSpace, StringTable>;
  for (const space of STRING_SPACES) {
    const lengths = next();
    strings[space] = new StringTable(bytesOf(next()), lengths);
  }
  const { session, files, entries, blocks } = head;
  return { session, files, entries, blocks, strings, ...(columns as Record<ColumnName, Column>) };
}

function readHead(bytes: Buffer): Head | undefined {
  if (bytes.length < HEAD_AT || !bytes.subarray(0, 8).equals(MAGIC)) return undefined;
  if (bytes.readUInt32LE(8) !== INDEX_VERSION) return undefined;
  if (!bytes.subarray(CHECK_AT, HEAD_AT).equals(checkOf([bytes]))) return undefined;
  try {
    const head = JSON.parse(bytes.toString('utf8', HEAD_AT, headEnd(bytes))) as Head;
    const sizes = sectionsOf(head).map(sizeOf);
    const end = sizes.reduce((sum, size) => sum + ceil8(size), ceil8(headEnd(bytes)));
    return end === bytes.length ? head : undefined;
  } catch {
    return undefined; // A damaged head is an absent index, which is the answer, not an error.
  }
}

function headEnd(bytes: Buffer): number {
  return HEAD_AT + bytes.readUInt32LE(12);
}

/** What follows a head, in order. Throws a `RangeError` for a head that no writer of ours writes. */
function sectionsOf(head: Head): Section[] {
  const sections: Section[] = [];
  const add = (width: number, length: number): void => {
    const type = typeOfWidth(width);
    if (type === undefined || !Number.isSafeInteger(length) || length < 0)
      throw new RangeError('no such section');
    sections.push({ type, length });
  };
  for (const name of COLUMN_NAMES) {
    const [width, stored] = head.columns[name];
    if (stored > rowsOf(name, head)) throw new RangeError(`${name} is longer than its rows`);
    if (isSparse(head, name)) add(Uint32Array.BYTES_PER_ELEMENT, stored);
    add(width, stored);
  }
  for (const space of STRING_SPACES) {
    const [count, width, sizeBytes] = head.strings[space];
    add(width, count);
    add(Uint8Array.BYTES_PER_ELEMENT, sizeBytes);
  }
  return sections;
}

function* viewsOf(bytes: Buffer, sections: readonly Section[]): Generator<Column> {
  let at = ceil8(headEnd(bytes));
  for (const section of sections) {
    yield viewOf(bytes.subarray(at, at + sizeOf(section)), section);
    at += ceil8(sizeOf(section));
  }
}

function viewOf(bytes: Buffer, { type: Type, length }: Section): Column {
  // Sections are aligned in the file; a buffer that starts unaligned in memory needs one copy.
  if (bytes.byteOffset % Type.BYTES_PER_ELEMENT === 0)
    return new Type(bytes.buffer as ArrayBuffer, bytes.byteOffset, length);
  return new Type(new Uint8Array(bytes).buffer, 0, length);
}

/**
 * Sixteen bytes that follow from all others: GMAC under a key of zeros. It keeps nobody out, no more than a CRC-32
 * would; it stands here because processors compute it at twice the speed.
 */
function checkOf([first, ...rest]: readonly Buffer[]): Buffer {
  const gmac = createCipheriv('aes-128-gcm', ZEROS, ZEROS.subarray(0, 12));
  for (const piece of [first!.subarray(0, CHECK_AT), first!.subarray(HEAD_AT), ...rest])
    for (let at = 0; at < piece.length; at += MAX_CALL_BYTES)
      gmac.setAAD(piece.subarray(at, at + MAX_CALL_BYTES));
  gmac.final();
  return gmac.getAuthTag();
}

const ZEROS = Buffer.alloc(16);

/** One call takes less than 2 GiB. */
const MAX_CALL_BYTES = 2 ** 30;

function rowsOf(name: ColumnName, { entries, blocks }: { entries: number; blocks: number }): number {
  return Object.hasOwn(ENTRY_COLUMNS, name) ? entries : blocks;
}

function isSparse(head: Head, name: ColumnName): boolean {
  return head.columns[name][1] < rowsOf(name, head);
}

function sizeOf({ type, length }: Section): number {
  return type.BYTES_PER_ELEMENT * length;
}

function bytesOf(column: Column): Buffer {
  return Buffer.from(column.buffer, column.byteOffset, column.byteLength);
}

function padded(section: Buffer): Buffer {
  const rest = ceil8(section.length) - section.length;
  return rest === 0 ? section : Buffer.concat([section, Buffer.alloc(rest)]);
}

function ceil8(size: number): number {
  return Math.ceil(size / 8) * 8;
}
