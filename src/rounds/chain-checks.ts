/** What must hold before a chain is extended. */
import { ChainError } from '../format/errors.js';
import type { SessionIndex } from '../format/session-index.js';
import type { Fold } from './fold.js';
import { filesWithin, inputDigest, PARSER, POLICY } from './round-header.js';

/** A chain is one interpretation of one session: refuses one of another parser, policy or session. */
export function checkInterpretation({ first }: Fold, session: string): void {
  if (first === undefined) return;
  const { parser, policy } = first;
  if (parser !== PARSER || policy !== POLICY)
    throw new ChainError(
      `parse: this chain was built by parser ${quote(parser)} under policy ${quote(policy)}; this build is ${quote(PARSER)}/${quote(POLICY)}. A chain is one interpretation of one body of evidence, so it cannot be extended across a change to either`,
    );
  if (first.session !== session)
    throw new ChainError(`parse: this chain carries session ${quote(first.session)}, not ${quote(session)}`);
}

/**
 * Refuses a chain that covers evidence the index does not reach, or evidence that is not what is landed: a lost
 * or exchanged file would otherwise become tombstones, removals that nobody recorded. Costs one hash per file, by
 * the digests the index keeps.
 */
export function checkEvidence(fold: Fold, index: SessionIndex, watermark: number): void {
  if (watermark < fold.throughSeq)
    throw new ChainError(
      `parse: the chain covers landed sequence ${fold.throughSeq} but the index only reaches ${watermark}`,
    );
  let previous = '';
  for (const { round, fromSeq, throughSeq, inputDigest: claimed } of fold.consumed) {
    if (inputDigest(previous, filesWithin(index, fromSeq, throughSeq)) !== claimed)
      throw new ChainError(
        `parse: round ${round} was built from landed files ${fromSeq} to ${throughSeq} as they no longer are; run asz verify, or remove _conversations/${fold.conversation} too if that is on purpose`,
      );
    previous = claimed;
  }
}

function quote(word: string): string {
  return JSON.stringify(word);
}
