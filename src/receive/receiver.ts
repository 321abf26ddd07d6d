/**
 * A receiver of OTLP logs over HTTP that puts the files it gets back into a storage root (export spec 14). It answers
 * 200 when every file is there to stay; a record that does not fit is named in a partial success, and not sent again.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { causeText, FormatError, LockedError } from '../format/errors.js';
import { PARTIAL_SUCCESS, PROTOBUF_TYPE, RESPONSE, STATUS } from '../format/otlp-fields.js';
import { ProtobufWriter } from '../format/protobuf-writer.js';
import { type Address, isLoopback } from '../http/address.js';
import { isAllowedHost } from '../http/host-check.js';
import { listening } from '../http/listening.js';
import { checkRequest, recordsOf } from './read-request.js';
import { fileOf, isOurs, Misfit, nameOf, type ReceivedFile } from './received-file.js';
import { bodyOf, Refused } from './request-body.js';
import { storeFiles } from './store-files.js';

/** What one request came to. */
export interface Received {
  readonly files: number;
  /** Files that were there already. */
  readonly repeats: number;
  /** Records that do not fit, and why, the first of them. */
  readonly rejected: number;
  readonly reasons: readonly string[];
  /** Records that are not of asz. */
  readonly foreign: number;
  /** Of the request, inflated. */
  readonly bytes: number;
}

export interface ReceiverOptions {
  readonly root: string;
  readonly address: Address;
  readonly onReceived?: (received: Received, durationMs: number) => void;
  /** Told of every request that was refused, and of what the disk would not do. */
  readonly onRefused?: (status: number, words: string) => void;
  readonly limits?: Partial<ReceiverLimits>;
}

export interface ReceiverLimits {
  /** Of a request, also inflated. */
  readonly maxBytes: number;
  /** Requests at once. */
  readonly atOnce: number;
  /** Until the headers are there; until all of the request is; between two pieces of it. */
  readonly headersMs: number;
  readonly requestMs: number;
  readonly idleMs: number;
  /** How long a session or a chain that somebody else holds is waited for. */
  readonly lockMs: number;
}

const LIMITS: ReceiverLimits = {
  maxBytes: 64 * 1024 * 1024,
  atOnce: 4,
  headersMs: 10_000,
  requestMs: 60_000,
  idleMs: 15_000,
  lockMs: 5_000,
};
const MAX_CONNECTIONS = 64;
const MAX_HEADER_BYTES = 16 * 1024;
/** So often Node looks for connections that are too slow. */
const LOOK_MS = 1000;
/** So many reasons are said of one request. */
const MAX_REASONS = 10;
const RETRY_SECONDS = '1';

export interface RunningReceiver {
  readonly address: Address;
  /** Ends when the requests under way are answered. */
  close(): Promise<void>;
}

