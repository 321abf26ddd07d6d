/**
 * Holds the landed files of a session against themselves and their cursors, without the source: lines and bytes
 * are contiguous, cursors do not look past what landed, digests match (storage spec 6.2). It never repairs, and
 * one damaged file hides no other: what does not read is a finding, and the check goes on.
 */
import { createHash } from 'node:crypto';
import { dirname, join, relative } from 'node:path';
import { AszError, causeText } from '../format/errors.js';
import { LANDED_KINDS } from '../format/landed-name.js';
import type { Place } from '../format/record-marks.js';
import { type Cursor, loadCursor } from '../io/cursor.js';
import { readFileSync } from '../io/file-system.js';
import { LandedFileError, readLandedFile } from '../io/landed-file.js';
import { misplaced, NO_DIGEST } from '../io/landed-place.js';
import { listPassedOver } from '../io/passed-over.js';
import {
  type EvidenceFolder,
  type LandedFile,
  listEvidenceFolders,
  listLandedFiles,
  sessionFolder,
} from '../io/storage-root.js';
import type { Finding, FindingId } from './finding.js';

export interface LandedReport {
  readonly session: string;
  /** None is a clean session. */
  readonly problems: readonly Finding[];
  /** One kind in one directory. */
  readonly streams: number;
  readonly records: number;
  /** Records that an interrupted pass landed again, which is no fault. */
  readonly relanded: number;
  /** SHA-256 of every landed file by sequence; absent when the listing itself is damaged. */
  readonly digests: ReadonlyMap<number, string> | undefined;
}

/** One kind in one directory: files whose records come from one source, and the cursor over it. */
interface Slot {
  readonly folder: string;
  readonly prefix: string;
  readonly cursor: Cursor | undefined;
}

/** Verifies one session. Throws only when its directories cannot be listed. */
export function verifyLanded(root: string, session: string): LandedReport {
  const folder = sessionFolder(root, session);
  const report = { session, problems: [] as Finding[], streams: 0, records: 0, relanded: 0 };
  // Cursors before files: a collector at work beside this must not make a cursor look ahead.
  const slots = listEvidenceFolders(folder).flatMap(slotsIn);
  let files: LandedFile[];
  try {
    files = listLandedFiles(folder);
  } catch (cause) {
    if (!(cause instanceof AszError)) throw cause;
    report.problems.push(unlisted(session, cause.message));
    return { ...report, digests: undefined };
  }
  for (const { path, why } of listPassedOver(folder)) {
    const file = relative(root, path).replaceAll('\\', '/');
    const words = `unread   ${file.slice(session.length + 1)}: ${why}`;
    report.problems.push({ id: 'landed-unread', file, line: 0, words });
  }
  const digests = new Map<number, string>();
  for (const { slot, files: own } of bySlot(slots, files)) {
    if (own.length === 0 && !hasRead(slot.cursor)) continue;
    const check = new SlotCheck(root, session, slot);
    for (const file of own) digests.set(file.seq, check.file(file));
    check.cursor();
    report.streams++;
    report.records += check.records;
    report.relanded += check.relanded;
    report.problems.push(...check.problems);
  }
  return { ...report, digests };
}

/** The finding of a session whose landed files cannot be listed. */
export function unlisted(session: string, cause: string): Finding {
  return { id: 'landed-listing', file: session, line: 0, words: `listing  ${cause}` };
}

/** Follows one source through its files, in sequence order. */
class SlotCheck {
  readonly problems: Finding[] = [];
  records = 0;
  relanded = 0;

  readonly #root: string;
  readonly #session: string;
  readonly #slot: Slot;
  readonly #snapshot: boolean;
  #lastLine = 0;
  #endByte = 0;

  constructor(root: string, session: string, slot: Slot) {
    this.#root = root;
    this.#session = session;
    this.#slot = slot;
    this.#snapshot = slot.cursor?.kind === 'snapshot';
  }

