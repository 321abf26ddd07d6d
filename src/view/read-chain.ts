/**
 * A chain as far as it holds (view spec 3.1, 5): every round file is read once, folded while it follows, and kept
 * as what the document says of it. What is wrong stops the fold and not the reading.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ChainError, causeText } from '../format/errors.js';
import { type Round, readRound } from '../format/round-reader.js';
import { listRounds, type RoundFile } from '../io/chain-directory.js';
import { type MeasuredFile, newlinesIn } from '../io/measure-file.js';
import { roundsFolder } from '../io/storage-root.js';
import { Fold } from '../rounds/fold.js';
import { hasStrayNewlines, type RoundFacts } from '../rounds/verify-chain.js';

/** One round file. */
export interface ChainFile extends MeasuredFile {
  readonly file: RoundFile;
  /** What it says; why it does not read, when it is no round. */
  readonly round: RoundFacts | string;
}

export interface ReadChain {
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
  const files: ChainFile[] = [];
  let fold: Fold | undefined;
  let stopped = '';
  for (const file of listRounds(roundsFolder(root, conversation))) {
    const { measured, round } = readOne(file);
    if (stopped === '') {
      if (typeof round !== 'string') fold ??= new Fold(round.header.conversation);
      stopped = foldOne(fold, file, round);
    }
    files.push({ file, ...measured, round: typeof round === 'string' ? round : round.facts });
    yield;
  }
  if (files.length === 0) throw new ChainError(`view: no rounds for ${conversation}; run asz parse`);
  if (fold === undefined || fold.round === 0) throw new ChainError(`view: ${conversation}: ${stopped}`);
  return { files, fold, stopped };
}

type ReadRound = Round & { readonly facts: RoundFacts };

function readOne({ path }: RoundFile): { measured: MeasuredFile; round: ReadRound | string } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    return { measured: { sha256: '', sizeBytes: 0, lines: 0 }, round: causeText(cause) };
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const measured = { sha256, sizeBytes: bytes.length, lines: newlinesIn(bytes) };
  try {
    const round = readRound(bytes);
    const { header, digest, commitIsCanonical } = round;
    const facts = { header, digest, commitIsCanonical, strayNewlines: hasStrayNewlines(bytes) };
    return { measured, round: { ...round, facts } };
  } catch (cause) {
    return { measured, round: causeText(cause) };
  }
}

/** Folds a round in, or says why the chain stops before it. */
function foldOne(fold: Fold | undefined, file: RoundFile, round: ReadRound | string): string {
  const next = (fold?.round ?? 0) + 1;
  if (file.round > next) return `round ${next} is missing; the chain stops at round ${next - 1}`;
  if (typeof round === 'string') return `round ${file.round} does not read: ${round}`;
  try {
    fold!.apply(round);
    return '';
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause;
    return `round ${file.round} does not fold: ${cause.message}`;
  }
}
