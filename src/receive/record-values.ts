/** What a record says, as values; and the error for one that says nothing of use. */
import { isUtf8 } from 'node:buffer';
import { type Name, OTHER, type ReceivedRecord, type Value } from './read-request.js';

/** A record that is no file of a root, or not the one it says it is. */
export class Misfit extends Error {}

/** Whether a record says that it is a file of asz at all. */
export function isOurs({ attributes }: ReceivedRecord): boolean {
  return attributes.has('asz.format');
}

/** How a record calls its file, for messages; whatever it is. */
export function nameOf({ attributes }: ReceivedRecord): string {
  const value = attributes.get('asz.file');
  if (!isText(value)) return 'a record without asz.file';
  const name = bufferOf(value).toString('utf8', 0, MAX_NAME_BYTES);
  return value.length <= MAX_NAME_BYTES ? name : `${name}…`;
}

/** A path of a root is no longer. */
const MAX_NAME_BYTES = 700;

/** A text of a record. Throws `Misfit` when it is missing, something else, not UTF-8, or longer than any of ours. */
export function text({ attributes }: ReceivedRecord, name: Name): string {
  const value = attributes.get(name);
  if (isText(value) && value.length > MAX_TEXT_BYTES)
    throw new Misfit(`${name} is longer than ${MAX_TEXT_BYTES} bytes`);
  if (!isText(value) || !isUtf8(value)) throw new Misfit(`${name} is missing, or no text`);
  return bufferOf(value).toString('utf8');
}

/** A path of a root is far shorter, and no other attribute that is asked for is longer. */
const MAX_TEXT_BYTES = 4096;

/** A whole number of a record. Throws `Misfit` when it is missing, something else, or too large to be exact. */
export function integer({ attributes }: ReceivedRecord, name: Name): number {
  const value = attributes.get(name);
  if (typeof value !== 'bigint') throw new Misfit(`${name} is missing, or no whole number`);
  if (!Number.isSafeInteger(Number(value)))
    throw new Misfit(`${name} is beyond ${Number.MAX_SAFE_INTEGER}, which no reader counts exactly`);
  return Number(value);
}

/** The bytes of a file: a view of the request. Throws `Misfit` for what no file of a root is. */
export function bodyOf({ body }: ReceivedRecord): Buffer {
  if (!isText(body)) throw new Misfit('its body is no text');
  if (body.length === 0) throw new Misfit('its body is empty, which no file of a root is');
  if (!isUtf8(body)) throw new Misfit('its body is not valid UTF-8');
  return bufferOf(body);
}

function isText(value: Value | undefined): value is Uint8Array {
  return value !== undefined && typeof value !== 'bigint' && value !== OTHER;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
