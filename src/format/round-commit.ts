import { Members } from './json-members.js';
import { parseJson } from './json-text.js';

const NEWLINE = 0x0a;

/** No header and no commit is as long; what is may be of any length, and is not decoded. */
const MAX_FRAME_BYTES = 1024 * 1024;

/**
 * The digest that the last line of a round claims, trailing newlines left out; `undefined` when that line is no commit,
 * as in a round that is still being written. Nothing is checked.
 */
export function commitDigest(round: Buffer): string | undefined {
  let end = round.length;
  while (end > 0 && round[end - 1] === NEWLINE) end--;
  const begin = end === 0 ? 0 : round.lastIndexOf(NEWLINE, end - 1) + 1;
  if (end - begin > MAX_FRAME_BYTES) return undefined;
  try {
    const commit = new Members(JSON.parse(round.toString('utf8', begin, end)));
    return commit.text('t') === 'commit' ? commit.text('digest') : undefined;
  } catch {
    return undefined; // A line that does not parse has not been written to its end.
  }
}

/** The number that the first line of a round names itself by; `undefined` when that line is no header with one. */
export function headerRound(round: Buffer): number | undefined {
  const newline = round.indexOf(NEWLINE);
  const end = newline === -1 ? round.length : newline;
  if (end > MAX_FRAME_BYTES) return undefined;
  try {
    const header = new Members(parseJson(round.toString('utf8', 0, end)));
    return header.text('t') === 'header' ? header.natural('round') : undefined;
  } catch {
    return undefined; // Whoever stores it says what is wrong with it.
  }
}
