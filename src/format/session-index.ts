/**
 * The index of one session as columns: entries in landed order, their blocks, the files they stand in, and one
 * number space per kind of identifier. Derived, disposable, authoritative for nothing.
 *
 *     entry   0    1    2          block  0  1  2  3          strings.record  1:"u1" 2:"a1"
 *     file    0    0    1          entry  0  1  1  2          strings.tool    1:"toolu_1"
 *     row     1    2    1          kind   text …              …
 *     record  1    2    0
 *
 * Source: storage spec 2; the columns are our own (docs/format-index.md).
 */
import { firstPlace } from './binary-search.js';
import type { Column, ColumnType } from './column.js';
import { FormatError } from './errors.js';
import {
  BLOCK_CHANGES,
  BLOCK_TOOL_RESULT,
  BLOCK_TOOL_USE,
  blockKindOf,
  flagBits,
  kindOf,
  triggerOf,
} from './index-entry.js';
import type { SdPartRead, SdRecordRead } from './session-data.js';
import { StringTable } from './string-table.js';
import { type Instant, parseTime } from './time.js';
import { readWorkspaceChange } from './workspace-change.js';

/** A landed file as the index knows it: enough to bind it into a round without opening it. */
export interface IndexedFile {
  readonly seq: number;
  /** Path below the session's directory, with `/`. */
  readonly path: string;
  /** SHA-256 of the whole file, lower-case hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly records: number;
}

/** The kinds of identifier, each with numbers of its own. Streams and children share one: a child is a stream. */
export const STRING_SPACES = ['record', 'call', 'run', 'tool', 'stream', 'batch', 'label', 'name'] as const;
export type StringSpace = (typeof STRING_SPACES)[number];

/**
 * Entry columns: name, element type while an index grows, and the space its numbers belong to (none: they are plain
 * numbers). A loaded column is as narrow as its values.
 */
export const ENTRY_COLUMNS = {
  file: { type: Uint32Array, space: undefined },
  row: { type: Uint32Array, space: undefined },
  kind: { type: Uint8Array, space: undefined },
  trigger: { type: Uint8Array, space: undefined },
  flags: { type: Uint32Array, space: undefined },
  /** Milliseconds and nanoseconds of the record's time, both 0 without one. */
  timeMs: { type: Float64Array, space: undefined },
  timeNs: { type: Uint32Array, space: undefined },
  stream: { type: Uint32Array, space: 'stream' },
  batch: { type: Uint32Array, space: 'batch' },
  record: { type: Uint32Array, space: 'record' },
  parent: { type: Uint32Array, space: 'record' },
  call: { type: Uint32Array, space: 'call' },
  run: { type: Uint32Array, space: 'run' },
  continues: { type: Uint32Array, space: 'record' },
  tool: { type: Uint32Array, space: 'tool' },
  child: { type: Uint32Array, space: 'stream' },
  startedBy: { type: Uint32Array, space: 'stream' },
  label: { type: Uint32Array, space: 'label' },
  /** Number of the entry's first block; its blocks end where the next entry's begin. */
  firstBlock: { type: Uint32Array, space: undefined },
} as const;

/** Block columns. `entry` is the entry a block belongs to. */
export const BLOCK_COLUMNS = {
  blockEntry: { type: Uint32Array, space: undefined },
  blockKind: { type: Uint8Array, space: undefined },
  blockTool: { type: Uint32Array, space: 'tool' },
  blockName: { type: Uint32Array, space: 'name' },
  blockServer: { type: Uint32Array, space: 'name' },
  blockServerTool: { type: Uint32Array, space: 'name' },
  /** Lines a workspace change added and removed. */
  blockAdds: { type: Float64Array, space: undefined },
  blockDels: { type: Float64Array, space: undefined },
} as const;

export type EntryColumns = { readonly [K in keyof typeof ENTRY_COLUMNS]: Column };
export type BlockColumns = { readonly [K in keyof typeof BLOCK_COLUMNS]: Column };

/** A loaded or finished index. Arrays may be longer than `entries` and `blocks`: read up to the counts only. */
export interface SessionIndex extends EntryColumns, BlockColumns {
  readonly session: string;
  readonly files: readonly IndexedFile[];
  readonly entries: number;
  readonly blocks: number;
  readonly strings: Readonly<Record<StringSpace, StringTable>>;
}

/** One entry before it is interned: what the columns hold, in words. */
export interface EntryFields {
  readonly row: number;
  readonly kind: number;
  readonly trigger: number;
  readonly flags: number;
  readonly time: Instant;
  readonly stream: string;
  readonly batch: string;
  readonly record: string;
  readonly parent: string;
  readonly call: string;
  readonly run: string;
  readonly continues: string;
  readonly tool: string;
  readonly child: string;
  readonly startedBy: string;
  readonly label: string;
  readonly blocks: readonly BlockFields[];
}

export interface BlockFields {
  readonly kind: number;
  readonly tool: string;
  readonly name: string;
  readonly server: string;
  readonly serverTool: string;
  readonly adds: number;
  readonly dels: number;
}

/** The members of a landed record that the index reads; a record that was read has them all. */
export type IndexableRecord = Pick<SdRecordRead, IndexedMember> & {
  readonly parts: readonly Pick<SdPartRead, 'k' | 'data' | 'id' | 'of' | 'name' | 'server' | 'server_tool'>[];
};

type IndexedMember =
  | 'id'
  | 'parent'
  | 'call'
  | 'run'
  | 'continues'
  | 'tool'
  | 'child'
  | 'batch'
  | 'label'
  | 'started_by'
  | 'from'
  | 'time'
  | 'trigger'
  | 'flags';

/** What the file says of all its records: its header, and the directory it lies in where the header is silent. */
export interface EntryPlace {
  readonly fileKind: string;
  readonly stream: string;
  readonly batch: string;
}

/** The entry of a record at a row (from 1) of a file (storage spec 2.1, 2.2). */
export function entryOf(record: IndexableRecord, row: number, place: EntryPlace): EntryFields {
  return {
    row,
    kind: kindOf(place.fileKind, record.from),
    trigger: triggerOf(record.trigger),
    flags: flagBits(record.flags),
    time: parseTime(record.time),
    stream: place.stream,
    batch: record.batch || place.batch,
    record: record.id,
    parent: record.parent,
    call: record.call,
    run: record.run,
    continues: record.continues,
    tool: record.tool,
    child: record.child,
    startedBy: record.started_by,
    label: record.label,
    blocks: record.parts.map(blockOf),
  };
}

function blockOf(part: IndexableRecord['parts'][number]): BlockFields {
  const kind = blockKindOf(part.k);
  if (kind === BLOCK_TOOL_USE) {
    const { id: tool, name, server, server_tool: serverTool } = part;
    return { kind, tool, name, server, serverTool, adds: 0, dels: 0 };
  }
  if (kind === BLOCK_TOOL_RESULT)
    return { kind, tool: part.of, name: '', server: '', serverTool: '', adds: 0, dels: 0 };
  const change = part.k === 'data' ? readWorkspaceChange(part.data) : undefined;
  if (change === undefined) return { kind, tool: '', name: '', server: '', serverTool: '', adds: 0, dels: 0 };
  const { name, additions: adds, deletions: dels } = change;
  return { kind: BLOCK_CHANGES, tool: '', name, server: '', serverTool: '', adds, dels };
}

/** Grows an index, file by file in sequence order and row by row, from nothing or from one loaded earlier. */
export class IndexBuilder {
  readonly session: string;
  readonly #files: IndexedFile[];
  readonly #columns: Mutable<EntryColumns & BlockColumns>;
  readonly #strings: Record<StringSpace, StringTable>;
  #entries: number;
  #blocks: number;

