/**
 * `asz repack`: a storage root cut anew into another, its chains built again (storage spec 7). The new root gets its
 * name when all of it is made. A session that fails is left out and named, and no chain is built then.
 */

import { dirname, join, relative, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { causeText, StorageError } from '../format/errors.js';
import type { Instant } from '../format/time.js';
import { directoryEntries } from '../io/directory-entries.js';
import { lstatSync, realpathSync, type Stats, statSync } from '../io/file-system.js';
import { StagedRoot } from '../io/staged-root.js';
import { listSessions } from '../io/storage-root.js';
import type { ParseReport } from '../rounds/parse-session.js';
import { type Outcome, performAll } from '../workers/session-workers.js';
import { hasEvidence, type RepackedSession, repackSession } from './repack-session.js';

export interface RepackOptions {
  readonly root: string;
  readonly destination: string;
  /** The one session to repack; every session when absent. */
  readonly session?: string | undefined;
  /** Bytes of record lines in a landed file. */
  readonly budgetBytes: number;
  /** Bytes of a round. */
  readonly maxRoundBytes: number;
  readonly jobs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly now: () => Instant;
  readonly onProgress?: (text: string) => void;
}

export interface RepackReport {
  readonly repacked: readonly RepackedSession[];
  readonly failed: readonly { readonly session: string; readonly error: string }[];
  /** How each repacked session parsed, in the same order; empty when a session failed. */
  readonly parsed: readonly Outcome<ParseReport[]>[];
}

/**
 * Repacks a root. The destination then is complete, or, when no session could be repacked, what it was before.
 * Throws `StorageError` for a destination that may not become a root, `LockedError` while another process makes it.
 */
export async function repackRoot(options: RepackOptions): Promise<RepackReport> {
  const { root } = options;
  const sessions = wantedSessions(options);
  const destination = resolve(options.destination);
  checkDestination(root, destination);
  const staged = new StagedRoot(destination, `repack: another process makes ${destination}`);
  try {
    checkDestination(root, destination); // It may have been made while the lock was waited for.
    const report = await fill(staged, sessions, options);
    if (report.repacked.length === 0) {
      staged.discard();
      return report;
    }
    staged.publish();
    return { ...report, parsed: report.parsed.map((outcome) => movedTo(destination, staged.path, outcome)) };
  } catch (cause) {
    return staged.fail(cause);
  }
}

async function fill(
  staged: StagedRoot,
  sessions: readonly string[],
  { root, budgetBytes, maxRoundBytes, jobs, signal, now, onProgress }: RepackOptions,
): Promise<RepackReport> {
  const repacked: RepackedSession[] = [];
  const failed: { session: string; error: string }[] = [];
  const at = now();
  for (const [i, session] of sessions.entries()) {
    // A signal is only heard while nothing is done.
    await setImmediate();
    signal?.throwIfAborted();
    try {
      repacked.push(repackSession({ root, destination: staged.path, session, budgetBytes, now: at }));
    } catch (cause) {
      failed.push({ session, error: causeText(cause) });
    }
    onProgress?.(`repacked ${i + 1} of ${sessions.length}: ${session}`);
  }
  if (failed.length > 0) return { repacked, failed, parsed: [] };
  const tasks = repacked.map(({ session }) => ({
    kind: 'parse' as const,
    ...{ root: staged.path, session, maxRoundBytes },
  }));
  const parsed = await performAll(tasks, {
    jobs,
    signal,
    onDone: (done, { session }) => onProgress?.(`parsed ${done} of ${tasks.length}: ${session}`),
  });
  signal?.throwIfAborted();
  return { repacked, failed, parsed };
}

/** A directory in which nothing landed is no session, unless it was asked for by name. */
function wantedSessions({ root, session }: RepackOptions): string[] {
  const sessions = listSessions(root);
  if (session === undefined) return sessions.filter((name) => hasEvidence(join(root, name)));
  if (sessions.includes(session)) return [session];
  throw new StorageError(`repack: session ${session} has no landed files`);
}

// ---- the destination ----

/** Nothing is made before this holds. */
function checkDestination(root: string, destination: string): void {
  const source = statSync(root);
  const there = lstatSync(destination, { throwIfNoEntry: false });
  const reached = statSync(destination, { throwIfNoEntry: false });
  if (reached !== undefined && isSame(reached, source))
    throw new StorageError(
      'repack: DEST is the storage root itself; landed files are never rewritten in place',
    );
  const parent = nearestFolder(dirname(destination));
  if (isInside(parent, source))
    throw refused(destination, 'lies inside the storage root, which is never changed');
  if (there === undefined) return;
  if (there.isSymbolicLink()) throw refused(destination, 'is a symbolic link');
  if (!there.isDirectory()) throw refused(destination, 'is not a directory');
  if (directoryEntries(destination).length > 0) throw refused(destination, 'is not empty');
  if (there.dev !== statSync(parent).dev)
    throw refused(
      destination,
      'is where a file system is mounted, and a finished root takes its place whole',
    );
}

function refused(destination: string, what: string): StorageError {
  return new StorageError(`repack: destination ${destination} ${what}; use a new or empty directory`);
}

/** The folder itself, or the first above it that is there; without links. */
function nearestFolder(folder: string): string {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return nearestFolder(dirname(folder));
  return realpathSync(folder);
}

function isInside(folder: string, root: Stats): boolean {
  return isSame(statSync(folder), root) || (dirname(folder) !== folder && isInside(dirname(folder), root));
}

function isSame(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** A report names the rounds where they are, not where they were made. */
function movedTo(
  destination: string,
  staged: string,
  outcome: Outcome<ParseReport[]>,
): Outcome<ParseReport[]> {
  if ('error' in outcome) return outcome;
  const moved = (path: string) => (path === '' ? '' : join(destination, relative(staged, path)));
  return { result: outcome.result.map((report) => ({ ...report, path: moved(report.path) })) };
}
