/** A folder in which `asz` is tormented: its configuration, its sources, and a box that holds all it writes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { main } from '../../src/cli/main.js';
import type { Preloaded } from '../faults/preload.js';

export interface Ran {
  /** `null`: killed. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Budgets {
  readonly maxDeltaBytes?: number;
  readonly maxRoundBytes?: number;
}

const ASZ = join(import.meta.dirname, '../../src/cli/asz.js');
const PRELOAD = pathToFileURL(join(import.meta.dirname, '../faults/preload.js')).href;

/** Memory, where the system offers it as a folder: thousands of small roots are made and removed. */
const FAST = process.env.TMPDIR === undefined && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export class Place {
  readonly folder: string;
  /** Everything that asz writes is below it. */
  readonly box: string;
  readonly root: string;
  readonly sources: string;
  readonly #start: string;

  /** A place of its own, or a second one that shares the sources of a first. */
  constructor(budgets: Budgets = {}, sources?: string) {
    this.folder = mkdtempSync(join(FAST, 'asz-torture-'));
    this.box = join(this.folder, 'box');
    this.root = join(this.box, 'data');
    this.sources = sources ?? join(this.folder, 'projects');
    this.#start = join(this.folder, 'start');
    mkdirSync(this.box);
    this.configure(this.root, budgets);
  }

  configure(root: string, { maxDeltaBytes = 0, maxRoundBytes = 0 }: Budgets): void {
    const collector = { max_delta_bytes: maxDeltaBytes, interval: '1h' };
    const adapter = { name: 'claude-code-local', source_root: this.sources, exclude: [], collector };
    const config = { storage: { root }, adapters: [adapter], parse: { max_round_bytes: maxRoundBytes } };
    // JSON is YAML, and spells every path.
    writeFileSync(join(this.folder, 'asz.yaml'), JSON.stringify(config));
  }

  /** Remembers what the box holds now, as where every case begins. */
  begin(): void {
    rmSync(this.#start, { recursive: true, force: true });
    cpSync(this.box, this.#start, { recursive: true, preserveTimestamps: true });
  }

  /** Brings the box back to where every case begins. */
  reset(): void {
    rmSync(this.box, { recursive: true, force: true });
    cpSync(this.#start, this.box, { recursive: true, preserveTimestamps: true });
  }

  /** A second place that begins as this one does. */
  twin(budgets: Budgets): Place {
    const twin = new Place(budgets, this.sources);
    if (existsSync(this.#start)) {
      cpSync(this.#start, twin.#start, { recursive: true, preserveTimestamps: true });
      twin.reset();
    }
    return twin;
  }

  /** A folder whose `asz.yaml` names another root. */
  reading(root: string): string {
    const folder = join(this.folder, 'reading');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'asz.yaml'), JSON.stringify({ storage: { root } }));
    return folder;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** `asz ...argv` in this process: as a user's call, without the price of a process. `folder` holds its `asz.yaml`. */
  async here(argv: readonly string[], folder = this.folder): Promise<Ran> {
    const [stdout, stderr] = [new Collected(), new Collected()];
    const status = await main(argv, {
      stdin: Readable.from([]),
      stdout,
      stderr,
      environment: {},
      workingDirectory: folder,
      interruption: () => new AbortController().signal,
    });
    return { status, stdout: stdout.text, stderr: stderr.text };
  }

  /** `asz ...argv` as a process, with faults in it if any are given. */
  process(argv: readonly string[], faults?: Preloaded): Promise<Ran> {
    return ended(this.start(argv, faults));
  }

  /** The same, to be waited for later. */
  start(argv: readonly string[], faults?: Preloaded): ChildProcess {
    const loading = faults === undefined ? [] : ['--import', PRELOAD];
    const env = { ...process.env, ASZ_DEBUG: '', ASZ_TEST_FAULTS: JSON.stringify(faults) };
    const child = spawn(process.execPath, [...loading, ASZ, ...argv], { cwd: this.folder, env });
    child.stdin.end();
    return child;
  }
}

/** Waits for a process and gives what it said. */
export async function ended(child: ChildProcess): Promise<Ran> {
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close'),
  ]);
  return { status: status as number | null, stdout, stderr };
}

class Collected extends Writable {
  text = '';

  override _write(chunk: Buffer | string, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
