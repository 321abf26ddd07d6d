/**
 * Locks that belong to the kernel: exclusive, taken without waiting, and gone with their holder however it dies.
 *
 * A file that names its holder cannot do this: after a SIGKILL it stays, and its process id may be somebody
 * else's by then. So the lock is on the *open file*, and what the file says is only for people.
 *
 * - Linux: Node has no `flock`, the system has the program. `flock(1)` is started with our descriptor as its
 *   third, locks the open file that both share, and ends; the lock lives as long as our descriptor.
 *   It is the same lock that a program calling `flock(2)` takes. Starting a program costs the more the more memory
 *   the process has that starts it (1.4 ms with 50 MB, 4 ms with 200), so who takes many locks takes them together:
 *   one shell then starts `flock` for each (1 ms).
 * - macOS, BSD: the flag `O_EXLOCK` of `open`. Windows: a file opened for nobody else.
 *
 * Limits. On a network file system a lock holds as far as its server makes `flock` hold (NFS on Linux: yes,
 * unless mounted with `local_lock`; many FUSE and SMB mounts: only within one machine). On Windows a busy
 * lock cannot be read, so its holder is not named. Two threads of a process exclude each other like processes.
 */
import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { causeText, isErrno, LockedError, StorageError } from '../format/errors.js';
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from './file-system.js';
import { makeFolder } from './folders.js';
import { formatState, StateFields } from './state-file.js';

/** A lock that is held. */
export interface Lock {
  /** Gives it up; the file stays. Calling it again does nothing. */
  release(): void;
}

export const SESSION_BUSY = 'storage: session is locked by another collector';
export const CHAIN_BUSY = 'storage: conversation chain is locked by another builder';

/**
 * Takes the lock of a file, making file and folder when they are missing.
 *
 * Throws `LockedError` with `busyText`, and the holder when its name can be read, while another open file has
 * it; `StorageError` when the lock cannot be taken at all, or a symbolic link stands in its place.
 */
export function takeLock(path: string, busyText: string): Lock {
  try {
    makeFolder(dirname(path));
    for (let attempt = 0; attempt < REPLACED_ATTEMPTS; attempt++) {
      const fd = openUnlessHeld(path);
      if (fd === undefined) throw new LockedError(busyText + holderText(path));
      if (isStillAt(path, fd)) return heldLock(fd);
      closeSync(fd);
    }
    throw new Error('the file is replaced again and again');
  } catch (cause) {
    if (cause instanceof LockedError || cause instanceof StorageError) throw cause;
    const words = isErrno(cause, 'ELOOP') ? 'it is a symbolic link' : causeText(cause);
    throw new StorageError(`storage: lock ${path}: ${words}`, { cause });
  }
}

/**
 * Takes the locks of many files, each as `takeLock` would, and gives for each the lock, or the error that says why
 * not. Nothing is waited for and nothing is thrown: one that is busy keeps nobody from the others.
 */
export function takeLocks(paths: readonly string[], busyText: string): (Lock | Error)[] {
  const fds = paths.length > 1 && process.platform === 'linux' ? openLockedTogether(paths) : [];
  return paths.map((path, i) => {
    const fd = fds[i];
    if (fd !== undefined && isStillAt(path, fd)) return heldLock(fd);
    if (fd !== undefined) closeSync(fd);
    try {
      return takeLock(path, busyText); // what is not had at the first go is asked for on its own, and words its refusal
    } catch (cause) {
      return cause as Error;
    }
  });
}

/**
 * An open, locked descriptor; `undefined` when somebody holds the lock. A busy file that names nobody has just been
 * let go of: a program that another thread of the holder is starting keeps a copy of the descriptor until it runs.
 */
function openUnlessHeld(path: string): number | undefined {
  for (let attempt = 0; ; attempt++) {
    const fd = openLocked(path);
    if (fd !== undefined || attempt === LETTING_GO_ATTEMPTS || holderText(path) !== '') return fd;
    Atomics.wait(SLEEPER, 0, 0, LETTING_GO_MS);
  }
}

const LETTING_GO_ATTEMPTS = 20;
const LETTING_GO_MS = 5;
const SLEEPER = new Int32Array(new SharedArrayBuffer(4));

/** Between open and lock somebody may remove the file, and a lock on a removed file excludes nobody. */
const REPLACED_ATTEMPTS = 10;

/** `O_APPEND` only keeps the flags of `a+`: the file is emptied before each write. */
const OPEN_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

