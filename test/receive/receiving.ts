/** A receiver as tests make it, and requests that are put together by the official definitions. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';
import { type ReceiverLimits, type RunningReceiver, startReceiver } from '../../src/receive/receiver.js';
import type { Received } from '../../src/receive/take-request.js';
import { filesBelow } from '../landing/collecting.js';
import { decodeResponse, encodeOfficially, type WireRecord, type WireRequest } from '../push/official.js';
import { temporaryFolder } from '../shared.js';

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

/** The smallest landed file there is: a header, and one line that nobody looks at. */
export const BODY = `{"h":1,"schema":"sd/1","kind":"transcript","dialect":"d","src":"p","session":"s"}\n{"ord":1}\n`;

/** What a first line says under a key; nothing when it is no JSON. */
function headerText(body: string, key: string): string | undefined {
  try {
    return JSON.parse(body.split('\n', 1)[0]!)[key];
  } catch {
    return undefined;
  }
}

/** A landed file's record; `changes` replaces attributes, or leaves out those that are undefined. */
export function landedRecord(file: string, body: string, changes: Attributes = {}): WireRecord {
  const [session, place, id, name] = file.split('/');
  return record(body, {
    'asz.format': 'sd',
    'asz.format.version': 'sd/1',
    'asz.file': file,
    'asz.file.kind': headerText(body, 'kind') ?? 'transcript',
    'asz.file.digest': sha(body),
    'asz.lines': body.split('\n').length - 1,
    'asz.session': session,
    'asz.seq': Number(/-(\d+)\.sd$/.exec(name ?? '')?.[1] ?? 0),
    [place === 'runs' ? 'asz.run' : 'asz.stream']: id,
    ...changes,
  });
}

/** A round as far as a receiver looks into it. */
export function roundOf(conversation: string, number: number | string, digest12: string): string {
  const header = `{"t":"header","schema":"sf/1","conversation":"${conversation}","session":"s","round":${number}}`;
  return `${header}\n{"t":"commit","digest":"${digest12}${'0'.repeat(52)}"}\n`;
}

/** A round's record; the body needs a commit whose digest is the name's. */
export function roundRecord(file: string, body: string, changes: Attributes = {}): WireRecord {
  const [, conversation, , name] = file.split('/');
  return record(body, {
    'asz.format': 'sf',
    'asz.format.version': 'sf/1',
    'asz.file': file,
    'asz.file.kind': 'round',
    'asz.file.digest': sha(body),
    'asz.lines': body.split('\n').length - 1,
    'asz.session': headerText(body, 'session') ?? conversation,
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

export const SD = 's/streams/main/transcript-20260101T000000.000000000Z-000001.sd';
export const DIGEST = 'abcdef012345';
export const SF = `_conversations/s/rounds/r000001-${DIGEST}.sf`;
export const ROUND = roundOf('s', 1, DIGEST);

/** Everything evident below a root; locks are not. */
export const evident = (root: string) => filesBelow(root).filter((path) => !path.endsWith('.lock'));

export const partial = ({ body }: Told) => decodeResponse(body).partialSuccess;

/** One record that is refused for this reason; nothing is on the disk of it. */
export async function misfit(wire: WireRecord, words: RegExp, root = temporaryFolder()): Promise<void> {
  const before = evident(root);
  const receiver = await receiving(root);
  const told = await tell(receiver, bytesOf(wire));
  await receiver.receiver.close();
  assert.equal(told.status, 200);
  const { rejectedLogRecords, errorMessage = '' } = partial(told) ?? {};
  assert.equal(rejectedLogRecords, '1', `taken: ${JSON.stringify(wire)}`);
  assert.match(errorMessage, words);
  assert.deepEqual(evident(root), before);
}

/** How a request begins that is told byte by byte. */
export const HEAD = 'POST /v1/logs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-protobuf\r\n';
