/** A receiver of our own that answers as it is told, and keeps what it got as the official definitions read it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';
import { attributesOf, decodeRequest, type WireRecord } from './official.js';

export interface GotRecord {
  readonly record: WireRecord;
  readonly attributes: ReturnType<typeof attributesOf>;
  readonly resource: ReturnType<typeof attributesOf>;
  readonly scope: { readonly name?: string; readonly version?: string };
  readonly file: string;
  readonly body: Buffer;
}

export interface GotRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  readonly resources: number;
  readonly records: readonly GotRecord[];
}

/** Answers one request; `undefined` leaves the next one to say. */
export type Answering = (response: ServerResponse, got: GotRequest) => void;

export const TAKEN: Answering = (response) => void response.end();

/** A status, with a body and headers. */
export function answering(
  status: number,
  body: string | Buffer = '',
  headers: Readonly<Record<string, string>> = {},
): Answering {
  return (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

export class Misbehaving {
  readonly got: GotRequest[] = [];
  /** Answers to the next requests; when they are over, `otherwise`. */
  readonly next: Answering[] = [];
  otherwise: Answering = TAKEN;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens on a free port of this machine until the test file ends, or until `atEnd` closes it. */
  static async start(atEnd: (close: () => void) => void = after): Promise<Misbehaving> {
    const server = createServer((request, response) => void self.#answer(request, response));
    const self = new Misbehaving(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd(() => self.close());
    return self;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Every record that came, in order. */
  get records(): GotRecord[] {
    return this.got.flatMap(({ records }) => records);
  }

  get files(): string[] {
    return this.records.map(({ file }) => file);
  }

  forget(): void {
    this.got.length = 0;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let bytes: Buffer;
    try {
      bytes = await buffer(request);
    } catch {
      return; // It was cut off: nothing came.
    }
    const got = { url: request.url ?? '', headers: request.headers, bytes, ...read(bytes) };
    this.got.push(got);
    (this.next.shift() ?? this.otherwise)(response, got);
  }
}

function read(bytes: Buffer): Pick<GotRequest, 'resources' | 'records'> {
  const { resourceLogs = [] } = decodeRequest(bytes);
  const records = resourceLogs.flatMap(({ resource = {}, scopeLogs = [] }) =>
    scopeLogs.flatMap(({ scope = {}, logRecords = [] }) =>
      logRecords.map((record) => {
        const attributes = attributesOf(record);
        const file = String(attributes.get('asz.file'));
        const body = Buffer.from(record.body?.stringValue ?? '');
        return { record, attributes, resource: attributesOf(resource), scope, file, body };
      }),
    ),
  );
  return { resources: resourceLogs.length, records };
}
