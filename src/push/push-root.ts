/**
 * One pass of pushing a root: every file that was not sent before, oldest session first, in requests of so many bytes,
 * one after the other (export spec 2, 3, 8). What fails stays unsent and is for the next pass; the rest goes on.
 */
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { causeText } from '../format/errors.js';
import { canTravel } from '../format/otlp-path.js';
import { sweepFolder } from '../io/publish.js';
import { listSessions } from '../io/storage-root.js';
import { Batch, type Queued } from './batch.js';
import { Delivery, type DeliveryCounts } from './delivery.js';
import { encodeRecord } from './encode-request.js';
import { takeExportLock } from './export-lock.js';
import { filesInOrder, listRoot, placeOf, type Sendable } from './files-in-order.js';
import { type Body, landedRecord } from './landed-record.js';
import { PushState } from './push-state.js';
import { roundRecord, type SessionRecord } from './round-record.js';
import type { SenderOptions } from './sender.js';
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

export interface PushReport extends DeliveryCounts {
  /** Of the files that were queued. */
  readonly bytes: number;
  /** Rounds that were still being written. */
  readonly deferred: number;
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
    sweepFolder(options.root); // What pushes that were killed left of `push.state`.
    const pass = new PushPass(options);
    await pass.run();
    return pass.report();
  } finally {
    lock.release();
  }
}

/** Reading this much takes less time than a receiver needs to empty the buffers of the connection. */
const BREATH_BYTES = 512 * 1024;

/** Fills one batch while the one before is under way. */
class PushPass {
  readonly #options: PushOptions;
  readonly #state: PushState;
  readonly #delivery: Delivery;
  #batch: Batch;
  /** The other one: under way, or empty. */
  #sent: Batch;
  readonly #errors: string[] = [];
  readonly #warnings: string[] = [];
  readonly #counts = { bytes: 0, deferred: 0 };
  #readBytes = 0;

  constructor(options: PushOptions) {
    this.#options = options;
    this.#batch = new Batch(options.batchBytes);
    this.#sent = new Batch(options.batchBytes);
    this.#state = PushState.load(options.root, (path) => {
      this.#warnings.push(`${path} is damaged and counts as none: every file is sent again`);
    });
    this.#delivery = new Delivery(options, this.#state, (error) => this.#fail(error));
  }

  async run(): Promise<void> {
    const { root, identity } = this.#options;
    try {
      const listing = listRoot(root);
      const facts = new SessionFacts(root, listing.sessions, identity);
      const failed = (cause: unknown) => this.#fail(causeText(cause));
      for (const file of filesInOrder(root, listing, (session) => facts.files(session), failed)) {
        if (this.#delivery.isOver) break;
        if (!this.#state.has(file.path)) await this.#queue(file, facts);
      }
      await this.#send();
    } finally {
      await this.#delivery.end();
    }
  }

  report(): PushReport {
    return {
      ...{ ...this.#counts, ...this.#delivery.counts },
      ...{ errors: this.#errors, warnings: this.#warnings },
    };
  }

  /** Takes a file into the batch, which is sent before when it has no room for it. */
  async #queue(file: Sendable, facts: SessionFacts): Promise<void> {
    if (!this.#take(file, facts)) {
      await this.#send();
      if (!this.#delivery.isOver) this.#take(file, facts);
    }
    await this.#breathe();
  }

  /** Reads a file into the batch, or tells what is wrong with it. False when the batch has no room for it. */
  #take(file: Sendable, facts: SessionFacts): boolean {
    const { path } = file;
    try {
      if (!canTravel(path))
        throw new Error('its path holds white space, which push.state cannot note down; it is not sent');
      const body = this.#batch.read(placeOf(this.#options.root, path));
      if (body === undefined) return false;
      this.#readBytes += body.bytes.length;
      const queued = this.#queued(file, body, facts);
      if (queued === undefined) this.#counts.deferred++;
      else this.#add(queued);
    } catch (cause) {
      this.#fail(`${path}: ${causeText(cause)}`);
    }
    return true;
  }

  /** Lets the request that is under way go on. */
  async #breathe(): Promise<void> {
    if (this.#readBytes < BREATH_BYTES) return;
    this.#readBytes = 0;
    await setImmediate();
  }

  /** The file as a record; `undefined` for a round that is still being written. */
  #queued(file: Sendable, body: Body, facts: SessionFacts): Queued | undefined {
    const { path } = file;
    const { bytes, digest } = body;
    const now = this.#options.now();
    if (!isUtf8(bytes))
      throw new Error('it is not valid UTF-8 and would arrive as something else; it is not sent');
    const queued = ({ session, record }: SessionRecord) => ({
      ...{ path, digest, service: facts.service(session), bytes: bytes.length },
      record: encodeRecord(record),
    });
    if (file.kind === 'landed') {
      const { session } = file;
      const sessionThrough = () => facts.through(session);
      const times = facts.times(session, file.file.path, bytes);
      return queued({ session, record: landedRecord(body, { ...file, now, times, sessionThrough }) });
    }
    const round = roundRecord(body, { ...file, now });
    return round && queued(round);
  }

  #add(queued: Queued): void {
    const { path, bytes } = queued;
    this.#batch.add(queued);
    this.#counts.bytes += bytes;
    if (bytes > WARN_BYTES)
      this.#warnings.push(
        `${path}: its ${bytes} bytes are more than the ${WARN_BYTES} that an OAP takes; it drops such a file and does not say so`,
      );
  }

  /** Hands the batch over, once the one before has arrived, and begins another in its memory. */
  async #send(): Promise<void> {
    await this.#delivery.arrived();
    this.#sent.clear();
    if (this.#batch.files.length === 0 || this.#delivery.isOver) return;
    this.#delivery.begin(this.#batch.files);
    [this.#batch, this.#sent] = [this.#sent, this.#batch];
    await setImmediate(); // Its first bytes go out before more is read.
  }

  #fail(words: string): void {
    this.#errors.push(words);
  }
}