  constructor(session: string, from?: SessionIndex) {
    this.session = session;
    this.#files = [...(from?.files ?? [])];
    this.#entries = from?.entries ?? 0;
    this.#blocks = from?.blocks ?? 0;
    this.#strings =
      from === undefined
        ? (Object.fromEntries(STRING_SPACES.map((space) => [space, new StringTable()])) as Record<
            StringSpace,
            StringTable
          >)
        : { ...from.strings };
    this.#columns = emptyColumns(ENTRY_COLUMNS, BLOCK_COLUMNS);
    this.#grow(ENTRY_COLUMNS, this.#entries);
    this.#grow(BLOCK_COLUMNS, this.#blocks);
    if (from === undefined) return;
    for (const name of Object.keys(ENTRY_COLUMNS) as (keyof EntryColumns)[])
      this.#columns[name].set(from[name].subarray(0, from.entries));
    for (const name of Object.keys(BLOCK_COLUMNS) as (keyof BlockColumns)[])
      this.#columns[name].set(from[name].subarray(0, from.blocks));
  }

  /** Sequence of the last file added, 0 before the first. */
  get lastSeq(): number {
    return this.#files.at(-1)?.seq ?? 0;
  }

  get entries(): number {
    return this.#entries;
  }

  /** Begins a file; the entries that follow are its rows. Throws when its sequence does not come after the last. */
  addFile(file: IndexedFile): void {
    if (file.seq <= this.lastSeq)
      throw new FormatError(
        `index: ${file.path} has sequence ${file.seq}, but ${this.lastSeq} is already indexed`,
      );
    this.#files.push(file);
  }

