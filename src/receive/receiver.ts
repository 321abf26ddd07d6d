/**
 * A receiver of OTLP logs over HTTP that puts the files it gets back into a storage root (export spec 14). It answers
 * 200 when every file is there to stay; a record that does not fit is named in a partial success, and not sent again.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Address, isLoopback } from '../http/address.js';
import { listening } from '../http/listening.js';
import { makeFolder } from '../io/folders.js';
import { accept } from './accept.js';
import { answerReceived, answerRefused, comeAgain, refusalOf } from './answer.js';
import { bodyOf } from './request-body.js';
import { type Received, takeRequest } from './take-request.js';

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
/** A request that is refused is still read, up to as much as so many largest ones have. */
const DROPPED_REQUESTS = 4;
/** So often Node looks for connections that are too slow. */
const LOOK_MS = 1000;

export interface RunningReceiver {
  readonly address: Address;
  /** Ends when the requests under way are answered. */
  close(): Promise<void>;
}

/**
 * Listens, and makes the root. Throws `StorageError` when the address cannot be listened on, and the root is not made;
 * `RangeError` when others can reach the address; the system's error when the root cannot be made.
 */
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
  const close = () =>
    new Promise<void>((resolve) => {
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
    });
  try {
    makeFolder(options.root);
  } catch (cause) {
    await close();
    throw cause;
  }
  return { address, close };
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
    const { idleMs, maxBytes } = this.#limits;
    request.socket.setTimeout(idleMs); // Node then closes it.
    const began = performance.now();
    try {
      accept(request);
      const received = await this.#turn(request);
      if (this.isClosing) response.setHeader('Connection', 'close');
      answerReceived(response, received);
      this.#options.onReceived?.(received, performance.now() - began);
    } catch (cause) {
      if (response.destroyed || request.socket?.destroyed !== false) return; // Nobody is there to be told.
      const refused = refusalOf(cause);
      this.#options.onRefused?.(refused.status, refused.message);
      answerRefused(request, response, refused, DROPPED_REQUESTS * maxBytes);
    }
  }

  /** One of those at once: it has its body, and what is in it, in memory. */
  async #turn(request: IncomingMessage): Promise<Received> {
    const { atOnce, maxBytes, lockMs } = this.#limits;
    if (this.#atOnce >= atOnce) throw comeAgain(`${atOnce} requests are under way`);
    this.#atOnce++;
    try {
      const body = await bodyOf(request, maxBytes);
      const { socket } = request;
      socket.setTimeout(0); // It waits for us now.
      this.storing.add(socket);
      return await takeRequest(body, {
        root: this.#options.root,
        lockMs,
        isAwaited: () => !socket.destroyed,
      });
    } finally {
      this.storing.delete(request.socket);
      this.#atOnce--;
    }
  }
}
