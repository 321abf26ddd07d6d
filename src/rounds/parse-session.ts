/**
 * A parse: one call writes at most one round; the caller repeats it while there is more (storage spec 3). The
 * chain's lock is taken before the index is read, so a parse never publishes over evidence that was taken away
 * meanwhile, and no two parses build on one head.
 */
import { existsSync } from 'node:fs';
import { ChainError } from '../format/errors.js';
import type { FrameCounts } from '../format/session-flow.js';
import type { SessionIndex } from '../format/session-index.js';
import { formatTime, type Instant } from '../format/time.js';
import { publishRound } from '../io/chain-directory.js';
import { saveConversationState } from '../io/conversation-state.js';
import { openIndex } from '../io/index-store.js';
import { CHAIN_BUSY, takeLock } from '../io/lock.js';
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
import { checkEvidence, checkInterpretation } from './chain-checks.js';
import type { Fold } from './fold.js';
import { type BuiltRound, nextRound, type RoundOptions } from './next-round.js';
import { planRounds } from './plan-rounds.js';
import { foldChain } from './read-chain.js';
import { PARSER, POLICY } from './round-header.js';
import { readSettled, wasSettled, writeSettled } from './settled-chain.js';
import { Timeline } from './timeline.js';

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
  return whileLocked(root, session, async (landed) => {
    const opened = open(root, session, landed, options);
    return opened === undefined ? NOTHING : parseNext(root, opened, options);
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
    const opened = open(root, session, landed, options);
    if (opened === undefined) return [NOTHING];
    const reports =
      (await parsePlanned(root, opened, options)) ?? (await parsePlainly(root, session, opened, options));
    const { throughSeq, counts } = reports.at(-1)!;
    if (counts !== undefined) writeSettled(root, session, { throughSeq, counts });
    return reports;
  });
}

/** Round after round, each looked for anew. */
async function parsePlainly(
  root: string,
  session: string,
  first: Opened,
  options: ParseOptions,
): Promise<ParseReport[]> {
  const reports: ParseReport[] = [];
  for (let opened = first; ; opened = open(root, session, true, options) ?? opened) {
    const report = await parseNext(root, opened, options);
    reports.push(report);
    if (report.round === 0 || !report.more) return reports;
  }
}

/** Holds the chain's lock over the work. Without a chain and without evidence nothing is made, no lock either. */
async function whileLocked<T>(
  root: string,
  session: string,
  work: (landed: boolean) => Promise<T>,
): Promise<T> {
  if (session === '') throw new ChainError('parse: conversation identity is supplied, never inferred');
  const landed = listLandedFiles(sessionFolder(root, session)).length > 0;
  refuseChainLinks(roundsFolder(root, session));
  if (!landed && !existsSync(conversationFolder(root, session))) return work(false);
  const lock = takeLock(conversationLockFile(root, session), CHAIN_BUSY);
  try {
    // Only the holder writes below the chain's directory, so a temporary file there is a killed process's.
    sweepTemporaries(conversationFolder(root, session), 0);
    return await work(landed);
  } finally {
    lock.release();
  }
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

/** At most one round, the plain way. */
async function parseNext(
  root: string,
  { fold, index, watermark }: Opened,
  options: ParseOptions,
): Promise<ParseReport> {
  const { built, counts } = await nextRound(fold, index, watermark, options);
  return built === undefined
    ? { ...NOTHING, throughSeq: fold.throughSeq, counts }
    : publish(root, index.session, built, counts, options);
}

/** Every round up to the watermark, from one timeline; `undefined` when that is not how they are to be had. */
async function parsePlanned(
  root: string,
  { fold, index, watermark }: Opened,
  options: ParseOptions,
): Promise<ParseReport[] | undefined> {
  const { throughSeq } = fold;
  if (watermark === throughSeq) return undefined;
  const timeline = await Timeline.build(fold, index, {
    ...options,
    watermark,
    settled: wasSettled(root, fold),
  });
  if (timeline === undefined) return undefined;
  const reports: ParseReport[] = [];
  for await (const built of planRounds(timeline, fold, index, { ...options, throughSeq, watermark }))
    reports.push(publish(root, index.session, built, built.more ? undefined : timeline.counts, options));
  return reports;
}

interface Opened {
  readonly fold: Fold;
  readonly index: SessionIndex;
  /** Fixed here: nothing past it is read. */
  readonly watermark: number;
}

/** The chain and the index of a session, held against each other; `undefined` when there is nothing to parse. */
function open(root: string, session: string, landed: boolean, options: ParseOptions): Opened | undefined {
  const fold = foldChain(root, session);
  checkInterpretation(fold, session);
  if (fold.header !== undefined && isStateDamaged(root, session)) saveState(root, fold, options);
  if (fold.round === 0 && !landed) return undefined;
  const { index, indexedSeq: watermark } = openIndex(root, session, options.now());
  checkEvidence(fold, index, watermark);
  return { fold, index, watermark };
}

function publish(
  root: string,
  session: string,
  built: BuiltRound,
  counts: AssemblyCounts | undefined,
  options: ParseOptions,
): ParseReport {
  const { round, digest, fromSeq, throughSeq, inputDigest, more, tombstones } = built;
  const path = publishRound(roundsFolder(root, session), round, digest, built.bytes);
  saveState(root, { conversation: session, round, digest, throughSeq, inputDigest }, options);
  return { round, digest, path, fromSeq, throughSeq, more, frames: built.counts, tombstones, counts };
}

/** Whether the state beside a chain says what nobody wrote. Nothing is decided by it, but people read it. */
function isStateDamaged(root: string, session: string): boolean {
  return readStateFile(conversationStateFile(root, session)) === DAMAGED;
}

function saveState(
  root: string,
  { conversation, round, digest, throughSeq, inputDigest }: ChainHead,
  { now }: ParseOptions,
): void {
  saveConversationState(conversationStateFile(root, conversation), {
    conversation,
    head: round,
    headDigest: digest,
    throughSeq,
    inputDigest,
    parser: PARSER,
    policy: POLICY,
    updatedAt: formatTime(now()),
  });
}

type ChainHead = Pick<Fold, 'conversation' | 'round' | 'digest' | 'throughSeq' | 'inputDigest'>;