/** Listens. Throws `StorageError` when the address cannot be listened on, `RangeError` when others can reach it. */
export async function startReceiver(options: ReceiverOptions): Promise<RunningReceiver> {
  if (!isLoopback(options.address.host))
    throw new RangeError(`${options.address.host} is no loopback address`);
  const limits = { ...LIMITS, ...options.limits };
  const receiver = new Receiver(options, limits);
  const server = createServer(
    {
      ...{ maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: limits.headersMs },
      ...{ requestTimeout: limits.requestMs, connectionsCheckingInterval: LOOK_MS },
    },
    (request, response) => void receiver.answer(request, response),
  );
  server.maxConnections = MAX_CONNECTIONS;
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const address = await listening(server, options.address);
  return {
    address,
    close: () =>
      new Promise((resolve) => {
        // A server that closes no longer looks for connections that are too slow. One whose files are being put away is
        // let to its end.
        const limit = setTimeout(() => {
          for (const socket of connections) if (!receiver.storing.has(socket)) socket.destroy();
        }, limits.requestMs);
        receiver.isClosing = true;
        server.close(() => {
          clearTimeout(limit);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

class Receiver {
  readonly #options: ReceiverOptions;
  readonly #limits: ReceiverLimits;
  #atOnce = 0;
  /** Connections of requests that are all there, and being stored. */
  readonly storing = new Set<Socket>();
  /** No connection is kept for another request. */
  isClosing = false;

  constructor(options: ReceiverOptions, limits: ReceiverLimits) {
    this.#options = options;
    this.#limits = limits;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { idleMs } = this.#limits;
    request.socket.setTimeout(idleMs); // Node then closes it.
    const began = performance.now();
    try {
      check(request);
      const received = await this.#turn(request);
      if (this.isClosing) response.setHeader('Connection', 'close');
      respond(response, 200, successBody(received));
      this.#options.onReceived?.(received, performance.now() - began);
    } catch (cause) {
      if (response.destroyed || request.socket?.destroyed !== false) return; // Nobody is there to be told.
      const refused = refusalOf(cause);
      this.#options.onRefused?.(refused.status, refused.message);
      for (const [name, value] of Object.entries(refused.headers)) response.setHeader(name, value);
      if (!request.complete) this.#drain(request, response);
      respond(response, refused.status, statusBody(refused.message));
    }
  }

  /** One of those at once: it has its body, and what is in it, in memory. */
  async #turn(request: IncomingMessage): Promise<Received> {
    const { atOnce, maxBytes } = this.#limits;
    if (this.#atOnce >= atOnce)
      throw new Refused(503, `${atOnce} requests are under way`, { 'Retry-After': RETRY_SECONDS });
    this.#atOnce++;
    try {
      const body = await bodyOf(request, maxBytes);
      request.socket.setTimeout(0); // It waits for us now.
      this.storing.add(request.socket);
      return await this.#take(body);
    } finally {
      this.storing.delete(request.socket);
      this.#atOnce--;
    }
  }

  async #take(body: Buffer): Promise<Received> {
    checkRequest(body);
    const { root } = this.#options;
    const files: ReceivedFile[] = [];
    const names: string[] = [];
    const misfits = new Misfits();
    let foreign = 0;
    for (const record of recordsOf(body)) {
      if (!isOurs(record)) foreign++;
      else
        try {
          files.push(fileOf(record));
          names.push(nameOf(record));
        } catch (cause) {
          if (!(cause instanceof Misfit)) throw cause;
          misfits.add(nameOf(record), cause);
        }
    }
    const stored = await storeFiles(root, files, this.#limits.lockMs);
    let repeats = 0;
    for (const [i, outcome] of stored.entries()) {
      if (outcome instanceof Misfit) misfits.add(names[i]!, outcome);
      else if (outcome === 'repeat') repeats++;
    }
    const { count: rejected, reasons } = misfits;
    const ofFiles = stored.filter((outcome) => outcome === 'new').length;
    return { files: ofFiles, repeats, rejected, reasons, foreign, bytes: body.length };
  }

  /** What is still coming is read and dropped, so that the answer is read; not more than a request may have. */
  #drain(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('Connection', 'close');
    let bytes = 0;
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > this.#limits.maxBytes) request.socket.destroy();
    });
    request.on('error', () => request.socket.destroy());
    request.resume();
  }
}

class Misfits {
  count = 0;
  readonly reasons: string[] = [];

  add(name: string, { message }: Misfit): void {
    this.count++;
    if (this.reasons.length < MAX_REASONS) this.reasons.push(`${name}: ${message}`);
  }
}

function check({ headers, url, method }: IncomingMessage): void {
  if (!isAllowedHost(headers.host ?? '', []))
    throw new Refused(403, 'this host name is not served: use an address, or localhost');
  if (url !== '/v1/logs') throw new Refused(404, 'logs go to /v1/logs, and nothing else is here');
  if (method !== 'POST') throw new Refused(405, 'only POST', { Allow: 'POST' });
  if (headers['content-type'] !== PROTOBUF_TYPE) throw new Refused(415, `only ${PROTOBUF_TYPE}`);
  if (!ENCODINGS.includes(headers['content-encoding'])) throw new Refused(415, 'only gzip, or no encoding');
}

const ENCODINGS: readonly (string | undefined)[] = [undefined, 'identity', 'gzip'];

function refusalOf(cause: unknown): Refused {
  if (cause instanceof Refused) return cause;
  if (cause instanceof FormatError) return new Refused(400, cause.message);
  if (cause instanceof LockedError) return new Refused(503, cause.message, { 'Retry-After': RETRY_SECONDS });
  return new Refused(503, causeText(cause));
}

function respond(response: ServerResponse, status: number, body: Buffer): void {
  response.writeHead(status, {
    ...{ 'Content-Type': PROTOBUF_TYPE, 'Content-Length': body.length },
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}

function successBody({ rejected, reasons }: Received): Buffer {
  const writer = new ProtobufWriter();
  if (rejected > 0)
    writer.message(RESPONSE.partialSuccess, () => {
      writer.text(PARTIAL_SUCCESS.message, reasons.join('; '));
      writer.integer(PARTIAL_SUCCESS.rejected, rejected);
    });
  return writer.written;
}

function statusBody(message: string): Buffer {
  const writer = new ProtobufWriter();
  writer.text(STATUS.message, message);
  return writer.written;
}
