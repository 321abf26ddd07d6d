import { Members } from './json-members.js';

const NEWLINE = 0x0a;

/**
 * The digest that the last line of a round claims, trailing newlines left out; `undefined` when that line is no commit,
 * as in a round that is still being written. Nothing is checked.
 */
export function commitDigest(round: Buffer): string | undefined {
  let end = round.length;
  while (end > 0 && round[end - 1] === NEWLINE) end--;
  const line = round.toString('utf8', end === 0 ? 0 : round.lastIndexOf(NEWLINE, end - 1) + 1, end);
  try {
    const commit = new Members(JSON.parse(line));
    return commit.text('t') === 'commit' ? commit.text('digest') : undefined;
  } catch {
    return undefined; // A line that does not parse has not been written to its end.
  }
}
