/**
 * The records of an `ExportLogsServiceRequest`, as far as a receiver of files wants to know them. Fields come in any
 * order, and what is not asked for is passed over. A field that is there twice counts as the protocol has it: the later
 * value of a text, the members of both messages.
 */
import { FormatError } from '../format/errors.js';
import {
  ANY_VALUE,
  KEY_VALUE,
  LOG_RECORD,
  REQUEST,
  RESOURCE_LOGS,
  SCOPE_LOGS,
} from '../format/otlp-fields.js';
import { ProtobufReader } from '../format/protobuf-reader.js';
import { BYTES, FIXED64, VARINT } from '../format/protobuf-writer.js';

/** The attributes that say what a file is. Others are not kept. */
export const NAMES = [
  ...(['asz.format', 'asz.format.version', 'asz.file', 'asz.file.kind', 'asz.file.digest'] as const),
  ...(['asz.lines', 'asz.session', 'asz.seq'] as const),
  ...(['asz.stream', 'asz.run', 'asz.conversation', 'asz.round'] as const),
] as const;
export type Name = (typeof NAMES)[number];

/** The bytes of a text, a whole number, or something that no attribute of ours is. */
export type Value = Uint8Array | bigint | typeof OTHER;
export const OTHER = Symbol('another kind of value');

export interface ReceivedRecord {
  /** Views of the request. */
  readonly attributes: ReadonlyMap<Name, Value>;
  /** One of these attributes is there more than once: its name. */
  readonly doubled: Name | undefined;
  /** `undefined` for a record without one. */
  readonly body: Value | undefined;
}

/**
 * The messages that may be in a request, each within another: some 150,000 records of ours have as many. More, in a
 * request of a bounded size, is made to keep a reader busy.
 */
const MAX_MESSAGES = 4_000_000;

/** Gives one record after the other. Throws `FormatError` at the first bytes that are no such request. */
export function recordsOf(request: Uint8Array): Generator<ReceivedRecord> {
  return new RequestReader().records(request);
}

class RequestReader {
  #messages = 0;

  *records(request: Uint8Array): Generator<ReceivedRecord> {
    for (const resourceLogs of this.#within(request, REQUEST.resourceLogs))
      for (const scopeLogs of this.#within(resourceLogs, RESOURCE_LOGS.scopeLogs))
        for (const record of this.#within(scopeLogs, SCOPE_LOGS.logRecords)) yield this.#record(record);
  }

  /** What the fields of a number hold; of others only where they end. */
  *#within(message: Uint8Array, field: number): Generator<Uint8Array> {
    const fields = this.#open(message);
    while (fields.next()) if (fields.is(field, BYTES)) yield fields.bytes;
  }

  #record(message: Uint8Array): ReceivedRecord {
    const attributes = new Map<Name, Value>();
    let doubled: Name | undefined;
    let body: Value | undefined;
    const fields = this.#open(message);
    while (fields.next()) {
      if (fields.is(LOG_RECORD.body, BYTES)) body = this.#anyValue(fields.bytes, body);
      if (!fields.is(LOG_RECORD.attributes, BYTES)) continue;
      const { name, value } = this.#keyValue(fields.bytes);
      if (name === undefined) continue;
      if (attributes.has(name)) doubled ??= name;
      attributes.set(name, value ?? OTHER);
    }
    return { attributes, doubled, body };
  }

  #keyValue(message: Uint8Array): { readonly name: Name | undefined; readonly value: Value | undefined } {
    let name: Name | undefined;
    let value: Value | undefined;
    const fields = this.#open(message);
    while (fields.next()) {
      if (fields.is(KEY_VALUE.key, BYTES)) name = nameIn(fields.bytes);
      if (fields.is(KEY_VALUE.value, BYTES)) value = this.#anyValue(fields.bytes, value);
    }
    return { name, value };
  }

  /** Of several members the last counts; without one, what an earlier message of the same field said. */
  #anyValue(message: Uint8Array, before: Value | undefined): Value | undefined {
    let value = before;
    const fields = this.#open(message);
    while (fields.next()) {
      if (fields.is(ANY_VALUE.text, BYTES)) value = fields.bytes;
      else if (fields.is(ANY_VALUE.integer, VARINT)) value = fields.integer;
      else if (OTHER_MEMBERS.some(([member, type]) => fields.is(member, type))) value = OTHER;
    }
    return value;
  }

  #open(message: Uint8Array): ProtobufReader {
    if (++this.#messages > MAX_MESSAGES)
      throw new FormatError(`protobuf: more than ${MAX_MESSAGES} messages in a request`);
    return new ProtobufReader(message);
  }
}

const OTHER_MEMBERS = [
  [ANY_VALUE.bool, VARINT],
  [ANY_VALUE.double, FIXED64],
  [ANY_VALUE.list, BYTES],
  [ANY_VALUE.map, BYTES],
  [ANY_VALUE.bytes, BYTES],
] as const;

function nameIn(key: Uint8Array): Name | undefined {
  if (key.length > LONGEST_NAME) return undefined;
  const text = Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
  return NAMES.find((name) => name === text);
}

const LONGEST_NAME = Math.max(...NAMES.map(({ length }) => length));
