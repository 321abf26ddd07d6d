/**
 * The n-th call: an operation is run again and again, and each time another call on a file fails, or is the last.
 * After each: nothing half is there, all evidence is kept, `verify` is clean, and the next undisturbed run brings the
 * root to where an undisturbed one is, without any repair.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DurableDisk } from '../faults/durable-disk.js';
import { type Counted, changes, type Fault, type FaultOptions, Faults, faultsOf } from '../faults/faults.js';
import type { Preloaded } from '../faults/preload.js';
import { randomFrom } from '../random.js';
import type { Operation } from './operations.js';
import { Place, type Ran } from './place.js';
import {
  assertIndexesTrue,
  assertKept,
  assertNothingHalf,
  assertSame,
  evidence,
  type Told,
  tell,
} from './promises.js';

/** How an operation is disturbed. */
export type Form =
  /** The call fails, in every way it can, or the disk is full from there on. */
  | 'failing'
  /** Nothing is done from there on, as after a kill, acted out in this process. */
  | 'stopped'
  /** As `stopped`, and then what was not synced is gone: all of it, or some. */
  | 'cut, all lost'
  | 'cut, some lost'
  /** Stopped, then run to its end undisturbed, and only then is the plug pulled: what that run said is done must stay. */
  | 'stopped, finished, cut'
  /** Stopped, then parsed by itself, and then the plug is pulled: a round must not outlast its evidence. */
  | 'stopped, parsed, cut'
  /** A real process gets a real `SIGKILL`, alone or with what was not synced gone. */
  | 'killed'
  | 'killed, all lost'
  | 'killed, some lost'
  /** As `killed`, with two threads at work. */
  | 'killed, two threads';

export const FORMS_HERE: readonly Form[] = [
  'failing',
  'stopped',
  'cut, all lost',
  'cut, some lost',
  'stopped, finished, cut',
  'stopped, parsed, cut',
];
export const FORMS_OF_PROCESSES: readonly Form[] = [
  'killed',
  'killed, all lost',
  'killed, some lost',
  'killed, two threads',
];

/** What a loop tried, and what it met. */
export interface Score {
  cases: number;
  /** Cases in which the call came and was hit. */
  injected: number;
  /** Runs that ended well although a call failed. */
  borne: number;
  killed: number;
  relanded: number;
}

export function emptyScore(): Score {
  return { cases: 0, injected: 0, borne: 0, killed: 0, relanded: 0 };
}

/** One disturbance. */
export interface Case {
  readonly form: Form;
  readonly at: number;
  readonly fault: Fault;
}

export class NthCall {
  /** The calls of an undisturbed run, in order. */
  readonly calls: readonly Counted[];
  readonly #operation: Operation;
  readonly #place: Place;
  readonly #seed: number;
  readonly #wanted: Told;
  readonly score = emptyScore();

  private constructor(
    operation: Operation,
    place: Place,
    seed: number,
    calls: readonly Counted[],
    wanted: Told,
  ) {
    this.#operation = operation;
    this.#place = place;
    this.#seed = seed;
    this.calls = calls;
    this.#wanted = wanted;
  }

  /** Prepares an operation and runs it undisturbed, which tells how many calls there are and what is to be reached. */
  static async of(operation: Operation, seed: number): Promise<NthCall> {
    const place = new Place(operation.budgets);
    await operation.prepare(place);
    place.begin();
    const undisturbed = async () => {
      place.reset();
      const faults = new Faults({ folders: [place.box, place.sources], seed });
      assertDone(await under(faults, place, operation.argv(place)));
      return faults.calls;
    };
    // What a process knows of the disk after its first run saves it calls, and all cases but the first are later runs.
    await undisturbed();
    const calls = await undisturbed();
    const made = join(place.box, operation.makes);
    assertIndexesTrue(made);
    return new NthCall(operation, place, seed, calls, tell(made));
  }

  /** Every case of a form, of every `stride`-th call from `first` on. */
  cases(form: Form, stride = 1, first = 1): Case[] {
    const cases: Case[] = [];
    for (let at = first; at <= this.calls.length; at += stride) {
      const call = this.calls[at - 1]!;
      for (const fault of faultsFor(form, call)) cases.push({ form, at, fault });
    }
    return cases;
  }

  /** One case. Throws when a promise is broken. `place` is where; the loop's own unless several go side by side. */
  async try({ form, at, fault }: Case, place = this.#place): Promise<void> {
    const call = this.calls[at - 1];
    try {
      this.score.cases++;
      if (form.startsWith('killed')) await this.#killed(place, form, at, fault);
      else await this.#disturbed(place, form, at, fault);
    } catch (cause) {
      const where = `${call?.name} ${call?.path.replace(place.folder, '')}`;
      const words = `${this.#operation.name}, ${form}, call ${at} of ${this.calls.length} (${where}), ${JSON.stringify(fault)}`;
      throw new Error(`${words}; seed ${this.#seed}\n${(cause as Error).message}`, { cause });
    }
  }

  /** A place of its own for somebody who works beside this. */
  twin(): Place {
    return this.#place.twin(this.#operation.budgets);
  }

  remove(): void {
    this.#place.remove();
  }

