/** Locks of sessions and chains as a receiver takes them: one that is held is waited for. */
import { setTimeout } from 'node:timers/promises';
import { LockedError } from '../format/errors.js';
import { type Lock, takeLock } from '../io/lock.js';

/**
 * Takes the lock of a file, trying until a moment of `performance.now()`, and once in any case. What `open` looks at is
 * looked at again before each try, which makes the directory: nothing of this process comes between the two. Throws
 * `LockedError` when somebody holds it to the end, what `takeLock` throws, and what `open` throws.
 */
export async function takePatiently(
  path: string,
  busyText: string,
  until: number,
  open: () => void,
): Promise<Lock> {
  for (;;) {
    open();
    try {
      return takeOwn(path, busyText);
    } catch (cause) {
      if (!(cause instanceof LockedError) || performance.now() >= until) throw cause;
    }
    await setTimeout(POLL_MS);
  }
}

const POLL_MS = 100;

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
