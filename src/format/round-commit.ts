import { FormatError } from './errors.js';
import { Members } from './json-members.js';
import { parseJson } from './json-text.js';

const NEWLINE = 0x0a;

/** A commit is a tenth of it. A longer line is none, and some that are not JSON at all take seconds to decode. */
const MAX_COMMIT_BYTES = 4096;

/**
 * The digest that the last line of a round claims, trailing newlines left out; `undefined` when that line is no commit,
 * as in a round that is still being written. Nothing is checked.
 */
export function commitDigest(round: Buffer): string | undefined {
  let end = round.length;
  while (end > 0 && round[end - 1] === NEWLINE) end--;
  const from = end === 0 ? 0 : round.lastIndexOf(NEWLINE, end - 1) + 1;
  if (end - from > MAX_COMMIT_BYTES) return undefined;
  const line = round.toString('utf8', from, end);
  try {
    const commit = new Members(JSON.parse(line));
    return commit.text('t') === 'commit' ? commit.text('digest') : undefined;
  } catch {
    return undefined; // A line that does not parse has not been written to its end.
  }
}

/** What the first line of a round says it is; empty texts for what it does not say. */
export interface RoundClaim {
  readonly schema: string;
  readonly session: string;
  readonly conversation: string;
  readonly round: number;
}

/** Reads a round's first line. Throws `FormatError`, `SyntaxError` or `TypeError` when it is no header. */
export function roundClaim(line: string): RoundClaim {
  const header = new Members(parseJson(line));
  if (header.text('t') !== 'header') throw new FormatError('the first frame is no header');
  return {
    schema: header.text('schema'),
    session: header.text('session'),
    conversation: header.text('conversation'),
    round: header.natural('round'),
  };
}
