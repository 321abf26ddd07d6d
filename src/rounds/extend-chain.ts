/**
 * Adds rounds to a chain, under its lock: opens the chain and the index, holds them against each other, and builds
 * and publishes what the chain does not say yet.
 */
import type { SessionIndex } from '../format/session-index.js';
import { formatTime } from '../format/time.js';
import { publishRound } from '../io/chain-directory.js';
import { saveConversationState } from '../io/conversation-state.js';
import { makeFolderLast } from '../io/folders.js';
import { openIndex } from '../io/index-store.js';
import { conversationStateFile, roundsFolder } from '../io/storage-root.js';
import type { AssemblyCounts } from '../stages/assembly-counts.js';
import { checkEvidence, checkInterpretation } from './chain-checks.js';
import type { Fold } from './fold.js';
import { type BuiltRound, nextRound } from './next-round.js';
import { isStateDamaged, NOTHING, type ParseOptions, type ParseReport } from './parse-session.js';
import { planRounds } from './plan-rounds.js';
import { foldChain } from './read-chain.js';
import { PARSER, POLICY } from './round-header.js';
import { wasSettled, writeSettled } from './settled-chain.js';
import { Timeline } from './timeline.js';

/** At most one round, the plain way. `landed`: whether the session has landed files. */
export async function extendOnce(
  root: string,
  session: string,
  landed: () => boolean,
  options: ParseOptions,
): Promise<ParseReport> {
  const opened = open(root, session, landed, options);
  return opened === undefined ? NOTHING : parseNext(root, opened, options);
}

/** Every round up to what the index reaches. */
export async function extendToIndex(
  root: string,
  session: string,
  landed: () => boolean,
  options: ParseOptions,
): Promise<ParseReport[]> {
  const opened = open(root, session, landed, options);
  if (opened === undefined) return [NOTHING];
  const reports =
    (await parsePlanned(root, opened, options)) ?? (await parsePlainly(root, session, opened, options));
  const { throughSeq, counts } = reports.at(-1)!;
  if (counts !== undefined) {
    if (reports.at(-1)!.round === 0) makeFolderLast(roundsFolder(root, session), root);
    writeSettled(root, session, opened.index, { throughSeq, counts });
  }
  return reports;
}

/** Round after round, each looked for anew. */
async function parsePlainly(
  root: string,
  session: string,
  first: Opened,
  options: ParseOptions,
): Promise<ParseReport[]> {
  const reports: ParseReport[] = [];
  for (let opened = first; ; opened = open(root, session, () => true, options) ?? opened) {
    const report = await parseNext(root, opened, options);
    reports.push(report);
    if (report.round === 0 || !report.more) return reports;
  }
}

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
function open(
  root: string,
  session: string,
  landed: () => boolean,
  options: ParseOptions,
): Opened | undefined {
  const fold = foldChain(root, session);
  checkInterpretation(fold, session);
  if (fold.header !== undefined && isStateDamaged(root, session)) saveState(root, fold, options);
  if (fold.round === 0 && !landed()) return undefined;
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
  const path = publishRound(roundsFolder(root, session), round, digest, built.bytes, { root });
  saveState(root, { conversation: session, round, digest, throughSeq, inputDigest }, options);
  return { round, digest, path, fromSeq, throughSeq, more, frames: built.counts, tombstones, counts };
}

function saveState(
  root: string,
  { conversation, round, digest, throughSeq, inputDigest }: Head,
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

type Head = Pick<Fold, 'conversation' | 'round' | 'digest' | 'throughSeq' | 'inputDigest'>;
