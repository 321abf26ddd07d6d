/** How long does it take to land a history nobody has collected yet? */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { landByThreads } from '../../src/collector/land-by-threads.js';
import type { LandBatches } from '../../src/landing/collect-root.js';
import { collectAll } from '../collect-all.js';
import { type Corpus, sourcePaths } from '../corpora.js';
import { floorOf } from '../floor.js';
import type { Question, Tools } from '../harness.js';

export const COLLECT: Question = {
  name: 'collect',
  asks: 'Landing a whole history, index included: every landed file is synced before its name exists. Then a pass with nothing new.',
  suits: ({ sources }) => sources !== undefined,
  variants: [
    {
      name: 'floor of the sources',
      isFloor: true,
      measure: ({ sources }, tools) => floorOf(sourcePaths(sources!), tools),
    },
    {
      name: 'collect',
      async measure(corpus, tools) {
        const syncs = timeSyncs();
        const { ms, bytes } = await collect(corpus, tools);
        return { ms, bytes, parts: { 'ms in fsync': syncs.ms, 'ms without fsync': ms - syncs.ms } };
      },
    },
    {
      // What its threads spend in fsync is known of the counted run alone.
      name: 'collect, a thread per core',
      suits: ({ sessions }) => sessions > 1,
      measure: (corpus, tools) => collect(corpus, tools, landByThreads({})),
    },
    {
      name: 'nothing new',
      suits: ({ landedBytes }) => landedBytes < 400e6,
      async measure(corpus, tools) {
        await collect(corpus, tools);
        const { ms } = await collect(corpus, tools);
        return { ms };
      },
    },
  ],
};

async function collect({ sources }: Corpus, { scratch, timed }: Tools, land?: LandBatches) {
  const { ms, result: bytes } = await timed(() => collectAll(sources!, join(scratch, 'root'), land));
  return { ms, bytes };
}

/** How long the synchronisations take that are promised, which no program can make shorter. */
function timeSyncs(): { ms: number } {
  const total = { ms: 0 };
  const { fsyncSync } = fs;
  fs.fsyncSync = (fd) => {
    const began = performance.now();
    fsyncSync(fd);
    total.ms += performance.now() - began;
  };
  syncBuiltinESMExports();
  return total;
}
