/** What does a parse cost that has everything to do, at the default budget and without one? */
import { statSync } from 'node:fs';
import { landedPaths, roundPaths } from '../corpora.js';
import { floorOf } from '../floor.js';
import { aszProcess, linkedRoot, type Question, type Variant } from '../harness.js';

export const ONE_ROUND = 2 ** 40;

export const PARSE: Question = {
  name: 'parse',
  asks: 'Parsing with the index present and no chain, as a process from start to end; all sessions of the corpus.',
  suits: () => true,
  variants: [
    {
      name: 'floor of the landed files',
      isFloor: true,
      measure: ({ landed }, tools) => floorOf(landedPaths(landed), tools),
    },
    variant('rounds of 2 MiB', undefined),
    variant('one big round', ONE_ROUND),
  ],
};

function variant(name: string, maxRoundBytes: number | undefined): Variant {
  return {
    name,
    async measure({ landed, landedBytes }, tools) {
      const root = linkedRoot(landed, tools);
      const { ms } = await aszProcess(
        root,
        tools,
        ['parse'],
        maxRoundBytes === undefined ? {} : { maxRoundBytes },
      );
      const written = roundPaths(root);
      const bytes = written.reduce((sum, path) => sum + statSync(path).size, 0);
      return { ms, bytes: landedBytes, parts: { rounds: written.length, 'bytes of rounds': bytes } };
    },
  };
}
