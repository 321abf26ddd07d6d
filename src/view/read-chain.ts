/**
 * A chain as far as it holds (view spec 3.1, 5): every round file is read once, folded while it follows, and kept
 * as what the document says of it. What is wrong stops the fold and not the reading.
 */
import { createHash } from 'node:crypto';
import { ChainError } from '../format/errors.js';
import { type Round, readRound } from '../format/round-reader.js';
import { listRounds, type RoundFile } from '../io/chain-directory.js';
import { readFileSync } from '../io/file-system.js';
import { type MeasuredFile, newlinesIn } from '../io/measure-file.js';
import { roundsFolder } from '../io/storage-root.js';
import { Fold } from '../rounds/fold.js';
import { type BrokenRound, brokenRound, type RoundRead, readPassedOver } from '../rounds/verify-chain.js';

/** One round file: what it says and what it is as bytes, which counts only when it reads. */
export type ChainFile = RoundRead & MeasuredFile;

export interface ReadChain {
  /** In the order in which a chain is checked. */
  readonly files: readonly ChainFile[];
  readonly fold: Fold;
  /** Why the fold ends before the last file; empty when it does not. */
  readonly stopped: string;
}

/**
 * Reads a chain, giving control back after each round. Throws `ChainError` when nothing folds: the one case in
 * which there is no document. The rounds' own conversation counts; whether it is this one, the chain's check says.
 */
export function* readChain(root: string, conversation: string): Generator<void, ReadChain> {
  const folder = roundsFolder(root, conversation);
  const passedOver = readPassedOver(folder);
  const rounds = listRounds(folder);
  if (rounds.length === 0) throw new ChainError(`view: no rounds for ${conversation}; run asz parse`);
  const files: ChainFile[] = [];
  let fold: Fold | undefined;
  let stopped = '';
  for (const file of rounds) {
    const { measured, round } = readOne(file);
    if (stopped === '') {
      if (!('broken' in round)) fold ??= new Fold(round.header.conversation);
      stopped = foldOne(fold, file, round);
    }
    files.push({ file, ...measured, read: withoutFrames(round) });
    yield;
  }
  if (fold === undefined || fold.round === 0) throw new ChainError(`view: ${conversation}: ${stopped}`);
  return { files: [...files, ...passedOver.map((read) => ({ ...read, ...UNMEASURED }))], fold, stopped };
}

const UNMEASURED: MeasuredFile = { sha256: '', sizeBytes: 0, lines: 0 };

function readOne({ path }: RoundFile): { measured: MeasuredFile; round: Round | BrokenRound } {
  let measured = UNMEASURED;
  try {
    const bytes = readFileSync(path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    measured = { sha256, sizeBytes: bytes.length, lines: newlinesIn(bytes) };
    return { measured, round: readRound(bytes) };
  } catch (cause) {
    return { measured, round: brokenRound(cause) };
  }
}

/** The frames are the fold's; kept here, they would keep every superseded one alive. */
function withoutFrames(round: Round | BrokenRound): RoundRead['read'] {
  if ('broken' in round) return round;
  const { frames: _, ...summary } = round;
  return summary;
}

/** Folds a round in, or says why the chain stops before it. */
function foldOne(fold: Fold | undefined, file: RoundFile, round: Round | BrokenRound): string {
  const next = (fold?.round ?? 0) + 1;
  if (file.round > next) return `round ${next} is missing; the chain stops at round ${next - 1}`;
  if ('broken' in round) return `round ${file.round} does not read: ${round.broken}`;
  try {
    fold!.apply(round);
    return '';
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause;
    return `round ${file.round} does not fold: ${cause.message}`;
  }
}
