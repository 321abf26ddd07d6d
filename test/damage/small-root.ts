/**
 * A small root of three rounds, every byte of which can be damaged, and the readers it is then shown to. Nothing here
 * belongs to the test runner: the long runs use it too.
 */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AszError } from '../../src/format/errors.js';
import { indexEntryLine, indexHeaderLine } from '../../src/format/index-lines.js';
import { GROUPS } from '../../src/format/session-flow.js';
import { IndexBuilder } from '../../src/format/session-index.js';
import { indexLandedFile } from '../../src/io/index-store.js';
import { LandedRecords } from '../../src/io/landed-records.js';
import { listLandedFiles, sessionFolder } from '../../src/io/storage-root.js';
import { repackSession } from '../../src/repack/repack-session.js';
import type { Fold } from '../../src/rounds/fold.js';
import { parseSession } from '../../src/rounds/parse-session.js';
import { foldChain, foldChainStrictly } from '../../src/rounds/read-chain.js';
import { verifyChain } from '../../src/rounds/verify-chain.js';
import { verifyLanded } from '../../src/rounds/verify-landed.js';
import { documentBytes } from '../../src/view/document.js';
import { buildView } from '../../src/view/view.js';
import { SessionBuilder } from '../session-builder.js';

export const SESSION = 's1';
const OPTIONS = { maxBytes: 1 << 21, now: () => ({ ms: 0, ns: 0 }) };

/** Makes the root: a tool that is answered later, a child with its sidecar, text beyond ASCII; three rounds. */
export async function makeSmallRoot(root: string): Promise<void> {
  const told = new SessionBuilder(root, { session: SESSION });
  told.main.input('“be—gin” <&>').tool('t1', 'Agent', { a: [1.5, null, 'ü'], b: {} });
  told.land();
  await told.parse();
  told.stream('c').input('help').says('✓').sidecarOf('t1');
  told.land();
  await told.parse();
  told.main.replay(1);
  told.land();
  await told.parse();
}

/** Files of a root below it, with `/`, by what they are. */
export function filesOf(root: string, wanted: RegExp): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((name) => wanted.test(name))
    .sort();
}

export type Outcome =
  | { readonly is: 'same' }
  | { readonly is: 'named'; readonly line: string }
  /** What must never be: a change believed, an error that is no answer, a write. */
  | { readonly is: 'accepted' | 'crashed' | 'wrote'; readonly line: string };

/** What a reader made of a root: all that it says, or the error it refused it with. */
interface Reader {
  readonly name: string;
  /** Whether a damaged file of this kind is this reader's to notice. */
  readonly reads: (file: string) => boolean;
  /** Asked of every so many damages alone, in the sampled form and in the complete one: it costs more than others. */
  readonly every?: readonly [sampled: number, complete: number];
  /** All that was read; throws an `AszError` whose message names what is wrong. */
  readonly read: (root: string) => string | Promise<string>;
}

const isLanded = (file: string) => file.endsWith('.sd');
const isRound = (file: string) => file.endsWith('.sf');

/** Readers of landed files and rounds, `verify` aside. */
const READERS: readonly Reader[] = [
  { name: 'fold', reads: isRound, read: (root) => foldText(foldChain(root, SESSION)) },
  { name: 'conversation', reads: isRound, read: (root) => foldText(foldChainStrictly(root, SESSION)) },
  { name: 'records', reads: isLanded, read: recordsText },
  { name: 'index', reads: isLanded, read: indexText },
  { name: 'document', reads: () => true, read: documentText, every: [4, 1] },
  { name: 'repack', reads: () => true, read: repackText, every: [8, 1] },
  // A lock costs the start of a program.
  { name: 'parse', reads: isRound, read: parseText, every: [40, 40] },
];

/** A document refuses nothing that folds: it says itself that it is not verified, and why. */
function documentText(root: string): string {
  const view = buildView(root, SESSION);
  const text = Buffer.concat([...documentBytes(view)]).toString('utf8');
  const { state, problems } = JSON.parse(text).summary;
  if (problems.some((words: string) => /[\n\r]/.test(words)))
    throw new Error(`more than a line: ${problems}`);
  if (state !== 'verified') throw new AszError('FAULT', problems.join('; '));
  return text;
}

