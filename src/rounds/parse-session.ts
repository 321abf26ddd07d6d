/**
 * A parse: one call writes at most one round, and the caller repeats it while there is more; or a call for all of
 * them (storage spec 3). The chain's lock is taken before the index is read, so a parse never publishes over
 * evidence that was taken away meanwhile, and no two parses build on one head.
 *
 * Most parses of a root find nothing to do. What locks and builds is loaded only when there is something.
 */
import { ChainError } from '../format/errors.js';
import type { FrameCounts } from '../format/session-flow.js';
import type { Instant } from '../format/time.js';
import { existsSync } from '../io/file-system.js';
import { sweepTemporaries } from '../io/publish.js';
import { DAMAGED, readStateFile } from '../io/state-file.js';
import {
  conversationFolder,
  conversationLockFile,
  conversationStateFile,
  listLandedFiles,
  refuseChainLinks,
  roundsFolder,
  sessionFolder,
} from '../io/storage-root.js';
import type { AssemblyCounts } from '../stages/assembly-counts.js';
import type { RoundOptions } from './next-round.js';
import { readSettled } from './settled-chain.js';

export interface ParseOptions extends RoundOptions {
  /** Recorded in state files, never in a round. */
  readonly now: () => Instant;
}

/** What one parse did (storage spec 3.1). */
export interface ParseReport {
  /** The round written; 0 when none was. */
  readonly round: number;
  readonly digest: string;
  readonly path: string;
  readonly fromSeq: number;
  /** What the chain covers now. */
  readonly throughSeq: number;
  readonly more: boolean;
  readonly frames: FrameCounts;
  readonly tombstones: number;
  /** Absent when there was nothing to assemble. */
  readonly counts: AssemblyCounts | undefined;
}

/** Nothing to do, and nothing assembled. */
export const NOTHING: ParseReport = {
  round: 0,
  digest: '',
  path: '',
  fromSeq: 0,
  throughSeq: 0,
  more: false,
  frames: { nodes: 0, relations: 0, unresolved: 0 },
  tombstones: 0,
  counts: undefined,
};

/**
 * Parses a session into the chain of the same name, at most one round. Throws `LockedError` when another process
 * builds the chain, `ChainError` when it cannot be extended.
 */
export async function parseOnce(root: string, session: string, options: ParseOptions): Promise<ParseReport> {
  return whileLocked(root, session, async (landed) => {
    const { extendOnce } = await import('./extend-chain.js');
    return extendOnce(root, session, landed, options);
  });
}

/**
 * Parses until the chain has reached its index. Gives the report of every round, or of the one call that wrote
 * none; the last report has the counts.
 */
export async function parseSession(
  root: string,
  session: string,
  options: ParseOptions,
): Promise<ParseReport[]> {
  const settled = session === '' ? undefined : readSettled(root, session);
  if (settled !== undefined && !isStateDamaged(root, session)) return [{ ...NOTHING, ...settled }];
  return whileLocked(root, session, async (landed) => {
    const { extendToIndex } = await import('./extend-chain.js');
    return extendToIndex(root, session, landed, options);
  });
}

/** Holds the chain's lock over the work. Without a chain and without evidence nothing is made, no lock either. */
async function whileLocked<T>(
  root: string,
  session: string,
  work: (landed: () => boolean) => Promise<T>,
): Promise<T> {
  if (session === '') throw new ChainError('parse: conversation identity is supplied, never inferred');
  const landed = () => listLandedFiles(sessionFolder(root, session)).length > 0;
  refuseChainLinks(roundsFolder(root, session));
  if (!existsSync(conversationFolder(root, session)) && !landed()) return work(() => false);
  const { CHAIN_BUSY, takeLock } = await import('../io/lock.js');
  const lock = takeLock(conversationLockFile(root, session), CHAIN_BUSY);
  try {
    // Only the holder writes below the chain's directory, so a temporary file there is a killed process's.
    sweepTemporaries(conversationFolder(root, session), 0);
    return await work(landed);
  } finally {
    lock.release();
  }
}

/** Whether the state beside a chain says what nobody wrote. Nothing is decided by it, but people read it. */
export function isStateDamaged(root: string, session: string): boolean {
  return readStateFile(conversationStateFile(root, session)) === DAMAGED;
}
