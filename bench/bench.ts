/**
 * Asks every question of every corpus and prints the answers beside their floors:
 *
 *     npm run bench                       small corpora, under two minutes
 *     npm run bench:full                  the large ones too
 *     npm run bench -- --only 'fold|parse' --corpus big1 --runs 9
 *     npm run bench:full -- --history ~/.claude/projects    real history too: collected, and its largest session shown
 *
 * The variants of a question take turns, each run in a fresh process; what is printed is the median. One more run
 * of each, that is not timed, counts files and bytes and takes processor time and peak memory. Results are kept as JSON in
 * `dist/bench-results`, those of a question until it is asked again; `scripts/update-performance.js` makes
 * docs/performance.md of them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Corpus, corpusNamed, HISTORY, isOfHistory, REPEATED } from './corpora.js';
import { type Doubling, measureDoubling } from './doubling.js';
import { type Counted, median, type Question, type Sample, type Variant } from './harness.js';
import { QUESTIONS } from './questions/questions.js';
import { compareWays, type SameBytes } from './same-bytes.js';

/** What a variant's runs gave. */
interface Answer {
  readonly variant: string;
  readonly isFloor: boolean;
  readonly ms: number;
  readonly allMs: readonly number[];
  readonly bytes?: number | undefined;
  readonly parts: Readonly<Record<string, number>>;
  readonly counters: Readonly<Record<string, number>>;
  readonly cpuMs: number;
  readonly maxRssBytes: number;
}

/** A corpus, and what is asked of it. */
interface Planned {
  readonly name: string;
  readonly questions: RegExp;
}

interface AnsweredQuestion {
  readonly name: string;
  readonly asks: string;
  /** Of the machine, when it was begun. */
  readonly load: number;
  readonly answers: readonly Answer[];
}

type AnsweredCorpus = Corpus & { readonly questions: readonly AnsweredQuestion[] };

interface Results {
  readonly node: string;
  readonly machine: string;
  readonly runs: number;
  readonly corpora: readonly AnsweredCorpus[];
  readonly sameBytes: SameBytes | undefined;
  readonly doubling: readonly Doubling[] | undefined;
}

type Run = Sample & { readonly counted?: Counted };

const USAGE = `usage: npm run bench -- [flags]

  --full            the large corpora
  --only PATTERN    the questions whose names match, such as 'fold|parse'
  --corpus NAME     this corpus, whatever is planned for it; may be repeated
  --runs N          of each variant; 5 unless told otherwise
  --history FOLDER  real history too: collected, and its largest session shown
`;

