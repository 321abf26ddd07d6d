/**
 * A source that grows at its end: land the complete lines behind the cursor, in files no larger than the
 * budget, and refuse a source whose landed part is no longer what it was (dialect spec 4.5).
 *
 * Memory: one window of at most `maxDeltaBytes`, or one line where a line is longer, and its records.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Source } from '../adapters/adapter.js';
import { AszError } from '../format/errors.js';
import { type AppendCursor, loadAppendCursor, saveCursor } from '../io/cursor.js';
import { type LandedEnd, landedEnd } from '../io/landed-end.js';
import type { SessionLanding } from './session-landing.js';
import { openSource, type SourceFile, type SourceStat, statSource } from './source-file.js';

/** How far before the offset a rewrite is noticed (dialect spec 4.4). */
export const TAIL_BYTES = 1_048_576;

/** Budgets of source bytes one source may land in a pass; more waits, so that others get their turn. */
export const MAX_WINDOWS = 65;

/**
 * Lands what is new. Throws for a source that cannot be read and for a conflict found now; both are errors of
 * the source alone. An unchanged source costs one stat and one small read.
 */
export function drainAppendSource(landing: SessionLanding, source: Source): void {
  const path = join(landing.place.sourceRoot, source.relativePath);
  const cursorPath = landing.cursorPath(source);
  let cursor = loadAppendCursor(cursorPath, source.relativePath);
  if (cursor.state === 'conflict') {
    landing.stop(source, cursorPath);
    return;
  }
  const save = (next: AppendCursor) => {
    cursor = { ...next, updatedAt: landing.at };
    saveCursor(cursorPath, cursor);
  };
  const landed = mustBeDerived(cursor) ? { end: landedEnd(cursorPath, TAIL_BYTES) } : undefined;
  if (landed !== undefined) cursor = derivedAppendCursor(cursor, landed.end);
  else if (cursor.state === 'source_gone') save({ ...cursor, state: 'active' });

  const stat = statSource(path);
  if (stat !== undefined && landed === undefined && isUnchanged(cursor, stat)) return;
  const file = stat && openSource(path);
  if (file === undefined) {
    save({ ...cursor, state: 'source_gone' });
    landing.tally.gone++;
    return;
  }
  try {
    const seen = file.stat();
    const conflict =
      landed === undefined
        ? conflictOf(cursor, seen, file)
        : landed.end && conflictWithLanded(landed.end, seen, file);
    if (conflict === undefined && landed !== undefined)
      save({ ...cursor, ...recorded(seen), tailSha256: tailDigest(file, cursor.offset, NO_BYTES) });
    if (conflict !== undefined) {
      save({ ...cursor, state: 'conflict' });
      landing.stop(source, cursorPath);
      const { messagePrefix } = landing.place.adapter;
      throw new AszError('CONFLICT', `${messagePrefix}: conflict on ${source.relativePath}: ${conflict}`);
    }
    if (cursor.offset === seen.size) {
      if (!isUnchanged(cursor, seen)) save({ ...cursor, ...recorded(seen) });
      return;
    }
    drain(landing, source, file, seen, cursor, save);
  } finally {
    file.close();
  }
}

function drain(
  landing: SessionLanding,
  source: Source,
  file: SourceFile,
  first: SourceStat,
  from: AppendCursor,
  save: (cursor: AppendCursor) => void,
): void {
  const { maxDeltaBytes } = landing.place;
  // Source bytes, not files: a landed file can hold much less than a window. A line longer than the budget
  // counts as one budget, or nothing would follow it in its pass.
  let allowance = MAX_WINDOWS * maxDeltaBytes;
  let cursor = from;
  let seen = first;
  while (cursor.offset < seen.size && allowance > 0) {
    const window = readWindow(file, cursor.offset, seen.size, maxDeltaBytes);
    if (window === undefined) break;
    const start = cursor.offset;
    cursor = { ...landWindow(landing, source, file, window, cursor), ...recorded(seen) };
    save(cursor);
    allowance -= Math.min(cursor.offset - start, maxDeltaBytes);
    seen = file.stat();
  }
  if (cursor.offset === from.offset) return;
  landing.tally.landed++;
  landing.tally.bytes += cursor.offset - from.offset;
  if (allowance <= 0 && cursor.offset < seen.size) landing.tally.pending++;
}

