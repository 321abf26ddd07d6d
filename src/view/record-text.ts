/**
 * What a landed record says, for somebody who reads it (view spec 3.4): its text, the part a reference names, and
 * the JSON objects that stand in it.
 */
import type { SdPartRead, SdRecordRead } from '../format/session-data.js';
import { dataSlices } from '../io/landed-records.js';
import { trimmed } from './text-rules.js';

/** The part a reference stands on: the one it names if it is there, else a record's only part. */
export function partAt({ parts }: SdRecordRead, block: number | undefined): SdPartRead | undefined {
  const named = block === undefined ? undefined : parts[block];
  return named ?? (parts.length === 1 ? parts[0] : undefined);
}

/** The part with what a referenced request got back: the one named, else the first result. */
export function resultPartAt({ parts }: SdRecordRead, block: number | undefined): SdPartRead | undefined {
  const named = block === undefined ? undefined : parts[block];
  return named ?? parts.find(({ k }) => k === 'result');
}

/** The data of a part as its line spells it; a part without data has `undefined`. */
export function rawData(record: SdRecordRead, line: string, part: SdPartRead): string | undefined {
  return part.data === undefined ? undefined : dataSlices(line)[record.parts.indexOf(part)];
}

/**
 * A record's text, trimmed. A message typed while the agent worked has none of its own: it stands in a queued
 * command.
 */
export function readable(record: SdRecordRead): string {
  const text = trimmed(ownText(record));
  if (text !== '') return text;
  for (const object of objectsIn(record)) {
    const words = queuedWords(object);
    if (words !== undefined) return words;
  }
  return '';
}

function ownText({ parts }: SdRecordRead): string {
  return parts
    .filter(({ k, text }) => k === 'text' && text !== '')
    .map(({ text }) => text)
    .join('\n');
}

/** `undefined` for what is no queued command with a list of texts. */
function queuedWords({ type, prompt }: Members): string | undefined {
  if (type !== 'queued_command' || !Array.isArray(prompt)) return undefined;
  const texts = prompt.map((piece) => (isObject(piece) && typeof piece.text === 'string' ? piece.text : ''));
  return trimmed(texts.filter((text) => text !== '').join('\n'));
}

export type Members = Readonly<Record<string, unknown>>;

/** The JSON objects in a record: each part's data, then its text, then the record's text. */
export function* objectsIn(record: SdRecordRead): Generator<Members> {
  for (const { data, text } of record.parts) {
    if (isObject(data)) yield data;
    const object = objectOf(text);
    if (object !== undefined) yield object;
  }
  if (record.parts.length < 2) return; // The record's text is its only part's.
  const object = objectOf(ownText(record));
  if (object !== undefined) yield object;
}

/** Text that is one JSON object. Most text is not, and its first character says so. */
function objectOf(text: string): Members | undefined {
  if (!/^[ \t\r\n]*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined; // Words that begin with a brace are words.
    throw cause;
  }
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