/** What the files say that were cut anew. Nothing is made of a session that does not hold. */
function repackText(root: string): string {
  const destination = join(dirname(root), 'repacked');
  mkdirSync(destination);
  try {
    repackSession({ root, destination, session: SESSION, budgetBytes: 1 << 21, now: OPTIONS.now() });
    return recordsText(destination);
  } catch (cause) {
    if (existsSync(join(destination, SESSION)))
      throw new Error('repack made a session and failed', { cause });
    throw cause;
  } finally {
    rmSync(destination, { recursive: true, force: true });
  }
}

/** Without the note that lets a parse open no round: here it is to read them. */
async function parseText(root: string): Promise<string> {
  const note = join(root, '_conversations', SESSION, 'settled.json');
  rmSync(note, { force: true });
  const reports = await parseSession(root, SESSION, OPTIONS);
  rmSync(note);
  return JSON.stringify(reports);
}

function foldText(fold: Fold): string {
  const lines = [JSON.stringify(fold.header), fold.digest];
  for (const group of GROUPS)
    for (const [id, entity] of fold.entities[group]) lines.push(`${id} ${entity.line(entity.revision)}`);
  return lines.join('\n');
}

/** As `show` and `conversation` read records: whatever is shown of a file that is not whole comes with a fault. */
export function recordsText(root: string): string {
  const records = new LandedRecords(root, SESSION);
  const lines: unknown[] = [];
  for (const { seq } of listLandedFiles(sessionFolder(root, SESSION)))
    for (let row = 1; records.at(seq, row) !== undefined; row++) lines.push(records.at(seq, row));
  const [fault] = records.faults(listLandedFiles(sessionFolder(root, SESSION)).length);
  if (fault !== undefined) throw new AszError('FAULT', fault);
  return JSON.stringify(lines);
}

function indexText(root: string): string {
  const builder = new IndexBuilder(SESSION);
  for (const file of listLandedFiles(sessionFolder(root, SESSION))) indexLandedFile(builder, root, file);
  const index = builder.finish();
  // Digests of whole files aside: what they say of the landed records is what counts.
  const header = indexHeaderLine(index, index.files.length).replace(/"(sha256|bytes)":("\w+"|\d+)/g, '');
  return [header, ...Array.from({ length: index.entries }, (_, i) => indexEntryLine(index, i))].join('\n');
}

/** What one damage came to, reader by reader. */
export interface Report {
  readonly tried: number;
  readonly refused: number;
  /** Changes that leave the meaning alone: told by `verify` alone. */
  readonly harmless: number;
  readonly accepted: readonly string[];
  readonly crashes: readonly string[];
  readonly writes: readonly string[];
}

/** A root to be damaged a byte at a time, and mended again after each. */
export class Damaging {
  readonly root: string;
  tried = 0;
  refused = 0;
  harmless = 0;
  readonly accepted: string[] = [];
  readonly crashes: string[] = [];
  readonly writes: string[] = [];
  readonly #said = new Map<string, string>();
  /** Every file as it is while nothing is damaged. */
  #states = new Map<string, string>();

  /** Which of the two samples of the slower readers is taken. */
  readonly #form: 0 | 1;

  private constructor(root: string, form: 0 | 1) {
    this.root = root;
    this.#form = form;
  }

