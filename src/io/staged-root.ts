/**
 * A storage root that is made beside its final name and gets it when it is complete: nobody meets half of it, and
 * a failure or a kill leaves the name free for the next try.
 *
 *     <parent>/.asz-<name>/.lock   held while it is made
 *     <parent>/.asz-<name>/root/   becomes <parent>/<name>
 */
import { basename, dirname, join } from 'node:path';
import { causeText, StorageError } from '../format/errors.js';
import { directoryEntries } from './directory-entries.js';
import { lstatSync } from './file-system.js';
import { makeFolder, makeNewFolder, moveFolder, removeFolder } from './folders.js';
import { type Lock, takeLock } from './lock.js';

export class StagedRoot {
  /** Where it is made. */
  readonly path: string;
  readonly #folder: string;
  readonly #destination: string;
  readonly #lock: Lock;

  /**
   * Begins a root that is to become `destination`, an absolute path. What a killed process left of an earlier try
   * is removed. Throws `LockedError` with `busyText` while another process makes the same root, and
   * `StorageError` when it cannot be begun.
   */
  constructor(destination: string, busyText: string) {
    this.#destination = destination;
    this.#folder = join(dirname(destination), `.asz-${basename(destination)}`);
    this.path = join(this.#folder, 'root');
    try {
      refuseForeign(this.#folder);
      makeFolder(this.#folder);
    } catch (cause) {
      throw failure('make', this.#folder, cause);
    }
    this.#lock = takeLock(join(this.#folder, LOCK), busyText);
    try {
      removeFolder(this.path);
      makeNewFolder(this.path);
    } catch (cause) {
      this.#lock.release();
      throw failure('make', this.path, cause);
    }
  }

  /** Gives it its name, which must be free or an empty folder's. Throws `StorageError`; it can then be discarded. */
  publish(): void {
    try {
      moveFolder(this.path, this.#destination);
    } catch (cause) {
      throw failure('publish', this.#destination, cause);
    }
    this.discard();
  }

  /** Ends the work because of a failure, removes what was made, and throws the failure on. */
  fail(cause: unknown): never {
    try {
      this.discard();
    } catch (second) {
      const words = `${causeText(cause)}; and then ${this.#folder} could not be removed: ${causeText(second)}`;
      throw new AggregateError([cause, second], words);
    }
    throw cause;
  }

  /** Ends the work and removes what was not published. */
  discard(): void {
    try {
      removeFolder(this.path);
      // While the lock is held: after that it may be another's. Windows removes no open file; an empty folder stays.
      if (process.platform !== 'win32') removeFolder(this.#folder);
    } finally {
      this.#lock.release();
    }
  }
}

const LOCK = '.lock';

/** Its content will be removed, so it must be nothing but ours. */
function refuseForeign(folder: string): void {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) throw new Error('it is there and is not a directory; remove it');
  const foreign = directoryEntries(folder).find(({ name }) => name !== LOCK && name !== 'root');
  if (foreign !== undefined) throw new Error(`it is there and holds ${foreign.name}; move it away`);
}

function failure(what: string, path: string, cause: unknown): StorageError {
  return new StorageError(`storage: ${what} ${path}: ${causeText(cause)}`, { cause });
}
