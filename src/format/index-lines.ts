/**
 * The index as JSON lines: what `asz index cat` writes and `asz assemble` reads.
 *
 *     {"schema":"asz-index/1","session":"s1","files":[{"seq":1,"path":"streams/main/…-000001.sd","sha256":"…","bytes":812,"records":2}]}
 *     {"seq":1,"row":1,"kind":"user","trigger":"external","flags":["external_input"],"time":"2026-03-01T09:00:00Z","stream":"main","record":"u1","run":"p1","blocks":[{"kind":"text"}]}
 *     {"seq":1,"row":2,"kind":"assistant","time":"…","stream":"main","record":"a1","parent":"u1","call":"m1","blocks":[{"kind":"tool_use","tool":"t1","name":"Bash"}]}
 *
 * One header line, then one line per entry in landed order; empty values are left out. Times are exact to the
 * nanosecond. Source: our own (docs/format-index.md); the fields are those of storage spec 2.1 and 2.2.
 */
import { causeText, FormatError } from './errors.js';
import { BLOCK_KINDS, ENTRY_KINDS, flagBits, flagNames, TRIGGERS } from './index-entry.js';
import { Members } from './json-members.js';
import { parseJson } from './json-text.js';
import {
  type BlockFields,
  blocksEnd,
  type EntryFields,
  IndexBuilder,
  type IndexedFile,
  type SessionIndex,
  seqOf,
} from './session-index.js';
import { formatTime, isNoTime, parseTime } from './time.js';

export const INDEX_LINES_SCHEMA = 'asz-index/1';

/** The header line for the files up to a sequence, without its newline. */
export function indexHeaderLine(index: SessionIndex, throughSeq: number): string {
  const files = index.files
    .filter(({ seq }) => seq <= throughSeq)
    .map(({ seq, path, sha256, sizeBytes, records }) => ({ seq, path, sha256, bytes: sizeBytes, records }));
  return JSON.stringify({ schema: INDEX_LINES_SCHEMA, session: index.session, files });
}

/** The line of one entry, without its newline. */
export function indexEntryLine(index: SessionIndex, entry: number): string {
  const s = index.strings;
  const time = { ms: index.timeMs[entry]!, ns: index.timeNs[entry]! };
  const blocks: object[] = [];
  for (let b = index.firstBlock[entry]!; b < blocksEnd(index, entry); b++)
    blocks.push(
      filled({
        kind: BLOCK_KINDS[index.blockKind[b]!],
        tool: s.tool.at(index.blockTool[b]!),
        name: s.name.at(index.blockName[b]!),
        server: s.name.at(index.blockServer[b]!),
        server_tool: s.name.at(index.blockServerTool[b]!),
        adds: index.blockAdds[b],
        dels: index.blockDels[b],
      }),
    );
  const flags = flagNames(index.flags[entry]!);
  const trigger = index.trigger[entry]!;
  return JSON.stringify(
    filled({
      seq: seqOf(index, entry),
      row: index.row[entry],
      kind: ENTRY_KINDS[index.kind[entry]!],
      trigger: trigger === 0 ? '' : TRIGGERS[trigger],
      flags: flags.length === 0 ? '' : flags,
      time: isNoTime(time) ? '' : formatTime(time),
      stream: s.stream.at(index.stream[entry]!),
      batch: s.batch.at(index.batch[entry]!),
      record: s.record.at(index.record[entry]!),
      parent: s.record.at(index.parent[entry]!),
      call: s.call.at(index.call[entry]!),
      run: s.run.at(index.run[entry]!),
      continues: s.record.at(index.continues[entry]!),
      tool: s.tool.at(index.tool[entry]!),
      child: s.stream.at(index.child[entry]!),
      started_by: s.stream.at(index.startedBy[entry]!),
      label: s.label.at(index.label[entry]!),
      blocks: blocks.length === 0 ? '' : blocks,
    }),
  );
}

function filled<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== '' && value !== 0),
  ) as Partial<T>;
}

/**
 * Reads the lines back into an index, one `push` per line. Throws `FormatError` naming the line when it does
 * not decode, stands out of landed order, or belongs to no file of the header.
 */
export class IndexLinesReader {
  #builder: IndexBuilder | undefined;
  #line = 0;
  #files: readonly IndexedFile[] = [];
  #nextFile = 0;
  #rows = 0;

