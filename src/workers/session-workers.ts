/**
 * Sessions are independent, so a whole root is worked on by several threads, one session each at a time. How many
 * changes neither what is written nor the order of what is printed.
 */
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { AszError, causeText, LockedError } from '../format/errors.js';
import { inOrderOfWork, perform, type Task, type TaskResults } from './tasks.js';
import type { Answer } from './worker.js';

/** How a task ended. A session that fails never stops the others. */
export type Outcome<R> = { readonly result: R } | { readonly error: Error };

export interface WorkOptions<T extends Task = Task> {
  /** Sessions in flight; by default one per processor. 1: everything happens in this thread, unless it is `apart`. */
  readonly jobs?: number | undefined;
  /** Even a single task goes to a thread: this one has others to answer meanwhile. */
  readonly apart?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of every task that ended, in the order of ending. */
  readonly onDone?: (done: number, task: T) => void;
}

/**
 * Performs tasks, those with most to read first. The outcomes stand in the order of the tasks. Once the signal is
 * aborted no task is begun, and those that were not end with its `AbortError`; what is under way is finished.
 */
export async function performAll<T extends Task>(
  tasks: readonly T[],
  options: WorkOptions<T> = {},
): Promise<Outcome<TaskResults[T['kind']]>[]> {
  const jobs = Math.min(options.jobs ?? availableParallelism(), tasks.length);
  const threads: Thread[] = [];
  const started = (): Thread => threads[threads.push(new Thread()) - 1]!;
  const idle = jobs > 1 || options.apart === true ? Array.from({ length: jobs }, started) : [];
  let done = 0;
  const one = async (task: T): Promise<Outcome<TaskResults[T['kind']]>> => {
    const thread = idle.pop();
    try {
      // Work in this thread never waits, and a signal is only heard while it does.
      if (thread === undefined) await setImmediate();
      options.signal?.throwIfAborted();
      const result = thread === undefined ? await perform(task) : await thread.perform(task);
      return { result: result as TaskResults[T['kind']] };
    } catch (cause) {
      return { error: wordedAsFromThread(cause) };
    } finally {
      // A thread that died takes no more tasks; the others take over.
      if (thread?.isAlive === true) idle.push(thread);
      else if (thread !== undefined) idle.push(started());
      options.onDone?.(++done, task);
    }
  };
  try {
    const outcomes: Outcome<TaskResults[T['kind']]>[] = new Array(tasks.length);
    await pLimit(Math.max(1, jobs)).map(inOrderOfWork(tasks), async (i) => {
      outcomes[i] = await one(tasks[i]!);
    });
    return outcomes;
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
}

class Thread {
  readonly #worker = new Worker(new URL('./worker.js', import.meta.url));
  isAlive = true;
  /** The task under way, settled by the worker's answer or its death. */
  #pending: { resolve(value: unknown): void; reject(cause: Error): void } | undefined;

  constructor() {
    this.#worker.on('message', (answer: Answer) => {
      if ('result' in answer) this.#settle()?.resolve(answer.result);
      else this.#settle()?.reject(revived(answer.error));
    });
    this.#worker.on('error', (cause) => {
      this.isAlive = false;
      this.#settle()?.reject(cause);
    });
    this.#worker.on('exit', (code) => {
      this.isAlive = false;
      this.#settle()?.reject(
        new AszError('WORKER', `a worker thread ended with code ${code}; run again with --jobs 1`),
      );
    });
  }

  perform(task: Task): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#worker.postMessage(task);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle() {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }
}

/**
 * An error of this thread in the words that would come back from another, so that they do not depend on how many
 * there are. That a task was not begun is no such error.
 */
function wordedAsFromThread(cause: unknown): Error {
  if (cause instanceof AszError || (cause instanceof Error && cause.name === 'AbortError')) return cause;
  return new Error(causeText(cause), { cause });
}

/** An error from a worker as one of this thread's: busy stays busy. */
function revived({ code, message, stack }: { code: string; message: string; stack: string }): Error {
  const error =
    code === 'LOCKED'
      ? new LockedError(message)
      : code === 'INTERNAL'
        ? new Error(message)
        : new AszError(code, message);
  error.stack = stack;
  return error;
}
