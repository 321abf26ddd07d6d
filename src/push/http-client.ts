/** One request after the other to one receiver, over a connection that is kept (export spec 8). */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setImmediate } from 'node:timers/promises';
import { PROTOBUF_TYPE } from '../format/otlp-fields.js';
import type { Receiver } from './receiver.js';

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: IncomingMessage['headers'];
  /** Its first MiB. */
  readonly body: Buffer;
  /** It came before the request had gone out: whoever sent it cannot have all of that. */
  readonly isEarly: boolean;
}

const MAX_ANSWER_BYTES = 1024 * 1024;

export class HttpClient {
  readonly #receiver: Receiver;
  readonly #timeoutMs: number;
  readonly #agent: HttpAgent;
  readonly #request: typeof httpRequest;

  /** `timeoutMs`: what one request may take in all. */
  constructor(receiver: Receiver, timeoutMs: number) {
    const isSecure = receiver.url.protocol === 'https:';
    this.#receiver = receiver;
    this.#timeoutMs = timeoutMs;
    this.#agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
    this.#request = isSecure ? httpsRequest : httpRequest;
  }

  /**
   * Posts a body, given in pieces, and reads the answer; redirects are not followed. When the promise is settled nothing
   * reads the body any more, so its memory may be used again. Throws what the connection met, or `Error` when the time is over.
   */
  async post(body: readonly Uint8Array[], length: number): Promise<Answer> {
    const { url, headers } = this.#receiver;
    const request = this.#request(url, { method: 'POST', agent: this.#agent });
    for (const [name, value] of Object.entries({ ...OURS, 'Content-Length': length, ...headers }))
      request.setHeader(name, value);
    const timer = setTimeout(() => request.destroy(new NoAnswer(this.#timeoutMs)), this.#timeoutMs);
    const closed = new Promise<void>((resolve) => request.once('close', resolve));
    try {
      const answer = await answerTo(request, body);
      // What the system has taken is told a turn of the event loop later.
      for (let turn = 0; turn < 2 && !request.writableFinished; turn++) await setImmediate();
      const isEarly = !request.writableFinished;
      // Then nobody knows what is due on the connection.
      if (isEarly) request.destroy();
      return { ...answer, isEarly };
    } catch (cause) {
      request.destroy();
      throw cause;
    } finally {
      await closed;
      clearTimeout(timer);
    }
  }

  /** Closes the connection. */
  close(): void {
    this.#agent.destroy();
  }
}

const OURS = { 'Content-Type': PROTOBUF_TYPE, 'User-Agent': 'asz' } as const;

class NoAnswer extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs / 1000}s`);
  }
}

type Read = Omit<Answer, 'isEarly'>;

function answerTo(request: ClientRequest, body: readonly Uint8Array[]): Promise<Read> {
  return new Promise((resolve, reject) => {
    const closed = () => reject(new Error('the connection was closed without an answer'));
    request.once('error', reject);
    request.once('close', closed);
    request.once('response', (response) => {
      request.off('close', closed);
      read(response).then(resolve, reject);
    });
    // Nobody asked for another protocol; what is offered instead of an answer is one that says no.
    request.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ ...headOf(response), body: Buffer.alloc(0) });
    });
    request.cork();
    for (const piece of body) request.write(piece);
    request.end();
  });
}

async function read(response: IncomingMessage): Promise<Read> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece.subarray(0, MAX_ANSWER_BYTES - bytes));
    bytes += pieces.at(-1)!.length;
    if (bytes === MAX_ANSWER_BYTES) break; // The rest is not waited for, and the connection with it given up.
  }
  return { ...headOf(response), body: Buffer.concat(pieces) };
}

function headOf({ statusCode = 0, statusMessage = '', headers }: IncomingMessage) {
  return { status: statusCode, reason: statusMessage, headers };
}
