import { join } from 'node:path';
import { compareCodePoints } from '../format/json-text.js';
import { formatTime, type Instant } from '../format/time.js';
import { replaceFile } from '../io/publish.js';
import { DAMAGED, formatStateLines, readStateText } from '../io/state-file.js';

/**
 * `push.state`: which files of a root were sent, and to whom (export spec 9). It is rewritten whole after every request,
 * by the one who holds the export lock.
 *
 *     schema 1
 *     updated_at 2026-09-11T10:00:00.1Z
 *     endpoint http://127.0.0.1:12800
 *     pushed s1/streams/main/transcript-20260911T095959.000000000Z-000001.sd <64 hex>
 *     rejected s1/streams/main/transcript-20260911T095959.000000000Z-000001.sd
 *     check <16 hex>
 *
 * Sent means once per root: a second receiver gets what no receiver got.
 */
export class PushState {
  readonly #path: string;
  readonly #endpoints: Set<string>;
  /** The digest of each file that was sent, by its path. */
  readonly #pushed: Map<string, string>;
  readonly #rejected: Set<string>;
  /** The keys of `#pushed`; sorted but for those that are new. */
  readonly #paths: string[];

  private constructor(path: string, { endpoints, pushed, rejected }: Told) {
    this.#path = path;
    this.#endpoints = endpoints;
    this.#pushed = pushed;
    this.#rejected = rejected;
    this.#paths = [...pushed.keys()];
  }

  /** What is saved in a root. A damaged file counts as none, and `damaged` is told its path: everything is then sent again. */
  static load(root: string, damaged: (path: string) => void): PushState {
    const path = join(root, 'push.state');
    const text = readStateText(path, MAX_BYTES);
    if (text === DAMAGED) damaged(path);
    return new PushState(path, read(typeof text === 'string' ? text : ''));
  }

  has(file: string): boolean {
    return this.#pushed.has(file);
  }

  /** A receiver took these files, by path and digest; `rejected`: without some of them, and it did not say which. */
  record(
    files: Iterable<readonly [path: string, digest: string]>,
    endpoint: string,
    rejected: boolean,
  ): void {
    this.#endpoints.add(endpoint);
    for (const [path, digest] of files) {
      if (!this.#pushed.has(path)) this.#paths.push(path);
      this.#pushed.set(path, digest);
      if (rejected) this.#rejected.add(path);
    }
  }

  /** Throws `StorageError`; what was recorded stays in memory, for the next save. */
  save(now: Instant): void {
    replaceFile(this.#path, formatStateLines(this.#lines(now)));
  }

  *#lines(now: Instant): Generator<string> {
    yield 'schema 1';
    yield `updated_at ${formatTime(now)}`;
    for (const endpoint of [...this.#endpoints].sort(compareCodePoints)) yield `endpoint ${endpoint}`;
    // Nearly sorted already, which makes it cheap.
    for (const path of this.#paths.sort(compareCodePoints)) yield `pushed ${path} ${this.#pushed.get(path)}`;
    for (const path of [...this.#rejected].sort(compareCodePoints)) yield `rejected ${path}`;
  }
}

/** Some two million files. */
const MAX_BYTES = 512 * 1024 * 1024;

/** How the receiver is named of files that were sent before receivers were. */
const UNKNOWN = 'unknown';

interface Told {
  readonly endpoints: Set<string>;
  readonly pushed: Map<string, string>;
  readonly rejected: Set<string>;
}

/** Lines of other kinds are passed over. */
function read(text: string): Told {
  const told: Told = { endpoints: new Set(), pushed: new Map(), rejected: new Set() };
  for (const line of text.split('\n')) {
    const [key, value, digest, ...more] = line.trim().split(/\s+/);
    if (value === undefined || more.length > 0) continue;
    if (key === 'pushed' && digest) told.pushed.set(value, digest);
    else if (digest !== undefined) continue;
    else if (key === 'endpoint') told.endpoints.add(value);
    else if (key === 'rejected') told.rejected.add(value);
  }
  if (told.pushed.size > 0 && told.endpoints.size === 0) told.endpoints.add(UNKNOWN);
  return told;
}
