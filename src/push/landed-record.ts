/** A landed file as a log record (export spec 5, 7). */
import { causeText } from '../format/errors.js';
import { readHeader, SD_SCHEMA } from '../format/session-data.js';
import { formatTime, type Instant, parseTime } from '../format/time.js';
import { firstLineOf } from '../io/first-line.js';
import type { LandedFile } from '../io/storage-root.js';
import type { Attribute, LogRecord } from './encode-request.js';
import type { TimeRange } from './record-times.js';

/** What is known of a file's bytes. */
export interface Body {
  readonly bytes: Buffer;
  /** SHA-256 of all of it, lower-case hex. */
  readonly digest: string;
  readonly lines: number;
}

export interface LandedContext {
  readonly session: string;
  readonly file: LandedFile;
  /** Below the root, with `/`. */
  readonly path: string;
  readonly now: Instant;
  /** The range of its records' times. */
  readonly times: TimeRange | undefined;
  /** The latest record time of any landed file of the session; asked for by a file that has no time of its own. */
  sessionThrough(): Instant | undefined;
}

/** Throws `Error` `decode header: …` for a header that breaks a rule. */
export function landedRecord({ bytes, digest, lines }: Body, context: LandedContext): LogRecord {
  const { session, file, path, now, times } = context;
  const header = headerOf(bytes);
  const attributes: Attribute[] = [
    ['asz.format', 'sd'],
    ['asz.format.version', SD_SCHEMA],
    ['asz.file', path],
    ['asz.file.kind', header.kind],
    ['asz.file.digest', digest],
    ['asz.lines', lines],
    ['asz.session', session],
    ['asz.seq', file.seq],
  ];
  if (file.stream !== '') attributes.push(['asz.stream', file.stream]);
  if (file.batch !== '') attributes.push(['asz.run', file.batch]);
  if (times !== undefined)
    attributes.push(
      ['asz.from_time', formatTime(times.from)],
      ['asz.through_time', formatTime(times.through)],
    );
  const time = times?.through ?? context.sessionThrough() ?? parseTime(header.at);
  return { time, observed: now, body: bytes, attributes };
}

function headerOf(bytes: Buffer): ReturnType<typeof readHeader> {
  try {
    return readHeader(firstLineOf(bytes));
  } catch (cause) {
    throw new Error(`decode header: ${causeText(cause).replace(/^sessiondata: (decode header: )?/, '')}`, {
      cause,
    });
  }
}
