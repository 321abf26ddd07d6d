/** A round as a log record, and whether it is finished (export spec 1, 5, 7). */
import { basename } from 'node:path';
import { causeText, FormatError } from '../format/errors.js';
import { Members } from '../format/json-members.js';
import { parseJson } from '../format/json-text.js';
import { commitDigest } from '../format/round-commit.js';
import { type Instant, isNoTime, parseTime } from '../format/time.js';
import { readRoundName } from '../io/chain-directory.js';
import { firstLineOf } from '../io/first-line.js';
import type { Attribute, LogRecord } from './encode-request.js';
import type { Body } from './landed-record.js';

export interface RoundContext {
  /** The name of the directory that holds its chain. */
  readonly conversation: string;
  /** Below the root, with `/`. */
  readonly path: string;
  readonly now: Instant;
}

/** A record, and the session whose service it has. */
export interface SessionRecord {
  readonly record: LogRecord;
  readonly session: string;
}

/**
 * A round's record; `undefined` while the round is still being written. Throws `Error` `decode round header: …` for a
 * first line that is no header, which an empty file has too.
 */
export function roundRecord(
  body: Body,
  { conversation, path, now }: RoundContext,
): SessionRecord | undefined {
  const header = roundHeader(body.bytes, conversation);
  if (!isFinished(basename(path), body.bytes)) return undefined;
  const attributes: Attribute[] = [
    ['asz.format', 'sf'],
    ['asz.format.version', header.schema],
    ['asz.file', path],
    ['asz.file.kind', 'round'],
    ['asz.file.digest', body.digest],
    ['asz.lines', body.lines],
    ...header.attributes,
  ];
  const time = isNoTime(header.through) ? now : header.through;
  return { record: { time, observed: now, body: body.bytes, attributes }, session: header.session };
}

function roundHeader(bytes: Buffer, conversation: string) {
  try {
    const header = new Members(parseJson(firstLineOf(bytes)));
    if (header.text('t') !== 'header') throw new FormatError('the first frame is no header');
    const session = header.text('session') || conversation;
    const attributes: Attribute[] = [
      ['asz.session', session],
      ['asz.conversation', header.text('conversation')],
      ['asz.round', header.natural('round')],
      ...range(header, '', 'asz.'),
      ...range(header, 'session_', 'asz.session.'),
      ...summary(header),
    ];
    const through = parseTime(header.text('session_through_time'));
    return { schema: header.text('schema'), session, through, attributes };
  } catch (cause) {
    throw new Error(`decode round header: ${causeText(cause)}`, { cause });
  }
}

/** Both ends of a range as they are written, or neither. */
function range(header: Members, keys: string, names: string): Attribute[] {
  const [from, through] = [header.text(`${keys}from_time`), header.text(`${keys}through_time`)];
  if (from === '' || through === '') return [];
  return [
    [`${names}from_time`, from],
    [`${names}through_time`, through],
  ];
}

const COUNTS = ['talks', 'steps', 'streams', 'segments', 'unresolved'];
/** Counts that rounds of earlier releases do not have. */
const LATER_COUNTS = ['changes', 'lines_added', 'lines_removed', 'llm_calls', 'subagents', 'bash_runs'];

/** What a header says of its conversation as a whole, when it does. */
function summary(header: Members): Attribute[] {
  const has = (key: string) => (header.value(key) ?? undefined) !== undefined;
  if (!has('talks')) return [];
  const title = header.text('title');
  const counts = [...COUNTS, ...LATER_COUNTS.filter(has)];
  return [
    ...(title === '' ? [] : [['asz.conversation.title', title] as const]),
    ...counts.map((key) => [`asz.conversation.${key}`, header.integer(key)] as const),
  ];
}

/** Whether its last line is the commit that its name promises; a name that promises nothing is believed. */
function isFinished(name: string, bytes: Buffer): boolean {
  const named = readRoundName(name);
  return named === undefined || commitDigest(bytes)?.startsWith(named.digest12) === true;
}
