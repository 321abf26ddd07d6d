/** What is answered to a request for logs: a response of the protocol, or an error in the protocol's words. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { causeText, FormatError, LockedError } from '../format/errors.js';
import { PARTIAL_SUCCESS, PROTOBUF_TYPE, RESPONSE, STATUS } from '../format/otlp-fields.js';
import { ProtobufWriter } from '../format/protobuf-writer.js';
import { Refusal } from '../http/refusal.js';
import type { Received } from './take-request.js';

/** What the sender is to do about it: 4xx is its own fault, 503 goes by. */
export function refusalOf(cause: unknown): Refusal {
  if (cause instanceof Refusal) return cause;
  if (cause instanceof FormatError) return new Refusal(400, cause.message);
  if (cause instanceof LockedError) return comeAgain(cause.message);
  return new Refusal(503, causeText(cause));
}

/** Asks the sender to come again in a moment. */
export function comeAgain(message: string): Refusal {
  return new Refusal(503, message, { 'Retry-After': '1' });
}

export function answerReceived(response: ServerResponse, received: Received): void {
  const body = successBody(received);
  writeHead(response, 200, body);
  response.end(body);
}

/**
 * Answers at once, and reads and drops what is still coming, up to `maxDropped` bytes, before it hangs up: a client that
 * is hung up on while it sends loses the answer.
 */
export function answerRefused(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, headers }: Refusal,
  maxDropped: number,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (!request.complete) response.setHeader('Connection', 'close');
  const body = statusBody(message);
  writeHead(response, status, body);
  if (request.complete || !announcesBody(request)) {
    response.end(body);
    return;
  }
  response.write(body);
  let dropped = 0;
  request.on('data', (piece: Buffer) => {
    dropped += piece.length;
    if (dropped > maxDropped) response.end();
  });
  request.once('end', () => response.end());
  request.once('error', () => request.socket.destroy());
  request.resume();
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function writeHead(response: ServerResponse, status: number, body: Buffer): void {
  response.writeHead(status, {
    ...{ 'Content-Type': PROTOBUF_TYPE, 'Content-Length': body.length },
    'X-Content-Type-Options': 'nosniff',
  });
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
