/**
 * What a landed record says, for somebody who reads it (view spec 3.4): its text, the part a reference names, and
 * the JSON objects that stand in it.
 */
import type { PartGlance, RecordGlance } from '../format/record-glance.js';
import { trimmed } from './text-rules.js';

/** The part a reference stands on: the one it names if it is there, else a record's only part. */
export function partAt({ parts }: RecordGlance, block: number | undefined): PartGlance | undefined {
  const named = block === undefined ? undefined : parts[block];
  return named ?? (parts.length === 1 ? parts[0] : undefined);
}

/** The part with what a referenced request got back: the one named, else the first result. */
export function resultPartAt({ parts }: RecordGlance, block: number | undefined): PartGlance | undefined {
  const named = block === undefined ? undefined : parts[block];
  return named ?? parts.find(({ k }) => k === 'result');
}

/**
 * A record's text, trimmed. A message typed while the agent worked has none of its own: it stands in a queued
 * command.
 */
export function readable(record: RecordGlance): string {
  const text = trimmed(ownText(record));
  if (text !== '') return text;
  const [command] = objectsIn(record, QUEUED, isQueued);
  return command === undefined ? '' : queuedWords(command);
}

function ownText({ parts }: RecordGlance): string {
  return parts
    .filter(({ k }) => k === 'text')
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n');
}

const QUEUED = 'queued_command';

/** A queued command with a list of texts. */
function isQueued({ type, prompt }: Members): boolean {
  return type === QUEUED && Array.isArray(prompt);
}

function queuedWords({ prompt }: Members): string {
  const texts = (prompt as unknown[]).map((piece) =>
    isObject(piece) && typeof piece.text === 'string' ? piece.text : '',
  );
  return trimmed(texts.filter((text) => text !== '').join('\n'));
}

export type Members = Readonly<Record<string, unknown>>;

/**
 * The JSON objects in a record that are meant: of each part's data, then its text, then the record's text. All
 * that are meant hold the word.
 */
export function* objectsIn(
  record: RecordGlance,
  word: string,
  isMeant: (o: Members) => boolean,
): Generator<Members> {
  for (const part of record.parts) {
    const data = part.dataWith(word);
    if (isObject(data) && isMeant(data)) yield data;
    const object = objectOf(part.text);
    if (object !== undefined && isMeant(object)) yield object;
  }
  if (record.parts.length < 2) return; // The record's text is its only part's.
  const object = objectOf(ownText(record));
  if (object !== undefined && isMeant(object)) yield object;
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
