/**
 * A push, and a receiver, that end at their n-th call on a file. Whatever was lost, the next push completes: every file
 * arrives, and arrives once, unless its request was answered and not yet noted down.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Counted, type Fault, Faults, faultsOf } from '../faults/faults.js';
import type { Preloaded } from '../faults/preload.js';
import type { Misbehaving } from '../push/misbehaving.js';
import { push, sendable } from '../push/pushing.js';
import { REPOSITORY } from '../repository.js';
import { ended, Place, type Ran } from './place.js';

export interface PushCase {
  readonly form: 'failing' | 'killed';
  readonly at: number;
  readonly fault: Fault;
}

/** Several files a request, and several requests. */
const BATCH_BYTES = 20_000;

export class PushCalls {
  /** The calls of an undisturbed push, in order. */
  readonly calls: readonly Counted[];
  injected = 0;
  /** Files that came twice. */
  repeated = 0;
  readonly #place: Place;
  readonly #receiver: Misbehaving;
  readonly #files: readonly string[];
  readonly #seed: number;

  private constructor(place: Place, receiver: Misbehaving, seed: number, calls: readonly Counted[]) {
    this.#place = place;
    this.#receiver = receiver;
    this.#seed = seed;
    this.calls = calls;
    this.#files = sendable(place.root);
  }

  static async of(receiver: Misbehaving, seed: number): Promise<PushCalls> {
    const place = new Place();
    cpSync(join(REPOSITORY, 'test/golden/samples'), place.root, { recursive: true });
    const otlp = { endpoint: receiver.endpoint, batch_bytes: BATCH_BYTES };
    writeFileSync(
      join(place.folder, 'asz.yaml'),
      JSON.stringify({ storage: { root: place.root }, export: { otlp } }),
    );
    place.begin();
    const faults = new Faults({ folders: [place.box], seed });
    const calls = new PushCalls(place, receiver, seed, faults.calls);
    await calls.#undisturbed(faults);
    return calls;
  }

  cases(form: PushCase['form']): PushCase[] {
    return this.calls.flatMap((call, i) => {
      const faults: readonly Fault[] = form === 'killed' ? [{ how: 'killed' }] : faultsOf(call);
      return faults.map((fault) => ({ form, at: i + 1, fault }));
    });
  }

