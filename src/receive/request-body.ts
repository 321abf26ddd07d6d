/** The body of a request: bounded as it comes and as it is when it is inflated. */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { causeText, isErrno } from '../format/errors.js';
import { Refusal } from '../http/refusal.js';

/**
 * Reads a body to its end, plain or gzip. Throws `Refusal` for one of more than `maxBytes`, which also bounds what it
 * inflates to, and for one that does not inflate; throws what the connection met when it is cut.
 */
export async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  const body = await collected(request, Buffer.allocUnsafeSlow(announced), maxBytes);
  if (request.headers['content-encoding'] !== 'gzip') return body;
  try {
    return await inflate(body, { maxOutputLength: maxBytes });
  } catch (cause) {
    if (isErrno(cause, 'ERR_BUFFER_TOO_LARGE')) throw tooLarge(maxBytes);
    throw new Refusal(400, `the body does not inflate: ${causeText(cause)}`);
  }
}

const inflate = promisify(gunzip);

/** Into memory of the announced size, so that no body is there twice; it grows for one without a size. */
async function collected(request: IncomingMessage, announced: Buffer, maxBytes: number): Promise<Buffer> {
  let body = announced;
  let bytes = 0;
  // A request whose reading ends early is left alone: it still has to be answered.
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (bytes + piece.length > maxBytes) throw tooLarge(maxBytes);
    if (bytes + piece.length > body.length) body = grown(body, bytes + piece.length, maxBytes);
    bytes += piece.copy(body, bytes);
  }
  return body.subarray(0, bytes);
}

function grown(body: Buffer, bytes: number, maxBytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * body.length, bytes), maxBytes));
  body.copy(larger);
  return larger;
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal(413, `a request may have ${maxBytes} bytes, also when it is inflated`);
}
