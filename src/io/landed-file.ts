/**
 * Reads landed files: one pass, one JSON.parse a line, and both digests on the way.
 *
 * A file has two. The one its closing line carries covers every byte before that line and tells whether the
 * file is whole; the SHA-256 of all its bytes is what a round binds. One running hash gives both.
 */
import { createHash, type Hash } from 'node:crypto';
import { isCanonicalHeader, isCanonicalRecord } from '../format/canonical-record.js';
import { causeText, FormatError } from '../format/errors.js';
import { type RecordGlance, readGlance } from '../format/record-glance.js';
import type { Place } from '../format/record-marks.js';
import { type RecordOutline, readOutline } from '../format/record-outline.js';
import { scanRecord } from '../format/record-scan.js';
import {
  CLOSING_START,
  readClosing,
  readHeader,
  readRecord,
  type SdClosing,
  type SdHeaderRead,
  type SdRecordRead,
  writeClosing,
} from '../format/session-data.js';
import { LineReader } from './lines.js';

/** Which rule of reading a landed file breaks. */
export type LandedRule = 'unread' | 'cut' | 'digest' | 'count' | 'behind';

/**
 * A landed file that does not read. `message` is the cause alone; a caller puts the path, and `row <n>` when
 * `row` is not 0, before it. Row 0: it was not opened, or its header is wrong. A wrong or missing closing
 * line counts as the row after the last record.
 */
export class LandedFileError extends FormatError {
  readonly row: number;
  readonly rule: LandedRule;

  constructor(message: string, row: number, rule: LandedRule, options?: { cause?: unknown }) {
    super(message, options);
    this.row = row;
    this.rule = rule;
  }
}

/** What a reader wants to see. `text` is the record's own line, to carry it on unchanged. */
export interface LandedVisitor {
  header?(header: SdHeaderRead): void;
  record?(record: SdRecordRead, row: number, text: string): void;
  /** What is shown of it, decoded as far as somebody asks while it is visited. */
  glance?(glance: RecordGlance, row: number): void;
  /** Its identifiers alone, at half the cost of the record. Every record is checked in full either way. */
  outline?(outline: RecordOutline, row: number): void;
  /** Its place in its source alone, for verification: a line in its one spelling is not even decoded. */
  place?(place: Place, row: number): void;
}

/** A record with its own line, which keeps what a parsed value loses. */
export interface LandedRecord {
  readonly record: SdRecordRead;
  readonly text: string;
}

/** What reading a whole file established. */
export interface LandedSummary {
  readonly header: SdHeaderRead;
  readonly records: number;
  /** SHA-256 of every byte, lower-case hex: what rounds bind. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly closing: SdClosing;
  /**
   * The first line that is right but spelled as no writer of ours spells it, from 1; 0 for none. Lines before the
   * closing one are looked at for a visitor of places.
   */
  readonly oddLine: number;
}

/**
 * Reads a whole landed file. Throws `LandedFileError` with the texts of dialect spec 1.12; records before a
 * wrong one have been visited by then. What a visitor throws passes through.
 */
export function readLandedFile(path: string, visitor: LandedVisitor = {}): LandedSummary {
  const hash = createHash('sha256');
  return reading(path, { hash }, (reader, rows) => {
    const header = headerOf(reader);
    visitor.header?.(header);
    let oddLine = visitor.place === undefined || isCanonicalHeader(reader.line) ? 0 : 1;
    for (;;) {
      if (!rows.attempt(() => reader.next()))
        throw rows.error(`sessiondata: ${header.src} has no closing line; it is incomplete`, 'cut');
      if (reader.startsWith(CLOSING_START)) {
        const { closing, isCanonical } = checkedClosing(reader, hash, rows, header.src);
        if (!isCanonical) oddLine ||= rows.done + 2;
        reader.hashThrough();
        const sizeBytes = reader.offset;
        if (reader.next())
          throw rows.error(`sessiondata: ${header.src} goes on after its closing line`, 'behind');
        return { header, records: rows.done, sha256: hash.digest('hex'), sizeBytes, closing, oddLine };
      }
      if (visitor.place !== undefined) {
        const { line } = reader;
        const told = scanRecord(line);
        const place = told ?? rows.attempt(() => readOutline(line));
        rows.done++;
        if (told === undefined && !isCanonicalRecord(line)) oddLine ||= rows.done + 1;
        visitor.place(place, rows.done);
      } else if (visitor.glance !== undefined) {
        const glance = rows.attempt(() => readGlance(reader.line));
        rows.done++;
        visitor.glance(glance, rows.done);
      } else if (visitor.record === undefined) {
        const outline = rows.attempt(() => readOutline(reader.line));
        rows.done++;
        visitor.outline?.(outline, rows.done);
      } else {
        const { text } = reader;
        const record = rows.attempt(() => readRecord(text));
        rows.done++;
        visitor.record(record, rows.done, text);
      }
    }
  });
}

