/**
 * Received files put into a storage root: under the locks of their sessions and chains, without replacing anything, and
 * lasting when it is said that they are there (export spec 14).
 */
import { join, relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { LockedError } from '../format/errors.js';
import { CHAIN_BUSY, type Lock, SESSION_BUSY } from '../io/lock.js';
import { sweepTemporaries } from '../io/publish.js';
import {
  conversationFolder,
  conversationLockFile,
  listLandedFiles,
  refuseChainLinks,
  refuseLink,
  refuseSessionLinks,
  roundsFolder,
  sessionFolder,
  sessionLockFile,
} from '../io/storage-root.js';
import { ClaimedNames } from './claimed-names.js';
import { takePatiently } from './patient-lock.js';
import { isEmptyFile, misfitOf, placeFile, type Stored } from './place-file.js';
import type { ReceivedFile } from './received-file.js';
import { Misfit } from './record-values.js';

type Landed = Extract<ReceivedFile, { kind: 'landed' }>;
type Round = Extract<ReceivedFile, { kind: 'round' }>;

/** Files of one session or one chain, and how they are stored. */
interface Group<F extends ReceivedFile> {
  readonly files: readonly F[];
  /** Holds its lock, or throws why no file of it can be stored. */
  lock(until: number): Promise<Lock>;
  /** Under the lock: gives what stores one file. */
  begin(): (file: F) => Stored;
}

export interface StoreOptions {
  readonly root: string;
  /** How long sessions and chains that somebody holds are waited for, all of them together. */
  readonly lockMs: number;
  /** Whether somebody still waits for the answer. */
  readonly isAwaited: () => boolean;
}

/** Nobody waits for the answer any more. Who comes again finds what was stored by then. */
export class Abandoned extends Error {}

/**
 * Stores files and gives what became of each, in their order. When a session or a chain stays locked, the others are
 * stored all the same, and `LockedError` is thrown. Throws `Abandoned`, and what the disk met that does not do it; what
 * was stored by then stays.
 */
export async function storeFiles(
  files: readonly ReceivedFile[],
  { root, lockMs, isAwaited }: StoreOptions,
): Promise<Stored[]> {
  const until = performance.now() + lockMs;
  const stored = new Map<ReceivedFile, Stored>();
  let locked: LockedError | undefined;
  for (const store of [...landedGroups(root, files).map(storing), ...roundGroups(root, files).map(storing)])
    try {
      if (!isAwaited()) throw new Abandoned();
      await store(until, stored, isAwaited);
    } catch (cause) {
      if (!(cause instanceof LockedError)) throw cause;
      locked ??= cause;
    }
  if (locked !== undefined) throw locked;
  return files.map((file) => stored.get(file)!);
}

function storing<F extends ReceivedFile>({ files, lock, begin }: Group<F>) {
  return async (
    until: number,
    stored: Map<ReceivedFile, Stored>,
    isAwaited: () => boolean,
  ): Promise<void> => {
    let held: Lock | undefined;
    try {
      held = await lock(until);
      const store = begin();
      for (const file of files) {
        stored.set(
          file,
          fitting(() => store(file)),
        );
        await setImmediate(); // Others have their turn between two waits for the disk.
        if (!isAwaited()) throw new Abandoned();
      }
    } catch (cause) {
      const misfit = misfitOf(cause);
      for (const file of files) stored.set(file, misfit);
    } finally {
      held?.release();
    }
  };
}

function fitting(store: () => Stored): Stored {
  try {
    return store();
  } catch (cause) {
    return misfitOf(cause);
  }
}

function landedGroups(root: string, files: readonly ReceivedFile[]): Group<Landed>[] {
  const sessions = new ClaimedNames(root);
  const landed = files.filter((file) => file.kind === 'landed');
  return grouped(landed, ({ session }) => session).map(([session, group]) => {
    const folder = sessionFolder(root, session);
    const open = () => {
      sessions.claim(session);
      refuseSessionLinks(folder);
    };
    return {
      files: group,
      lock: (until) => takePatiently(sessionLockFile(root, session), SESSION_BUSY, until, open),
      begin: () => landing(root, folder),
    };
  });
}

/** Stores files of one session, which holds each sequence once. */
function landing(root: string, folder: string): (file: Landed) => Stored {
  // Landed files are written under this lock alone, so what is left of them is nobody's.
  for (const place of ['streams', 'runs']) sweepTemporaries(join(folder, place), 0);
  const landed = listLandedFiles(folder).filter(({ path }) => !isEmptyFile(path));
  const paths = new Map(landed.map(({ seq, path }) => [seq, path]));
  const ids = {
    streams: new ClaimedNames(join(folder, 'streams')),
    runs: new ClaimedNames(join(folder, 'runs')),
  };
  return ({ place, id, name, seq, bytes }) => {
    ids[place].claim(id);
    refuseLink(join(folder, place, id));
    const path = join(folder, place, id, name);
    const other = paths.get(seq);
    if (other !== undefined && other !== path)
      throw new Misfit(`sequence ${seq} is there already, as ${relative(folder, other)}`);
    const stored = placeFile(root, path, bytes);
    paths.set(seq, path);
    return stored;
  };
}

function roundGroups(root: string, files: readonly ReceivedFile[]): Group<Round>[] {
  const conversations = new ClaimedNames(join(root, '_conversations'));
  const rounds = files.filter((file) => file.kind === 'round');
  return grouped(rounds, ({ conversation }) => conversation).map(([conversation, group]) => {
    const folder = roundsFolder(root, conversation);
    const open = () => {
      conversations.claim(conversation);
      refuseChainLinks(folder);
    };
    return {
      files: group,
      lock: (until) => takePatiently(conversationLockFile(root, conversation), CHAIN_BUSY, until, open),
      begin: () => {
        // Only the lock's holder writes here.
        sweepTemporaries(conversationFolder(root, conversation), 0);
        return ({ name, bytes }) => placeFile(root, join(folder, name), bytes);
      },
    };
  });
}

function grouped<F>(files: readonly F[], keyOf: (file: F) => string): [string, F[]][] {
  const groups = new Map<string, F[]>();
  for (const file of files) {
    const group = groups.get(keyOf(file));
    if (group === undefined) groups.set(keyOf(file), [file]);
    else group.push(file);
  }
  return [...groups];
}
