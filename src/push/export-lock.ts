import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { LockedError } from '../format/errors.js';
import { type Lock, takeLock } from '../io/lock.js';
import { refuseLink } from '../io/storage-root.js';

export const EXPORT_BUSY = 'storage: the export state is held by another pusher';

const POLL_MS = 100;

/**
 * Takes the lock of the one who pushes a root, trying again for `waitMs`. Throws `LockedError` when another has it until
 * then, and as `takeLock` does.
 */
export async function takeExportLock(root: string, waitMs: number, signal: AbortSignal): Promise<Lock> {
  const folder = join(root, '_export');
  refuseLink(folder);
  for (const until = performance.now() + waitMs; ; ) {
    try {
      return takeLock(join(folder, '.lock'), EXPORT_BUSY);
    } catch (cause) {
      if (!(cause instanceof LockedError) || performance.now() + POLL_MS > until) throw cause;
      await setTimeout(POLL_MS, undefined, { signal });
    }
  }
}
