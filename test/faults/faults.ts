/**
 * Stands between a program and its files: counts the calls of the seam, and lets the n-th one fail, fall short, or be
 * the last. The calls of `node:fs` themselves are replaced, so the program under test knows nothing of it.
 *
 * Only calls on paths below the watched folders count, and on descriptors opened there. An `fsync` does not wait for
 * the disk: what it would promise is kept by a `DurableDisk`, where one is given.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve, sep } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { type Random, randomFrom } from '../random.js';
import { CALLS, type CallName } from './calls.js';
import type { DurableDisk } from './durable-disk.js';

/** What becomes of the n-th call. */
export type Fault =
  /** It fails with a code, and does nothing. */
  | { readonly how: 'fails'; readonly code: string }
  /** It reads or writes less than it was asked. */
  | { readonly how: 'short' }
  /** From here on the disk is full: what needs room fails. */
  | { readonly how: 'full' }
  /**
   * From here on every call fails and does nothing. What then lies on the disk is what a kill at this call leaves.
   * Of a write that is the n-th call, a part is done.
   */
  | { readonly how: 'dead' }
  /** The process is killed, for real. Of a write, a part is done. */
  | { readonly how: 'killed'; readonly losing?: Losing }
  /** The process stops, `SIGSTOP`, and does the call when it is continued. */
  | { readonly how: 'paused' };

/** What a power cut takes: all that was not synced, or some of it. */
export type Losing = 'all' | 'some';

export interface FaultOptions {
  /** Absolute paths: calls below them count. */
  readonly folders: readonly string[];
  /** Which call, from 1; none when absent. */
  readonly at?: number;
  readonly fault?: Fault;
  readonly disk?: DurableDisk | undefined;
  /** Decides the order of directory entries and how much of a short call is done. */
  readonly seed: number;
  /** Counts the calls, shared by the threads of a process. */
  readonly counter?: Int32Array;
}

/** A call that counted. */
export interface Counted {
  readonly name: CallName;
  readonly path: string;
  /** How it was asked to open; empty for other calls. */
  readonly flags: string;
}

type AnyCall = (...args: unknown[]) => unknown;

const NAMES = Object.keys(CALLS) as CallName[];
const ORIGINALS = Object.fromEntries(NAMES.map((name) => [name, fs[name]])) as unknown as Record<
  CallName,
  AnyCall
>;

export class Faults {
  /** Every call that counted, in order. */
  readonly calls: Counted[] = [];
  /** The call that was hit. */
  hit: Counted | undefined;
  readonly #options: FaultOptions;
  readonly #counter: Int32Array;
  readonly #chance: Random;
  readonly #descriptors = new Map<number, string>();
  /** Node's own calls call each other, and the disk reads what was synced: only the outermost is the program's. */
  #inside = false;

  constructor(options: FaultOptions) {
    this.#options = options;
    this.#counter = options.counter ?? new Int32Array(1);
    this.#chance = randomFrom(options.seed + (options.at ?? 0));
  }

