import { causeText } from '../format/errors.js';
import { NotTaken, Throttled } from './answer.js';
import type { Queued } from './batch.js';
import type { PushState } from './push-state.js';
import { Sender, type SenderOptions, Stopped } from './sender.js';

/** What came of the requests of a pass. */
export interface DeliveryCounts {
  /** Recorded as sent. */
  readonly files: number;
  /** Records that the receiver took a request without. */
  readonly rejected: number;
  readonly requests: number;
  /** Of the requests, encoded, also those that failed. */
  readonly wire: number;
  readonly pausedMs: number;
  /** The receiver asked to be left alone for so long; 0 when it did not say; `undefined` when it did not ask. */
  readonly throttledMs: number | undefined;
}

/** So many, one after the other, and the receiver is taken for one that refuses whatever it gets. */
const MAX_REFUSED_IN_A_ROW = 50;

/**
 * The requests of a pass, one at a time, each noted down once it was taken; whoever begins one may go on meanwhile
 * (export spec 3, 8). What fails is told to `failed`, a line for each request or file.
 */
export class Delivery {
  readonly #options: SenderOptions;
  readonly #sender: Sender;
  readonly #state: PushState;
  readonly #failed: (words: string) => void;
  readonly #counts = { files: 0, rejected: 0 };
  #throttledMs: number | undefined;
  /** Whether `push.state` could not be saved last: told once, and not after each request. */
  #isUnsaved = false;
  /** Files that were refused one by one since a receiver took any. */
  #refusedInARow = 0;
  /** Gives what it met that is no failure of a request. */
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(options: SenderOptions, state: PushState, failed: (words: string) => void) {
    this.#options = options;
    this.#sender = new Sender(options);
    this.#state = state;
    this.#failed = failed;
  }

  /** Whether nothing more is sent in this pass. */
  get isOver(): boolean {
    return this.#throttledMs !== undefined || this.#options.signal.aborted;
  }

  get counts(): DeliveryCounts {
    const { requests, wire, pausedMs } = this.#sender;
    return { ...this.#counts, requests, wire, pausedMs, throttledMs: this.#throttledMs };
  }

  /** Begins a request with these files; their memory is theirs until it has `arrived`, and no other may begin before. */
  begin(files: readonly Queued[]): void {
    this.#underWay = this.#deliver(files).then(
      () => undefined,
      (cause: unknown) => cause,
    );
  }

  /** Waits for the request under way. Throws what it met that the others would meet too. */
  async arrived(): Promise<void> {
    const cause = await this.#underWay;
    if (cause !== undefined && !(cause instanceof Stopped)) throw cause;
  }

  /** Waits likewise, and closes the connection. */
  async end(): Promise<void> {
    try {
      await this.arrived();
    } finally {
      this.#sender.close();
    }
  }

  /** Sends files in one request, and one by one when the receiver finds fault with what is in that. */
  async #deliver(files: readonly Queued[]): Promise<void> {
    const refusal = await this.#attempt(files);
    if (refusal === undefined) return;
    const isContent = refusal instanceof NotTaken && refusal.isContent;
    if (isContent && files.length > 1) await this.#singleOut(files, refusal);
    else this.#failed(`${namesOf(files)}: ${refusal.message}`);
  }

  /** Names each file that is refused; not without end for a receiver that refuses all. */
  async #singleOut(files: readonly Queued[], refusal: Error): Promise<void> {
    for (const [at, file] of files.entries()) {
      if (this.isOver) return;
      if (this.#refusedInARow === MAX_REFUSED_IN_A_ROW) {
        this.#failed(`${namesOf(files.slice(at))}: ${refusal.message}`);
        return;
      }
      const why = await this.#attempt([file]);
      if (why === undefined) continue;
      this.#refusedInARow++;
      this.#failed(`${file.path}: ${why.message}`);
    }
  }

  /** One request. Gives why it was not taken, or `undefined` when it was. Throws `Stopped`. */
  async #attempt(files: readonly Queued[]): Promise<NotTaken | Throttled | undefined> {
    try {
      this.#record(files, await this.#sender.send(files));
      return undefined;
    } catch (cause) {
      if (cause instanceof Throttled) this.#throttledMs = cause.waitMs;
      if (cause instanceof Throttled || cause instanceof NotTaken) return cause;
      throw cause;
    }
  }

  #record(files: readonly Queued[], rejected: number): void {
    const { receiver, now } = this.#options;
    const sent = files.map(({ path, digest }) => [path, digest] as const);
    this.#state.record(sent, receiver.endpoint, rejected > 0);
    this.#refusedInARow = 0;
    this.#counts.files += files.length;
    this.#counts.rejected += rejected;
    try {
      this.#state.save(now());
      this.#isUnsaved = false;
    } catch (cause) {
      if (!this.#isUnsaved) this.#failed(causeText(cause));
      this.#isUnsaved = true;
    }
  }
}

function namesOf(files: readonly Queued[]): string {
  const others = files.length - 1;
  return `${files[0]!.path}${others === 0 ? '' : ` and ${others} more`}`;
}
