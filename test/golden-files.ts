/**
 * Makes the files of `test/golden`. The test compares what it makes with what is stored; `scripts/update-golden.js`
 * stores it, on purpose and never as part of a test.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLAUDE_CODE } from '../src/adapters/claude-code/claude-code.js';
import { compareCodePoints } from '../src/format/json-text.js';
import { parseTime } from '../src/format/time.js';
import { listSessions } from '../src/io/storage-root.js';
import { CollectorMemory, collectRoot } from '../src/landing/collect-root.js';
import type { LandedSink } from '../src/landing/landed-sink.js';
import { DEFAULT_MAX_ROUND_BYTES } from '../src/rounds/next-round.js';
import { parseSession } from '../src/rounds/parse-session.js';
import { GOLDEN_ROOTS } from './golden-roots.js';
import { SessionBuilder } from './session-builder.js';

export interface GoldenFile {
  /** Below `test/golden`, with `/`. */
  readonly path: string;
  readonly content: Buffer;
}

/** The folder of the collected samples, beside those of the told roots. */
export const SAMPLES = 'samples';

/** Everything that belongs into `test/golden` but its README, made below `scratch`. `samples`: the source root. */
export async function makeGolden(scratch: string, samples: string): Promise<GoldenFile[]> {
  for (const { name, maxBytes = DEFAULT_MAX_ROUND_BYTES, steps } of GOLDEN_ROOTS) {
    const session = new SessionBuilder(join(scratch, name), { session: name });
    for (const step of steps) {
      step(session);
      session.land();
      await session.parse({ maxBytes });
    }
  }
  await collectSamples(samples, join(scratch, SAMPLES));
  const files = goldenFilesBelow(scratch);
  return [...files, { path: DIGESTS, content: Buffer.from(digestsOf(files)) }];
}

export const DIGESTS = 'digests.txt';

/** Landed files and rounds below a folder, by path: the rest of a root is caches. */
export function goldenFilesBelow(folder: string, prefix = ''): GoldenFile[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true })
    .flatMap((entry): GoldenFile[] => {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (entry.isDirectory()) return goldenFilesBelow(folder, path);
      if (!/\.s[df]$/.test(entry.name)) return [];
      return [{ path, content: readFileSync(join(folder, path)) }];
    })
    .sort((a, b) => compareCodePoints(a.path, b.path));
}

/** As `sha256sum` writes and checks them. */
export function digestsOf(files: readonly GoldenFile[]): string {
  return files
    .map(({ path, content }) => `${createHash('sha256').update(content).digest('hex')}  ${path}\n`)
    .join('');
}

const COLLECTED_AT = parseTime('2026-03-02T18:00:00Z');

async function collectSamples(sourceRoot: string, storageRoot: string): Promise<void> {
  const now = () => COLLECTED_AT;
  const tally = await collectRoot({
    adapter: CLAUDE_CODE,
    sourceRoot,
    storageRoot,
    filter: { include: [], exclude: [] },
    maxDeltaBytes: 0,
    index: NO_INDEX,
    now,
    memory: new CollectorMemory(),
  });
  if (tally.errors.length > 0) throw new AggregateError(tally.errors, 'the samples do not collect');
  for (const session of listSessions(storageRoot))
    await parseSession(storageRoot, session, { maxBytes: DEFAULT_MAX_ROUND_BYTES, now });
}

/** A parse builds the index it misses. */
const NO_INDEX: LandedSink = {
  open: (_, throughSeq) => ({
    indexedSeq: throughSeq,
    reindexed: 0,
    startFile: () => ({ addRecord: () => {}, published: () => {} }),
    save: () => {},
  }),
};
