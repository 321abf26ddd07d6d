/** Records as the bytes of one `ExportLogsServiceRequest` (export spec 3 to 5). */
import {
  ANY_VALUE,
  KEY_VALUE,
  LOG_RECORD,
  REQUEST,
  RESOURCE,
  RESOURCE_LOGS,
  SCOPE,
  SCOPE_LOGS,
} from '../format/otlp-fields.js';
import { ProtobufWriter } from '../format/protobuf-writer.js';
import type { Instant } from '../format/time.js';

/** A text becomes a string value, a number a whole number of 64 bits. */
export type Attribute = readonly [key: string, value: string | number];

/** One file, as it travels. */
export interface LogRecord {
  /** The time that it is of; `NO_TIME` is left out. */
  readonly time: Instant;
  /** When it was queued. */
  readonly observed: Instant;
  /** The file's bytes, which are UTF-8: they travel as a string, and nobody here decodes them. */
  readonly body: Uint8Array;
  readonly attributes: readonly Attribute[];
}

/** A record as it stands in a request, in pieces; its body is one of them, as it was given, unless it is small. */
export type EncodedRecord = readonly Uint8Array[];

/** The records of one resource: of one service. */
export interface ResourceRecords {
  readonly resource: readonly Attribute[];
  readonly records: readonly EncodedRecord[];
}

export interface Scope {
  readonly name: string;
  readonly version: string;
}

/** Severity of every record: INFO. */
const SEVERITY_NUMBER = 9;
const SEVERITY_TEXT = 'INFO';

/** Most records but for their bodies. */
const RECORD_BYTES = 1024;

/** Encodes a record at once: as bytes it needs less memory than as its parts until its request is sent. */
export function encodeRecord(record: LogRecord): EncodedRecord {
  const writer = new ProtobufWriter(RECORD_BYTES);
  writer.message(SCOPE_LOGS.logRecords, () => logRecord(writer, record));
  return writer.pieces;
}

/** Encodes a request. Lists keep their order; bodies are handed on, not copied. */
export function encodeRequest(groups: readonly ResourceRecords[], scope: Scope): ProtobufWriter {
  const writer = new ProtobufWriter();
  for (const { resource, records } of groups.toReversed())
    writer.message(REQUEST.resourceLogs, () => {
      writer.message(RESOURCE_LOGS.scopeLogs, () => {
        for (const record of records.toReversed()) writer.encoded(record);
        writer.message(SCOPE_LOGS.scope, () => {
          writer.text(SCOPE.version, scope.version);
          writer.text(SCOPE.name, scope.name);
        });
      });
      writer.message(RESOURCE_LOGS.resource, () => attributes(writer, RESOURCE.attributes, resource));
    });
  return writer;
}

function logRecord(writer: ProtobufWriter, { time, observed, body, ...record }: LogRecord): void {
  fixed(writer, LOG_RECORD.observedTime, observed);
  attributes(writer, LOG_RECORD.attributes, record.attributes);
  writer.message(LOG_RECORD.body, () => writer.bytes(ANY_VALUE.text, body));
  writer.text(LOG_RECORD.severityText, SEVERITY_TEXT);
  writer.integer(LOG_RECORD.severityNumber, SEVERITY_NUMBER);
  fixed(writer, LOG_RECORD.time, time);
}

function attributes(writer: ProtobufWriter, field: number, list: readonly Attribute[]): void {
  for (let i = list.length - 1; i >= 0; i--) {
    const [key, value] = list[i]!;
    writer.message(field, () => {
      writer.message(KEY_VALUE.value, () => {
        if (typeof value === 'string') writer.text(ANY_VALUE.text, value);
        else writer.integer(ANY_VALUE.integer, value);
      });
      writer.text(KEY_VALUE.key, key);
    });
  }
}

/** A zero is not written: proto3 leaves it out. */
function fixed(writer: ProtobufWriter, field: number, { ms, ns }: Instant): void {
  const nanoseconds = BigInt(ms) * 1_000_000n + BigInt(ns);
  if (nanoseconds !== 0n) writer.fixed64(field, nanoseconds);
}
