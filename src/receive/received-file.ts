/** What a record says it is, held against what it is (export spec 14): a file of a storage root, or a reason why not. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readLandedName } from '../format/landed-name.js';
import { commitDigest, headerRound } from '../format/round-commit.js';
import { readRoundName, roundName } from '../io/chain-directory.js';
import { newlinesIn } from '../io/measure-file.js';
import { isPathSegment } from '../io/path-segment.js';
import { Twins } from '../io/twins.js';
import { type Name, OTHER, type ReceivedRecord, type Value } from './read-request.js';

/** A record that is no file of a root, or not the one it says it is. */
export class Misfit extends Error {}

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

/** Whether a record says that it is a file of asz at all. */
export function isOurs({ attributes }: ReceivedRecord): boolean {
  return attributes.has('asz.format');
}

/** How a record calls its file, for messages; whatever it is. */
export function nameOf({ attributes }: ReceivedRecord): string {
  const value = attributes.get('asz.file');
  if (value === undefined || typeof value === 'bigint' || value === OTHER) return 'a record without asz.file';
  const name = buffer(value).toString('utf8');
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME)}…`;
}

/** A session, a stream and a file name are at most this together. */
const MAX_NAME = 700;

/** The file that a record holds; its bytes are a view of the request. Throws `Misfit`. */
export function fileOf(record: ReceivedRecord): ReceivedFile {
  if (record.doubled !== undefined) throw new Misfit(`${record.doubled} is there twice`);
  const format = text(record, 'asz.format');
  if (format !== 'sd' && format !== 'sf') throw new Misfit('asz.format is neither sd nor sf');
  const bytes = bodyOf(record.body);
  const parts = text(record, 'asz.file').split('/');
  const file = format === 'sd' ? landed(record, parts, bytes) : round(record, parts, bytes);
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
  checkName(name);
  if (session === PUSH_STATE || new Twins([PUSH_STATE]).firstOf(session) !== undefined)
    throw new Misfit('a session cannot be called like a file of the root');
  if (session !== text(record, 'asz.session'))
    throw new Misfit('asz.file is not of the session in asz.session');
  const [own, other] =
    place === 'streams' ? (['asz.stream', 'asz.run'] as const) : (['asz.run', 'asz.stream'] as const);
  if (id !== text(record, own)) throw new Misfit(`asz.file is not of the ${own.slice(4)} in ${own}`);
  if (record.attributes.has(other)) throw new Misfit(`it has ${other} too`);
  const seq = landedSequence(name);
  if (seq === undefined) throw new Misfit('the name does not end in -SEQUENCE.sd');
  if (seq !== integer(record, 'asz.seq'))
    throw new Misfit('the name does not end in the sequence of asz.seq');
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

function round(record: ReceivedRecord, parts: readonly string[], bytes: Buffer): ReceivedFile {
  const [top, conversation = '', rounds, name = ''] = parts;
  if (parts.length !== 4 || top !== '_conversations' || rounds !== 'rounds')
    throw new Misfit('asz.file is no _conversations/CONVERSATION/rounds/NAME');
  checkPart(conversation);
  if (conversation !== text(record, 'asz.conversation'))
    throw new Misfit('asz.file is not of the conversation in asz.conversation');
  const named = readRoundName(name);
  if (named === undefined) throw new Misfit('the name is no rNUMBER-DIGEST.sf');
  const number = integer(record, 'asz.round');
  if (name !== roundName(number, named.digest12))
    throw new Misfit('the name is not that of the round in asz.round');
  if (headerRound(bytes) !== number) throw new Misfit('its header is not that of the round in asz.round');
  if (commitDigest(bytes)?.startsWith(named.digest12) !== true)
    throw new Misfit('the name is not that of the digest in its commit');
  return { kind: 'round', conversation, name, bytes };
}

/** The rules of ids, which also keep a name inside its directory. */
function checkPart(part: string): void {
  if (!isPathSegment(part))
    throw new Misfit('a part of asz.file cannot name a directory or a file of a root');
}

/** What is being written has such a name, and is swept away later. */
function checkName(name: string): void {
  if (name.startsWith('.')) throw new Misfit('the name begins with a dot');
}

function bodyOf(body: Value | undefined): Buffer {
  if (body === undefined || typeof body === 'bigint' || body === OTHER)
    throw new Misfit('its body is no text');
  const bytes = buffer(body);
  if (bytes.length === 0) throw new Misfit('its body is empty, which no file of a root is');
  if (!isUtf8(bytes)) throw new Misfit('its body is not valid UTF-8');
  return bytes;
}

function text({ attributes }: ReceivedRecord, name: Name): string {
  const value = attributes.get(name);
  if (value === undefined || typeof value === 'bigint' || value === OTHER || !isUtf8(value))
    throw new Misfit(`${name} is missing, or no text`);
  return buffer(value).toString('utf8');
}

function integer({ attributes }: ReceivedRecord, name: Name): number {
  const value = attributes.get(name);
  if (typeof value !== 'bigint') throw new Misfit(`${name} is missing, or no whole number`);
  if (!Number.isSafeInteger(Number(value)))
    throw new Misfit(`${name} is beyond ${Number.MAX_SAFE_INTEGER}, which no reader counts exactly`);
  return Number(value);
}

function buffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
