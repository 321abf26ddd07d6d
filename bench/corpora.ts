/** The corpora that benchmarks work on: made once into an ignored folder, and kept for the next run. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { INDEX_VERSION } from '../src/format/index-file.js';
import { loadIndex } from '../src/io/index-store.js';
import { loadSessionState } from '../src/io/session-state.js';
import { listLandedFiles, listSessions, sessionFolder, sessionStateFile } from '../src/io/storage-root.js';
import { DEFAULT_MAX_ROUND_BYTES } from '../src/rounds/next-round.js';
import { performAll } from '../src/workers/session-workers.js';
import { collectAll } from './collect-all.js';
import { copyHistory, repeatLargest } from './corpus/copies.js';
import { History } from './corpus/history.js';
import { makeCorpus, passInstant } from './corpus/make-corpus.js';
import { LandedSession } from './corpus/write-landed.js';

/** As data, so that it can cross to the process of a run. */
export interface Corpus {
  readonly name: string;
  /** Landed files and indexes, no chain. */
  readonly landed: string;
  /** The same with chains at the default budget. */
  readonly parsed: string;
  /** `parsed` with one more landed file of 100 records in the largest session, indexed and not parsed. */
  readonly behind: string | undefined;
  /** Claude Code's form of the same history. */
  readonly sources: string | undefined;
  /** The largest session. */
  readonly session: string;
  readonly sessions: number;
  readonly records: number;
  readonly landedFiles: number;
  readonly landedBytes: number;
}

export interface CorpusNeeds {
  readonly sources?: boolean;
  readonly chains?: boolean;
  /** Where `OF_HISTORY` is copied from, unless it is there already. */
  readonly history?: string | undefined;
}

/** The corpora of real history, which is nobody's to publish: copies of it, and its largest session repeated. */
export const HISTORY = 'history';
export const REPEATED = 'repeated';
const OF_HISTORY: Readonly<Record<string, (from: string, out: string) => void>> = {
  [HISTORY]: (from, out) => copyHistory(from, out, 150e6),
  [REPEATED]: (from, out) => repeatLargest(from, out, 40),
};

export function isOfHistory(name: string): boolean {
  return Object.hasOwn(OF_HISTORY, name);
}

/** The same one for every output folder of the compiler. */
const FOLDER = join(import.meta.dirname, '../../dist/corpora');
/** To be raised when the generator changes. A corpus holds indexes too, and belongs to their version. */
const GENERATION = 1;
const SEED = 1;
const NEW_RECORDS = 100;

/** Gives a corpus, made if it is not there. `say` is told what takes time. */
export async function corpusNamed(
  name: string,
  needs: CorpusNeeds,
  say: (line: string) => void,
): Promise<Corpus> {
  const folder = join(FOLDER, `${name}-${GENERATION}-${INDEX_VERSION}`);
  mkdirSync(folder, { recursive: true });
  const made = async (part: string, make: (path: string) => void | Promise<void>): Promise<string> => {
    const path = join(folder, part);
    if (existsSync(path)) return path;
    say(`making ${name}/${part}`);
    const unfinished = `${path}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    await make(unfinished);
    renameSync(unfinished, path);
    return path;
  };
  const copy = OF_HISTORY[name];
  const makeSources = () =>
    made('sources', (path) => {
      if (copy !== undefined) copy(needs.history!, path);
      else makeCorpus(name, 'claude-code', SEED, path);
    });
  const landed = await made('landed', async (path) => {
    if (copy !== undefined) await collectAll(await makeSources(), path);
    else makeCorpus(name, 'landed', SEED, path);
  });
  const summary = await made('summary.json', (path) =>
    writeFileSync(path, JSON.stringify(summarise(landed))),
  );
  const corpus = JSON.parse(readFileSync(summary, 'utf8')) as ReturnType<typeof summarise>;
  const chains = needs.chains !== false;
  const parsed = !chains ? landed : await made('parsed', (path) => parseAll(landed, path));
  const behind = !chains
    ? undefined
    : await made('behind', (path) => {
        execFileSync('cp', ['-al', parsed, path]);
        landMore(path, corpus.session);
      });
  const sources = needs.sources ? await makeSources() : undefined;
  return { name, landed, parsed, behind, sources, ...corpus };
}

/** A folder for one run, on the same disk, so that files can be linked. */
export function scratchFolder(run: string): string {
  const path = join(FOLDER, 'scratch', run);
  mkdirSync(path, { recursive: true });
  return path;
}

function summarise(root: string) {
  const sessions = listSessions(root).map((session) => {
    const { index } = loadIndex(root, session)!;
    return { session, records: index.entries, files: index.files };
  });
  const files = sessions.flatMap((session) => session.files);
  return {
    session: sessions.toSorted((a, b) => b.records - a.records)[0]!.session,
    sessions: sessions.length,
    records: sessions.reduce((sum, { records }) => sum + records, 0),
    landedFiles: files.length,
    landedBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}

async function parseAll(landed: string, path: string): Promise<void> {
  execFileSync('cp', ['-al', landed, path]);
  const maxRoundBytes = DEFAULT_MAX_ROUND_BYTES;
  const tasks = listSessions(path).map((session) => ({
    ...{ kind: 'parse' as const, root: path, session, maxRoundBytes },
  }));
  for (const outcome of await performAll(tasks)) if ('error' in outcome) throw outcome.error;
}

/** One landed file of 100 records at the end of main, as a collector that looked again would land it. */
function landMore(root: string, session: string): void {
  const more = new History({ seed: SEED + 1000, records: 400, children: 0, recordsPerPass: 400 });
  const [pass] = more.passes();
  const { lines } = pass!.get(`${more.project}/${more.session}.jsonl`)!;
  const path = `${more.project}/${session}.jsonl`;
  const state = loadSessionState(sessionStateFile(root, session), session);
  const landed = new LandedSession(root, session, state.nextSeq, new Map([[path, endOfMain(root, session)]]));
  const now = passInstant(1000);
  landed.pass(new Map([[path, { growth: 'append', lines: lines.slice(0, NEW_RECORDS) }]]), now);
  landed.finish(now);
}

/** Where the next line of the main transcript stands, from the last record that landed of it. */
function endOfMain(root: string, session: string): { ord: number; off: number } {
  const files = listLandedFiles(sessionFolder(root, session)).filter(({ stream }) => stream === 'main');
  const last = readFileSync(files.at(-1)!.path, 'utf8').split('\n').at(-3)!;
  const { ord, off, bytes } = JSON.parse(last) as { ord: number; off: number; bytes: number };
  return { ord, off: off + bytes + 1 };
}

/** The landed files of a root by path: what the floors read. */
export function landedPaths(root: string, session = '*'): string[] {
  return fastGlob.sync(`${session}/{streams,runs}/**/*.sd`, { cwd: root, absolute: true }).sort();
}

export function roundPaths(root: string, session = '*'): string[] {
  return fastGlob.sync(`_conversations/${session}/rounds/*.sf`, { cwd: root, absolute: true }).sort();
}

export function sourcePaths(root: string): string[] {
  return fastGlob.sync('**/*', { cwd: root, absolute: true }).sort();
}
