/**
 * What a question of the benchmarks is, and what it may use to answer it. A question has variants that are run in
 * turn, each time in a process of its own; among them the floor of the same bytes.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Corpus } from './corpora.js';
import type { Counters, Left } from './counting.js';

export interface Question {
  readonly name: string;
  /** The question, as a sentence for the report. */
  readonly asks: string;
  /** Whether it makes sense for a corpus; sessions, sources and size decide. */
  suits(corpus: Corpus): boolean;
  readonly variants: readonly Variant[];
}

export interface Variant {
  readonly name: string;
  /** `floor`: the least that has to happen to these bytes. The others stand beside it. */
  readonly isFloor?: boolean;
  /** Absent: every corpus that the question suits. */
  readonly suits?: (corpus: Corpus) => boolean;
  /** Runs once, in a fresh process. What is not within `timed` is preparation. */
  measure(corpus: Corpus, tools: Tools): Promise<Sample> | Sample;
}

/** What one run gave. */
export interface Sample {
  readonly ms: number;
  /** Bytes of evidence it was about, for MB/s. */
  readonly bytes?: number;
  /** Parts of the time, or numbers that do not jitter, by name. */
  readonly parts?: Readonly<Record<string, number>>;
}

export interface Tools {
  /** A folder of this run alone, on the disk of the corpora. */
  readonly scratch: string;
  timed<T>(work: () => T | Promise<T>): Promise<{ readonly ms: number; readonly result: T }>;
}

/** What the last `timed` work of a counted run took and counted. */
export interface Counted {
  readonly counters: Counters;
  /** The most memory a process took: of those that did the work, if any were started, else this one. */
  readonly maxRssBytes: number;
  /** Of all processes and threads: what a busy machine does not change. */
  readonly cpuMs: number;
}

let counted: Counted | undefined;

/** `undefined` when this process is not a counted run. */
export function lastCounted(): Counted | undefined {
  return counted;
}

/** Times work; in a counted run it also counts it. Preparation before and after is left out of both. */
export async function timed<T>(
  work: () => T | Promise<T>,
): Promise<{ readonly ms: number; readonly result: T }> {
  const own = (globalThis as { aszCounters?: Counters }).aszCounters;
  if (own !== undefined) forget(own);
  const cpu = process.cpuUsage();
  const began = performance.now();
  const result = await work();
  const ms = performance.now() - began;
  if (own !== undefined) counted = gather(own, process.cpuUsage(cpu));
  return { ms, result };
}

function forget(own: Counters): void {
  for (const name of Object.keys(own)) delete own[name];
  const folder = process.env.ASZ_COUNTERS!;
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
}

function gather(own: Counters, { user, system }: NodeJS.CpuUsage): Counted {
  const folder = process.env.ASZ_COUNTERS!;
  const counters = { ...own };
  const cpuMsOf = new Map<string, number>();
  let maxRssBytes = 0;
  for (const name of readdirSync(folder)) {
    const left = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Left;
    const [pid = ''] = name.split('-');
    cpuMsOf.set(pid, Math.max(left.cpuMs, cpuMsOf.get(pid) ?? 0));
    maxRssBytes = Math.max(maxRssBytes, left.maxRssBytes);
    for (const [counter, value] of Object.entries(left.counters))
      counters[counter] = (counters[counter] ?? 0) + value;
  }
  if (cpuMsOf.size === 0)
    return { counters, maxRssBytes: process.resourceUsage().maxRSS * 1024, cpuMs: (user + system) / 1000 };
  return { counters, maxRssBytes, cpuMs: [...cpuMsOf.values()].reduce((sum, ms) => sum + ms, 0) };
}

/** How often a variant that asks for the warm time has worked before it is timed. */
export const WARM_UPS = 5;

/**
 * A storage root with the same files as another, or some of them, by hard links: no file is ever written again in
 * place, only replaced.
 */
export function linkedRoot(from: string, { scratch }: Tools, parts: readonly string[] = []): string {
  const root = join(scratch, 'root');
  if (parts.length === 0) execFileSync('cp', ['-al', from, root]);
  for (const part of parts) {
    mkdirSync(dirname(join(root, part)), { recursive: true });
    execFileSync('cp', ['-al', join(from, part), join(root, part)]);
  }
  return root;
}

const ASZ = join(import.meta.dirname, '../src/cli/asz.js');

/** Runs the command line over a root, as a process, and gives what it took from start to end. */
export async function aszProcess(
  root: string,
  tools: Tools,
  args: readonly string[],
  { maxRoundBytes }: { readonly maxRoundBytes?: number } = {},
): Promise<Sample & { readonly stdout: string }> {
  const config = configFile(root, tools, maxRoundBytes);
  const { ms, result } = await timed(() =>
    spawnSync(process.execPath, [ASZ, ...args, '--config', config], {
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    }),
  );
  if (result.status !== 0) throw new Error(`asz ${args.join(' ')}: ${result.stderr}`);
  return { ms, stdout: result.stdout };
}

export function configFile(root: string, tools: Tools, maxRoundBytes?: number): string {
  const path = join(tools.scratch, 'asz.yaml');
  const parse = maxRoundBytes === undefined ? '' : `parse:\n  max_round_bytes: ${maxRoundBytes}\n`;
  writeFileSync(path, `storage:\n  root: ${JSON.stringify(root)}\n${parse}`);
  return path;
}

/** The shell's words for the command line, for pipes. */
export function aszWords(...args: readonly string[]): string {
  return [process.execPath, ASZ, ...args].map((word) => `'${word}'`).join(' ');
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
