/** A receiver within a check: what came over the wire, read without anything of the exporter. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  ANY_VALUE,
  KEY_VALUE,
  LOG_RECORD,
  REQUEST,
  RESOURCE,
  RESOURCE_LOGS,
  SCOPE,
  SCOPE_LOGS,
} from '../../format/otlp-fields.js';
import { ProtobufReader } from '../../format/protobuf-reader.js';
import { BYTES, FIXED64, VARINT } from '../../format/protobuf-writer.js';

export type WireAttributes = readonly (readonly [key: string, value: string | number])[];

export interface WireRecord {
  readonly time: bigint;
  readonly observed: bigint;
  readonly severity: string;
  readonly body: Buffer;
  readonly attributes: WireAttributes;
}

/** One request: each of its resources with the records of its one scope. */
export interface WireRequest {
  readonly resources: readonly WireResource[];
}

export interface WireResource {
  readonly attributes: WireAttributes;
  readonly scopes: readonly { readonly name: string; readonly version: string }[];
  readonly records: readonly WireRecord[];
}

export class WireReceiver {
  readonly requests: WireRequest[] = [];
  /** The status of every answer. */
  status = 200;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens on a free port of this machine. */
  static async start(): Promise<WireReceiver> {
    const server = createServer(async (request, response) => {
      receiver.requests.push(requestOf(await buffer(request)));
      response.writeHead(receiver.status).end();
    });
    const receiver = new WireReceiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get resources(): readonly WireResource[] {
    return this.requests.flatMap(({ resources }) => resources);
  }

  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    return closed;
  }
}

function requestOf(bytes: Buffer): WireRequest {
  return {
    resources: messages(bytes, REQUEST.resourceLogs).map((logs) => ({
      attributes: messages(logs, RESOURCE_LOGS.resource).flatMap((resource) =>
        attributesOf(resource, RESOURCE.attributes),
      ),
      scopes: messages(logs, RESOURCE_LOGS.scopeLogs).flatMap((scoped) =>
        messages(scoped, SCOPE_LOGS.scope).map((scope) => ({
          name: textOf(scope, SCOPE.name),
          version: textOf(scope, SCOPE.version),
        })),
      ),
      records: messages(logs, RESOURCE_LOGS.scopeLogs).flatMap((scoped) =>
        messages(scoped, SCOPE_LOGS.logRecords).map(recordOf),
      ),
    })),
  };
}

function recordOf(message: Buffer): WireRecord {
  const [body = Buffer.alloc(0)] = messages(message, LOG_RECORD.body);
  return {
    time: fixedOf(message, LOG_RECORD.time),
    observed: fixedOf(message, LOG_RECORD.observedTime),
    severity: `${integerOf(message, LOG_RECORD.severityNumber)} ${textOf(message, LOG_RECORD.severityText)}`,
    body: messages(body, ANY_VALUE.text)[0] ?? Buffer.alloc(0),
    attributes: attributesOf(message, LOG_RECORD.attributes),
  };
}

function attributesOf(message: Buffer, field: number): WireAttributes {
  return messages(message, field).map((attribute) => {
    const [value = Buffer.alloc(0)] = messages(attribute, KEY_VALUE.value);
    const isText = messages(value, ANY_VALUE.text).length > 0;
    return [
      textOf(attribute, KEY_VALUE.key),
      isText ? textOf(value, ANY_VALUE.text) : integerOf(value, ANY_VALUE.integer),
    ];
  });
}

function messages(message: Buffer, field: number): Buffer[] {
  return fieldsOf(message, field, BYTES, ({ bytes }) => Buffer.from(bytes));
}

function textOf(message: Buffer, field: number): string {
  return messages(message, field)[0]?.toString('utf8') ?? '';
}

function integerOf(message: Buffer, field: number): number {
  return Number(fieldsOf(message, field, VARINT, ({ integer }) => integer)[0] ?? 0n);
}

function fixedOf(message: Buffer, field: number): bigint {
  return fieldsOf(message, field, FIXED64, ({ bytes }) => Buffer.from(bytes).readBigUInt64LE())[0] ?? 0n;
}

function fieldsOf<T>(message: Buffer, field: number, type: number, read: (at: ProtobufReader) => T): T[] {
  const found: T[] = [];
  const fields = new ProtobufReader(message);
  while (fields.next()) if (fields.is(field, type)) found.push(read(fields));
  return found;
}