/** Flags of `open` that Node does not name: BSD's O_EXLOCK and O_NONBLOCK, libuv's UV_FS_O_EXLOCK. */
const BSD_LOCK_FLAGS = 0x20 | 0x4;
const WINDOWS_LOCK_FLAG = 0x1000_0000;

const BSD_SYSTEMS = ['darwin', 'freebsd', 'openbsd', 'netbsd'];

/** An open, locked descriptor; `undefined` when the lock is busy. */
function openLocked(path: string): number | undefined {
  if (BSD_SYSTEMS.includes(process.platform)) return openUnlessBusy(path, BSD_LOCK_FLAGS, 'EAGAIN');
  if (process.platform === 'win32') return openUnlessBusy(path, WINDOWS_LOCK_FLAG, 'EBUSY', 'EPERM');
  const fd = openLockFile(path);
  try {
    if (flock(fd)) return fd;
  } catch (cause) {
    closeSync(fd);
    throw cause;
  }
  closeSync(fd);
  return undefined;
}

function openLockFile(path: string): number {
  const fd = openSync(path, OPEN_FLAGS, 0o644);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error('it is not a regular file');
}

/** For each path an open, locked descriptor, or `undefined` for whatever reason. */
function openLockedTogether(paths: readonly string[]): (number | undefined)[] {
  const fds = paths.map((path) => {
    try {
      makeFolder(dirname(path));
      return openLockFile(path);
    } catch {
      return undefined; // the caller asks again, and hears why
    }
  });
  const open = fds.filter((fd) => fd !== undefined);
  const locked = new Set(flockEach(open));
  return fds.map((fd) => {
    if (fd === undefined || locked.has(fd)) return fd;
    closeSync(fd);
    return undefined;
  });
}

function openUnlessBusy(path: string, lockFlags: number, ...busyCodes: string[]): number | undefined {
  try {
    return openSync(path, OPEN_FLAGS | lockFlags, 0o644);
  } catch (cause) {
    if (isErrno(cause, ...busyCodes)) return undefined;
    throw cause;
  }
}

/** Locks the open file behind `fd`; false when another open file has the lock. */
function flock(fd: number): boolean {
  const { status, signal, stderr, error } = spawnSync('flock', ['-n', '-x', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', fd],
    encoding: 'utf8',
  });
  if (isErrno(error, 'ENOENT'))
    throw new Error('the program flock is not on PATH; install util-linux (or busybox)', { cause: error });
  if (error !== undefined) throw error;
  if (status === 0) return true;
  // Busy says nothing; busybox answers 1 to every other failure too, but with words.
  if (status === 1 && stderr === '') return false;
  throw new Error(stderr.trim() || `flock ended with ${status ?? signal}`);
}

/** Those of the descriptors whose files are locked now. */
function flockEach(fds: readonly number[]): number[] {
  const { stdout } = spawnSync('sh', ['-c', FLOCK_EACH, 'sh', ...fds.map((_, i) => String(i + 3))], {
    stdio: ['ignore', 'pipe', 'ignore', ...fds],
    encoding: 'utf8',
  });
  return (stdout ?? '').split('\n').flatMap((n) => (n === '' ? [] : [fds[Number(n) - 3]!]));
}

/** Says which of the descriptors that are its arguments it could lock. */
const FLOCK_EACH = 'for n; do flock -n -x "$n" && echo "$n"; done';

function isStillAt(path: string, fd: number): boolean {
  const there = statSync(path, { bigint: true, throwIfNoEntry: false });
  const ours = fstatSync(fd, { bigint: true });
  return there !== undefined && there.ino === ours.ino && there.dev === ours.dev;
}

function heldLock(fd: number): Lock {
  nameHolder(fd, HOLDER);
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      nameHolder(fd, '');
      closeSync(fd);
    },
  };
}

const HOLDER = formatState(5, [
  ['pid', process.pid],
  ['host', hostname()],
]);

/** The name is a courtesy: a full disk must not keep anybody from a lock that is already held. */
function nameHolder(fd: number, text: string): void {
  try {
    ftruncateSync(fd);
    writeSync(fd, text);
  } catch {
    // The lock itself is untouched.
  }
}

function holderText(path: string): string {
  try {
    const fields = new StateFields(readFileSync(path, 'utf8'));
    const [pid, host] = [fields.count('pid'), fields.text('host')];
    return pid > 0 ? ` (held by process ${pid}${host === '' ? '' : ` on ${host}`})` : '';
  } catch {
    return ''; // Windows lets nobody read it, and a holder may be about to write it
  }
}