  /** Throws when a promise is broken. */
  async try({ form, at, fault }: PushCase): Promise<void> {
    const { name, path } = this.calls[at - 1]!;
    try {
      this.#place.reset();
      this.#receiver.forget();
      const faults = { folders: [this.#place.box], seed: this.#seed, at, fault };
      const ran =
        form === 'killed'
          ? await this.#place.process(['push'], faults)
          : await this.#here(new Faults(faults));
      if (form === 'killed') assert.equal(ran.status, null, ran.stderr);
      else assert.ok(ran.status === 0 || /^asz: \S/m.test(ran.stderr), ran.stderr);
      this.injected++;
      const answered = [...this.#receiver.files];
      const noted = notedIn(this.#place.root);
      await this.#undisturbed(new Faults({ folders: [this.#place.box], seed: this.#seed }));
      this.#arrived(answered, noted, form);
    } catch (cause) {
      throw new Error(
        `push, ${form}, call ${at} of ${this.calls.length} (${name} ${path.replace(this.#place.folder, '')}), ${JSON.stringify(fault)}; seed ${this.#seed}\n${(cause as Error).message}`,
        { cause },
      );
    }
  }

  /** A push that is killed after some milliseconds, and the next. */
  async tryAfter(ms: number): Promise<void> {
    this.#place.reset();
    this.#receiver.forget();
    const child = this.#place.start(['push']);
    const timer = setTimeout(() => child.kill('SIGKILL'), ms);
    const { status } = await ended(child);
    clearTimeout(timer);
    if (status === null) this.injected++;
    const [answered, noted] = [[...this.#receiver.files], notedIn(this.#place.root)];
    await this.#undisturbed(new Faults({ folders: [this.#place.box], seed: this.#seed }));
    this.#arrived(answered, noted, 'killed');
  }

  remove(): void {
    this.#place.remove();
  }

  async #undisturbed(faults: Faults): Promise<void> {
    const { status, stderr } = await this.#here(faults);
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    assert.deepEqual(notedIn(this.#place.root), this.#files);
    assert.deepEqual([...new Set(this.#receiver.files)].sort(), this.#files);
  }

  async #here(faults: Faults): Promise<Ran> {
    faults.install();
    try {
      return await this.#place.here(['push']);
    } finally {
      faults.uninstall();
    }
  }

  /** What came before it ended and was noted down did not come again; of the rest, at most one request did. */
  #arrived(answered: readonly string[], noted: readonly string[], form: PushCase['form']): void {
    const all = this.#receiver.files;
    const twice = all.filter((file, i) => all.indexOf(file) !== i);
    this.repeated += twice.length;
    for (const file of twice) assert.ok(!noted.includes(file), `${file} was noted down and came again`);
    if (form === 'killed') {
      const last = this.#receiver.got.find(({ records }) => records.some(({ file }) => twice.includes(file)));
      const ofLast = last?.records.map(({ file }) => file) ?? [];
      for (const file of twice)
        assert.ok(
          answered.includes(file) && ofLast.includes(file),
          `${file} came twice, and not of one request`,
        );
    }
  }
}

function notedIn(root: string): string[] {
  const path = join(root, 'push.state');
  if (!existsSync(path)) return [];
  return [...readFileSync(path, 'utf8').matchAll(/^pushed (\S+) /gm)].map(([, file]) => file!).sort();
}

const ASZ = join(import.meta.dirname, '../../src/cli/asz.js');
const PRELOAD = pathToFileURL(join(import.meta.dirname, '../faults/preload.js')).href;

/** A receiver that is killed at its n-th call, and takes with it what was not synced. */
export class ReceiveCalls {
  injected = 0;
  readonly #folder = mkdtempSync(join(tmpdir(), 'asz-torture-'));
  readonly #root = join(this.#folder, 'root');
  readonly #box = join(this.#folder, 'box');
  readonly #into = join(this.#box, 'into');
  readonly #seed: number;
  /** Of an undisturbed receiver. */
  calls = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  static async of(seed: number): Promise<ReceiveCalls> {
    const calls = new ReceiveCalls(seed);
    const countFile = join(calls.#folder, 'count');
    await calls.#push({ folders: [calls.#box], seed, countFile });
    calls.calls = Number(readFileSync(countFile, 'utf8'));
    return calls;
  }

  async try(at: number): Promise<void> {
    const fault: Fault = { how: 'killed', losing: 'all' };
    try {
      rmSync(this.#into, { recursive: true, force: true });
      await this.#push({ folders: [this.#box], at, fault, seed: this.#seed, disk: this.#box });
      // Whatever the sender was told is there is there, and whole.
      for (const file of notedIn(this.#root)) this.#isThere(file);
      for (const file of existsSync(this.#into) ? sendable(this.#into) : []) this.#isThere(file);
      await this.#push(undefined, 'goes on');
      assert.deepEqual(sendable(this.#into), sendable(this.#root));
      for (const file of sendable(this.#root)) this.#isThere(file);
    } catch (cause) {
      throw new Error(
        `receive, call ${at} of ${this.calls}; seed ${this.#seed}\n${(cause as Error).message}`,
        { cause },
      );
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #isThere(file: string): void {
    const [sent, got] = [join(this.#root, file), join(this.#into, file)];
    assert.ok(
      existsSync(got) && readFileSync(got).equals(readFileSync(sent)),
      `${file} is not there, or not whole`,
    );
  }

  /** Starts a receiver, pushes to it, and ends it unless that has happened. */
  async #push(faults: Preloaded | undefined, how: 'anew' | 'goes on' = 'anew'): Promise<void> {
    if (how === 'anew') {
      rmSync(this.#root, { recursive: true, force: true });
      cpSync(join(REPOSITORY, 'test/golden/workflow'), this.#root, { recursive: true });
      mkdirSync(this.#box, { recursive: true });
    }
    const loading = faults === undefined ? [] : ['--import', PRELOAD];
    const child = spawn(process.execPath, [...loading, ASZ, 'receive', '127.0.0.1:0', '--into', this.#into], {
      env: { ...process.env, ASZ_TEST_FAULTS: JSON.stringify(faults) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = once(child, 'close');
    const endpoint = await listening(child);
    if (endpoint !== undefined) {
      const { errors } = await push(this.#root, { endpoint, batchBytes: 1 });
      if (how === 'goes on') assert.deepEqual(errors, []);
    }
    child.kill('SIGTERM');
    const [status, signal] = await closed;
    if (signal === 'SIGKILL') this.injected++;
    else assert.equal(status, 0);
  }
}

/** Where it listens, once it says so; `undefined` when it ends before. */
async function listening(child: ChildProcess): Promise<string | undefined> {
  let said = '';
  for await (const piece of child.stdout!.iterator({ destroyOnReturn: false })) {
    said += piece;
    const endpoint = /^listening +: (http:\S+)\/v1\/logs$/m.exec(said)?.[1];
    if (endpoint === undefined) continue;
    child.stdout!.resume();
    return endpoint;
  }
  return undefined;
}
