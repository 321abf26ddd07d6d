import { compareInstants, type Instant } from '../format/time.js';
import { readRegularFile } from '../io/small-file.js';
import { MAX_FILE_BYTES } from './batch.js';
import type { ListedSession } from './files-in-order.js';
import { type Identity, serviceOf } from './identity.js';
import { recordTimes, type TimeRange } from './record-times.js';

/** What a pass has to know of whole sessions, found out once and only when it is asked for. */
export class SessionFacts {
  readonly #identity: Identity;
  readonly #sessions: ReadonlyMap<string, ListedSession>;
  readonly #services = new Map<string, string>();
  readonly #through = new Map<string, Instant | undefined>();
  /** A pass goes from session to session: what the files of one tell is kept until the next. */
  #session = '';
  /** Of landed files, by path. */
  readonly #times = new Map<string, TimeRange | undefined>();

  constructor(identity: Identity, sessions: readonly ListedSession[]) {
    this.#identity = identity;
    this.#sessions = new Map(sessions.map((listed) => [listed.session, listed]));
  }

  /** The service of a session, also of one that is not in the root. */
  service(session: string): string {
    const known = this.#services.get(session);
    if (known !== undefined) return known;
    const service = serviceOf(this.#identity, this.#filesOf(session));
    this.#services.set(session, service);
    return service;
  }

  /** The range of the times in a landed file of a session, whose bytes are at hand. */
  times(session: string, path: string, bytes: Buffer): TimeRange | undefined {
    return this.#known(session, path, () => recordTimes(bytes));
  }

  /** The latest record time in any landed file of a session, sent or not; `undefined` when there is none. */
  through(session: string): Instant | undefined {
    if (this.#through.has(session)) return this.#through.get(session);
    const read = reader();
    let through: Instant | undefined;
    for (const { path } of this.#filesOf(session)) {
      const latest = this.#known(session, path, () => recordTimes(read(path)))?.through;
      if (latest !== undefined && (through === undefined || compareInstants(latest, through) > 0))
        through = latest;
    }
    this.#through.set(session, through);
    return through;
  }

  #known(session: string, path: string, find: () => TimeRange | undefined): TimeRange | undefined {
    if (session !== this.#session) this.#times.clear();
    this.#session = session;
    if (!this.#times.has(path)) this.#times.set(path, find());
    return this.#times.get(path);
  }

  #filesOf(session: string): ListedSession['files'] {
    return this.#sessions.get(session)?.files ?? [];
  }
}

/** Reads one file after another into the same memory; nothing for one that cannot be read. */
function reader(): (path: string) => Buffer {
  let memory = Buffer.alloc(0);
  const allocate = (size: number) => {
    if (size > memory.length) memory = Buffer.allocUnsafeSlow(size);
    return memory.subarray(0, size);
  };
  return (path) => {
    try {
      return readRegularFile(path, { maxBytes: MAX_FILE_BYTES, allocate });
    } catch {
      return Buffer.alloc(0); // Sending the file says what is wrong with it.
    }
  };
}