/** The header alone. The rest of the file is not looked at. */
export function readLandedHeader(path: string): SdHeaderRead {
  return reading(path, {}, headerOf);
}

/**
 * One record by its row, from 1; `undefined` when the file has no such row. Only that line is decoded, so
 * neither the digest nor the records before it are checked.
 */
export function readLandedRecord(path: string, row: number): LandedRecord | undefined {
  return reading(path, {}, (reader, rows) => {
    headerOf(reader);
    for (; rows.attempt(() => reader.next()); rows.done++) {
      if (rows.done + 1 < row) continue;
      if (reader.startsWith(CLOSING_START)) return undefined;
      const { text } = reader;
      return { record: rows.attempt(() => readRecord(text)), text };
    }
    return undefined;
  });
}

/** Counts the records that were read, and puts the row of the next one on what goes wrong there. */
class Rows {
  done = 0;

  error(message: string, rule: LandedRule, cause?: unknown): LandedFileError {
    return new LandedFileError(message, this.done + 1, rule, cause === undefined ? undefined : { cause });
  }

  attempt<T>(read: () => T): T {
    try {
      return read();
    } catch (cause) {
      throw this.error(causeText(cause), 'unread', cause);
    }
  }
}

function reading<T>(
  path: string,
  options: { readonly hash?: Hash },
  read: (reader: LineReader, rows: Rows) => T,
): T {
  const reader = opened(path, options);
  try {
    return read(reader, new Rows());
  } finally {
    reader.close();
  }
}

function opened(path: string, options: { readonly hash?: Hash }): LineReader {
  try {
    return new LineReader(path, options);
  } catch (cause) {
    throw new LandedFileError(`sessiondata: read header: ${causeText(cause)}`, 0, 'unread', { cause });
  }
}

function headerOf(reader: LineReader): SdHeaderRead {
  try {
    if (!reader.next()) throw new FormatError('sessiondata: read header: the file is empty');
    return readHeader(reader.text);
  } catch (cause) {
    if (cause instanceof FormatError) throw new LandedFileError(cause.message, 0, 'unread', { cause });
    throw new LandedFileError(`sessiondata: read header: ${causeText(cause)}`, 0, 'unread', { cause });
  }
}

/** Digest before count: a wrong digest says that bytes changed, and then the count proves nothing. */
function checkedClosing(reader: LineReader, hash: Hash, rows: Rows, src: string) {
  const text = reader.text;
  const closing = rows.attempt(() => readClosing(text));
  reader.hashBefore();
  const digest = hash.copy().digest('hex');
  if (closing.digest !== digest)
    throw rows.error(
      `sessiondata: ${src}: digest mismatch, computed ${digest.slice(0, 12)} and the file claims ${closing.digest.slice(0, 12)}`,
      'digest',
    );
  if (closing.records !== rows.done)
    throw rows.error(
      `sessiondata: ${src} holds ${rows.done} records, the file claims ${closing.records}`,
      'count',
    );
  return { closing, isCanonical: reader.terminated && text === writeClosing(rows.done, digest) };
}
