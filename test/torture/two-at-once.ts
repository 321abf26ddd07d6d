/**
 * Two at once on one root. One of them stops, `SIGSTOP`, at its n-th call, for every n, and the other runs beside it
 * to its end: what the first holds is never taken from it, what it does not hold is done. Then the first goes on, or
 * is killed, which frees its locks at once.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { CHAIN_BUSY, SESSION_BUSY, takeLock } from '../../src/io/lock.js';
import { conversationLockFile, listSessions, sessionLockFile } from '../../src/io/storage-root.js';
import { type Counted, changes, Faults } from '../faults/faults.js';
import { randomFrom } from '../random.js';
import { OPERATIONS } from './operations.js';
import { ended, Place, type Ran } from './place.js';
import { assertIndexesTrue, assertNothingHalf, assertSame, type Told, tell } from './promises.js';

const COLLECT = ['collect', '--once', '--jobs', '1'];
const PARSE = ['parse', '--jobs', '1'];
const VERIFY = ['verify', '--jobs', '1'];

export interface Pair {
  readonly name: string;
  /** The one that stops. */
  readonly first: readonly string[];
  readonly second: readonly string[];
}

export const PAIRS: readonly Pair[] = [
  { name: 'two collectors', first: COLLECT, second: COLLECT },
  { name: 'two parsers', first: PARSE, second: PARSE },
  { name: 'a collector and a parser', first: COLLECT, second: PARSE },
  { name: 'a parser and a collector', first: PARSE, second: COLLECT },
  { name: 'a parser and a verify', first: PARSE, second: VERIFY },
  { name: 'a collector and a verify', first: COLLECT, second: VERIFY },
];

export interface PairScore {
  cases: number;
  /** Cases in which the first held a lock while the second ran. */
  held: number;
  /** Cases in which the second said that something is held. */
  saidBusy: number;
  killed: number;
}

export class TwoAtOnce {
  readonly score: PairScore = { cases: 0, held: 0, saidBusy: 0, killed: 0 };
  /** The calls of the first, when it runs alone. */
  readonly calls: readonly Counted[];
  readonly #pair: Pair;
  readonly #place: Place;
  readonly #seed: number;
  readonly #wanted: Told;

  private constructor(pair: Pair, place: Place, seed: number, calls: readonly Counted[], wanted: Told) {
    this.#pair = pair;
    this.#place = place;
    this.#seed = seed;
    this.calls = calls;
    this.#wanted = wanted;
  }

  static async of(pair: Pair, seed: number): Promise<TwoAtOnce> {
    const begins = pair.first === PARSE ? 'parse of several rounds' : 'collection of what grew';
    const operation = OPERATIONS.find(({ name }) => name === begins)!;
    const place = new Place(operation.budgets);
    await operation.prepare(place);
    place.begin();
    const faults = new Faults({ folders: [place.box, place.sources], seed });
    faults.install();
    try {
      assertDone(await place.here(pair.first));
      assertDone(await place.here(COLLECT));
    } finally {
      faults.uninstall();
    }
    return new TwoAtOnce(pair, place, seed, faults.calls, tell(place.root));
  }

  /** Numbers of the calls at which the first is stopped: those that change something. */
  get stops(): number[] {
    return this.calls.flatMap((call, i) => (changes(call) ? [i + 1] : []));
  }

  /** The first stops at a call and the second runs; then the first goes on, or is killed. */
  async try(at: number, then: 'goes on' | 'is killed'): Promise<void> {
    try {
      await this.#try(at, then);
    } catch (cause) {
      const { name, path } = this.calls[at - 1]!;
      const words = `${this.#pair.name}, the first stopped at call ${at} (${name} ${path.replace(this.#place.folder, '')}) and ${then}; seed ${this.#seed}`;
      throw new Error(`${words}\n${(cause as Error).message}`, { cause });
    }
  }

