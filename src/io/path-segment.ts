import { StorageError } from '../format/errors.js';

/**
 * Gives back an id that may become one segment of a path. Ids of sessions, streams, runs and conversations
 * come from data, and data must not choose where it is written.
 *
 * Refused on every system alike, so that a root can be carried to another one: what leaves the directory,
 * what a listing would hide or show twice, and what Windows would refuse, rename or open as a device.
 * Throws `StorageError` that names the id and the rule.
 */
export function checkPathSegment(id: string): string {
  const rule = brokenRule(id);
  if (rule === undefined) return id;
  const shown = JSON.stringify(id.length > 64 ? `${id.slice(0, 63)}…` : id);
  throw new StorageError(`storage: id ${shown} cannot name a directory: ${rule}`);
}

/** Whether an id may become one segment of a path: `checkPathSegment` as a question. */
export function isPathSegment(id: string): boolean {
  return brokenRule(id) === undefined;
}

/** File systems allow 255 bytes; what is left is room for suffixes. */
const MAX_BYTES = 200;

const DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|com[1-9¹²³]|lpt[1-9¹²³])(?:\.|$)/i;

function brokenRule(id: string): string | undefined {
  if (id === '') return 'it is empty';
  if (id === '.' || id === '..') return 'it means another directory';
  if (id.startsWith('_')) return 'names starting with "_" are reserved';
  if (/[/\\]/.test(id)) return 'it holds a path separator';
  if (/\p{Cc}/u.test(id)) return 'it holds a control character';
  if (/[<>:"|?*]/.test(id)) return 'it holds a character that Windows refuses';
  if (!id.isWellFormed()) return 'it is not well-formed text';
  if (Buffer.byteLength(id) > MAX_BYTES) return `it is longer than ${MAX_BYTES} bytes`;
  if (DEVICE_NAME.test(id)) return 'it is the name of a device on Windows';
  if (/[. ]$/.test(id)) return 'it ends with a dot or a space';
  return undefined;
}
