import { compareInstants, type Instant } from '../format/time.js';
import type { ListedSession } from './files-in-order.js';
import { type Identity, serviceOf } from './identity.js';
import { recordTimes, recordTimesIn, type TimeRange } from './record-times.js';

/** What a pass has to know of whole sessions, found out once and only when it is asked for. */
export class SessionFacts {
  readonly #identity: Identity;
  readonly #sessions: ReadonlyMap<string, ListedSession>;
  readonly #services = new Map<string, string>();
  /** Of landed files, by path. */
  readonly #times = new Map<string, TimeRange | undefined>();
  readonly #through = new Map<string, Instant | undefined>();

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

  /** The range of the times in a landed file, whose bytes are at hand. */
  times(path: string, bytes: Buffer): TimeRange | undefined {
    return this.#known(path, () => recordTimes(bytes));
  }

  /** The latest record time in any landed file of a session, sent or not; `undefined` when there is none. */
  through(session: string): Instant | undefined {
    if (this.#through.has(session)) return this.#through.get(session);
    let through: Instant | undefined;
    for (const { path } of this.#filesOf(session)) {
      const latest = this.#known(path, () => timesIn(path))?.through;
      if (latest !== undefined && (through === undefined || compareInstants(latest, through) > 0))
        through = latest;
    }
    this.#through.set(session, through);
    return through;
  }

  #known(path: string, find: () => TimeRange | undefined): TimeRange | undefined {
    if (!this.#times.has(path)) this.#times.set(path, find());
    return this.#times.get(path);
  }

  #filesOf(session: string): ListedSession['files'] {
    return this.#sessions.get(session)?.files ?? [];
  }
}

function timesIn(path: string): TimeRange | undefined {
  try {
    return recordTimesIn(path);
  } catch {
    return undefined; // Sending the file says what is wrong with it.
  }
}
