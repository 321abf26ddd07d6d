/** What an answer means (export spec 8): the files were taken, or an error that says why not. */
import { isUtf8 } from 'node:buffer';
import { causeText } from '../format/errors.js';
import { PARTIAL_SUCCESS, RESPONSE, STATUS } from '../format/otlp-fields.js';
import { ProtobufReader } from '../format/protobuf-reader.js';
import { BYTES, VARINT } from '../format/protobuf-writer.js';
import type { Answer } from './http-client.js';

/** Nobody took the files; the next pass sends them. */
export class NotTaken extends Error {
  /** The receiver finds fault with what is in the request, and would with each repetition of it. */
  readonly isContent: boolean;

  constructor(message: string, isContent: boolean, options?: { cause?: unknown }) {
    super(message, options);
    this.isContent = isContent;
  }
}

/** The receiver asked for less: nothing more is sent in this pass. */
export class Throttled extends Error {
  /** How long it asked to wait; 0 when it did not say. */
  readonly waitMs: number;

  constructor(message: string, waitMs: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

const PROTOBUF_TYPES = ['application/x-protobuf', 'application/protobuf'];

/** Answers about a request's content: bad request, too large, cannot be processed. */
const ABOUT_CONTENT = [400, 413, 422];

/** How much of an answer is quoted. */
const MAX_QUOTE_BYTES = 400;

/**
 * The number of records that a receiver took the request without; it is not to be sent again. Throws `NotTaken` or
 * `Throttled`. `blank` takes secrets out of whatever is quoted of the answer.
 */
export function rejectedOf(answer: Answer, url: string, blank: (text: string) => string): number {
  const { status, reason, headers, body } = answer;
  const answered = `${url} answered ${status}${reason === '' ? '' : ` ${shown(reason, blank)}`}`;
  if (status === 429) throw throttled(answered, headers['retry-after']);
  if (status < 200 || status > 299) {
    const words = `otlp: ${answered}: ${shown(errorText(answer), blank)}`.replace(/: $/, '');
    throw new NotTaken(words, ABOUT_CONTENT.includes(status));
  }
  if (answer.isEarly)
    throw new NotTaken(
      `otlp: ${answered} before it had all of the request; nothing is recorded as sent`,
      false,
    );
  if (body.length === 0) return 0;
  const type = headers['content-type'] ?? '';
  if (!isProtobuf(type)) {
    const named = type === '' ? 'no content type' : shown(type, blank);
    throw new NotTaken(
      `otlp: ${answered} with ${named}, not an OTLP response; nothing is recorded as sent`,
      false,
    );
  }
  try {
    return rejectedRecords(body);
  } catch (cause) {
    throw new NotTaken(
      `otlp: ${url} answered with a body that is not an OTLP response: ${causeText(cause)}`,
      false,
    );
  }
}

function throttled(answered: string, retryAfter: string | undefined): Throttled {
  // A date is passed over: clocks differ.
  const seconds = /^0*[1-9]\d{0,8}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0;
  const wait = seconds === 0 ? '' : `, retry after ${seconds}s`;
  return new Throttled(`otlp: the receiver asked to slow down${wait}: ${answered}`, seconds * 1000);
}

/** A collector says what is wrong in a message of protobuf, others in text. */
function errorText({ headers, body }: Answer): string {
  if (!isProtobuf(headers['content-type'] ?? '')) return body.toString('utf8');
  try {
    return lastBytes(body, STATUS.message).toString('utf8');
  } catch {
    return body.toString('utf8'); // It was no such message: then it is quoted like any other.
  }
}

function isProtobuf(type: string): boolean {
  return PROTOBUF_TYPES.includes(type.split(';', 1)[0]!.trim().toLowerCase());
}

function rejectedRecords(response: Buffer): number {
  const partial = new ProtobufReader(lastBytes(response, RESPONSE.partialSuccess));
  let rejected = 0n;
  while (partial.next()) {
    if (partial.is(PARTIAL_SUCCESS.rejected, VARINT)) rejected = partial.integer;
    if (partial.is(PARTIAL_SUCCESS.message, BYTES) && !isUtf8(partial.bytes))
      throw new Error('its message is not UTF-8');
  }
  return rejected > 0n ? Number(rejected) : 0;
}

/** What the last field of this number holds; nothing when there is none. */
function lastBytes(message: Buffer, field: number): Buffer {
  const fields = new ProtobufReader(message);
  let found: Uint8Array = new Uint8Array();
  while (fields.next()) if (fields.is(field, BYTES)) found = fields.bytes;
  return Buffer.from(found);
}

/** A quotation: on one line, without secrets, and short. */
function shown(text: string, blank: (text: string) => string): string {
  const line = blank(text.trim()).replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, (run) =>
    JSON.stringify(run).slice(1, -1),
  );
  const bytes = Buffer.from(line);
  if (bytes.length <= MAX_QUOTE_BYTES) return line;
  return bytes.toString('utf8', 0, MAX_QUOTE_BYTES).replace(/\ufffd+$/, '');
}
