/** What a record says it is, held against what it is (export spec 14): a file of a storage root, or a reason why not. */
import { createHash } from 'node:crypto';
import { causeText } from '../format/errors.js';
import { readLandedName } from '../format/landed-name.js';
import { canTravel } from '../format/otlp-path.js';
import { commitDigest, type RoundClaim, roundClaim } from '../format/round-commit.js';
import { readHeader, SD_SCHEMA } from '../format/session-data.js';
import { readRoundName, roundName } from '../io/chain-directory.js';
import { firstLineOf } from '../io/first-line.js';
import { newlinesIn } from '../io/measure-file.js';
import { isPathSegment } from '../io/path-segment.js';
import { isTemporary } from '../io/publish.js';
import { Twins } from '../io/twins.js';
import type { Name, ReceivedRecord } from './read-request.js';
import { bodyOf, integer, Misfit, text } from './record-values.js';

export type ReceivedFile =
  | {
      readonly kind: 'landed';
      readonly session: string;
      readonly place: 'streams' | 'runs';
      /** The stream's or the run's id. */
      readonly id: string;
      readonly name: string;
      readonly seq: number;
      readonly bytes: Buffer;
    }
  | { readonly kind: 'round'; readonly conversation: string; readonly name: string; readonly bytes: Buffer };

/** The file that a record holds; its bytes are a view of the request. Throws `Misfit`. */
export function fileOf(record: ReceivedRecord): ReceivedFile {
  if (record.doubled !== undefined) throw new Misfit(`${record.doubled} is there twice`);
  const format = text(record, 'asz.format');
  if (format !== 'sd' && format !== 'sf') throw new Misfit('asz.format is neither sd nor sf');
  const bytes = bodyOf(record);
  const path = text(record, 'asz.file');
  const parts = path.split('/');
  const file = format === 'sd' ? landed(record, parts, bytes) : round(record, parts, bytes);
  if (!canTravel(path)) throw new Misfit('asz.file holds white space, which no push can send on');
  if (createHash('sha256').update(bytes).digest('hex') !== text(record, 'asz.file.digest'))
    throw new Misfit('asz.file.digest is not the digest of its body');
  if (newlinesIn(bytes) !== integer(record, 'asz.lines'))
    throw new Misfit('asz.lines is not the number of lines in its body');
  return file;
}

function landed(record: ReceivedRecord, parts: readonly string[], bytes: Buffer): ReceivedFile {
  const [session = '', place, id = '', name = ''] = parts;
  if (parts.length !== 4 || (place !== 'streams' && place !== 'runs'))
    throw new Misfit('asz.file is no SESSION/streams/STREAM/NAME or SESSION/runs/RUN/NAME');
  for (const part of [session, id, name]) checkPart(part);
  // What is being written has such a name, and is swept away later.
  if (isTemporary(name)) throw new Misfit('the name is that of a temporary file');
  if (new Twins([PUSH_STATE]).firstOf(session) !== undefined || session === PUSH_STATE)
    throw new Misfit('a session cannot be called like a file of the root');
  agrees(record, 'asz.session', session, 'asz.file');
  const [own, other] =
    place === 'streams' ? (['asz.stream', 'asz.run'] as const) : (['asz.run', 'asz.stream'] as const);
  agrees(record, own, id, 'asz.file');
  if (record.attributes.has(other)) throw new Misfit(`it has ${other} too`);
  const seq = landedSequence(name);
  if (seq === undefined) throw new Misfit('the name does not end in -SEQUENCE.sd');
  if (seq !== integer(record, 'asz.seq'))
    throw new Misfit('the name does not end in the sequence of asz.seq');
  if (seq === 0) throw new Misfit('sequences count from 1');
  agrees(record, 'asz.format.version', SD_SCHEMA, 'asz.format');
  agrees(record, 'asz.file.kind', landedKind(bytes), 'its header');
  return { kind: 'landed', session, place, id, name, seq, bytes };
}

/** A file of the root, which some disk takes for one of another case. */
const PUSH_STATE = 'push.state';

function landedSequence(name: string): number | undefined {
  try {
    return readLandedName(name)?.seq;
  } catch {
    return undefined; // Larger than a number holds exactly.
  }
}

/**
 * The kind in a landed file's header. What else the header says of its place stays unasked: a file that stands where
 * it did not land is damage, which travels, and verification names it.
 */
function landedKind(bytes: Buffer): string {
  try {
    return readHeader(firstLineOf(bytes)).kind;
  } catch (cause) {
    throw new Misfit(`its header is none: ${causeText(cause)}`, { cause });
  }
}

function round(record: ReceivedRecord, parts: readonly string[], bytes: Buffer): ReceivedFile {
  const [top, conversation = '', rounds, name = ''] = parts;
  if (parts.length !== 4 || top !== '_conversations' || rounds !== 'rounds')
    throw new Misfit('asz.file is no _conversations/CONVERSATION/rounds/NAME');
  checkPart(conversation);
  agrees(record, 'asz.conversation', conversation, 'asz.file');
  const named = readRoundName(name);
  if (named === undefined) throw new Misfit('the name is no rNUMBER-DIGEST.sf');
  const number = integer(record, 'asz.round');
  if (name !== roundName(number, named.digest12))
    throw new Misfit('the name is not that of the round in asz.round');
  if (number === 0) throw new Misfit('rounds count from 1');
  const header = claimOf(bytes);
  if (header.round !== number) throw new Misfit('its header is not that of the round in asz.round');
  agrees(record, 'asz.conversation', header.conversation, 'its header');
  agrees(record, 'asz.session', header.session || conversation, 'its header');
  agrees(record, 'asz.format.version', header.schema, 'its header');
  agrees(record, 'asz.file.kind', 'round', 'asz.format');
  if (commitDigest(bytes)?.startsWith(named.digest12) !== true)
    throw new Misfit('the name is not that of the digest in its commit');
  return { kind: 'round', conversation, name, bytes };
}

function claimOf(bytes: Buffer): RoundClaim {
  try {
    return roundClaim(firstLineOf(bytes));
  } catch (cause) {
    throw new Misfit(`its header is none: ${causeText(cause)}`, { cause });
  }
}

/** What `other` says is also what this attribute says. */
function agrees(record: ReceivedRecord, name: Name, value: string, other: string): void {
  if (text(record, name) !== value) throw new Misfit(`${name} is not what ${other} says`);
}

/** The rules of ids, which also keep a name inside its directory. */
function checkPart(part: string): void {
  if (!isPathSegment(part))
    throw new Misfit('a part of asz.file cannot name a directory or a file of a root');
}
