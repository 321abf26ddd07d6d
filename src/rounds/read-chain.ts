/**
 * Reads a chain from its directory, which is the authority: the state file is not read for anything.
 */

import { basename } from 'node:path';
import { ChainError, causeText, FormatError } from '../format/errors.js';
import { type Round, readRound } from '../format/round-reader.js';
import { listRounds } from '../io/chain-directory.js';
import { readFileSync } from '../io/file-system.js';
import { roundsFolder } from '../io/storage-root.js';
import { Fold } from './fold.js';

/** A round file as a round. Throws `FormatError`, its base name first. */
export function readRoundFile(path: string): Round {
  try {
    return readRound(readFileSync(path));
  } catch (cause) {
    throw new FormatError(`${basename(path)}: ${causeText(cause)}`, { cause });
  }
}

/** Folds a whole chain; an empty one gives an empty fold. Throws the first error met. */
export function foldChain(root: string, conversation: string): Fold {
  const files = listRounds(roundsFolder(root, conversation));
  return foldFiles(
    conversation,
    files.map(({ path }) => path),
  );
}

/** As `foldChain`, from files given in order. */
export function foldFiles(conversation: string, paths: readonly string[]): Fold {
  const fold = new Fold(conversation);
  for (const path of paths) fold.apply(readRoundFile(path));
  return fold;
}

/**
 * Folds a chain under the stricter rules of reading it for a person: the first thing wrong between two rounds
 * ends it (storage spec 6.1). The landed files are not looked at.
 */
export function foldChainStrictly(root: string, conversation: string): Fold {
  const fold = new Fold(conversation);
  for (const { path, name, round: named } of listRounds(roundsFolder(root, conversation))) {
    const expected = fold.round + 1;
    if (named !== expected)
      throw new ChainError(
        `sessionflow: chain ${conversation}: expected round ${expected}, found round ${named}`,
      );
    const round = readRoundFile(path);
    const { header } = round;
    if (header.round !== named)
      throw new ChainError(`sessionflow: ${name}: header says round ${header.round}`);
    if (header.round > 1 && header.previous !== fold.digest)
      throw new ChainError(
        `sessionflow: round ${header.round} names previous "${header.previous?.slice(0, 12)}", but round ${fold.round} digests to "${fold.digest.slice(0, 12)}"`,
      );
    if (header.from_seq !== fold.throughSeq + 1)
      throw new ChainError(
        `sessionflow: round ${header.round} starts at seq ${header.from_seq}, but round ${fold.round} ended at ${fold.throughSeq}: landed evidence was skipped`,
      );
    fold.apply(round);
  }
  return fold;
}
