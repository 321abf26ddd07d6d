/** The body of a request: bounded as it comes and as it is when it is inflated. */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { causeText, isErrno } from '../format/errors.js';
import { Refused } from './answer.js';

/**
 * Reads a body to its end, plain or gzip. Throws `Refused` for one of more than `maxBytes`, which also bounds what it
 * inflates to, and for one that does not inflate; throws what the connection met when it is cut.
 */
export async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const body = await collected(request, maxBytes);
  if (request.headers['content-encoding'] !== 'gzip') return body;
  try {
    return await inflate(body, { maxOutputLength: maxBytes });
  } catch (cause) {
    if (isErrno(cause, 'ERR_BUFFER_TOO_LARGE')) throw tooLarge(maxBytes);
    throw new Refused(400, `the body does not inflate: ${causeText(cause)}`);
  }
}

const inflate = promisify(gunzip);

async function collected(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  // A request whose reading ends early is left alone: it still has to be answered.
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    pieces.push(piece);
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, bytes);
}

function tooLarge(maxBytes: number): Refused {
  return new Refused(413, `a request may have ${maxBytes} bytes, also when it is inflated`);
}