  /** `root`: in a folder of its own, where repacks are made beside it. */
  static async of(root: string, form: 'sampled' | 'complete'): Promise<Damaging> {
    const damaging = new Damaging(root, form === 'sampled' ? 0 : 1);
    for (const { name, read } of READERS) damaging.#said.set(name, await read(root));
    if (damaging.#findings().length > 0) throw new Error(`the root is damaged: ${damaging.#findings()[0]}`);
    damaging.#states = statesOf(root);
    return damaging;
  }

  /** Shows a file with other bytes to all its readers, and puts it back. `what` names the damage. */
  async show(file: string, bytes: Buffer, what: string): Promise<void> {
    const path = join(this.root, file);
    const whole = readFileSync(path);
    put(path, bytes);
    this.tried++;
    const before = stateOf(path);
    const named = this.#verifyNames(file, what);
    for (const reader of READERS)
      if (reader.reads(file) && this.tried % (reader.every?.[this.#form] ?? 1) === 0)
        await this.#ask(reader, file, what, named);
    if (!isDeepStrictEqual(statesOf(this.root), new Map(this.#states).set(file, before)))
      this.writes.push(what);
    put(path, whole);
    this.#states.set(file, stateOf(path));
  }

  /** Whether `verify` has a finding on the file. */
  #verifyNames(file: string, what: string): boolean {
    try {
      const findings = this.#findings();
      if (findings.some(({ words }) => /[\n\r]/.test(words)))
        this.crashes.push(`${what}: verify says more than a line`);
      if (findings.length === 0) this.accepted.push(`${what}: verify finds nothing`);
      // A round's name may be all that is wrong, and a lost header makes it a missing one.
      const [folder] = file.split(/\/[^/]*$/);
      if (
        findings.length > 0 &&
        !findings.some((finding) => finding.file === file || finding.file === folder)
      )
        this.accepted.push(`${what}: verify names ${findings[0]!.file}`);
      return findings.length > 0;
    } catch (cause) {
      this.crashes.push(`${what}: verify: ${stackOf(cause)}`);
      return true;
    }
  }

  async #ask({ name, read }: Reader, file: string, what: string, named: boolean): Promise<void> {
    // An empty file under a round's name is no round to any reader; that it is there, `verify` says.
    if (isRound(file) && lstatSync(join(this.root, file)).size === 0) return;
    const base = file.slice(file.lastIndexOf('/') + 1);
    try {
      if ((await read(this.root)) !== this.#said.get(name))
        this.accepted.push(`${what}: ${name} says another thing`);
      else if (named) this.harmless++;
    } catch (cause) {
      this.refused++;
      if (!(cause instanceof AszError)) this.crashes.push(`${what}: ${name}: ${stackOf(cause)}`);
      else if (/[\n\r]/.test(cause.message))
        this.crashes.push(`${what}: ${name}: more than a line: ${cause.message}`);
      else if (!cause.message.includes(base) && !isAbout(cause.message, base, name))
        this.accepted.push(`${what}: ${name} does not name the file: ${cause.message}`);
    }
  }

  #findings() {
    const landed = verifyLanded(this.root, SESSION);
    return [...landed.problems, ...verifyChain(this.root, SESSION, () => landed.digests).problems];
  }

  /** Whether the root is as it was, file for file. */
  get isWhole(): boolean {
    return isDeepStrictEqual(statesOf(this.root), this.#states) && this.#findings().length === 0;
  }
}

/** The round that consumed each landed file of the small root, by sequence. */
const CONSUMED_BY = [0, 1, 2, 2, 3];

/**
 * A refusal may name a round by its number. A document names evidence by the round that consumed it (view spec 5), and
 * so does a repack when a file lacks its last newline alone: spelling is carried on, and the round's digest is not.
 */
function isAbout(message: string, base: string, reader: string): boolean {
  let round = Number(/^r(\d+)-/.exec(base)?.[1] ?? 0);
  if (reader === 'document' || reader === 'repack')
    round ||= CONSUMED_BY[Number(/-(\d+)\.sd$/.exec(base)![1])]!;
  return round > 0 && new RegExp(`round ${round}\\b`).test(message);
}

function stackOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

/** Puts bytes where a file is, which may be read-only. */
export function put(path: string, bytes: Buffer): void {
  rmSync(path);
  writeFileSync(path, bytes);
}

/** Every file with its state. Locks are taken, not written. */
function statesOf(root: string): Map<string, string> {
  return new Map(filesOf(root, /^(?!.*\.lock$)/).map((name) => [name, stateOf(join(root, name))]));
}

/** Size, time and inode of a file: any write shows. */
function stateOf(path: string): string {
  const { size, mtimeMs, ino } = lstatSync(path);
  return `${size} ${mtimeMs} ${ino}`;
}

/** Where a file may be cut in the short run: at each line's edge, before and behind its newline, and every 16 bytes. */
export function cutsOf(bytes: Buffer, all: boolean): number[] {
  return Array.from({ length: bytes.length }, (_, at) => at).filter(
    (at) => all || at % 16 === 0 || bytes[at] === 0x0a || bytes[at - 1] === 0x0a,
  );
}

/** A copy of a root, for damage that is mended by writing. */
export function copied(root: string, to: string): string {
  cpSync(root, to, { recursive: true });
  return to;
}
