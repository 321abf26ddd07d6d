/**
 * The conversations of a root as a list (view spec 8): what the names of their rounds say, and one header line of
 * each, the last round's. Nothing is folded and no digest is checked, so nothing here is ever "verified".
 */
import { causeText, FormatError } from '../format/errors.js';
import { Members } from '../format/json-members.js';
import { parseJson } from '../format/json-text.js';
import { SF_SCHEMA } from '../format/session-flow.js';
import { isNoTime, parseTime } from '../format/time.js';
import { chainHead, listRounds, type RoundFile } from '../io/chain-directory.js';
import { readFirstLine } from '../io/first-line.js';
import { isPathSegment } from '../io/path-segment.js';
import { listConversations, roundsFolder } from '../io/storage-root.js';

/** What a list can tell of a chain without reading it. */
export type ListState = 'gap' | 'unreadable' | 'not_checked';

/** One row. Counts are null where the round does not have them: unknown, never zero. Times are Unix milliseconds. */
export interface ListedConversation extends Readonly<Record<Count, number | null>> {
  readonly id: string;
  readonly title: string;
  /** Number of the last round, by its name. */
  readonly rounds: number;
  readonly from: number | null;
  readonly to: number | null;
  readonly state: ListState;
  /** What is wrong, in words; empty when nothing is known to be. */
  readonly problem: string;
}

const COUNTS = [
  'talks',
  'steps',
  'streams',
  'segments',
  'unresolved',
  'changes',
  'lines_added',
  'lines_removed',
  'llm_calls',
  'subagents',
  'bash_runs',
] as const;
type Count = (typeof COUNTS)[number];

export const UNTITLED = '(untitled)';

/** Every conversation with a round, by id. A damaged one hides no other. */
export function listedConversations(root: string): ListedConversation[] {
  return listConversations(root)
    .filter(isPathSegment)
    .map((id) => listed(root, id))
    .filter((row) => row !== undefined);
}

/** One row; `undefined` when there is no round. */
export function listed(root: string, id: string): ListedConversation | undefined {
  let rounds: RoundFile[];
  try {
    rounds = listRounds(roundsFolder(root, id));
  } catch (cause) {
    return row(id, 0, UNKNOWN, 'unreadable', causeText(cause));
  }
  const head = rounds.at(-1);
  if (head === undefined) return undefined;
  const gap = rounds.findIndex(({ round }, i) => round !== i + 1);
  try {
    const header = headerOf(head);
    if (gap < 0) return row(id, head.round, header, 'not_checked', '');
    return row(
      id,
      head.round,
      header,
      'gap',
      `the rounds are not numbered one after the other from ${gap + 1} on`,
    );
  } catch (cause) {
    return row(id, chainHead(rounds), UNKNOWN, 'unreadable', `${head.name}: ${causeText(cause)}`);
  }
}

/** The session whose landed files a chain stands on, as its first round says; empty when that does not read. */
export function sessionOf(root: string, conversation: string): string {
  const [first] = listRounds(roundsFolder(root, conversation));
  if (first === undefined) return '';
  try {
    const session = headerMembers(first).text('session');
    return isPathSegment(session) ? session : '';
  } catch (cause) {
    if (cause instanceof FormatError || cause instanceof TypeError) return '';
    throw cause;
  }
}

interface ListHeader {
  readonly title: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly counts: ReadonlyMap<Count, number>;
}

const UNKNOWN: ListHeader = { title: '', from: null, to: null, counts: new Map() };

function row(
  id: string,
  rounds: number,
  header: ListHeader,
  state: ListState,
  problem: string,
): ListedConversation {
  const count = (key: Count) => header.counts.get(key) ?? null;
  const { title, from, to } = header;
  return {
    ...{ id, title: title === '' ? UNTITLED : title, talks: count('talks'), steps: count('steps') },
    ...{ streams: count('streams'), segments: count('segments'), rounds, from, to },
    ...{ unresolved: count('unresolved'), changes: count('changes') },
    ...{ lines_added: count('lines_added'), lines_removed: count('lines_removed') },
    ...{ llm_calls: count('llm_calls'), subagents: count('subagents'), bash_runs: count('bash_runs') },
    ...{ state, problem },
  };
}

function headerOf(file: RoundFile): ListHeader {
  const o = headerMembers(file);
  if (o.natural('round') !== file.round) throw new FormatError(`its header says round ${o.natural('round')}`);
  const counts = new Map<Count, number>();
  for (const key of COUNTS) if ((o.value(key) ?? undefined) !== undefined) counts.set(key, o.integer(key));
  const [from, to] = [timeOf(o.text('session_from_time')), timeOf(o.text('session_through_time'))];
  return { title: o.text('title'), from, to, counts };
}

function headerMembers({ path }: RoundFile): Members {
  const line = readFirstLine(path);
  let o: Members;
  try {
    o = new Members(parseJson(line));
  } catch (cause) {
    throw new FormatError(`its first line does not decode: ${causeText(cause)}`, { cause });
  }
  if (o.text('t') !== 'header' || o.text('schema') !== SF_SCHEMA)
    throw new FormatError(`its first line is no header of ${SF_SCHEMA}`);
  return o;
}

function timeOf(text: string): number | null {
  const time = parseTime(text);
  return isNoTime(time) ? null : time.ms;
}