  /** Appends the next row of the last file. */
  addEntry(entry: EntryFields): void {
    const n = this.#entries;
    const c = this.#columns;
    if (n === c.file.length) this.#grow(ENTRY_COLUMNS, n);
    const s = this.#strings;
    c.file[n] = this.#files.length - 1;
    c.row[n] = entry.row;
    c.kind[n] = entry.kind;
    c.trigger[n] = entry.trigger;
    c.flags[n] = entry.flags;
    c.timeMs[n] = entry.time.ms;
    c.timeNs[n] = entry.time.ns;
    c.stream[n] = s.stream.intern(entry.stream);
    c.batch[n] = s.batch.intern(entry.batch);
    c.record[n] = s.record.intern(entry.record);
    c.parent[n] = s.record.intern(entry.parent);
    c.call[n] = s.call.intern(entry.call);
    c.run[n] = s.run.intern(entry.run);
    c.continues[n] = s.record.intern(entry.continues);
    c.tool[n] = s.tool.intern(entry.tool);
    c.child[n] = s.stream.intern(entry.child);
    c.startedBy[n] = s.stream.intern(entry.startedBy);
    c.label[n] = s.label.intern(entry.label);
    c.firstBlock[n] = this.#blocks;
    this.#entries++;
    for (const block of entry.blocks) this.#addBlock(n, block);
  }

  finish(): SessionIndex {
    return {
      session: this.session,
      files: this.#files,
      entries: this.#entries,
      blocks: this.#blocks,
      strings: this.#strings,
      ...this.#columns,
    };
  }

  #addBlock(entry: number, block: BlockFields): void {
    const n = this.#blocks;
    const c = this.#columns;
    if (n === c.blockEntry.length) this.#grow(BLOCK_COLUMNS, n);
    c.blockEntry[n] = entry;
    c.blockKind[n] = block.kind;
    c.blockTool[n] = this.#strings.tool.intern(block.tool);
    c.blockName[n] = this.#strings.name.intern(block.name);
    c.blockServer[n] = this.#strings.name.intern(block.server);
    c.blockServerTool[n] = this.#strings.name.intern(block.serverTool);
    c.blockAdds[n] = block.adds;
    c.blockDels[n] = block.dels;
    this.#blocks++;
  }

  /** Makes room for as many rows again. */
  #grow(group: typeof ENTRY_COLUMNS | typeof BLOCK_COLUMNS, rows: number): void {
    const columns: Record<string, Column> = this.#columns;
    for (const name of Object.keys(group)) {
      const old = columns[name]!;
      const grown = new (old.constructor as ColumnType)(Math.max(64, rows * 2));
      grown.set(old);
      columns[name] = grown;
    }
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function emptyColumns(...groups: Record<string, { readonly type: ColumnType }>[]) {
  const columns: Record<string, Column> = {};
  for (const group of groups)
    for (const [name, { type: Column }] of Object.entries(group)) columns[name] = new Column(0);
  return columns as unknown as Mutable<EntryColumns & BlockColumns>;
}

/** Where the blocks of an entry end. */
export function blocksEnd(index: SessionIndex, entry: number): number {
  return entry + 1 < index.entries ? index.firstBlock[entry + 1]! : index.blocks;
}

/** The landed sequence of an entry. */
export function seqOf(index: SessionIndex, entry: number): number {
  return index.files[index.file[entry]!]!.seq;
}

/** How many entries, from the first, stand at or below a sequence: entries are in landed order. */
export function entriesThrough(index: SessionIndex, seq: number): number {
  return firstPlace(index.entries, (entry) => seqOf(index, entry) > seq);
}
