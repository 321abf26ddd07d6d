/**
 * What is done per session or chain, as data that can cross to a worker thread and back. A task takes whole ones
 * and answers with small results: posting records across would eat what the second core gains.
 */
import type { DiscoveredSession } from '../adapters/adapter.js';
import { AszError } from '../format/errors.js';
import type { Instant } from '../format/time.js';
import { chainBytes, sessionBytes } from '../io/storage-root.js';
import type { PassTally } from '../landing/pass-tally.js';
import type { ParseReport } from '../rounds/parse-session.js';
import type { RoundRead } from '../rounds/verify-chain.js';
import type { LandedReport } from '../rounds/verify-landed.js';

export type Task = LandTask | ParseTask | VerifyTask | RoundsTask;

/** Sessions in which something waits, to be landed one after the other. */
export interface LandTask {
  readonly kind: 'land';
  /** Its name in the configuration. */
  readonly adapter: string;
  readonly sourceRoot: string;
  readonly root: string;
  readonly maxDeltaBytes: number;
  readonly sessions: readonly DiscoveredSession[];
  /** Source bytes that wait, about. */
  readonly bytes: number;
}

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
  /** A tally for each session. */
  land: PassTally[];
  parse: ParseReport[];
  verify: LandedReport;
  rounds: RoundRead[];
}

/** The session or conversation a task is about. */
export function subjectOf(task: Exclude<Task, LandTask>): string {
  return task.kind === 'rounds' ? task.conversation : task.session;
}

/** Does a task in this thread. The modules behind it are loaded when the first of its kind comes. */
export async function perform<T extends Task>(task: T): Promise<TaskResults[T['kind']]> {
  return (await performAny(task)) as TaskResults[T['kind']];
}

async function performAny(task: Task): Promise<TaskResults[keyof TaskResults]> {
  switch (task.kind) {
    case 'land': {
      const { adapterNamed } = await import('../adapters/registry.js');
      const { collects } = await import('../adapters/adapter.js');
      const { collectSessions } = await import('../landing/collect-session.js');
      const { indexSink } = await import('../landing/index-sink.js');
      const adapter = adapterNamed(task.adapter);
      if (adapter === undefined || !collects(adapter))
        throw new AszError('ADAPTER', `no adapter ${task.adapter} collects`);
      const { sourceRoot, root: storageRoot, maxDeltaBytes, sessions } = task;
      const index = indexSink(storageRoot);
      return collectSessions({ adapter, sourceRoot, storageRoot, maxDeltaBytes, index, now }, sessions);
    }
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

/**
 * The tasks by number, in the order they are begun: those with most to read first, because all threads but one wait
 * for a large one that is begun last. Rounds come before landed files: what a round covers landed before it, also
 * while others are at work.
 */
export function inOrderOfWork(tasks: readonly Task[]): number[] {
  if (tasks.length < 2) return [...tasks.keys()];
  const sizes = tasks.map(sizeOfTask);
  const ofRounds = (i: number) => Number(tasks[i]!.kind === 'rounds');
  return [...tasks.keys()].sort((a, b) => ofRounds(b) - ofRounds(a) || sizes[b]! - sizes[a]!);
}

/** About how much there is to read, in bytes, as far as that is known without reading. */
function sizeOfTask(task: Task): number {
  if (task.kind === 'land') return task.bytes;
  return task.kind === 'rounds'
    ? chainBytes(task.root, task.conversation)
    : sessionBytes(task.root, task.session);
}

/** The clock of state files. It reaches no round. */
function now(): Instant {
  return { ms: Date.now(), ns: 0 };
}
