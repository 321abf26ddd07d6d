/**
 * The directory of a chain's rounds. Its names are the chain: no state file is asked what the head is.
 *
 *     rounds/r000001-4d3d45ca54ce.sf
 *     rounds/r000002-<first 12 hex digits of the round's digest>.sf
 *
 * An empty file under a round's name is a reservation: a publication under way on a file system without hard
 * links, or what a kill left of one (storage spec 1.2, 3.7). No round is ever empty.
 */
import { join } from 'node:path';
import { ChainError, causeText, FormatError, StorageError } from '../format/errors.js';
import { compareCodePoints } from '../format/json-text.js';
import { directoryEntries } from './directory-entries.js';
import { type Dirent, lstatSync } from './file-system.js';
import { type Content, LEFTOVER_AGE_MS, type PublishOptions, publishNew, removeIfOld } from './publish.js';
import { refuseChainLinks } from './storage-root.js';

/** One round as its name tells it; nothing has been opened. */
export interface RoundFile {
  readonly path: string;
  readonly name: string;
  readonly round: number;
  /** The digest's first 12 hex digits, as the name claims. */
  readonly digest12: string;
}

const ROUND_NAME = /^r(\d{6,})-([0-9a-f]{12})\.sf$/;

/** What the base name of a round's file says; `undefined` when it is no such name. */
export function readRoundName(
  name: string,
): { readonly round: number; readonly digest12: string } | undefined {
  const match = ROUND_NAME.exec(name);
  return match === null ? undefined : { round: Number(match[1]), digest12: match[2]! };
}

/** The name of a round's file. `digest` may be longer than the 12 hex digits that are used. */
export function roundName(round: number, digest: string): string {
  return `r${String(round).padStart(6, '0')}-${digest.slice(0, 12)}.sf`;
}

/** The rounds of a chain, by number. A missing directory is an empty chain. */
export function listRounds(folder: string): RoundFile[] {
  return namedRounds(folder).filter(({ path }) => sizeOf(path) > 0);
}

/** The names of empty files under a round's name: publications under way, or what a kill or a damage left. */
export function listReservations(folder: string): RoundFile[] {
  return namedRounds(folder).filter(({ path }) => sizeOf(path) === 0);
}

/** Number of the last round; 0 for none. */
export function chainHead(rounds: readonly RoundFile[]): number {
  return rounds.at(-1)?.round ?? 0;
}

/**
 * Publishes a round as the next of its chain and gives its path. The caller holds the chain's lock.
 *
 * Throws `ChainError` when it would not be the next: two different rounds of one number have different names
 * and would not collide, so only this keeps a chain from forking. Else throws as `publishNew` does.
 */
export function publishRound(
  folder: string,
  round: number,
  digest: string,
  content: Content,
  options: PublishOptions & { readonly nowMs?: number } = {},
): string {
  removeReservations(folder, options.nowMs ?? Date.now());
  const head = chainHead(listRounds(folder));
  if (head !== round - 1)
    throw new ChainError(`sessionflow: cannot publish round ${round}: the chain head is round ${head}`);
  const path = join(folder, roundName(round, digest));
  publishNew(path, content, options);
  return path;
}

/** Removes reservations that are a minute old: whoever made one would have filled it within a moment. */
export function removeReservations(folder: string, nowMs: number): void {
  for (const { path } of listReservations(folder)) removeIfOld(path, LEFTOVER_AGE_MS, nowMs);
}

/** Everything under a round's name, whatever it is. */
export function listRoundNames(folder: string): RoundFile[] {
  return namedRounds(folder, () => true);
}

/** What stands under a round's name and is no file: links, directories, pipes. No reader opens any. */
export function listUnfitRounds(folder: string): RoundFile[] {
  return namedRounds(folder, (entry) => !entry.isFile());
}

function namedRounds(folder: string, isWanted = (entry: Dirent) => entry.isFile()): RoundFile[] {
  refuseChainLinks(folder);
  const rounds: RoundFile[] = [];
  for (const entry of directoryEntries(folder)) {
    const named = isWanted(entry) ? readRoundName(entry.name) : undefined;
    if (named === undefined) continue;
    const { round, digest12 } = named;
    if (!Number.isSafeInteger(round))
      throw new FormatError(
        `sessionflow: ${entry.name}: its number is larger than ${Number.MAX_SAFE_INTEGER}`,
      );
    rounds.push({ path: join(folder, entry.name), name: entry.name, round, digest12 });
  }
  return rounds.sort((a, b) => a.round - b.round || compareCodePoints(a.name, b.name));
}

/** -1 when the file went away meanwhile: neither a round nor a reservation. */
function sizeOf(path: string): number {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.size ?? -1;
  } catch (cause) {
    throw new StorageError(`storage: ${causeText(cause)}`, { cause });
  }
}