  /** Reads a file through and gives the SHA-256 of its bytes, which is none where it does not belong. */
  file(file: LandedFile): string {
    const { path, name } = file;
    try {
      const { header, oddLine, records, sha256 } = readLandedFile(path, {
        place: (place, row) => this.#record(file, place, row),
      });
      if (oddLine > 0)
        this.#say('landed-spelling', file, oddLine, `spelling ${name}: ${lineName(oddLine, records)}`);
      const misfits = misplaced(header, file, this.#session);
      for (const words of misfits) this.#say('landed-place', file, 1, `header   ${name}: ${words}`);
      return misfits.length === 0 ? sha256 : NO_DIGEST;
    } catch (cause) {
      if (!(cause instanceof AszError)) throw cause;
      const { row, rule } = cause instanceof LandedFileError ? cause : UNREAD;
      const where = row > 0 ? ` row ${row}` : '';
      this.#say(`landed-${rule}`, file, row + 1, `unread   ${name}${where}: ${cause.message}`);
      return digestOf(path);
    }
  }

  /** Holds the cursor, read before the files were listed, against where the records end. */
  cursor(): void {
    const { cursor, folder, prefix } = this.#slot;
    const file = { path: join(folder, `${prefix}.cursor`) };
    const name = this.#below(file.path).split('/').slice(-3).join('/');
    if (cursor?.state === 'damaged')
      this.#say('cursor-damaged', file, 0, `cursor   ${name}: ${DAMAGED_CURSOR}`);
    if (cursor?.kind !== 'append' || cursor.state === 'damaged') return;
    if (cursor.ord <= this.#lastLine && cursor.offset <= this.#endByte) return;
    const words =
      cursor.offset === 0
        ? `read to line ${cursor.ord}, the landed records end at line ${this.#lastLine}`
        : `read to line ${cursor.ord} and byte ${cursor.offset}, the landed records end at line ${this.#lastLine} and byte ${this.#endByte}`;
    this.#say('end-gap', file, 0, `end gap  ${name}: ${words}`);
  }

  #record(file: LandedFile, { ord, off, bytes }: Place, row: number): void {
    this.records++;
    if (ord <= this.#lastLine) {
      // Every version of a snapshot is line 1 of its source: a new version, not a repeat.
      if (!this.#snapshot) this.relanded++;
      return;
    }
    const where = `${file.name} row ${row}`;
    if (ord !== this.#lastLine + 1)
      this.#say('ord-gap', file, row + 1, `ord gap  ${where}: expected ${this.#lastLine + 1}, got ${ord}`);
    if (off !== this.#endByte)
      this.#say('byte-gap', file, row + 1, `byte gap ${where}: expected ${this.#endByte}, got ${off}`);
    this.#lastLine = ord;
    this.#endByte = off + bytes + 1;
  }

  #say(id: FindingId, { path }: { readonly path: string }, line: number, words: string): void {
    this.problems.push({ id, file: this.#below(path), line, words });
  }

  #below(path: string): string {
    return relative(this.#root, path).replaceAll('\\', '/');
  }
}

const UNREAD = { row: 0, rule: 'unread' } as const;

const DAMAGED_CURSOR = 'it is damaged; the next collect derives it from what landed';

function lineName(line: number, records: number): string {
  const what = line === 1 ? 'the header' : line === records + 2 ? 'the closing line' : `row ${line - 1}`;
  return `${what} is not in canonical form`;
}

function slotsIn({ path: folder, stream, batch }: EvidenceFolder): Slot[] {
  const place = stream !== '' ? 'streams' : batch !== '' ? 'runs' : 'provider_body';
  return LANDED_KINDS.filter((kind) => kind.place === place).map(({ prefix }) => ({
    folder,
    prefix,
    cursor: loadCursor(join(folder, `${prefix}.cursor`)),
  }));
}

/** The slots with their files; files of a kind that nobody knows make slots of their own, without a cursor. */
function bySlot(slots: readonly Slot[], files: readonly LandedFile[]): { slot: Slot; files: LandedFile[] }[] {
  const grouped = new Map<string, { slot: Slot; files: LandedFile[] }>();
  for (const slot of slots) grouped.set(join(slot.folder, slot.prefix), { slot, files: [] });
  for (const file of files) {
    const folder = dirname(file.path);
    const key = join(folder, file.kindPrefix);
    if (!grouped.has(key))
      grouped.set(key, { slot: { folder, prefix: file.kindPrefix, cursor: undefined }, files: [] });
    grouped.get(key)!.files.push(file);
  }
  return [...grouped.values()];
}

function hasRead(cursor: Cursor | undefined): boolean {
  if (cursor?.state === 'damaged') return true;
  return cursor?.kind === 'append' && (cursor.ord > 0 || cursor.offset > 0);
}

/** Of a file that does not read as what it should be: its bytes still answer to the chain. */
function digestOf(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch (cause) {
    // The file is already a finding; the chain names it again because no digest can match this.
    return `unreadable: ${causeText(cause)}`;
  }
}
