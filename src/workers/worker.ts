/** A worker thread: tasks in, answers out, one at a time. */
import { parentPort } from 'node:worker_threads';
import { AszError, causeText } from '../format/errors.js';
import { perform, type Task } from './tasks.js';

/** An answer: the result, or what is left of an error once it has crossed. */
export type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: string; readonly message: string; readonly stack: string } };

parentPort?.on('message', async (task: Task) => {
  parentPort?.postMessage(await answer(task));
});

async function answer(task: Task): Promise<Answer> {
  try {
    return { result: await perform(task) };
  } catch (cause) {
    const code = cause instanceof AszError ? cause.code : 'INTERNAL';
    const stack = cause instanceof Error ? (cause.stack ?? '') : '';
    return { error: { code, message: causeText(cause), stack } };
  }
}
