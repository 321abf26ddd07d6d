/** The body of a request: bounded as it comes and as it is when it is inflated. */
import type { IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** Answers a request with an error. */
export class Refused extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Reads a body to its end, plain or gzip. Throws `Refused` for one of more than `maxBytes`, which also bounds what it
 * inflates to, and for one that does not inflate; throws what the connection met when it is cut.
 */
export async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const collected = new Collected(maxBytes);
  if (request.headers['content-encoding'] === 'gzip') {
    try {
      await pipeline(request, bounded(maxBytes), createGunzip(), collected);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code?.startsWith('Z_') === true) throw new Refused(400, 'the body does not inflate');
      throw cause;
    }
  } else await pipeline(request, collected);
  return collected.bytes();
}

/** Passes pieces on until there are too many bytes. */
function bounded(maxBytes: number) {
  return async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield piece;
    }
  };
}

class Collected extends Writable {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
  }

  override _write(piece: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#bytes += piece.length;
    this.#pieces.push(piece);
    done(this.#bytes > this.#maxBytes ? tooLarge(this.#maxBytes) : undefined);
  }

  bytes(): Buffer {
    return this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces, this.#bytes);
  }
}

function tooLarge(maxBytes: number): Refused {
  return new Refused(413, `a request may have ${maxBytes} bytes, also when it is inflated`);
}
