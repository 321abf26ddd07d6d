/**
 * The server: reads a storage root and answers over HTTP, to this machine unless told otherwise (view spec 7).
 *
 * A request comes from anywhere and says anything. So before it has a route, its host, its method and its length
 * are held against what is allowed; it chooses among what is listed and never names a path.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Address } from '../http/address.js';
import { isAllowedHost } from '../http/host-check.js';
import { listening } from '../http/listening.js';
import { Refusal } from '../http/refusal.js';
import { ALWAYS, Exchange, JSON_TYPE } from './answer.js';
import { Documents } from './documents.js';
import { HANDLERS, refusalOf, type Served } from './handlers.js';
import { readPageFiles } from './page.js';
import { RootWatch } from './root-watch.js';
import { routeOf } from './routes.js';
import { type Status, staticStatus } from './status.js';

export interface ServerOptions {
  readonly root: string;
  readonly address: Address;
  /** Names a request may ask for, beside addresses and `localhost`. */
  readonly hosts?: readonly string[];
  /** Withheld from everybody; see `Withheld`. */
  readonly hide?: readonly string[];
  /** How often to look at the root while nobody listens. */
  readonly watchIntervalMs: number;
  /** What the pipeline in the same process does; absent for a server that only reads. */
  readonly status?: () => Status;
  /** Told of what went wrong inside, for the log. */
  readonly onError?: (path: string, cause: unknown) => void;
}

export interface RunningServer {
  /** Where it listens; the port is the real one. */
  readonly address: Address;
  readonly watch: RootWatch;
  close(): Promise<void>;
}

/** What one connection may take, and say. */
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  /** How late such an end may come. */
  connectionsCheckingInterval: 1_000,
  /** Our own answer says it better. */
  requireHostHeader: false,
} as const;
const MAX_CONNECTIONS = 256;
/** A socket on which nothing moves for so long is closed; building the largest documents takes less. */
const IDLE_MS = 600_000;

/** Listens. Throws `StorageError` when the address cannot be listened on. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { root, hide = [], hosts = [], watchIntervalMs } = options;
  const watch = new RootWatch(root, watchIntervalMs);
  const status = (): Status => {
    watch.check(STATUS_LOOK_MS);
    const now = options.status?.() ?? staticStatus();
    return { ...now, last_refresh: Math.max(now.last_refresh, watch.lastRefreshMs) };
  };
  const served: Served = {
    ...{ root, hide, documents: new Documents(root), page: readPageFiles() },
    ...{ watch, status, searching: false },
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    void answer(request, response, served, hosts, options.onError);
  };
  const server = createServer(LIMITS, onRequest);
  server.on('checkExpectation', onRequest); // An expectation need not be met; an answer of ours is.
  server.on('clientError', refuseUnread);
  server.on('connect', (_, socket) =>
    refuseOn(socket as Socket, '405 Method Not Allowed', METHODS, ONLY_READING),
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(IDLE_MS);
  const address = await listening(server, options.address);
  watch.start();
  return {
    address,
    watch,
    close: () => {
      watch.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** The page asks for the status every second; so often is the root looked at for it. */
const STATUS_LOOK_MS = 1000;

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
  hosts: readonly string[],
  onError: ServerOptions['onError'],
): Promise<void> {
  const { authority, path, query } = targetOf(request.url ?? '');
  const exchange = new Exchange(request, response, new URLSearchParams(query));
  try {
    check(request, authority, hosts);
    const route = routeOf(path);
    if (route !== undefined) await HANDLERS[route.name](exchange, route.given, served);
    else if (path.startsWith('/api/')) throw new Refusal(404, 'not found');
    else exchange.text('not found\n', 'text/plain; charset=utf-8', 404);
  } catch (cause) {
    if (exchange.signal.aborted) return; // Nobody is there to be told.
    const refusal = refusalOf(cause);
    // A refusal is meant, also that of a server that is busy; what went wrong inside is not.
    if (refusal !== cause && refusal.status >= 500) onError?.(path, cause);
    // An answer that has begun cannot become another; cut off, it shows that it is not whole.
    if (response.headersSent) response.destroy();
    else exchange.refuse(refusal);
  }
}

/** What is no request gets the answer that says so, and nothing more is read. */
function refuseUnread({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  const [status, error] = UNREAD[code ?? ''] ?? NO_REQUEST;
  refuseOn(socket as Socket, status, {}, error);
}

const NO_REQUEST = [
  '400 Bad Request',
  'view: this is no HTTP request that can be read, or of a method nobody knows; only GET and HEAD are answered',
] as const;

const UNREAD: Readonly<Record<string, readonly [status: string, error: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'view: the headers are longer than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'view: the request did not come in time'],
};

/** An answer to what has no exchange; the connection ends with it. */
function refuseOn(
  socket: Socket,
  status: string,
  more: Readonly<Record<string, string>>,
  error: string,
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error });
  const length = String(Buffer.byteLength(body));
  const own = { 'Content-Type': JSON_TYPE, 'Content-Length': length, 'Cache-Control': 'no-store' };
  const headers = Object.entries({ ...ALWAYS, ...more, ...own, Connection: 'close' });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => {}); // Who does not take the answer is gone.
  // Nobody else watches over a socket that was handed out.
  socket.setTimeout(LIMITS.keepAliveTimeout, () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}

const METHODS = { Allow: 'GET, HEAD' };
const ONLY_READING = 'view: only GET and HEAD';

function check(
  { headersDistinct, method }: IncomingMessage,
  authority: string | undefined,
  hosts: readonly string[],
): void {
  const [host = '', ...others] = headersDistinct.host ?? [];
  if (host === '') throw new Refusal(400, 'view: no Host header');
  if (others.length > 0) throw new Refusal(400, 'view: more than one Host header');
  if (![host, authority ?? host].every((name) => isAllowedHost(name, hosts)))
    throw new Refusal(403, 'view: this host name is not served; list it under view.hosts to allow it');
  if (method !== 'GET' && method !== 'HEAD')
    throw new Refusal(405, ONLY_READING, { ...METHODS, Connection: 'close' });
}

/** What is asked for. `authority`: whom a target in its absolute form, as proxies are sent it, names beside the header. */
function targetOf(url: string): {
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string;
} {
  const absolute = /^http:\/\/([^/?#]*)(.*)$/is.exec(url);
  const [path = '', query = ''] = splitOnce(absolute?.[2] ?? url, '?');
  return { authority: absolute?.[1], path: absolute !== null && path === '' ? '/' : path, query };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
