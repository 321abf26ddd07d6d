/** What every answer has in common: its headers, `HEAD`, and how an error is told (view spec 7.2, 7.7). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { printableJson } from '../format/json-text.js';
import type { Refusal } from '../http/refusal.js';
import type { PageFile } from './page.js';

export const JSON_TYPE = 'application/json';

export const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** A page may use what comes from here, and nothing else. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** One request and its answer. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** Aborted when whoever asked is gone. */
  readonly signal: AbortSignal;

  constructor(request: IncomingMessage, response: ServerResponse, query: URLSearchParams) {
    this.request = request;
    this.response = response;
    this.query = query;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    this.signal = gone.signal;
    for (const [name, value] of Object.entries(ALWAYS)) response.setHeader(name, value);
  }

  /** A value as JSON. */
  json(value: unknown, status = 200): void {
    this.text(printableJson(JSON.stringify(value)), JSON_TYPE, status);
  }

  page({ bytes, type }: PageFile): void {
    this.response.setHeader('Content-Security-Policy', PAGE_POLICY);
    this.#whole(bytes, type, 'no-store');
  }

  /** What a page is made of. */
  asset({ bytes, type }: PageFile): void {
    this.#whole(bytes, type, 'public, max-age=86400');
  }

  /** A whole body. It is of a moment: nobody keeps it. */
  text(body: string, type: string, status = 200): void {
    this.#whole(Buffer.from(body), type, 'no-store', status);
  }

  /** A body in pieces, kept by whoever asks under its tag. Without a length it ends when the connection says so. */
  async pieces(
    bytes: () => Iterable<Buffer>,
    { type, digest, sizeBytes }: { type: string; digest: string | undefined; sizeBytes: number | undefined },
  ): Promise<void> {
    const tag = digest === undefined ? {} : { ETag: `"${digest}"` };
    const headers = { 'Cache-Control': digest === undefined ? 'no-store' : 'no-cache', ...tag };
    if (digest !== undefined && this.#has(`"${digest}"`)) {
      this.#begin(304, headers);
      this.response.end();
      return;
    }
    this.#begin(200, { 'Content-Type': type, ...headers }, sizeBytes);
    if (this.#isHead) this.response.end();
    else await pipeline(Readable.from(bytes()), this.response);
  }

  refuse({ status, message, headers }: Refusal): void {
    for (const [name, value] of Object.entries(headers)) this.response.setHeader(name, value);
    this.json({ error: message }, status);
  }

  #whole(bytes: Buffer, type: string, cache: string, status = 200): void {
    this.#begin(status, { 'Content-Type': type, 'Cache-Control': cache }, bytes.length);
    this.response.end(this.#isHead ? undefined : bytes);
  }

  get #isHead(): boolean {
    return this.request.method === 'HEAD';
  }

  #begin(status: number, headers: Readonly<Record<string, string>>, length?: number): void {
    this.response.writeHead(
      status,
      length === undefined ? headers : { ...headers, 'Content-Length': length },
    );
  }

  /** Whether the asker has what bears this tag. */
  #has(tag: string): boolean {
    const tags = (this.request.headers['if-none-match'] ?? '').split(',').map((text) => text.trim());
    return tags.some((text) => text === '*' || text.replace(/^W\//, '') === tag);
  }
}