function flags() {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', default: false },
        full: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        corpus: { type: 'string', multiple: true },
        runs: { type: 'string', default: '5' },
        history: { type: 'string' },
      },
    });
    if (!values.help) return values;
    console.log(USAGE);
    process.exit(0);
  } catch (cause) {
    console.error(`bench: ${(cause as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

const values = flags();
/** Questions about chains. */
const CHAINED = ['parse', 'view'];
const QUICK: readonly Planned[] = [
  { name: 'small', questions: /^parse$/ },
  { name: '20k', questions: /./ },
];
const FULL: readonly Planned[] = [
  { name: 'big1', questions: /^(?!collect)/ },
  { name: 'big48', questions: /^(parse|verify)/ },
  { name: 'long', questions: /^collect$/ },
  { name: HISTORY, questions: /^collect$/ },
  { name: REPEATED, questions: /^view$/ },
];
const planned = values.full ? FULL : QUICK;
const wantedNames = values.corpus ?? planned.map(({ name }) => name);
const plan = wantedNames
  .filter((name) => !isOfHistory(name) || values.history !== undefined)
  .map((name): Planned => planned.find((p) => p.name === name) ?? { name, questions: /./ });
const runs = Number(values.runs);
const wanted = new RegExp(values.only);
const say = (line: string) => console.error(line);
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}`;
console.log(`Node ${process.version}; ${machine}; medians of ${runs} runs`);

const corpora: AnsweredCorpus[] = [];
for (const { name, questions: asked } of plan) {
  const needs = {
    sources: asked.test('collect'),
    chains: CHAINED.some((name) => asked.test(name)),
    history: values.history,
  };
  const corpus = await corpusNamed(name, needs, say);
  console.log(
    `\n${name}: ${corpus.records} records, ${corpus.landedFiles} landed files, ${megabytes(corpus.landedBytes)}`,
  );
  const questions: AnsweredQuestion[] = [];
  for (const question of QUESTIONS) {
    if (!question.suits(corpus) || !asked.test(question.name) || !wanted.test(question.name)) continue;
    const [load] = loadavg();
    const answers = ask(question, corpus);
    for (const line of table(question, answers)) console.log(line);
    questions.push({ name: question.name, asks: question.asks, load: load!, answers });
  }
  corpora.push({ ...corpus, questions });
}
const sameBytes =
  values.full && wanted.test('same bytes')
    ? await compareWays(await corpusNamed('big1', {}, say))
    : undefined;
if (sameBytes !== undefined)
  console.log(
    `same bytes: big1 planned and the plain way: ${sameBytes.differing} of ${sameBytes.rounds} rounds differ; ${sameBytes.plannedMs.toFixed(0)} and ${sameBytes.plainMs.toFixed(0)} ms`,
  );
const doubling = values.full && wanted.test('doubling') ? await measureDoubling(runs, say) : undefined;

const folder = join(import.meta.dirname, '../../dist/bench-results');
mkdirSync(folder, { recursive: true });
const file = join(folder, `${values.full ? 'full' : 'quick'}.json`);
if (plan.every((corpus) => planned.includes(corpus)))
  keep({ node: process.version, machine, runs, corpora, sameBytes, doubling });

/** Puts results in the place of older ones to the same questions, if those are of this machine and as many runs. */
function keep(results: Results): void {
  const old = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : undefined;
  const fits = old !== undefined && old.node === results.node && old.machine === results.machine;
  const kept = fits && old.runs === results.runs ? old : undefined;
  const names = new Set([...(kept?.corpora ?? []), ...results.corpora].map(({ name }) => name));
  const merged = planned
    .filter(({ name }) => names.has(name))
    .map(({ name, questions: asks }) => {
      const [older, newer] = [kept, results].map((some) =>
        some?.corpora.find((found) => found.name === name),
      );
      const questions = QUESTIONS.filter((asked) => asks.test(asked.name)).flatMap(({ name: asked }) => {
        const answered = [newer, older].map((some) => some?.questions.find((found) => found.name === asked));
        return answered.filter((found) => found !== undefined).slice(0, 1);
      });
      return { ...(newer ?? older)!, questions };
    });
  const { sameBytes = kept?.sameBytes, doubling = kept?.doubling } = results;
  writeFileSync(file, JSON.stringify({ ...results, corpora: merged, sameBytes, doubling }, null, 1));
}

function ask(question: Question, corpus: Corpus): Answer[] {
  const variants = question.variants.filter(({ suits }) => suits?.(corpus) !== false);
  const samples = variants.map(() => [] as Run[]);
  for (let run = 0; run < runs; run++)
    for (const [i, variant] of variants.entries()) samples[i]!.push(measure(question, variant, corpus));
  return variants.map((variant, i) => {
    const allMs = samples[i]!.map(({ ms }) => ms);
    const middle = median(allMs);
    const typical = samples[i]!.find(({ ms }) => ms === middle)!;
    const { counted } = measure(question, variant, corpus, true);
    return {
      variant: variant.name,
      isFloor: variant.isFloor === true,
      ms: middle,
      allMs,
      bytes: typical.bytes,
      parts: typical.parts ?? {},
      counters: counted!.counters,
      cpuMs: counted!.cpuMs,
      maxRssBytes: counted!.maxRssBytes,
    };
  });
}

/** One run, in a process of its own. */
function measure(question: Question, variant: Variant, corpus: Corpus, counting = false): Run {
  const counters = counting ? mkdtempSync(join(tmpdir(), 'asz-counters-')) : '';
  const preload = pathToFileURL(join(import.meta.dirname, 'counting.js')).href;
  const run = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'run.js'), question.name, variant.name, JSON.stringify(corpus)],
    {
      encoding: 'utf8',
      env: counting
        ? { ...process.env, NODE_OPTIONS: `--import ${preload}`, ASZ_COUNTERS: counters }
        : process.env,
    },
  );
  if (counting) rmSync(counters, { recursive: true });
  if (run.status !== 0) throw new Error(`${question.name}, ${variant.name}: ${run.stderr}`);
  return JSON.parse(run.stdout) as Run;
}

function table({ name }: Question, answers: readonly Answer[]): string[] {
  const floor = answers.find(({ isFloor }) => isFloor);
  return answers.map((answer) => {
    const rate = answer.bytes === undefined ? '' : `${(answer.bytes / 1000 / answer.ms).toFixed(0)} MB/s`;
    const ratio = floor === undefined || answer === floor ? '' : `${(answer.ms / floor.ms).toFixed(2)}×`;
    const notes = Object.entries({ ...answer.parts, ...answer.counters }).map(
      ([key, value]) => `${key} ${Number.isInteger(value) ? value : value.toFixed(1)}`,
    );
    return [
      `${name}: ${answer.variant}`.padEnd(44),
      answer.ms.toFixed(1).padStart(9),
      ' ms',
      answer.cpuMs.toFixed(0).padStart(8),
      ' cpu',
      ratio.padStart(7),
      rate.padStart(10),
      megabytes(answer.maxRssBytes).padStart(9),
      `  ${notes.join(', ')}`,
    ]
      .join('')
      .trimEnd();
  });
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