  push(line: string): void {
    this.#line++;
    try {
      const members = new Members(parseJson(line));
      if (this.#builder === undefined) this.#builder = this.#readHeader(members);
      else this.#readEntry(this.#builder, members);
    } catch (cause) {
      const words = cause instanceof Error ? cause.message : String(cause);
      throw new FormatError(`index lines: line ${this.#line}: ${words}`, { cause });
    }
  }

  /** The index of all lines. Throws `FormatError` when there was no header, or lines are missing. */
  finish(): SessionIndex {
    if (this.#builder === undefined)
      throw new FormatError('index lines: no header line; write them with asz index cat SESSION');
    try {
      while (this.#nextFile < this.#files.length) this.#openNextFile(this.#builder);
      this.#closeFile();
    } catch (cause) {
      throw new FormatError(`index lines: ${causeText(cause)}`, { cause });
    }
    return this.#builder.finish();
  }

  #readHeader(o: Members): IndexBuilder {
    const schema = o.text('schema');
    if (schema !== INDEX_LINES_SCHEMA)
      throw new FormatError(`unsupported schema ${JSON.stringify(schema)}, want "${INDEX_LINES_SCHEMA}"`);
    const session = o.text('session');
    if (session === '') throw new FormatError('header missing session');
    this.#files = o.objects('files', (file) => {
      const sha256 = file.text('sha256');
      if (!/^[0-9a-f]{64}$/.test(sha256)) throw new FormatError(`file ${file.natural('seq')} has no sha256`);
      return {
        seq: file.natural('seq'),
        path: file.text('path'),
        sha256,
        sizeBytes: file.natural('bytes'),
        records: file.natural('records'),
      };
    });
    return new IndexBuilder(session);
  }

  #readEntry(builder: IndexBuilder, o: Members): void {
    const seq = o.natural('seq');
    const row = o.natural('row');
    while (builder.lastSeq < seq && this.#nextFile < this.#files.length) this.#openNextFile(builder);
    if (seq === 0 || builder.lastSeq !== seq)
      throw new FormatError(`sequence ${seq} is not the next of the header's files`);
    if (row !== this.#rows + 1)
      throw new FormatError(`row ${row} of sequence ${seq} stands where row ${this.#rows + 1} belongs`);
    this.#rows++;
    builder.addEntry(readEntryFields(o, row));
  }

  #openNextFile(builder: IndexBuilder): void {
    this.#closeFile();
    builder.addFile(this.#files[this.#nextFile]!);
    this.#nextFile++;
    this.#rows = 0;
  }

  /** A file binds all its records: lines that were cut off would make a round of evidence it never saw. */
  #closeFile(): void {
    const file = this.#files[this.#nextFile - 1];
    if (file !== undefined && file.records !== this.#rows)
      throw new FormatError(`sequence ${file.seq} has ${this.#rows} of its ${file.records} records`);
  }
}

function readEntryFields(o: Members, row: number): EntryFields {
  return {
    row,
    kind: numberOf(ENTRY_KINDS, 'kind', o.text('kind')),
    trigger: numberOf(TRIGGERS, 'trigger', o.text('trigger') || 'none'),
    flags: flagBits(o.texts('flags')),
    time: parseTime(o.text('time')),
    stream: o.text('stream'),
    batch: o.text('batch'),
    record: o.text('record'),
    parent: o.text('parent'),
    call: o.text('call'),
    run: o.text('run'),
    continues: o.text('continues'),
    tool: o.text('tool'),
    child: o.text('child'),
    startedBy: o.text('started_by'),
    label: o.text('label'),
    blocks: o.objects('blocks', readBlockFields),
  };
}

function readBlockFields(o: Members): BlockFields {
  return {
    kind: numberOf(BLOCK_KINDS, 'kind', o.text('kind')),
    tool: o.text('tool'),
    name: o.text('name'),
    server: o.text('server'),
    serverTool: o.text('server_tool'),
    adds: o.integer('adds'),
    dels: o.integer('dels'),
  };
}

function numberOf(words: readonly string[], key: string, word: string): number {
  const number = words.indexOf(word);
  if (number < 0) throw new FormatError(`unknown ${key} ${JSON.stringify(word)}`);
  return number;
}