/**
 * The complete lines of one window, or one whole line when the first is longer than a window; `undefined`
 * when no line is complete: its writer is still at it. Nothing past the size seen is read.
 */
function readWindow(file: SourceFile, offset: number, size: number, budget: number): Buffer | undefined {
  const window = file.readInto(windowRoom(Math.min(budget, size - offset)), offset);
  const last = window.lastIndexOf(NEWLINE);
  if (last >= 0) return window.subarray(0, last + 1);
  if (window.length < budget) return undefined;
  // A line longer than the budget lands alone: read on to its newline, keeping pieces, never searching twice.
  const pieces = [window];
  for (let at = offset + window.length; at < size; ) {
    const piece = file.read(at, Math.min(at + LONG_LINE_PIECE_BYTES, size));
    if (piece.length === 0) return undefined;
    const newline = piece.indexOf(NEWLINE);
    pieces.push(newline < 0 ? piece : piece.subarray(0, newline + 1));
    if (newline >= 0) return Buffer.concat(pieces);
    at += piece.length;
    if (at - offset > MAX_LINE_BYTES)
      throw new AszError(
        'LINE_TOO_LONG',
        `the line at byte ${offset} is longer than ${MAX_LINE_BYTES} bytes, more than a record can be; what came before it has landed, and the source goes on when that line is gone`,
      );
  }
  return undefined;
}

/** One window is read after the other into the same memory, so that none waits to be collected. */
function windowRoom(bytes: number): Buffer {
  if (room.length < bytes) room = Buffer.allocUnsafeSlow(bytes);
  return room.subarray(0, bytes);
}

let room = Buffer.alloc(0);

/**
 * The longest line that lands, 256 MiB. A landed line spells some bytes with more characters than they are, and no
 * string of Node's holds more than 512 Mi of them. The longest real line known is under 5 MB.
 */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

const NEWLINE = 0x0a;
const LONG_LINE_PIECE_BYTES = 1024 * 1024;

/** Lands one file: the window's lines, or as many as the landed budget holds. Gives the cursor behind them. */
function landWindow(
  landing: SessionLanding,
  source: Source,
  file: SourceFile,
  window: Buffer,
  cursor: AppendCursor,
): AppendCursor {
  const { adapter, session, maxDeltaBytes } = landing.place;
  const landed = landing.startFile(source);
  let taken = 0;
  while (taken < window.length) {
    const newline = window.indexOf(NEWLINE, taken);
    const raw = window.subarray(taken, newline);
    const record = adapter.convert({
      session,
      source,
      raw,
      ord: cursor.ord + landed.records + 1,
      off: cursor.offset + taken,
      sha: hash('sha256', raw, 'hex').slice(0, 12),
    });
    // The landed file is bounded too, not only the window: what it does not hold begins the next one.
    if (!landed.addWithin(record, maxDeltaBytes)) break;
    taken = newline + 1;
  }
  const { seq, records } = landed.publish();
  const bytes = window.subarray(0, taken);
  return {
    ...cursor,
    offset: cursor.offset + taken,
    ord: cursor.ord + records,
    lastUuid: lastUuid(bytes) || cursor.lastUuid,
    tailSha256: tailDigest(file, cursor.offset, bytes),
    lastSeq: seq,
    state: 'active',
  };
}

