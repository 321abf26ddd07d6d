/**
 * Where a chain does not hold, as a document says it: which landed files lie in a round that is not verified, which
 * rounds are not listed, and where the fold ended. A digest is of all files of a round together, so none of them alone
 * can be called the altered one.
 */
import type { Ref, ViewDocument, ViewNode } from '../../format/view-document.js';

/** The first round that is not verified and covers a landed file. */
export function doubtedBy({ rounds }: ViewDocument, seq: number): number | undefined {
  return rounds.find(
    ({ verified, from_seq: from, through_seq: through }) =>
      verified !== true && from <= seq && seq <= through,
  )?.round;
}

/** The same for the records that a node rests on. */
export function doubtOf(document: ViewDocument, { ref, refs = [] }: ViewNode): number | undefined {
  const cited: readonly Ref[] = ref === undefined ? refs : [ref, ...refs];
  for (const { seq } of cited) {
    const round = doubtedBy(document, seq);
    if (round !== undefined) return round;
  }
  return undefined;
}

/** Rounds with numbers that the document leaves out. */
export interface MissingRounds {
  readonly from: number;
  readonly through: number;
}

/** Numbers below the last round listed that no round has, in order: rounds that are gone, or that do not read. */
export function missingRounds({ rounds }: ViewDocument): MissingRounds[] {
  const missing: MissingRounds[] = [];
  let next = 1;
  for (const round of rounds.map((listed) => listed.round).sort((a, b) => a - b)) {
    if (round > next) missing.push({ from: next, through: round - 1 });
    next = Math.max(next, round + 1);
  }
  return missing;
}

/**
 * The first problem, when the document holds less than its rounds: one that is listed lies behind the one that was
 * folded last. `undefined` when all that are listed were folded. Problems are text to show, never to parse, so a round
 * that does not read, and so is not listed, is told of by the problems alone.
 */
export function chainStop({ head, rounds, summary: { problems } }: ViewDocument): string | undefined {
  return rounds.some(({ round }) => round > head.round) ? problems[0] : undefined;
}
