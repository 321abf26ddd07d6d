import { causeText } from '../format/errors.js';
import type { ProtobufWriter } from '../format/protobuf-writer.js';
import type { Instant } from '../format/time.js';
import { NotTaken, rejectedOf, Throttled } from './answer.js';
import { groupsOf, type Queued } from './batch.js';
import { encodeRequest } from './encode-request.js';
import { HttpClient } from './http-client.js';
import { type Identity, resourceOf, scopeOf } from './identity.js';
import { RateCap } from './rate-cap.js';
import { blankerOf, type Receiver } from './receiver.js';

export interface SenderOptions {
  readonly receiver: Receiver;
  readonly identity: Identity;
  /** 0: no limit. */
  readonly maxBytesPerMinute: number;
  /** What one request may take. */
  readonly requestMs: number;
  readonly now: () => Instant;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Ends a pause. */
  readonly signal: AbortSignal;
}

/** It was told to stop before anything was sent. */
export class Stopped extends Error {}

/** Sends files to one receiver, a request at a time, not faster than it may, and counts what it does. */
export class Sender {
  /** Requests tried. */
  requests = 0;
  /** Bytes of those requests. */
  wire = 0;
  pausedMs = 0;
  readonly #options: SenderOptions;
  readonly #client: HttpClient;
  readonly #rate: RateCap;
  readonly #blank: (text: string) => string;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#client = new HttpClient(options.receiver, options.requestMs);
    this.#rate = new RateCap(options.maxBytesPerMinute, options.now().ms);
    this.#blank = blankerOf(options.receiver.headers);
  }

  /**
   * Sends files in one request and gives the number of records that the receiver took it without. Throws `NotTaken`,
   * `Throttled`, or `Stopped`.
   */
  async send(files: readonly Queued[]): Promise<number> {
    const { receiver, now } = this.#options;
    const { href } = receiver.url;
    const request = this.#encoded(files);
    await this.#pause(request.length);
    this.requests++;
    this.wire += request.length;
    this.#rate.take(request.length, now().ms);
    try {
      return rejectedOf(await this.#client.post(request.pieces, request.length), href, this.#blank);
    } catch (cause) {
      if (cause instanceof Throttled) this.#rate.empty(now().ms);
      if (cause instanceof NotTaken || cause instanceof Throttled) throw cause;
      throw new NotTaken(`otlp: ${href}: ${this.#blank(causeText(cause))}`, false, { cause });
    }
  }

  close(): void {
    this.#client.close();
  }

  #encoded(files: readonly Queued[]): ProtobufWriter {
    const { identity } = this.#options;
    const groups = groupsOf(files, (service) => resourceOf(identity, service));
    return encodeRequest(groups, scopeOf(identity));
  }

  async #pause(requestBytes: number): Promise<void> {
    const { now, sleep, signal } = this.#options;
    const waitMs = this.#rate.waitMs(requestBytes, now().ms);
    if (waitMs === 0) return;
    try {
      await sleep(waitMs, signal);
    } catch (cause) {
      throw signal.aborted ? new Stopped('it was told to stop', { cause }) : cause;
    }
    this.pausedMs += waitMs;
  }
}
