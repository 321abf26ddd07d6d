/**
 * Runs the built `asz` as a user does: as a process, in a folder with an `asz.yaml`, its streams read to the end.
 * What is under test is the process, so nothing here knows what a command does.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { commitLine } from '../../src/format/session-flow.js';
import { temporaryFolder } from '../shared.js';

export const ASZ = join(import.meta.dirname, '../../src/cli/asz.js');

/** How a process ended and what it said. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Iterable<Uint8Array>;
}

/** A folder to work in: its configuration names a storage root and a folder of transcripts, both below it. */
export class Workplace {
  readonly folder = temporaryFolder();
  readonly root: string;
  readonly projects: string;

  constructor({
    root,
    projects,
    interval = '1h',
  }: { root?: string; projects?: string; interval?: string } = {}) {
    this.root = root ?? join(this.folder, 'data');
    this.projects = projects ?? join(this.folder, 'projects');
    const adapter = {
      name: 'claude-code-local',
      source_root: this.projects,
      exclude: [],
      collector: { interval },
    };
    // JSON is YAML, and spells every path.
    const config = { storage: { root: this.root }, adapters: [adapter] };
    writeFileSync(join(this.folder, 'asz.yaml'), JSON.stringify(config));
  }

  start(argv: readonly string[], options: RunOptions = {}): ChildProcess {
    const env = { ...process.env, ASZ_DEBUG: '', ...options.env };
    return spawn(process.execPath, [ASZ, ...argv], { cwd: this.folder, env });
  }

  /** `asz ...argv`, to its end. */
  asz(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return ended(this.start(argv, options), options.input);
  }

  /** A shell's line, in which `asz` is the command under test. */
  shell(line: string): Promise<Ran> {
    const script = `asz() { "$ASZ_NODE" "$ASZ_BUILT" "$@"; }\n${line}`;
    const env = { ...process.env, ASZ_DEBUG: '', ASZ_NODE: process.execPath, ASZ_BUILT: ASZ };
    return ended(spawn('sh', ['-c', script], { cwd: this.folder, env }));
  }

  /** The rounds of a conversation in order, as bytes. */
  rounds(conversation: string): Buffer[] {
    return this.roundPaths(conversation).map((path) => readFileSync(path));
  }

  roundPaths(conversation: string): string[] {
    const folder = join(this.root, '_conversations', conversation, 'rounds');
    return existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.sf'))
          .sort()
          .map((name) => join(folder, name))
      : [];
  }

  /** The header of a conversation's last round. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into headers as they are
  head(conversation: string): any {
    return JSON.parse(this.rounds(conversation).at(-1)!.toString().split('\n', 1)[0]!);
  }
}

/** Waits for a process and gives what it said. Pieces of input are written one by one, none with the next. */
export async function ended(child: ChildProcess, input: string | Iterable<Uint8Array> = ''): Promise<Ran> {
  const stdin = child.stdin!;
  stdin.on('error', () => {}); // Input that nobody reads is no failure.
  if (typeof input === 'string') stdin.end(input);
  else void writePieces(stdin, input);
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close'),
  ]);
  return { status: status as number | null, stdout, stderr };
}

async function writePieces(stdin: Writable, pieces: Iterable<Uint8Array>): Promise<void> {
  for (const piece of pieces) await new Promise((written) => stdin.write(piece, written));
  stdin.end();
}

/** Done, nothing on standard error; gives standard output. */
export function assertDone({ status, stdout, stderr }: Ran): string {
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  return stdout;
}

/** Refused: exit code 1, one line on standard error that matches, nothing on standard output. */
export function assertRefused({ status, stdout, stderr }: Ran, line: RegExp): void {
  assert.match(stderr, /^asz: [^\n]+\n$/);
  assert.match(stderr, line);
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
}

/** Puts bytes where a file is or is not; landed files and rounds are read-only. */
export function rewrite(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, content);
}

/** Changes a round and gives it the digest and the name that its new bytes have. Gives the digest. */
export function remakeRound(path: string, change: (text: string) => string): string {
  const lines = change(readFileSync(path, 'utf8')).trimEnd().split('\n');
  const { counts } = JSON.parse(lines.pop()!);
  const body = `${lines.join('\n')}\n`;
  const digest = createHash('sha256').update(body).digest('hex');
  rmSync(path);
  const name = basename(path).replace(/-[0-9a-f]{12}/, `-${digest.slice(0, 12)}`);
  rewrite(join(dirname(path), name), `${body}${commitLine(digest, counts)}\n`);
  return digest;
}

/** Every file below a folder with its bytes, by path with `/`. */
export function contentsOf(folder: string, wanted = /./): Map<string, string> {
  const contents = new Map<string, string>();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll('\\', '/');
    if (entry.isFile() && wanted.test(name)) contents.set(name, readFileSync(path, 'latin1'));
  }
  return new Map([...contents].sort(([a], [b]) => (a < b ? -1 : 1)));
}
