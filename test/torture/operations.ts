/** The operations that are tormented: how each begins, what is called, and where what it makes stands. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { REPOSITORY } from '../repository.js';
import type { Budgets, Place } from './place.js';

export interface Operation {
  readonly name: string;
  readonly argv: (place: Place) => readonly string[];
  readonly budgets: Budgets;
  /** Makes its sources and brings its box to where it begins. */
  readonly prepare: (place: Place) => Promise<void>;
  /** The root it makes or extends, by its name in the box. */
  readonly makes: string;
}

/** Small enough that the larger transcripts land in several files. */
const MAX_DELTA_BYTES = 6000;

const COLLECT = ['collect', '--once', '--jobs', '1'];
const PARSE = ['parse', '--jobs', '1'];

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'first collection',
    argv: () => COLLECT,
    budgets: { maxDeltaBytes: MAX_DELTA_BYTES },
    prepare: async (place) => writeSources(place.sources),
    makes: 'data',
  },
  {
    name: 'collection of what grew',
    argv: () => COLLECT,
    budgets: { maxDeltaBytes: MAX_DELTA_BYTES },
    prepare: async (place) => {
      const whole = `${place.sources}-whole`;
      writeSources(whole);
      growSources(whole, place.sources, 0.4);
      await done(place, COLLECT);
      growSources(whole, place.sources, 1);
    },
    makes: 'data',
  },
  {
    name: 'index rebuild',
    argv: () => PARSE,
    budgets: { maxDeltaBytes: MAX_DELTA_BYTES },
    prepare: async (place) => {
      writeSources(place.sources);
      await done(place, COLLECT);
      for (const session of readdirSync(place.root))
        rmSync(join(place.root, session, 'index'), { recursive: true, force: true });
    },
    makes: 'data',
  },
  {
    name: 'parse of several rounds',
    argv: () => PARSE,
    budgets: { maxDeltaBytes: MAX_DELTA_BYTES, maxRoundBytes: 12_000 },
    prepare: async (place) => {
      writeSources(place.sources);
      await done(place, COLLECT);
      rmSync(join(place.root, '_conversations'), { recursive: true });
    },
    makes: 'data',
  },
  {
    name: 'repack',
    argv: (place) => ['repack', '--jobs', '1', join(place.box, 'new')],
    budgets: { maxDeltaBytes: 20_000 },
    prepare: async (place) => {
      writeSources(place.sources);
      place.configure(place.root, { maxDeltaBytes: MAX_DELTA_BYTES });
      await done(place, COLLECT);
      place.configure(place.root, { maxDeltaBytes: 20_000 });
    },
    makes: 'new',
  },
];

async function done(place: Place, argv: readonly string[]): Promise<void> {
  const { status, stderr } = await place.here(argv);
  if (status !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`);
}

/** The sessions of the samples, with sidecars, children and a workflow's run, and one more of lines without ids. */
function writeSources(projects: string): void {
  cpSync(join(REPOSITORY, 'samples/projects'), projects, { recursive: true });
  mkdirSync(join(projects, '-home-robin-plain'));
  writeFileSync(join(projects, '-home-robin-plain', `${PLAIN}.jsonl`), plainLines().join('\n'));
}

const PLAIN = '0a1b2c3d-1111-4222-8333-444455556666';

function plainLines(): string[] {
  const lines: string[] = [];
  for (let i = 0; i < 30; i++) {
    const at = { timestamp: new Date(Date.UTC(2026, 2, 3, 9, 0, i)).toISOString(), cwd: '/home/robin/plain' };
    if (i % 3 === 1)
      lines.push(JSON.stringify({ type: 'summary', summary: `line ${i} has no id`, leafUuid: `u${i - 1}` }));
    else if (i % 2 === 0)
      lines.push(
        JSON.stringify({
          ...{ type: 'user', uuid: `u${i}`, parentUuid: null, promptId: `p${i}`, sessionId: PLAIN, ...at },
          ...{
            origin: { kind: 'human' },
            message: { role: 'user', content: `question ${i} ${'x'.repeat(400)}` },
          },
        }),
      );
    else
      lines.push(
        JSON.stringify({
          ...{ type: 'assistant', uuid: `u${i}`, parentUuid: `u${i - 1}`, sessionId: PLAIN, ...at },
          message: { id: `m${i}`, role: 'assistant', content: [{ type: 'text', text: `answer ${i}` }] },
        }),
      );
  }
  lines.push('{"type":"user","uuid":"torn'); // its writer is still at it
  return lines;
}

/** Brings each source to a part of what it will be: transcripts grow, documents are there or not. */
function growSources(whole: string, projects: string, part: number): void {
  for (const entry of readdirSync(whole, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const to = join(projects, from.slice(whole.length));
    const bytes = readFileSync(from);
    const isTranscript = entry.name.endsWith('.jsonl');
    if (!isTranscript && part < 1 && entry.name.includes('9')) continue;
    mkdirSync(dirname(to), { recursive: true });
    const had = existsSync(to) ? readFileSync(to).length : 0;
    if (isTranscript) appendFileSync(to, bytes.subarray(had, Math.floor(bytes.length * part)));
    else writeFileSync(to, bytes);
  }
}
