/**
 * What is done per session or chain, as data that can cross to a worker thread and back. A task takes a whole session and
 * answers with small results: posting records across would eat what the second core gains.
 */
import type { Instant } from '../format/time.js';
import type { ParseReport } from '../rounds/parse-session.js';
import type { RoundRead } from '../rounds/verify-chain.js';
import type { LandedReport } from '../rounds/verify-landed.js';

export type Task = ParseTask | VerifyTask | RoundsTask;

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

/** The rounds of a chain read through, for `checkChain`. */
export interface RoundsTask {
  readonly kind: 'rounds';
  readonly root: string;
  readonly conversation: string;
}

export interface TaskResults {
  parse: ParseReport[];
  verify: LandedReport;
  rounds: RoundRead[];
}

/** The session or conversation a task is about. */
export function subjectOf(task: Task): string {
  return task.kind === 'rounds' ? task.conversation : task.session;
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
    case 'rounds': {
      const { readRounds } = await import('../rounds/verify-chain.js');
      return readRounds(task.root, task.conversation);
    }
  }
}

/** The clock of state files. It reaches no round. */
function now(): Instant {
  return { ms: Date.now(), ns: 0 };
}
