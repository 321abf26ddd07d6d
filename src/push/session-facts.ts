import { join } from 'node:path';
import { Members } from '../format/json-members.js';
import { parseJson } from '../format/json-text.js';
import { compareInstants, type Instant, isNoTime, parseTime } from '../format/time.js';
import { readFirstLine } from '../io/first-line.js';
import { readRegularFile } from '../io/small-file.js';
import { type LandedFile, roundsFolder } from '../io/storage-root.js';
import { MAX_FILE_BYTES } from './batch.js';
import { landedFilesOf, namesOfRounds } from './files-in-order.js';
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

  /** Lists the landed files of a session that are sent, by sequence. Throws as `listLandedFiles` does. */
  files(session: string): readonly LandedFile[] {
    this.#current = { session, files: this.#listed(session), times: new Map() };
    return this.#current.files;
  }

  /** The service of a session, also of one that is not in the root. */
  service(session: string): string {
    return known(this.#services, session, () => serviceOf(this.#identity, this.#of(session).files));
  }

  /** The range of the times in a landed file of a session, whose bytes are at hand. */
  times(session: string, path: string, bytes: Buffer): TimeRange | undefined {
    return known(this.#of(session).times, path, () => recordTimes(bytes));
  }

  /**
   * The latest record time in any landed file of a session, sent or not; `undefined` when there is none. What its head
   * round was built from is not read for it: that says itself what its latest time is (sf/1, `session_through_time`).
   */
  through(session: string): Instant | undefined {
    return known(this.#through, session, () => {
      const { files, times } = this.#of(session);
      const read = reader();
      const head = headOf(this.#root, session);
      return files
        .filter(({ seq }) => seq > head.throughSeq)
        .map(({ path }) => known(times, path, () => recordTimes(read(path)))?.through)
        .reduce(later, head.through);
    });
  }

  #of(session: string): CurrentSession {
    if (session !== this.#current.session) this.files(session);
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

/** How far the head round of a session's chain reaches, and the latest time in what it was built from. */
interface Head {
  readonly throughSeq: number;
  readonly through: Instant | undefined;
}

const NO_HEAD: Head = { throughSeq: 0, through: undefined };

function headOf(root: string, session: string): Head {
  try {
    const name = namesOfRounds(root, session).at(-1);
    if (name === undefined) return NO_HEAD;
    const header = new Members(parseJson(readFirstLine(join(roundsFolder(root, session), name))));
    const through = parseTime(header.text('session_through_time'));
    const isHead = header.text('t') === 'header' && header.text('session') === session && !isNoTime(through);
    return isHead ? { throughSeq: header.natural('through_seq'), through } : NO_HEAD;
  } catch {
    return NO_HEAD; // Sending the round says what is wrong with it.
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