  /** Puts itself in the place of the calls. */
  install(): void {
    for (const name of NAMES) Object.assign(fs, { [name]: (...args: unknown[]) => this.#call(name, args) });
    syncBuiltinESMExports();
  }

  /** Gives the calls back, and closes what the program left open, as its end would. */
  uninstall(): void {
    Object.assign(fs, ORIGINALS);
    syncBuiltinESMExports();
    for (const fd of this.#descriptors.keys()) ORIGINALS.closeSync(fd);
    this.#descriptors.clear();
  }

  #call(name: CallName, args: unknown[]): unknown {
    const path = this.#inside ? undefined : this.#watchedPath(name, args[0]);
    if (path === undefined) return this.#really(name, args);
    const n = Atomics.add(this.#counter, 0, 1) + 1;
    const call = { name, path, flags: name === 'openSync' ? flagsText(args[1]) : '' };
    this.calls.push(call);
    const { at = 0, fault } = this.#options;
    if (fault !== undefined && n === at && canMeet(call, fault)) {
      this.hit = call;
      return this.#fail(fault, call, args);
    }
    if (fault?.how === 'dead' && at > 0 && n > at) return this.#refuse(call, 'EIO', args);
    if (fault?.how === 'full' && at > 0 && n > at && needsRoom(call))
      return this.#refuse(call, 'ENOSPC', args);
    return this.#do(call, args);
  }

  #fail(fault: Fault, call: Counted, args: unknown[]): unknown {
    switch (fault.how) {
      case 'fails':
        return this.#refuse(call, fault.code, args);
      case 'short':
        return this.#do(call, this.#shortened(call.name, args));
      case 'full':
        return needsRoom(call) ? this.#refuse(call, 'ENOSPC', args) : this.#do(call, args);
      case 'paused':
        process.kill(process.pid, 'SIGSTOP');
        return this.#do(call, args);
      case 'dead':
      case 'killed':
        if (call.name === 'writeSync') this.#do(call, this.#shortened(call.name, args));
        if (fault.how === 'dead') return this.#refuse(call, 'EIO', args);
        Object.assign(fs, ORIGINALS); // what is done to the disk now is no call of the program's
        if (fault.losing !== undefined)
          this.#options.disk!.lose(fault.losing === 'some' ? this.#chance : undefined);
        process.kill(process.pid, 'SIGKILL');
        throw new Error('killed');
    }
  }

  #refuse({ name, path }: Counted, code: string, args: unknown[]): unknown {
    if (name === 'existsSync') return false;
    // A descriptor is given up whatever `close` says.
    if (name === 'closeSync') this.#do({ name, path, flags: '' }, args);
    if (name === 'closeSync' && this.#options.fault?.how === 'dead') return undefined;
    const [errno, words] = [...getSystemErrorMap()].find(([, [known]]) => known === code) as [
      number,
      [string, string],
    ];
    const syscall = name.replace(/Sync$/, '').replace('readdir', 'scandir');
    const shown = CALLS[name].takes === 'path' ? { path } : {};
    const place = 'path' in shown ? ` '${path}'` : '';
    throw Object.assign(new Error(`${code}: ${words[1]}, ${syscall}${place}`), {
      errno,
      code,
      syscall,
      ...shown,
    });
  }

  #shortened(name: CallName, args: unknown[]): unknown[] {
    const [fd, buffer, offset = 0, length, ...rest] = args as [number, Buffer | string, number?, number?];
    if (typeof buffer === 'string')
      return name === 'writeSync' ? [fd, buffer.slice(0, this.#chance(buffer.length) || 1)] : args;
    const most = length ?? buffer.length - offset;
    return [fd, buffer, offset, most < 2 ? most : 1 + this.#chance(most - 1), ...rest];
  }

  /** Does it, and remembers what it changed. */
  #do(call: Counted, args: unknown[]): unknown {
    const { name } = call;
    const result = name === 'fsyncSync' ? undefined : this.#really(name, args);
    if (name === 'openSync') this.#descriptors.set(result as number, call.path);
    if (name === 'closeSync') this.#descriptors.delete(args[0] as number);
    this.#unseen(() => this.#tellDisk(call, typeof args[1] === 'string' ? resolve(args[1]) : ''));
    if (name === 'readdirSync') return shuffled(result as unknown[], randomFrom(this.#options.seed));
    return result;
  }

  #tellDisk({ name, path }: Counted, to: string): void {
    const { disk } = this.#options;
    if (disk?.holds(path) !== true) return;
    switch (name) {
      case 'fsyncSync':
        disk.synced(path);
        break;
      case 'openSync':
        disk.opened(path);
        break;
      case 'mkdirSync':
        disk.madeFolder(path);
        break;
      case 'linkSync':
        disk.linked(path, to);
        break;
      case 'renameSync':
        disk.moved(path, to);
        break;
      case 'unlinkSync':
      case 'rmSync':
      case 'rmdirSync':
        disk.removed(path);
        break;
    }
  }

  #really(name: CallName, args: unknown[]): unknown {
    return this.#unseen(() => ORIGINALS[name](...args));
  }

  #unseen<T>(work: () => T): T {
    const before = this.#inside;
    this.#inside = true;
    try {
      return work();
    } finally {
      this.#inside = before;
    }
  }

  /** The absolute path a call is about, when it is watched. */
  #watchedPath(name: CallName, first: unknown): string | undefined {
    if (CALLS[name].takes === 'descriptor' || typeof first === 'number')
      return this.#descriptors.get(first as number);
    if (typeof first !== 'string') return undefined;
    const path = resolve(first);
    return this.#options.folders.some((folder) => path === folder || path.startsWith(folder + sep))
      ? path
      : undefined;
  }
}

/** Every way in which a call can fail on its own. */
export function faultsOf(call: Counted): Fault[] {
  const { codes, mayBeShort } = CALLS[call.name];
  const fitting = codes.filter((code) => call.name !== 'openSync' || code !== 'ENOSPC' || needsRoom(call));
  return [
    ...fitting.map((code) => ({ how: 'fails' as const, code })),
    ...(mayBeShort ? [{ how: 'short' as const }] : []),
  ];
}

/** Whether a fault is one that this call can meet. */
function canMeet(call: Counted, fault: Fault): boolean {
  if (fault.how === 'fails') return CALLS[call.name].codes.includes(fault.code);
  return fault.how !== 'short' || CALLS[call.name].mayBeShort === true;
}

/** Whether a full disk refuses a call. */
export function needsRoom({ name, flags }: Counted): boolean {
  return CALLS[name].needsRoom === true || (name === 'openSync' && flags.includes('create'));
}

/** Whether a call changes what the disk holds or promises. */
export function changes(call: Counted): boolean {
  return needsRoom(call) || /^(f?chmod|ftruncate|unlink|rm)/.test(call.name);
}

function flagsText(flags: unknown): string {
  if (typeof flags === 'string') return /[wa]/.test(flags) ? 'create' : '';
  return ((flags as number) & fs.constants.O_CREAT) !== 0 ? 'create' : '';
}

function shuffled<T>(items: readonly T[], chance: Random): T[] {
  const rest = [...items].sort(byName);
  const mixed: T[] = [];
  while (rest.length > 0) mixed.push(rest.splice(chance(rest.length), 1)[0]!);
  return mixed;
}

/** First into one order on every machine, so that the seed alone decides. */
function byName(a: unknown, b: unknown): number {
  const [x, y] = [a, b].map((entry) => (typeof entry === 'string' ? entry : (entry as fs.Dirent).name));
  return x! < y! ? -1 : x! > y! ? 1 : 0;
}
