/** Landing in several threads: a batch of sessions is a task, and its tallies come back. */
import type { LandBatches } from '../landing/collect-root.js';
import { sessionError } from '../landing/collect-session.js';
import { emptyTally } from '../landing/pass-tally.js';
import { performAll, type WorkOptions } from '../workers/session-workers.js';

/**
 * Lands in as many threads as `how` says. A batch whose thread failed altogether is an error
 * of each of its sessions. `onDone` is told how many batches are done, and of how many.
 */
export function landByThreads(
  how: Pick<WorkOptions, 'jobs' | 'apart'>,
  onDone?: (done: number, of: number) => void,
): LandBatches {
  return async ({ adapter, sourceRoot, storageRoot, maxDeltaBytes }, batches, signal) => {
    const tasks = batches.map(({ sessions, bytes }) => ({
      ...{ kind: 'land' as const, adapter: adapter.name, sourceRoot, root: storageRoot, maxDeltaBytes },
      ...{ sessions, bytes },
    }));
    const outcomes = await performAll(tasks, {
      ...how,
      signal,
      onDone: (done) => onDone?.(done, tasks.length),
    });
    return outcomes.map((outcome, i) => {
      if ('result' in outcome) return outcome.result;
      if (outcome.error.name === 'AbortError') return [];
      return tasks[i]!.sessions.map(({ id }) => ({
        ...emptyTally(),
        errors: [sessionError(id, outcome.error)],
      }));
    });
  };
}
