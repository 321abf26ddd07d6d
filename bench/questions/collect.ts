/** How long does it take to land a history nobody has collected yet? */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { CLAUDE_CODE } from '../../src/adapters/claude-code/claude-code.js';
import { CollectorMemory, collectRoot } from '../../src/landing/collect-root.js';
import { indexSink } from '../../src/landing/index-sink.js';
import { sourcePaths } from '../corpora.js';
import { floorOf } from '../floor.js';
import type { Question } from '../harness.js';

export const COLLECT: Question = {
  name: 'collect',
  asks: 'Landing a whole history, index included: every landed file is synced before its name exists.',
  suits: ({ sources }) => sources !== undefined,
  variants: [
    {
      name: 'floor of the sources',
      isFloor: true,
      measure: ({ sources }, tools) => floorOf(sourcePaths(sources!), tools),
    },
    {
      name: 'collect',
      async measure({ sources }, { scratch, timed }) {
        const syncs = timeSyncs();
        const storageRoot = join(scratch, 'root');
        let bytes = 0;
        const { ms } = await timed(async () => {
          for (let pending = 1; pending > 0; ) {
            const tally = await collectRoot({
              ...{ adapter: CLAUDE_CODE, sourceRoot: sources!, storageRoot, maxDeltaBytes: 0 },
              ...{ filter: { include: [], exclude: [] }, index: indexSink(storageRoot) },
              ...{ now: () => ({ ms: 0, ns: 0 }), memory: new CollectorMemory() },
            });
            if (tally.errors.length > 0)
              throw new AggregateError(tally.errors, 'the corpus does not collect');
            bytes += tally.bytes;
            pending = tally.pending;
          }
        });
        return { ms, bytes, parts: { 'ms in fsync': syncs.ms, 'ms without fsync': ms - syncs.ms } };
      },
    },
  ],
};

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
