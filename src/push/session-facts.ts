import type { Instant } from '../format/time.js';
import type { ListedSession } from './files-in-order.js';
import { type Identity, serviceOf } from './identity.js';
import { later, latestTimeIn } from './record-times.js';

/** What a pass has to know of whole sessions, found out once and only when it is asked for. */
export class SessionFacts {
  readonly #identity: Identity;
  readonly #sessions: ReadonlyMap<string, ListedSession>;
  readonly #services = new Map<string, string>();
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

  /** The latest record time in any landed file of a session, sent or not; `undefined` when there is none. */
  through(session: string): Instant | undefined {
    if (this.#through.has(session)) return this.#through.get(session);
    const through = this.#filesOf(session)
      .map(({ path }) => latestTimeOf(path))
      .filter((time) => time !== undefined)
      .reduce<Instant | undefined>(
        (latest, time) => (latest === undefined ? time : later(latest, time)),
        undefined,
      );
    this.#through.set(session, through);
    return through;
  }

  #filesOf(session: string): ListedSession['files'] {
    return this.#sessions.get(session)?.files ?? [];
  }
}

function latestTimeOf(path: string): Instant | undefined {
  try {
    return latestTimeIn(path);
  } catch {
    return undefined; // Sending the file says what is wrong with it.
  }
}
