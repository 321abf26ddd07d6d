/**
 * Received files put into a storage root: under the locks of their sessions and chains, without replacing anything, and
 * lasting when it is said that they are there (export spec 14).
 */
import { dirname, join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { AszError, isErrno, LockedError, StorageError } from '../format/errors.js';
import { compareCodePoints } from '../format/json-text.js';
import { directoryEntries } from '../io/directory-entries.js';
import { lstatSync, rmSync } from '../io/file-system.js';
import { CHAIN_BUSY, type Lock, SESSION_BUSY, takeLock } from '../io/lock.js';
import { makeFolderLast, publishNew } from '../io/publish.js';
import { readRegularFile, UnfitFileError } from '../io/small-file.js';
import {
  conversationLockFile,
  listLandedFiles,
  refuseChainLinks,
  refuseLink,
  refuseSessionLinks,
  roundsFolder,
  sessionFolder,
  sessionLockFile,
} from '../io/storage-root.js';
import { Twins } from '../io/twins.js';
import { Misfit, type ReceivedFile } from './received-file.js';

/** What became of a file: it is new, it was there with the same bytes, or it does not fit what is there. */
export type Stored = 'new' | 'repeat' | Misfit;

type Landed = Extract<ReceivedFile, { kind: 'landed' }>;
type Round = Extract<ReceivedFile, { kind: 'round' }>;

/**
 * Stores files and gives what became of each, in their order. Throws `StorageError` when the disk does not do it, and
 * `LockedError` when a session or a chain stays locked for `lockMs`; what was stored by then stays.
 */
export async function storeFiles(
  root: string,
  files: readonly ReceivedFile[],
  lockMs: number,
): Promise<Stored[]> {
  const stored = new Map<ReceivedFile, Stored>();
  const landed = files.filter((file) => file.kind === 'landed');
  const rounds = files.filter((file) => file.kind === 'round');
  const sessions = new Names(root);
  for (const [session, group] of grouped(landed, (file) => file.session)) {
    const folder = sessionFolder(root, session);
    const open = () => {
      sessions.claim(session);
      refuseSessionLinks(folder);
    };
    const lock = () => takeOwn(sessionLockFile(root, session), SESSION_BUSY);
    await under(group, stored, lockMs, open, lock, () => landing(root, folder));
  }
  const conversations = new Names(join(root, '_conversations'));
  for (const [conversation, group] of grouped(rounds, (file) => file.conversation)) {
    const folder = roundsFolder(root, conversation);
    const open = () => {
      conversations.claim(conversation);
      refuseChainLinks(folder);
    };
    const lock = () => takeOwn(conversationLockFile(root, conversation), CHAIN_BUSY);
    const place = ({ name, bytes }: Round) => placed(root, join(folder, name), bytes);
    await under(group, stored, lockMs, open, lock, () => place);
  }
  return files.map((file) => stored.get(file)!);
}

/**
 * Files of one session or chain, under its lock. `open` refuses them all, `begin` gives what stores one. What `open`
 * looks at is looked at again with each try for the lock, which makes the directory: nothing comes between the two.
 */
async function under<F extends ReceivedFile>(
  files: readonly F[],
  stored: Map<ReceivedFile, Stored>,
  lockMs: number,
  open: () => void,
  take: () => Lock,
  begin: () => (file: F) => Stored,
): Promise<void> {
  let lock: Lock | undefined;
  try {
    const opened = () => {
      open();
      return take();
    };
    lock = await patiently(opened, lockMs);
    const store = begin();
    for (const file of files) {
      stored.set(
        file,
        fitting(() => store(file)),
      );
      await setImmediate(); // Others have their turn between two waits for the disk.
    }
  } catch (cause) {
    const misfit = misfitOf(cause);
    for (const file of files) stored.set(file, misfit);
  } finally {
    lock?.release();
  }
}

/** A lock whose refusal says so when another request of this process has it. */
function takeOwn(path: string, busyText: string): Lock {
  const lock = takeLock(path, held.has(path) ? OWN_BUSY : busyText);
  held.add(path);
  return {
    release() {
      held.delete(path);
      lock.release();
    },
  };
}

const held = new Set<string>();
const OWN_BUSY = 'storage: another request is still storing files of this session';

async function patiently(take: () => Lock, lockMs: number): Promise<Lock> {
  for (const until = performance.now() + lockMs; ; await setTimeout(POLL_MS))
    try {
      return take();
    } catch (cause) {
      if (!(cause instanceof LockedError) || performance.now() > until) throw cause;
    }
}

const POLL_MS = 100;

/** Stores files of one session, which holds each sequence once. */
function landing(root: string, folder: string): (file: Landed) => Stored {
  const landed = listLandedFiles(folder).filter(({ path }) => !isEmptyFile(path));
  const names = new Map(landed.map(({ seq, name }) => [seq, name]));
  const twins = new Map<string, Names>();
  return ({ place, id, name, seq, bytes }) => {
    const above = join(folder, place);
    const ids = twins.get(place) ?? new Names(above);
    twins.set(place, ids);
    ids.claim(id);
    refuseLink(join(above, id));
    const other = names.get(seq);
    if (other !== undefined && other !== name)
      throw new Misfit(`sequence ${seq} is there already, as ${other}`);
    const stored = placed(root, join(above, id, name), bytes);
    names.set(seq, name);
    return stored;
  };
}

/** The names in a folder, whatever they name; another writer may add some at any time. */
class Names {
  readonly #folder: string;
  readonly #known = new Set<string>();
  readonly #twins = new Twins();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws `Misfit` for a name with a twin. One that was there at an earlier look has none. */
  claim(name: string): void {
    if (this.#known.has(name)) return;
    const present = directoryEntries(this.#folder).map((entry) => entry.name);
    for (const other of present.sort(compareCodePoints)) {
      if (!this.#known.has(other) && this.#twins.firstOf(other) === undefined) this.#known.add(other);
    }
    const first = this.#twins.firstOf(name);
    if (first !== undefined)
      throw new Misfit(`${JSON.stringify(first)} is there, which some disk takes for the same name`);
  }
}

/**
 * Publishes a file; one that is there with the same bytes is a repeat, and made to last. The caller holds the lock of
 * all who publish there, so an empty file is what a kill left of a publication (storage spec 1.2), and gives way.
 */
function placed(root: string, path: string, bytes: Buffer): Stored {
  if (isEmptyFile(path)) rmSync(path, { force: true });
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    publishNew(path, bytes, { root });
    return 'new';
  }
  if (!isSame(path, bytes)) throw new Misfit('another file is there under its name, and stays');
  makeFolderLast(dirname(path), root);
  return 'repeat';
}

function isEmptyFile(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size === 0;
}

function isSame(path: string, bytes: Buffer): boolean {
  try {
    return readRegularFile(path, { maxBytes: bytes.length }).equals(bytes);
  } catch (cause) {
    if (cause instanceof UnfitFileError) return false; // Larger, or no file.
    throw cause;
  }
}

function fitting(store: () => Stored): Stored {
  try {
    return store();
  } catch (cause) {
    return misfitOf(cause);
  }
}

/** What is wrong with a file or with where it would go. Everything else is thrown on: nobody knows what is stored. */
function misfitOf(cause: unknown): Misfit {
  if (cause instanceof Misfit) return cause;
  const isOfRoot = cause instanceof AszError && !(cause instanceof LockedError) && !isOfSystem(cause);
  if (isOfRoot) return new Misfit(cause.message, { cause });
  throw cause instanceof AszError ? cause : new StorageError(String(cause), { cause });
}

/**
 * Whether the system refused a call: then it is the disk's fault, and another time it may not. What stands in the way of
 * one path, such as a file where a folder must be, is that path's fault.
 */
function isOfSystem(cause: unknown): boolean {
  for (let at = cause; at instanceof Error; at = at.cause)
    if ((at as NodeJS.ErrnoException).syscall !== undefined)
      return !isErrno(at, ...IN_THE_WAY) && !isTaken(at);
  return false;
}

const IN_THE_WAY = ['ENOTDIR', 'EISDIR', 'ELOOP', 'ENXIO', 'ENAMETOOLONG'];

/** A folder that cannot be made, because something else has its name. */
function isTaken(cause: Error): boolean {
  return isErrno(cause, 'EEXIST') && (cause as NodeJS.ErrnoException).syscall === 'mkdir';
}

function grouped<F>(files: readonly F[], keyOf: (file: F) => string): Map<string, F[]> {
  const groups = new Map<string, F[]>();
  for (const file of files) {
    const group = groups.get(keyOf(file));
    if (group === undefined) groups.set(keyOf(file), [file]);
    else group.push(file);
  }
  return groups;
}
