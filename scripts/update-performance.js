// Writes docs/performance.md from what `npm run bench` and `npm run bench:full` measured. Nothing in it is typed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FOLDER = 'dist/bench-results';
const read = (set) => {
  const file = `${FOLDER}/${set}.json`;
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
};
const command = existsSync(`${FOLDER}/full.json`) ? 'npm run bench:full' : 'npm run bench';
const results = read('full') ?? read('quick');
if (results === undefined) {
  console.error(`nothing in ${FOLDER}; run npm run bench:full`);
  process.exit(1);
}

const number = (value, digits = 0) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const milliseconds = (ms) => number(ms, ms < 100 ? 1 : 0);
const megabytes = (bytes) => number(bytes / 1e6);
const row = (cells) => `| ${cells.join(' | ')} |`;
const table = (headings, rows) =>
  [row(headings), row(headings.map(() => '---')), ...rows.map(row)].join('\n');

const corpus = (name) => results.corpora.find((found) => found.name === name);
const answers = (name, question) => corpus(name)?.questions.find((found) => found.name === question)?.answers;
const answer = (name, question, variant) =>
  answers(name, question)?.find((found) => found.variant === variant);
const floor = (name, question) => answers(name, question)?.find(({ isFloor }) => isFloor);

function ratio(name, question, variant) {
  const [measured, least] = [answer(name, question, variant), floor(name, question)];
  return measured && least && measured.ms / least.ms;
}

const time = (found) => found && { value: found.ms, text: `${milliseconds(found.ms)} ms` };
const times = (value) => value && { value, text: `${number(value, 2)} times` };
const memory = (found) =>
  found && { value: found.maxRssBytes / 1e6, text: `${megabytes(found.maxRssBytes)} MB` };

/** Files of the kinds that a parse with nothing new may not open. */
function opened(found, kinds) {
  if (found === undefined) return undefined;
  const value = kinds.reduce((sum, kind) => sum + (found.counters[`${kind} files opened`] ?? 0), 0);
  return { value, text: number(value) };
}

/** As a command collects: what its threads wait for in fsync, they wait for side by side. */
function collectByThreads(name) {
  const [measured, least] = [answer(name, 'collect', 'collect, a thread per core'), floor(name, 'collect')];
  if (!measured || !least) return undefined;
  const cores = Number(results.machine.split(' ')[0]);
  return times((measured.ms - measured.counters['ms in fsync of all threads'] / cores) / least.ms);
}

/** The synchronisations of publications and state files are promised; what is left is held against the floor. */
function collectBesideFloor(name) {
  const [measured, least] = [answer(name, 'collect', 'collect'), floor(name, 'collect')];
  return measured && least && times((measured.ms - measured.parts['ms in fsync']) / least.ms);
}

/** How many rounds of the two ways to build a chain differ. */
function differing() {
  const same = results.sameBytes;
  return same && { value: same.differing, text: `${same.differing} of ${same.rounds}` };
}

/** The steepest step of a doubling whose smaller side takes at least 50 ms. */
function steepest(key) {
  if (results.doubling === undefined) return undefined;
  const steps = results.doubling
    .slice(1)
    .map((larger, i) => [results.doubling[i][key], larger[key]])
    .filter(([smaller]) => smaller >= 50)
    .map(([smaller, larger]) => larger / smaller);
  return steps.length === 0 ? undefined : times(Math.max(...steps));
}

const rounds = answer('big1', 'parse', 'rounds of 2 MiB');
const oneRound = answer('big1', 'parse', 'one big round');
const nothingNew = answer('big1', 'parse again', 'nothing new');
const TARGETS = [
  [
    'parse of big1 at 2 MiB, beside one big round',
    4,
    'times',
    rounds && oneRound && times(rounds.ms / oneRound.ms),
  ],
  ['parse of big1 at 2 MiB, as a process', 4000, 'ms', time(rounds)],
  ['parse of big48 at 2 MiB, as a process', 4000, 'ms', time(answer('big48', 'parse', 'rounds of 2 MiB'))],
  ['big1 at 2 MiB, rounds that are not those of the plain way', 0, '', differing()],
  ['records doubled, 2 MiB: the steepest step', 2.3, 'times', steepest('roundsMs')],
  ['records doubled, one round: the steepest step', 2.3, 'times', steepest('oneRoundMs')],
  [
    'index load with lookups, first in a process',
    20,
    'ms',
    time(answer('big1', 'index load', 'load with lookups, first')),
  ],
  ['index load with lookups, warm', 7, 'ms', time(answer('big1', 'index load', 'load with lookups, warm'))],
  [
    'eight stages and steps, first in a process',
    300,
    'ms',
    time(answer('big1', 'stages', 'stages and steps, first')),
  ],
  ['eight stages and steps, warm', 300, 'ms', time(answer('big1', 'stages', 'stages and steps, warm'))],
  ['parse with nothing new, as a process', 150, 'ms', time(nothingNew)],
  ['the same: landed files and indexes opened', 0, '', opened(nothingNew, ['landed', 'index'])],
  ['the same: round files opened', 1, '', opened(nothingNew, ['rounds'])],
  ['parse with one new file, as a process', 1000, 'ms', time(answer('big1', 'parse again', 'one new file'))],
  ['index rebuild, beside its floor', 1.6, 'times', times(ratio('big1', 'index rebuild', 'rebuild'))],
  ['verify in one thread, beside its floor', 1.6, 'times', times(ratio('big1', 'verify', 'one thread'))],
  ['collect of real history without its fsync, beside its floor', 3, 'times', collectBesideFloor('history')],
  ['the same, a thread per core', 3, 'times', collectByThreads('history')],
  ['peak memory of collect, 540 MB in one file', 300, 'MB', memory(answer('long', 'collect', 'collect'))],
  ['peak memory of parse, big1', 450, 'MB', memory(rounds)],
  ['push, beside its floor', 1.5, 'times', times(ratio('big1', 'push', 'push'))],
  // Three times the default batch, and 100 MB.
  ['peak memory of push, big1', 125, 'MB', memory(answer('big1', 'push', 'push'))],
  ['peak memory of push, 5,000 files', 125, 'MB', memory(answer('20k', 'push many files', '5,000 files'))],
];

