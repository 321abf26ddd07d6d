/** Two at once, in short: a sample of the calls at which one of them stops. `npm run torture` tries them all. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SEED } from '../random.js';
import { sampleOf } from './sample.js';
import { PAIRS, TwoAtOnce } from './two-at-once.js';

const skip =
  process.platform === 'linux' ? false : 'skipped: whether a process has stopped is read from /proc';

for (const pair of PAIRS)
  describe(pair.name, { skip }, () => {
    test('what a stopped one holds is left to it, the rest is done, and nothing is done twice', async () => {
      const loop = await TwoAtOnce.of(pair, SEED);
      try {
        for (const [i, at] of sampleOf(loop.stops, 4, SEED).entries())
          await loop.try(at, i % 2 === 0 ? 'goes on' : 'is killed');
        assert.ok(loop.score.cases === 4);
        await loop.race(1);
      } finally {
        loop.remove();
      }
    });
  });
