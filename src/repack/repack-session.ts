/**
 * Cuts the landed files of one session anew, into another root (storage spec 7). Records keep their bytes, and within
 * one source their order; sequences are issued again, source after source. The source root is only read.
 */
import { dirname, join, relative } from 'node:path';
import { AszError, causeText, StorageError } from '../format/errors.js';
import { landedName } from '../format/landed-name.js';
import { readHeader } from '../format/session-data.js';
import { formatStamp, formatTime, type Instant, isNoTime, parseTime } from '../format/time.js';
import { directoryEntries } from '../io/directory-entries.js';
import { makeFolder, makeNewFolder, removeFolder } from '../io/folders.js';
import { publishLandedBody, readLandedBody, renumbered, wordsOf } from '../io/landed-body.js';
import { replaceFile } from '../io/publish.js';
import { readSmallFile } from '../io/small-file.js';
import { replaceStateValues } from '../io/state-file.js';
import {
  type LandedFile,
  listEvidenceFolders,
  listLandedFiles,
  sessionFolder,
  sessionStateFile,
} from '../io/storage-root.js';
import type { Finding, FindingId } from '../rounds/finding.js';
import { verifyChain } from '../rounds/verify-chain.js';
import { type LandedReport, verifyLanded } from '../rounds/verify-landed.js';

export interface SessionRepack {
  /** The root that is read. */
  readonly root: string;
  /** The root that is made; it holds nothing of this session yet. */
  readonly destination: string;
  readonly session: string;
  /** The most bytes of record lines in a file, newlines included; a longer record has a file of its own. */
  readonly budgetBytes: number;
  /** For state files, and for the name of a file that does not say when it was collected. */
  readonly now: Instant;
}

/** What became of a session. */
export interface RepackedSession {
  readonly session: string;
  readonly filesIn: number;
  readonly filesOut: number;
  readonly records: number;
  /** Of all record lines, without their newlines. */
  readonly bytes: number;
}

/**
 * Repacks one session. Throws `AszError` for evidence that does not hold, in itself or against the session's chain,
 * because the new root has neither the old sequences nor the old digests that prove it. A gap between lines is
 * carried on, for there it shows as before.
 */
export function repackSession(repack: SessionRepack): RepackedSession {
  const { root, session, budgetBytes } = repack;
  if (!(budgetBytes > 0)) throw new AszError('REPACK', 'repack: the budget must be positive');
  const folder = sessionFolder(root, session);
  // Cursors before files, as in verification: a cursor must never say more than what is carried on with it.
  const cursors = cursorsIn(folder);
  const { files, digests } = soundFiles(root, session);
  return new Recutting(repack, cursors).run(files, digests);
}

/** Whether anything landed in a session's folder, or a cursor says that something did. */
export function hasEvidence(folder: string): boolean {
  try {
    return cursorsIn(folder).size > 0 || listLandedFiles(folder).length > 0;
  } catch {
    return true; // What is wrong with it, its own turn will tell.
  }
}

/** The files of one directory and kind, or a cursor alone. */
interface Slot {
  /** Below the session's folder. */
  readonly place: string;
  readonly prefix: string;
  readonly files: LandedFile[];
}

class Recutting {
  readonly #repack: SessionRepack;
  readonly #source: string;
  readonly #target: string;
  /** Bytes of every cursor, by path below the session's folder. */
  readonly #cursors: Map<string, Buffer>;
  #nextSeq = 1;
  #records = 0;
  #bytes = 0;

  constructor(repack: SessionRepack, cursors: Map<string, Buffer>) {
    this.#repack = repack;
    this.#source = sessionFolder(repack.root, repack.session);
    this.#target = sessionFolder(repack.destination, repack.session);
    this.#cursors = cursors;
  }

