/**
 * One pass of pushing a root: every file that was not sent before, oldest session first, in requests of so many bytes,
 * one after the other (export spec 2, 3, 8). What fails stays unsent and is for the next pass; the rest goes on.
 */
import { isUtf8 } from 'node:buffer';
import { causeText } from '../format/errors.js';
import { lstatSync } from '../io/file-system.js';
import { listSessions } from '../io/storage-root.js';
import { NotTaken, Throttled } from './answer.js';
import { Batch, type Queued } from './batch.js';
import { takeExportLock } from './export-lock.js';
import { filesInOrder, placeOf, type Sendable, sessionsByAge } from './files-in-order.js';
import { type Body, landedRecord } from './landed-record.js';
import { canBeNamed, PushState } from './push-state.js';
import { roundRecord } from './round-record.js';
import { Sender, type SenderOptions, Stopped } from './sender.js';
import { SessionFacts } from './session-facts.js';

export interface PushOptions extends SenderOptions {
  readonly root: string;
  /** The most that the files of one request have together; a larger file goes alone. */
  readonly batchBytes: number;
  /** How long to wait for another pusher of this root. */
  readonly lockMs: number;
  /** Once it is aborted, the request under way is the last. */
  readonly signal: AbortSignal;
}

export interface PushReport {
  /** Recorded as sent. */
  readonly files: number;
  /** Of the files that were queued. */
  readonly bytes: number;
  /** Of the requests, encoded, also those that failed. */
  readonly wire: number;
  readonly requests: number;
  readonly pausedMs: number;
  /** Records that the receiver took a request without. */
  readonly rejected: number;
  /** Rounds that were still being written. */
  readonly deferred: number;
  /** The receiver asked to be left alone for so long; 0 when it did not say; `undefined` when it did not ask. */
  readonly throttledMs: number | undefined;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** What an OAP takes of one file (its `maxFileBytes`). */
const WARN_BYTES = 15 * 1024 * 1024;

/**
 * Pushes what is there. Throws `StorageError` for a root that is not there or cannot be listed, `LockedError` while
 * another pushes it; everything else is in the report.
 */
export async function pushRoot(options: PushOptions): Promise<PushReport> {
  listSessions(options.root); // Says that there is no such root, before a lock makes one.
  const lock = await takeExportLock(options.root, options.lockMs, options.signal);
  try {
    const pass = new PushPass(options);
    await pass.run();
    return pass.report();
  } finally {
    lock.release();
  }
}

class PushPass {
  readonly #options: PushOptions;
  readonly #sender: Sender;
  readonly #batch: Batch;
  readonly #state: PushState;
  readonly #errors: string[] = [];
  readonly #warnings: string[] = [];
  readonly #counts = { files: 0, bytes: 0, rejected: 0, deferred: 0 };
  #throttledMs: number | undefined;
  /** Whether a refused request is sent again file by file; not once a receiver refused each file of one. */
  #singlesOut = true;

  constructor(options: PushOptions) {
    this.#options = options;
    this.#sender = new Sender(options);
    this.#batch = new Batch(options.batchBytes);
    this.#state = PushState.load(options.root, (path) => {
      this.#warnings.push(`${path} is damaged and counts as none: every file is sent again`);
    });
  }

  async run(): Promise<void> {
    const { root, identity } = this.#options;
    try {
      const sessions = sessionsByAge(root);
      const facts = new SessionFacts(identity, sessions);
      for (const file of filesInOrder(root, sessions, (cause) => this.#fail(causeText(cause)))) {
        if (this.#isOver) return;
        if (!this.#state.has(file.path)) await this.#queue(file, facts);
      }
      await this.#send();
    } catch (cause) {
      if (!(cause instanceof Stopped)) throw cause;
    } finally {
      this.#sender.close();
    }
  }

  report(): PushReport {
    const { requests, wire, pausedMs } = this.#sender;
    return {
      ...{ ...this.#counts, requests, wire, pausedMs, throttledMs: this.#throttledMs },
      ...{ errors: this.#errors, warnings: this.#warnings },
    };
  }

  get #isOver(): boolean {
    return this.#throttledMs !== undefined || this.#options.signal.aborted;
  }

  /** Reads a file into the batch, which is sent before when the file does not fit into it. */
  async #queue(file: Sendable, facts: SessionFacts): Promise<void> {
    const { path } = file;
    const place = placeOf(this.#options.root, path);
    if (!this.#batch.fits(sizeOf(place))) await this.#send();
    if (this.#isOver) return;
    try {
      if (!canBeNamed(path))
        throw new Error('its path holds white space, which push.state cannot note down; it is not sent');
      const queued = this.#queued(file, this.#batch.read(place), facts);
      if (queued === undefined) this.#counts.deferred++;
      else this.#add(queued);
    } catch (cause) {
      this.#fail(`${path}: ${causeText(cause)}`);
    }
  }

  /** The file as a record; `undefined` for a round that is still being written. */
  #queued(file: Sendable, body: Body, facts: SessionFacts): Queued | undefined {
    const { path } = file;
    const { bytes, digest } = body;
    const now = this.#options.now();
    if (!isUtf8(bytes))
      throw new Error('it is not valid UTF-8 and would arrive as something else; it is not sent');
    if (file.kind === 'landed') {
      const sessionThrough = () => facts.through(file.session);
      const times = facts.times(file.file.path, bytes);
      const record = landedRecord(body, { ...file, now, times, sessionThrough });
      return { path, digest, service: facts.service(file.session), record };
    }
    const round = roundRecord(body, { ...file, now });
    return round && { path, digest, service: facts.service(round.session), record: round.record };
  }

  #add(queued: Queued): void {
    const { length } = queued.record.body;
    this.#batch.add(queued);
    this.#counts.bytes += length;
    if (length > WARN_BYTES)
      this.#warnings.push(
        `${queued.path}: its ${length} bytes are more than the ${WARN_BYTES} that an OAP takes; it drops such a file and does not say so`,
      );
  }

  async #send(): Promise<void> {
    const { files } = this.#batch;
    if (files.length === 0 || this.#isOver) return;
    try {
      await this.#deliver(files);
    } finally {
      this.#batch.clear();
    }
  }

  /** Sends files in one request, and one by one when the receiver finds fault with what is in that. */
  async #deliver(files: readonly Queued[]): Promise<void> {
    const refusal = await this.#attempt(files);
    if (refusal === undefined) return;
    const isContent = refusal instanceof NotTaken && refusal.isContent;
    if (!isContent || files.length === 1 || !this.#singlesOut) {
      this.#fail(`${namesOf(files)}: ${refusal.message}`);
      return;
    }
    const refused: string[] = [];
    for (const file of files) {
      const why = this.#isOver ? undefined : await this.#attempt([file]);
      if (why !== undefined) refused.push(`${file.path}: ${why.message}`);
    }
    this.#singlesOut = refused.length < files.length;
    if (this.#singlesOut) this.#errors.push(...refused);
    else this.#fail(`${namesOf(files)}: ${refusal.message}`);
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
    this.#counts.files += files.length;
    this.#counts.rejected += rejected;
    try {
      this.#state.save(now());
    } catch (cause) {
      this.#fail(causeText(cause));
    }
  }

  #fail(words: string): void {
    this.#errors.push(words);
  }
}

/** 0 for what cannot be told: reading it says why. */
function sizeOf(path: string): number {
  try {
    return lstatSync(path).size;
  } catch {
    return 0;
  }
}

function namesOf(files: readonly Queued[]): string {
  const others = files.length - 1;
  return `${files[0]!.path}${others === 0 ? '' : ` and ${others} more`}`;
}
