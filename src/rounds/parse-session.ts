/**
 * A parse: one call writes at most one round; the caller repeats it while there is more (storage spec 3). The
 * chain's lock is taken before the index is read, so a parse never publishes over evidence that was taken away
 * meanwhile, and no two parses build on one head.
 */
import { existsSync } from 'node:fs';
import { ChainError } from '../format/errors.js';
import type { FrameCounts } from '../format/session-flow.js';
import { formatTime, type Instant } from '../format/time.js';
import { publishRound } from '../io/chain-directory.js';
import { saveConversationState } from '../io/conversation-state.js';
import { openIndex } from '../io/index-store.js';
import { CHAIN_BUSY, takeLock } from '../io/lock.js';
import {
  conversationFolder,
  conversationLockFile,
  conversationStateFile,
  listLandedFiles,
  roundsFolder,
  sessionFolder,
} from '../io/storage-root.js';
import type { AssemblyCounts } from '../stages/steps.js';
import { checkEvidence, checkInterpretation } from './chain-checks.js';
import { nextRound, type RoundOptions } from './next-round.js';
import { foldChain } from './read-chain.js';
import { PARSER, POLICY } from './round-header.js';

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

/**
 * Parses a session into the chain of the same name, at most one round. Throws `LockedError` when another process
 * builds the chain, `ChainError` when it cannot be extended.
 */
export async function parseOnce(root: string, session: string, options: ParseOptions): Promise<ParseReport> {
  const conversation = session;
  if (conversation === '') throw new ChainError('parse: conversation identity is supplied, never inferred');
  const landed = listLandedFiles(sessionFolder(root, session)).length > 0;
  if (!landed && !existsSync(conversationFolder(root, conversation))) return NOTHING;
  const lock = takeLock(conversationLockFile(root, conversation), CHAIN_BUSY);
  try {
    return await parseLocked(root, session, landed, options);
  } finally {
    lock.release();
  }
}

/** Parses until the chain has reached its index. Gives the report of every call, the last one without more. */
export async function parseSession(
  root: string,
  session: string,
  options: ParseOptions,
): Promise<ParseReport[]> {
  const reports: ParseReport[] = [];
  do reports.push(await parseOnce(root, session, options));
  while (reports.at(-1)!.round > 0 && reports.at(-1)!.more);
  return reports;
}

const NOTHING: ParseReport = {
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

async function parseLocked(
  root: string,
  session: string,
  landed: boolean,
  options: ParseOptions,
): Promise<ParseReport> {
  const fold = foldChain(root, session);
  checkInterpretation(fold, session);
  if (fold.round === 0 && !landed) return NOTHING;
  const { index, indexedSeq: watermark } = openIndex(root, session, options.now());
  checkEvidence(fold, index, watermark);
  const { built, counts } = await nextRound(fold, index, watermark, options);
  if (built === undefined) return { ...NOTHING, throughSeq: fold.throughSeq, counts };
  const { round, digest, throughSeq } = built;
  const path = publishRound(roundsFolder(root, session), round, digest, built.bytes);
  saveConversationState(conversationStateFile(root, session), {
    conversation: session,
    head: round,
    headDigest: digest,
    throughSeq,
    inputDigest: built.inputDigest,
    parser: PARSER,
    policy: POLICY,
    updatedAt: formatTime(options.now()),
  });
  return {
    round,
    digest,
    path,
    fromSeq: built.fromSeq,
    throughSeq,
    more: built.more,
    frames: built.counts,
    tombstones: built.tombstones,
    counts,
  };
}
