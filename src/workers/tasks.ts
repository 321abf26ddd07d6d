/**
 * What is done per session, as data that can cross to a worker thread and back. A task takes a whole session and
 * answers with small results: posting records across would eat what the second core gains.
 */
import type { Instant } from '../format/time.js';
import type { ParseReport } from '../rounds/parse-session.js';
import type { LandedReport } from '../rounds/verify-landed.js';

export type Task = ParseTask | VerifyTask;

export interface ParseTask {
  readonly kind: 'parse';
  readonly root: string;
  readonly session: string;
  readonly maxRoundBytes: number;
}

export interface VerifyTask {
  readonly kind: 'verify';
  readonly root: string;
  readonly session: string;
}

export interface TaskResults {
  parse: ParseReport[];
  verify: LandedReport;
}

/** Does a task in this thread. The modules behind it are loaded when the first of its kind comes. */
export async function perform<T extends Task>(task: T): Promise<TaskResults[T['kind']]> {
  return (await performAny(task)) as TaskResults[T['kind']];
}

async function performAny(task: Task): Promise<TaskResults[keyof TaskResults]> {
  switch (task.kind) {
    case 'parse': {
      const { parseSession } = await import('../rounds/parse-session.js');
      return parseSession(task.root, task.session, { maxBytes: task.maxRoundBytes, now });
    }
    case 'verify': {
      const { verifyLanded } = await import('../rounds/verify-landed.js');
      return verifyLanded(task.root, task.session);
    }
  }
}

/** The clock of state files. It reaches no round. */
function now(): Instant {
  return { ms: Date.now(), ns: 0 };
}