  /** What it made is taken away again when it fails, and only that. */
  run(files: readonly LandedFile[], digests: ReadonlyMap<number, string>): RepackedSession {
    makeNew(this.#target, 'destination session');
    try {
      return this.#fill(files, digests);
    } catch (cause) {
      removeFolder(this.#target);
      throw cause;
    }
  }

  #fill(files: readonly LandedFile[], digests: ReadonlyMap<number, string>): RepackedSession {
    this.#makeFolders(files);
    for (const slot of slotsOf(this.#source, files)) {
      const before = this.#nextSeq;
      this.#cut(slot, digests);
      const cursor = `${join(slot.place, slot.prefix)}.cursor`;
      this.#carryCursor(cursor, this.#nextSeq === before ? 0 : this.#nextSeq - 1);
      this.#cursors.delete(cursor);
    }
    // A source of which no file is there, but a cursor: what was lost, or why it was stopped, shows there too.
    for (const cursor of this.#cursors.keys()) this.#carryCursor(cursor, 0);
    this.#carryState();
    return {
      session: this.#repack.session,
      filesIn: files.length,
      filesOut: this.#nextSeq - 1,
      records: this.#records,
      bytes: this.#bytes,
    };
  }

  /** Each must be new: on a disk that takes two names for one, two sources must not come together. */
  #makeFolders(files: readonly LandedFile[]): void {
    const places = new Set(files.map(({ path }) => dirname(relative(this.#source, path))));
    for (const cursor of this.#cursors.keys()) places.add(dirname(cursor));
    for (const place of places) {
      const folder = join(this.#target, place);
      makeFolder(dirname(folder));
      makeNew(folder, `destination of ${place}`);
    }
  }

  /** Files run on across source files: only the budget ends one, or a header that says something else of its records. */
  #cut(slot: Slot, digests: ReadonlyMap<number, string>): void {
    let open: OpenFile | undefined;
    for (const { path, seq } of slot.files) {
      const { header, records } = readLandedBody(path, digests.get(seq)!);
      if (open !== undefined && wordsOf(open.header) !== wordsOf(header)) {
        this.#publish(slot, open);
        open = undefined;
      }
      for (let [from, at] = [0, 0]; at < records.length; ) {
        const end = records.indexOf(NEWLINE, at) + 1;
        if (open !== undefined && open.bytes + (end - at) > this.#repack.budgetBytes) {
          open.pieces.push(records.subarray(from, at));
          this.#publish(slot, open);
          [open, from] = [undefined, at];
        }
        open ??= { header, pieces: [], bytes: 0, records: 0 };
        open.bytes += end - at;
        open.records++;
        at = end;
        if (at === records.length) open.pieces.push(records.subarray(from));
      }
    }
    if (open !== undefined) this.#publish(slot, open);
  }

  #publish({ place, prefix }: Slot, { header, pieces, bytes, records }: OpenFile): void {
    const at = parseTime(readHeader(header.toString('utf8')).at);
    const stamp = formatStamp(isNoTime(at) ? this.#repack.now : at);
    const path = join(this.#target, place, landedName(prefix, stamp, this.#nextSeq));
    publishLandedBody(path, renumbered(header, this.#nextSeq), pieces, records);
    this.#nextSeq++;
    this.#records += records;
    this.#bytes += bytes - records;
  }

  #carryCursor(cursor: string, lastSeq: number): void {
    const bytes = this.#cursors.get(cursor);
    if (bytes === undefined) return;
    const entries = [
      ['last_seq', lastSeq],
      ['updated_at', formatTime(this.#repack.now)],
    ] as const;
    replaceFile(join(this.#target, cursor), replaceStateValues(bytes, 14, entries));
  }

  #carryState(): void {
    const { root, destination, session } = this.#repack;
    const bytes = readSmallFile(sessionStateFile(root, session));
    if (bytes === undefined) return;
    const state = replaceStateValues(bytes, 11, [['next_seq', this.#nextSeq]]);
    replaceFile(sessionStateFile(destination, session), state);
  }
}

/** A file that is being filled. Its pieces are whole lines, in buffers of the files they came from. */
interface OpenFile {
  /** Of the file that its first record came from. */
  readonly header: Buffer;
  readonly pieces: Buffer[];
  bytes: number;
  records: number;
}

const NEWLINE = 0x0a;

/** In the order of their first files. */
function slotsOf(folder: string, files: readonly LandedFile[]): Slot[] {
  const slots = new Map<string, Slot>();
  for (const file of files) {
    const place = dirname(relative(folder, file.path));
    const key = join(place, file.kindPrefix);
    if (!slots.has(key)) slots.set(key, { place, prefix: file.kindPrefix, files: [] });
    slots.get(key)!.files.push(file);
  }
  return [...slots.values()];
}

/** The bytes of a session's cursors by path below its folder. */
function cursorsIn(folder: string): Map<string, Buffer> {
  const cursors = new Map<string, Buffer>();
  for (const { path } of listEvidenceFolders(folder))
    for (const entry of directoryEntries(path)) {
      if (!entry.name.endsWith('.cursor') || !entry.isFile()) continue;
      const bytes = readSmallFile(join(path, entry.name));
      if (bytes !== undefined) cursors.set(relative(folder, join(path, entry.name)), bytes);
    }
  return cursors;
}

// ---- what is sound ----

/** A session's landed files and what is known of their bytes, once everything about them held. */
function soundFiles(root: string, session: string) {
  const folder = sessionFolder(root, session);
  // The chain lists its rounds before it asks for files: a collector at work beside this makes none seem missing.
  let landed: LandedReport | undefined;
  const chain = verifyChain(root, session, (of) => {
    const report = verifyLanded(root, of);
    if (of === session) landed = report;
    return report.digests;
  });
  landed ??= verifyLanded(root, session);
  refuse(
    `session ${session}`,
    landed.problems.filter(({ id }) => !CARRIED_ON.includes(id)),
    'run asz verify',
  );
  refuse(
    `the chain of ${session}`,
    chain.problems,
    'run asz verify; a chain that alone is damaged can be removed and parsed again',
  );
  const digests = landed.digests ?? new Map<number, string>();
  // What landed since waits for its collector's next pass, which goes by the cursor.
  const files = listLandedFiles(folder).filter(({ seq }) => digests.has(seq));
  if (files.length === 0) throw repackError(`session ${session} has no landed files`);
  return { files, digests };
}

/** Findings that the new root shows as the old one does: lines, their bytes and cursors are carried on as they are. */
const CARRIED_ON: readonly FindingId[] = [
  'ord-gap',
  'byte-gap',
  'end-gap',
  'cursor-damaged',
  'landed-spelling',
];

function refuse(what: string, problems: readonly Finding[], remedy: string): void {
  const [first, ...others] = problems;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw repackError(`${what} does not hold: ${first.words.replace(/ {2,}/g, ' ')}${more}; ${remedy}`);
}

function makeNew(folder: string, what: string): void {
  try {
    makeNewFolder(folder);
  } catch (cause) {
    throw repackError(`${what} must be new: ${causeText(cause)}`, cause);
  }
}

function repackError(words: string, cause?: unknown): StorageError {
  return new StorageError(`repack: ${words}`, cause === undefined ? undefined : { cause });
}