  async #disturbed(place: Place, form: Form, at: number, fault: Fault): Promise<void> {
    place.reset();
    const before = evidence(place.box);
    const disk = /cut/.test(form) ? new DurableDisk(place.box) : undefined;
    const options = { folders: [place.box, place.sources], seed: this.#seed, disk };
    const faults = new Faults({ ...options, at, fault });
    const ran = await under(faults, place, this.#operation.argv(place));
    if (faults.hit === undefined) return; // what chance moved behind the end
    this.score.injected++;
    assertWorded(ran);
    if (form === 'stopped, parsed, cut') {
      await under(new Faults(options), place, ['parse', '--jobs', '1']); // with what there is by now, if anything
      const rounds = new Map([...evidence(place.root)].filter(([path]) => path.endsWith('.sf')));
      disk!.lose();
      await this.#finished(place, form, new Map([...before, ...rounds]), ran);
      return;
    }
    if (form === 'stopped, finished, cut') {
      const went = await this.#finished(place, form, before, ran, options);
      // What the finished run said is done is evidence, and stays; indexes and cursors may be older, and catch up.
      const said = evidence(went ? place.box : place.root);
      disk!.lose();
      await this.#finished(place, form, said, ran);
      return;
    }
    disk?.lose(form === 'cut, some lost' ? randomFrom(this.#seed + at) : undefined);
    if (ran.status === 0) {
      this.score.borne++;
      if (disk === undefined && !isPassedOver(faults.hit, fault)) await this.#complete(place, form);
    }
    await this.#finished(place, form, before, ran);
  }

  async #killed(place: Place, form: Form, at: number, fault: Fault): Promise<void> {
    place.reset();
    const before = evidence(place.box);
    const threads = form === 'killed, two threads';
    const argv = threads
      ? this.#operation.argv(place).map((word) => (word === '1' ? '2' : word))
      : this.#operation.argv(place);
    const faults: Preloaded = {
      ...{ folders: [place.box, place.sources], at, fault, seed: this.#seed },
      ...(/lost/.test(form) ? { disk: place.box } : {}),
    };
    const ran = await place.process(argv, faults);
    if (ran.status === 0) return assertDone(ran); // threads may need fewer calls
    assert.equal(ran.status, null, `ended with ${ran.status}: ${ran.stderr}`);
    this.score.injected++;
    this.score.killed++;
    await this.#finished(place, form, before, ran);
  }

  /**
   * The disk as it was left keeps every promise, and an undisturbed run finds the rest of the way. False when there was
   * none: a root that a stopped run made stands whole, and nobody was told so.
   */
  async #finished(
    place: Place,
    form: Form,
    before: ReadonlyMap<string, string>,
    ran: Ran,
    options?: FaultOptions,
  ): Promise<boolean> {
    assertKept(before, place.box);
    const made = join(place.box, this.#operation.makes);
    assertNothingHalf(place.root);
    assertNothingHalf(made);
    await assertVerified(place, place.root);
    if (this.#operation.makes !== 'data' && existsSync(made)) {
      // A root that was made whole, or without a session that could not be: it is never gone on with.
      await assertVerified(place, made);
      if (ran.status === 0 || ran.status === null) await this.#complete(place, form);
      return false;
    }
    const left = evidence(place.root);
    const faults = new Faults(options ?? { folders: [place.box], seed: this.#seed });
    assertDone(await under(faults, place, this.#operation.argv(place)));
    assertKept(left, place.box);
    if (options === undefined) await this.#complete(place, form);
    return true;
  }

  async #complete(place: Place, form: Form): Promise<void> {
    const made = join(place.box, this.#operation.makes);
    assertNothingHalf(made);
    await assertVerified(place, made);
    const told = tell(made);
    assertSame(told, this.#wanted, form === 'failing' ? 'another order' : 'the same order');
    assertIndexesTrue(made);
    this.score.relanded += told.relanded;
  }
}

async function under(faults: Faults, place: Place, argv: readonly string[]): Promise<Ran> {
  faults.install();
  try {
    return await place.here(argv);
  } finally {
    faults.uninstall();
  }
}

/** A kill before a call that only reads leaves what a kill before the next that changes something leaves. */
function faultsFor(form: Form, call: Counted): Fault[] {
  switch (form) {
    case 'failing':
      return [...faultsOf(call), ...(changes(call) ? [{ how: 'full' as const }] : [])];
    case 'killed':
    case 'killed, two threads':
      return changes(call) ? [{ how: 'killed' }] : [];
    case 'killed, all lost':
      return changes(call) ? [{ how: 'killed', losing: 'all' }] : [];
    case 'killed, some lost':
      return changes(call) ? [{ how: 'killed', losing: 'some' }] : [];
    default:
      return changes(call) ? [{ how: 'dead' }] : [];
  }
}

/**
 * Failures after which a run may end well without being complete, because the founding documents have it so: what
 * cannot be listed inside a session's sources is passed over without a word, and read in the next pass.
 */
function isPassedOver({ name, path }: Counted, fault: Fault): boolean {
  if (fault.how !== 'fails') return false;
  if (name === 'readdirSync') return /projects\/[^/]+\/[^/]+/.test(path);
  return name === 'lstatSync' && FOLDER_OF_SESSION.test(path);
}

/** Looked at for a link before it is listed. */
const FOLDER_OF_SESSION =
  /projects\/[^/]+\/[^/]+\/(subagents(\/workflows(\/[^/.]+)?)?|workflows(\/scripts)?)$/;

function assertDone({ status, stderr }: Ran): void {
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
}

/** What went wrong is said in lines of words, and the exit code says that it did. */
function assertWorded({ status, stderr }: Ran): void {
  assert.ok(status === 0 || status === 1, `exit code ${status}`);
  if (status === 1) assert.match(stderr, /^asz: \S/m);
  assert.doesNotMatch(stderr, /^ +at |undefined|\[object|TypeError|is not a function|INTERNAL/m);
}

async function assertVerified(place: Place, root: string): Promise<void> {
  if (!existsSync(root)) return;
  const { status, stdout } = await place.here(['verify', '--jobs', '1'], place.reading(root));
  assert.equal(status, 0, stdout);
  assert.match(stdout, /\nall landed data is contiguous and matches its digests\n$/);
}