/** The first `"uuid":"…"` of the last line that has one. For people, so found as text and not by parsing. */
function lastUuid(landed: Buffer): string {
  const last = landed.lastIndexOf(UUID_KEY);
  if (last < 0) return '';
  const lineStart = landed.lastIndexOf(NEWLINE, last) + 1;
  const start = landed.indexOf(UUID_KEY, lineStart) + UUID_KEY.length;
  const end = landed.indexOf('"', start);
  // Nobody's id is longer; a hostile value must not swell the cursor.
  return end - start > 200 ? '' : landed.toString('utf8', start, end);
}

const UUID_KEY = '"uuid":"';

/**
 * SHA-256 of the last megabyte before the new offset. The landed bytes are taken from memory: were they read
 * again, a rewrite in between would be sealed as if it had landed.
 */
function tailDigest(file: SourceFile, before: number, landed: Buffer): string {
  const start = Math.max(0, before + landed.length - TAIL_BYTES);
  if (start >= before) return file.digest(0, 0, landed.subarray(start - before));
  return file.digest(start, before, landed);
}

function isFresh({ ino, offset }: AppendCursor): boolean {
  return ino === 0n && offset === 0;
}

/** Moved to another inode, as a copy or a bind mount moves it. The device number is never compared. */
function isMoved(cursor: AppendCursor, { ino }: SourceStat): boolean {
  return !isFresh(cursor) && cursor.ino !== 0n && ino !== 0n && cursor.ino !== ino;
}

/** Whether a source is as its cursor left it: then it is not opened. */
export function isUnchanged(cursor: AppendCursor, seen: SourceStat): boolean {
  return cursor.offset === seen.size && !isMoved(cursor, seen);
}

/** Why the landed part cannot be trusted to be this file's beginning; `undefined` when it can. */
function conflictOf(cursor: AppendCursor, seen: SourceStat, file: SourceFile): string | undefined {
  if (isFresh(cursor)) return undefined;
  const { offset, tailSha256 } = cursor;
  if (seen.size < offset) return `truncated: size ${seen.size} < offset ${offset}`;
  if (tailSha256 === '')
    return isMoved(cursor, seen)
      ? 'inode changed and the cursor has no tail digest to verify the bytes with'
      : undefined;
  if (file.digest(Math.max(0, offset - TAIL_BYTES), offset) === tailSha256) return undefined;
  return 'tail digest mismatch (source rewritten behind cursor)';
}

/**
 * Whether a cursor cannot be gone by: it is damaged, or was and its source had gone, so that what landed could not be
 * compared with it.
 */
function mustBeDerived({ state, offset, ino, tailSha256 }: AppendCursor): boolean {
  return state === 'damaged' || (state === 'source_gone' && offset > 0 && ino === 0n && tailSha256 === '');
}

/** A damaged cursor as what landed says it was; without anything landed a fresh one. Its source is yet to be asked. */
export function derivedAppendCursor(damaged: AppendCursor, end: LandedEnd | undefined): AppendCursor {
  const { offset, ord, lastSeq } = end ?? { offset: 0, ord: 0, lastSeq: 0 };
  return {
    ...damaged,
    dev: 0n,
    ino: 0n,
    offset,
    ord,
    lastSeq,
    lastUuid: '',
    tailSha256: '',
    state: 'active',
  };
}

/** Why what landed cannot be this file's beginning, by the digests of the last records. */
function conflictWithLanded(end: LandedEnd, seen: SourceStat, file: SourceFile): string | undefined {
  if (seen.size < end.offset) return `truncated: size ${seen.size} < offset ${end.offset}`;
  const isThere = end.tail.every(({ off, bytes, sha }) => {
    const line = file.read(off, off + bytes + 1);
    return line.at(-1) === NEWLINE && hash('sha256', line.subarray(0, -1), 'hex').startsWith(sha);
  });
  return isThere
    ? undefined
    : 'the last landed records are not in it (source rewritten behind a damaged cursor)';
}

const NO_BYTES = Buffer.alloc(0);

function recorded({
  dev,
  ino,
  size,
  mtime,
}: SourceStat): Pick<AppendCursor, 'dev' | 'ino' | 'size' | 'mtime'> {
  return { dev, ino, size, mtime };
}
