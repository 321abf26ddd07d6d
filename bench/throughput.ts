/**
 * One question: how fast is the main job, beside the floor of the same bytes?
 *
 *     npm run bench -- FOLDER      a folder of Claude Code's history, the `projects` directory itself
 *
 * Medians of five runs, the steps and their floors alternated in one process, every run in a fresh root. Without a
 * folder it takes the bundled samples, which are far too small to say more than that it works.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fastGlob from 'fast-glob';
import { CLAUDE_CODE } from '../src/adapters/claude-code/claude-code.js';
import { listSessions } from '../src/io/storage-root.js';
import { CollectorMemory, collectRoot } from '../src/landing/collect-root.js';
import { indexSink } from '../src/landing/index-sink.js';
import { DEFAULT_MAX_ROUND_BYTES } from '../src/rounds/next-round.js';
import { parseSession } from '../src/rounds/parse-session.js';
import { verifyLanded } from '../src/rounds/verify-landed.js';
import { floor } from './floor.js';

const RUNS = 5;
const PARSING = { maxBytes: DEFAULT_MAX_ROUND_BYTES, now: () => ({ ms: 0, ns: 0 }) };

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../samples/projects'));
const scratch = mkdtempSync(join(tmpdir(), 'asz-bench-'));
const times = new Map<string, number[]>();
const bytes = new Map<string, number>();

async function timed<T>(step: string, work: () => T | Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  const list = times.get(step) ?? [];
  list.push(performance.now() - began);
  times.set(step, list);
  return result;
}

async function parseAll(root: string): Promise<void> {
  for (const session of listSessions(root)) await parseSession(root, session, PARSING);
}

for (let run = 0; run < RUNS; run++) {
  const root = join(scratch, String(run));
  const sources = fastGlob.sync('**/*.{jsonl,json,js}', { cwd: folder, absolute: true }).sort();
  const read = await timed('floor of the sources', () => floor(sources));
  bytes.set('floor of the sources', read.bytes).set('collect', read.bytes);
  const tally = await timed('collect', () =>
    collectRoot({
      adapter: CLAUDE_CODE,
      sourceRoot: folder,
      storageRoot: root,
      filter: { include: [], exclude: [] },
      maxDeltaBytes: 0,
      index: indexSink(root),
      now: PARSING.now,
      memory: new CollectorMemory(),
    }),
  );
  if (tally.errors.length > 0) throw new AggregateError(tally.errors, 'the corpus does not collect');
  const landed = fastGlob.sync('*/**/*.sd', { cwd: root, absolute: true }).sort();
  const landedRead = await timed('floor of the landed files', () => floor(landed));
  for (const step of ['floor of the landed files', 'parse, index present', 'parse, index rebuilt', 'verify'])
    bytes.set(step, landedRead.bytes);
  await timed('parse, index present', () => parseAll(root));
  await timed('parse, nothing new', () => parseAll(root));
  await timed('verify', () => {
    for (const session of listSessions(root)) verifyLanded(root, session);
  });
  for (const session of listSessions(root)) rmSync(join(root, session, 'index'), { recursive: true });
  rmSync(join(root, '_conversations'), { recursive: true });
  await timed('parse, index rebuilt', () => parseAll(root));
}
rmSync(scratch, { recursive: true });

console.log(`${folder}`);
console.log(`node ${process.version}, ${cpus()[0]?.model.trim()}, one thread, median of ${RUNS} runs\n`);
const median = (step: string) => times.get(step)!.toSorted((a, b) => a - b)[RUNS >> 1]!;
for (const step of times.keys()) {
  const size = bytes.get(step);
  const base = step === 'collect' ? 'floor of the sources' : 'floor of the landed files';
  const rate = size === undefined ? '' : `${(size / 1000 / median(step)).toFixed(0)} MB/s`;
  const ratio = step.startsWith('floor') ? '' : `${(median(step) / median(base)).toFixed(2)} × its floor`;
  console.log(
    `${step.padEnd(28)}${median(step).toFixed(1).padStart(9)} ms  ${rate.padEnd(10)} ${ratio}`.trimEnd(),
  );
}