  async #try(at: number, then: 'goes on' | 'is killed'): Promise<void> {
    const place = this.#place;
    place.reset();
    this.score.cases++;
    const folders = [place.box, place.sources];
    const first = place.start(this.#pair.first, { folders, at, fault: { how: 'paused' }, seed: this.#seed });
    const firstRan = ended(first);
    try {
      if (!(await hasStopped(first.pid!))) return assertDone(await firstRan);
      const held = locksHeld(place.root);
      assertSecond(this.#pair.second, await place.process(this.#pair.second), held, first.pid!, this.score);
      assertNothingHalf(place.root);
      if (held.length > 0) this.score.held++;
      assert.deepEqual(locksHeld(place.root), held, 'a stopped holder was robbed');
      first.kill(then === 'goes on' ? 'SIGCONT' : 'SIGKILL');
      const ran = await firstRan;
      if (then === 'is killed') {
        this.score.killed++;
        assert.deepEqual(locksHeld(place.root), [], 'a killed holder keeps its lock');
      } else assertFirst(ran);
      assertDone(await place.here(COLLECT));
      const { status, stdout } = await place.here(VERIFY);
      assert.equal(status, 0, stdout);
      const told = tell(place.root);
      if (then === 'goes on') assert.equal(told.relanded, this.#wanted.relanded, 'a record landed twice');
      assertSame(told, this.#wanted, 'the same order');
      assertIndexesTrue(place.root);
    } finally {
      first.kill('SIGKILL');
    }
  }

  /** Both start at the same moment, as often as is said; sources grow in between. Gives how often one was busy. */
  async race(rounds: number): Promise<number> {
    const place = this.#place;
    const chance = randomFrom(this.#seed);
    let busy = 0;
    for (let round = 0; round < rounds; round++) {
      place.reset();
      const both = [this.#pair.first, this.#pair.second].map(async (argv, i) => {
        await setTimeout(i * chance(120));
        return place.process(argv);
      });
      for (const ran of await Promise.all(both)) {
        if (isBusy(ran)) busy++;
        else assertDone(ran);
      }
      assertDone(await place.here(COLLECT));
      const told = tell(place.root);
      assert.equal(told.relanded, this.#wanted.relanded, 'a record landed twice');
      assertSame(told, this.#wanted, 'the same order');
      const { status, stdout } = await place.here(VERIFY);
      assert.equal(status, 0, stdout);
    }
    return busy;
  }

  remove(): void {
    this.#place.remove();
  }
}

interface Held {
  readonly session: string;
  readonly what: 'session' | 'chain';
  /** Whether the holder has written its name by now, which is the first thing it does with the lock. */
  readonly named: boolean;
}

/** The locks that somebody has. */
function locksHeld(root: string): Held[] {
  return listSessions(root).flatMap((session) => {
    const locks = [
      { what: 'session', path: sessionLockFile(root, session) },
      { what: 'chain', path: conversationLockFile(root, session) },
    ] as const;
    return locks
      .filter(({ path }) => isHeld(path))
      .map(({ what, path }) => ({ session, what, named: readFileSync(path).length > 0 }));
  });
}

function isHeld(path: string): boolean {
  try {
    readFileSync(path);
  } catch {
    return false; // nobody ever took it
  }
  try {
    takeLock(path, 'held').release();
    return false;
  } catch {
    return true;
  }
}

const CHAINS_BUSY = / session\(s\) were held by another builder and are not parsed/;

function isBusy({ stdout, stderr }: Ran): boolean {
  return / busy=\d/.test(stdout) || stderr.includes(CHAIN_BUSY) || stderr.includes(SESSION_BUSY);
}

/** The second does all that is not held, and says of the rest that it is held and by whom. */
function assertSecond(
  argv: readonly string[],
  ran: Ran,
  held: readonly Held[],
  holder: number,
  score: PairScore,
): void {
  const { status, stdout, stderr } = ran;
  assert.ok(status === 0 || status === 1, `ended with ${status}: ${stderr}`);
  const chains = held.filter(({ what }) => what === 'chain');
  if (isBusy(ran)) score.saidBusy++;
  if (argv === VERIFY) {
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' }, stdout);
    assert.match(stdout, /\nall landed data is contiguous and matches its digests\n$/);
  } else if (argv === PARSE) {
    for (const line of stderr.trimEnd().split('\n').slice(0, -1)) {
      const isNamed = chains.some(({ session, named }) => named && line.startsWith(`  ${session}:`));
      const by = isNamed ? ` \\(held by process ${holder} on \\S+\\)` : '';
      assert.match(line, new RegExp(`^ {2}\\S+: ${CHAIN_BUSY}${by}$`));
    }
    assert.ok(status === 0 ? !isBusy(ran) : chains.length > 0, stderr);
  } else {
    // What is being landed is counted, and left to whoever lands it; what is being parsed is an error of a single pass.
    if (status === 1) {
      assert.match(stderr, CHAINS_BUSY);
      assert.ok(chains.length > 0, stderr);
    } else assert.equal(stderr, '');
    assert.ok(held.length > 0 || !isBusy(ran), stdout);
  }
}

/** The one that was stopped finds what the other did meanwhile done, and ends well. */
function assertFirst(ran: Ran): void {
  if (!isBusy(ran)) assertDone(ran);
}

function assertDone({ status, stderr }: Ran): void {
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
}

/** Waits until a process has stopped; false when it ended before. Linux tells in `/proc`. */
async function hasStopped(pid: number): Promise<boolean> {
  for (;;) {
    let state: string;
    try {
      state = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))![1]!;
    } catch {
      return false;
    }
    if (state === 'T') return true;
    if (state === 'Z' || state === 'X') return false;
    await setTimeout(5);
  }
}
