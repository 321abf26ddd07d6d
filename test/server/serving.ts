/** A server in a test: started on a free port, asked with raw requests, closed when the test ends. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/http-server.js';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers as they are
  json(): any;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Served extends RunningServer {
  /** Asks for a path as it is written: nothing is normalised. */
  ask(path: string, options?: Ask): Promise<Answer>;
}

export async function serving(
  t: TestContext,
  root: string,
  options: Partial<ServerOptions> = {},
): Promise<Served> {
  const server = await startServer({
    ...{ root, address: { host: '127.0.0.1', port: 0 }, watchIntervalMs: 60_000 },
    ...options,
  });
  t.after(() => server.close());
  return { ...server, ask: (path, how) => ask(server, path, how) };
}

async function ask(
  { address }: RunningServer,
  path: string,
  { method = 'GET', headers = {} }: Ask = {},
): Promise<Answer> {
  const { host, port } = address;
  return new Promise((resolve, reject) => {
    const asking = request({ host, port, path, method, headers, agent: false }, (response) => {
      text(response).then((body) => {
        const { statusCode, headers } = response;
        resolve({ status: statusCode!, headers, body, json: () => JSON.parse(body) });
      }, reject);
    });
    asking.on('error', reject);
    asking.end();
  });
}
