import { compareInstants, type Instant } from '../format/time.js';
import { readRegularFile } from '../io/small-file.js';
import type { LandedFile } from '../io/storage-root.js';
import { MAX_FILE_BYTES } from './batch.js';
import { landedFilesOf } from './files-in-order.js';
import { type Identity, serviceOf } from './identity.js';
import { recordTimes, type TimeRange } from './record-times.js';

/** What a pass has to know of whole sessions, found out once and only when it is asked for. */
export class SessionFacts {
  readonly #root: string;
  readonly #sessions: ReadonlySet<string>;
  readonly #identity: Identity;
  readonly #services = new Map<string, string>();
  readonly #through = new Map<string, Instant | undefined>();
  /** A pass goes from session to session: the files of one are held until the next. */
  #current: CurrentSession = { session: '', files: [], times: new Map() };

  /** `sessions`: those of the root. */
  constructor(root: string, sessions: readonly string[], identity: Identity) {
    this.#root = root;
    this.#sessions = new Set(sessions);
    this.#identity = identity;
  }

  /** The landed files of a session that are sent, by sequence. Throws as `listLandedFiles` does. */
  files(session: string): readonly LandedFile[] {
    return this.#of(session).files;
  }

  /** The service of a session, also of one that is not in the root. */
  service(session: string): string {
    return known(this.#services, session, () => serviceOf(this.#identity, this.files(session)));
  }

  /** The range of the times in a landed file of a session, whose bytes are at hand. */
  times(session: string, path: string, bytes: Buffer): TimeRange | undefined {
    return known(this.#of(session).times, path, () => recordTimes(bytes));
  }

  /** The latest record time in any landed file of a session, sent or not; `undefined` when there is none. */
  through(session: string): Instant | undefined {
    return known(this.#through, session, () => {
      const { files, times } = this.#of(session);
      const read = reader();
      return files
        .map(({ path }) => known(times, path, () => recordTimes(read(path)))?.through)
        .reduce(later, undefined);
    });
  }

  #of(session: string): CurrentSession {
    if (session !== this.#current.session)
      this.#current = { session, files: this.#listed(session), times: new Map() };
    return this.#current;
  }

  /** A round may name any text as its session. */
  #listed(session: string): LandedFile[] {
    return this.#sessions.has(session) ? landedFilesOf(this.#root, session) : [];
  }
}

interface CurrentSession {
  readonly session: string;
  readonly files: readonly LandedFile[];
  /** By path. */
  readonly times: Map<string, TimeRange | undefined>;
}

function known<V>(values: Map<string, V>, key: string, find: () => V): V {
  if (!values.has(key)) values.set(key, find());
  return values.get(key)!;
}

function later(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return compareInstants(b, a) > 0 ? b : a;
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