const targets = table(
  ['What', 'At most', 'Measured', ''],
  TARGETS.map(([what, most, unit, measured]) => [
    what,
    `${number(most, Number.isInteger(most) ? 0 : 1)} ${unit}`.trim(),
    measured?.text ?? 'not measured',
    measured === undefined ? '' : measured.value <= most ? 'met' : '**missed**',
  ]),
);

function corpusSection({ name, records, sessions, landedFiles, landedBytes, questions }) {
  const size = `${number(records)} records in ${number(landedFiles)} landed files of ${sessions === 1 ? 'one session' : `${sessions} sessions`}, ${megabytes(landedBytes)} MB.`;
  return [`## ${name}`, size, ...questions.map(questionSection)].join('\n\n');
}

function questionSection({ name, asks, answers }) {
  const least = answers.find(({ isFloor }) => isFloor);
  const rows = answers.map((found) => [
    found.variant,
    milliseconds(found.ms),
    least === undefined ? '' : found === least ? '1' : number(found.ms / least.ms, 2),
    found.bytes === undefined ? '' : number(found.bytes / 1000 / found.ms),
    milliseconds(found.cpuMs),
    megabytes(found.maxRssBytes),
    Object.entries({ ...found.parts, ...found.counters })
      .map(([key, value]) => `${key} ${key.startsWith('ms') ? milliseconds(value) : number(value)}`)
      .join('; '),
  ]);
  const headings = ['', 'ms', '× floor', 'MB/s', 'cpu ms', 'peak MB', 'of it, and counted'];
  return [`### ${name}`, asks, table(headings, rows)].join('\n\n');
}

function doublingSection() {
  if (results.doubling === undefined) return [];
  const rows = results.doubling.map(({ records, oneRoundMs, roundsMs }, i) => {
    const before = results.doubling[i - 1];
    const step = (now, then) => (then === undefined ? '' : number(now / then, 2));
    return [
      number(records),
      milliseconds(oneRoundMs),
      step(oneRoundMs, before?.oneRoundMs),
      milliseconds(roundsMs),
      step(roundsMs, before?.roundsMs),
    ];
  });
  const headings = ['records', 'one big round, ms', '× the half', 'rounds of 2 MiB, ms', '× the half'];
  const asks = 'One session, no chain, as a process: does the time grow with the evidence and no faster?';
  return [['## doubling', asks, table(headings, rows)].join('\n\n')];
}

const loads = results.corpora.flatMap(({ questions }) => questions.map(({ load }) => load));
const page = [
  '# Performance',
  '<!-- Written by scripts/update-performance.js. Do not edit. -->',
  `What \`${command}\` measured with Node ${results.node} on ${results.machine}. The load of the machine at the beginning of a question was ${number(Math.max(...loads), 1)} at most; above 1 it was at work on other things too, or had just been, and ratios and processor times say more than times.`,
  `Medians of ${results.runs} runs, the variants of a question in turn and each run in a fresh process. Times are milliseconds, MB are 10^6 bytes. The floor of a question is what no program that proves what it read can do without: read, SHA-256 and one \`JSON.parse\` of the same bytes, in one thread, measured in the same run. Processor time, peak memory and counts are those of one more run that is not timed, threads included. The corpora are made up, by seed, with the shapes of real history (\`npm run bench:corpus\`).`,
  'Where the time goes, and why what is missed is missed: [speed.md](speed.md).',
  '## What was asked for',
  targets,
  ...results.corpora.map(corpusSection),
  ...doublingSection(),
].join('\n\n');
writeFileSync('docs/performance.md', `${page}\n`);
