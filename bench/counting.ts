/**
 * Loaded before a process (`--import`), counts what its calls of `node:fs` open and read, by what kind of file it
 * is, and how long they sync. Nothing under `src` knows of it. Only runs that are not timed are counted.
 *
 * Every process and thread leaves its counters in the folder `ASZ_COUNTERS` when it ends; a run reads its own, and
 * those of the processes it started, around the work that is measured.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { extname, join } from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';

export type Counters = Record<string, number>;

/** What a process or thread leaves behind. */
export interface Left {
  readonly maxRssBytes: number;
  /** Of the whole process, also when a thread says it. */
  readonly cpuMs: number;
  readonly counters: Counters;
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['.sd', 'landed'],
  ['.sf', 'rounds'],
  ['.bin', 'index'],
  ['.jsonl', 'source'],
]);
const counters: Counters = {};
const kindOfFd = new Map<number, string>();

function count(name: string, by: number): void {
  counters[name] = (counters[name] ?? 0) + by;
}

function kindOf(path: unknown): string | undefined {
  return typeof path === 'string' ? KINDS.get(extname(path)) : undefined;
}

// `readFileSync` needs no care: it opens and reads through the two that are replaced.
const { openSync, closeSync, readSync, fsyncSync } = fs;

fs.openSync = (...args: Parameters<typeof openSync>) => {
  const fd = openSync(...args);
  const kind = kindOf(args[0]);
  if (kind !== undefined && (args[1] === undefined || args[1] === 'r' || typeof args[1] === 'number')) {
    kindOfFd.set(fd, kind);
    count(`${kind} files opened`, 1);
  }
  return fd;
};
fs.closeSync = (fd) => {
  closeSync(fd);
  if (kindOfFd.delete(fd) && !isMainThread) leave();
};
fs.readSync = ((...args: Parameters<typeof readSync>) => {
  const read = readSync(...args);
  const kind = kindOfFd.get(args[0]);
  if (kind !== undefined) count(`${kind} bytes read`, read);
  return read;
}) as typeof readSync;
fs.fsyncSync = (fd) => {
  const began = performance.now();
  fsyncSync(fd);
  count('ms in fsync of all threads', performance.now() - began);
  count('fsyncs', 1);
};
syncBuiltinESMExports();

const folder = process.env.ASZ_COUNTERS ?? '.';
(globalThis as { aszCounters?: Counters }).aszCounters = counters;
process.on('exit', leave);

/** A thread that is terminated hears of no exit, so it leaves its counters whenever a file is closed. */
function leave(): void {
  const { maxRSS } = process.resourceUsage();
  const { user, system } = process.cpuUsage();
  const left: Left = { maxRssBytes: maxRSS * 1024, cpuMs: (user + system) / 1000, counters };
  fs.writeFileSync(join(folder, `${process.pid}-${threadId}.json`), JSON.stringify(left));
}
