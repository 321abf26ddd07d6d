/** A receiver as tests make it, and requests that are put together by the official definitions. */
import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';
import {
  type Received,
  type ReceiverLimits,
  type RunningReceiver,
  startReceiver,
} from '../../src/receive/receiver.js';
import { encodeOfficially, type WireRecord, type WireRequest } from '../push/official.js';

export interface Receiving {
  readonly endpoint: string;
  readonly port: number;
  readonly got: Received[];
  /** What was refused, as status and words. */
  readonly refused: string[];
  readonly receiver: RunningReceiver;
}

/** A receiver into a root, on a free port, until the test file ends. */
export async function receiving(root: string, limits: Partial<ReceiverLimits> = {}): Promise<Receiving> {
  const got: Received[] = [];
  const refused: string[] = [];
  const receiver = await startReceiver({
    ...{ root, address: { host: '127.0.0.1', port: 0 }, limits },
    onReceived: (received) => void got.push(received),
    onRefused: (status, words) => void refused.push(`${status} ${words}`),
  });
  after(() => receiver.close());
  const { port } = receiver.address;
  return { endpoint: `http://127.0.0.1:${port}`, port, got, refused, receiver };
}

export interface Told {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** One request, whatever is wrong with it. */
export function tell(
  { port }: Receiving,
  body: Buffer,
  options: { method?: string; path?: string; headers?: Record<string, string | undefined> } = {},
): Promise<Told> {
  const { method = 'POST', path = '/v1/logs' } = options;
  const headers = { 'Content-Type': 'application/x-protobuf', ...options.headers };
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: given as Record<string, string>,
    });
    request.once('error', reject);
    request.once('response', (response) => {
      buffer(response).then(
        (answer) => resolve({ status: response.statusCode!, headers: response.headers, body: answer }),
        reject,
      );
    });
    request.end(body);
  });
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

export function sha(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

/** A landed file's record; `changes` replaces attributes, or leaves out those that are undefined. */
export function landedRecord(file: string, body: string, changes: Attributes = {}): WireRecord {
  const [session, place, id, name] = file.split('/');
  return record(body, {
    'asz.format': 'sd',
    'asz.file': file,
    'asz.file.digest': sha(body),
    'asz.lines': body.split('\n').length - 1,
    'asz.session': session,
    'asz.seq': Number(/-(\d+)\.sd$/.exec(name ?? '')?.[1] ?? 0),
    [place === 'runs' ? 'asz.run' : 'asz.stream']: id,
    ...changes,
  });
}

/** A round's record; the body needs a commit whose digest is the name's. */
export function roundRecord(file: string, body: string, changes: Attributes = {}): WireRecord {
  const [, conversation, , name] = file.split('/');
  return record(body, {
    'asz.format': 'sf',
    'asz.file': file,
    'asz.file.digest': sha(body),
    'asz.lines': body.split('\n').length - 1,
    'asz.session': conversation,
    'asz.conversation': conversation,
    'asz.round': Number(/^r(\d+)/.exec(name ?? '')?.[1] ?? 0),
    ...changes,
  });
}

export function record(body: string, attributes: Attributes): WireRecord {
  const list = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return {
    body: { stringValue: body },
    attributes: list.map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: String(value) },
    })),
  };
}

export function requestOf(records: readonly WireRecord[]): WireRequest {
  return { resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] };
}

export function bytesOf(...records: readonly WireRecord[]): Buffer {
  return encodeOfficially(requestOf(records));
}
