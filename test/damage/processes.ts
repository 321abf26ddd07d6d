/**
 * Damage shown to real processes: every command that reads, a sample of damages. Exit codes and streams are all that
 * is looked at, as whoever runs it sees them. Nothing here belongs to the test runner.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../random.js';
import { filesOf, put, recordsText, SESSION } from './small-root.js';

const ASZ = join(import.meta.dirname, '../../src/cli/asz.js');

/** Beside the storage root. */
const CUT_ANEW = 'cut-anew';

const COMMANDS: readonly (readonly string[])[] = [
  ['verify'],
  ['verify', '--json'],
  ['conversation', SESSION],
  ['conversation', SESSION, '--fold'],
  ['conversation', SESSION, '--json'],
  ['conversations'],
  ['show', SESSION, 't1'],
  ['index', 'cat', SESSION],
  ['repack', CUT_ANEW],
  ['parse'],
];

/** A list reads one line of each chain and checks nothing, and a parse says what it did: no harm may come of either. */
const SAYS_ANYTHING = ['conversations', 'parse'];

interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export class ProcessCases {
  readonly #folder: string;
  readonly #whole: string;
  /** What each command says of the root as it is. */
  readonly #said = new Map<string, string>();
  tried = 0;
  readonly accepted: string[] = [];
  readonly crashes: string[] = [];
  readonly writes: string[] = [];

  private constructor(folder: string, whole: string) {
    this.#folder = folder;
    this.#whole = whole;
  }

  /** `folder`: where copies are made; `whole`: the root they are copies of. */
  static async of(folder: string, whole: string): Promise<ProcessCases> {
    const cases = new ProcessCases(folder, whole);
    const place = cases.#copy('whole');
    for (const argv of COMMANDS) cases.#said.set(argv.join(' '), (await said(place, argv)).stdout);
    return cases;
  }

  /** One damage, shown to every command. */
  async try(random: Random): Promise<void> {
    const place = this.#copy(`case-${this.tried}`);
    const root = join(place, 'data');
    const file = random.pick(filesOf(root, /\.(sd|sf)$/));
    const whole = readFileSync(join(root, file));
    const at = random(whole.length);
    const isCut = random(3) === 0;
    const damaged = isCut ? whole.subarray(0, at) : Buffer.from(whole);
    if (!isCut) damaged[at]! ^= 1 << random(8);
    put(join(root, file), damaged);
    // An index spares its readers the landed files, and a settled chain its parser the rounds.
    if (random(2) === 0) put(join(root, SESSION, 'index/entries.bin'), Buffer.alloc(0));
    rmSync(join(root, '_conversations', SESSION, 'settled.json'), { force: true });
    const before = evidenceIn(root);
    for (const argv of COMMANDS) {
      const where = `${file} ${isCut ? 'cut' : 'flipped'} at ${at}: asz ${argv.join(' ')}`;
      this.tried++;
      this.#judge(argv, await said(place, argv), where);
      if (argv[0] === 'repack') rmSync(join(place, CUT_ANEW), { recursive: true, force: true });
      // An emptied last round is no round to a parse, which publishes the same bytes again.
      if (evidenceIn(root) !== before && !(argv[0] === 'parse' && damaged.length === 0))
        this.writes.push(where);
    }
    rmSync(place, { recursive: true });
  }

  #judge(argv: readonly string[], { status, stdout, stderr }: Ran, where: string): void {
    if ((status !== 0 && status !== 1) || /\n\s+at /.test(stderr))
      this.crashes.push(`${where}: exit ${status}: ${stderr}`);
    if (argv[0] === 'verify' && status !== 1) this.accepted.push(`${where}: finds nothing`);
    if (status === 1 && stderr === '') this.accepted.push(`${where}: does not say what is wrong`);
    if (
      status === 0 &&
      !SAYS_ANYTHING.includes(argv[0]!) &&
      stdout !== this.#said.get(argv.join(' ')) &&
      !isDoubted(stdout)
    )
      this.accepted.push(`${where}: says another thing`);
  }

  #copy(name: string): string {
    const place = join(this.#folder, name);
    mkdirSync(place, { recursive: true });
    cpSync(this.#whole, join(place, 'data'), { recursive: true });
    writeFileSync(join(place, 'asz.yaml'), 'storage: {root: data}\n');
    return place;
  }
}

function evidenceIn(root: string): string {
  return filesOf(root, /\.(sd|sf)$/)
    .map((name) => `${name} ${readFileSync(join(root, name), 'latin1')}`)
    .join('\n');
}

/** Whether it is a document that says itself that something is wrong. */
function isDoubted(stdout: string): boolean {
  if (!/^\{\s*"format":\s*"asz\.view"/.test(stdout)) return false;
  const { state, problems } = JSON.parse(stdout).summary;
  return state !== 'verified' && problems.length > 0;
}

/** What a command says; of a repack, what the root says that it made, which is none when it fails. */
async function said(place: string, argv: readonly string[]): Promise<Ran> {
  const ran = await asz(place, argv);
  if (argv[0] !== 'repack') return ran;
  const made = join(place, CUT_ANEW);
  if (ran.status === 0) return { ...ran, stdout: recordsText(made) };
  const left = existsSync(made) || existsSync(join(place, `.asz-${CUT_ANEW}`));
  return left ? { ...ran, status: 0, stdout: 'a root, though it failed' } : ran;
}

function asz(cwd: string, argv: readonly string[]): Promise<Ran> {
  return new Promise((ended) => {
    const options = { cwd, env: { ...process.env, ASZ_DEBUG: '' }, timeout: 60_000, maxBuffer: 1 << 28 };
    const child = execFile(process.execPath, [ASZ, ...argv], options, (_, stdout, stderr) =>
      ended({ status: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}
