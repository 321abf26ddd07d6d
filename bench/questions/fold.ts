/** What does it cost to read a chain as one conversation? */
import { statSync } from 'node:fs';
import { foldChain } from '../../src/rounds/read-chain.js';
import { roundPaths } from '../corpora.js';
import { floorOf } from '../floor.js';
import type { Question } from '../harness.js';

export const FOLD: Question = {
  name: 'fold',
  asks: 'Folding the chain of the largest session at the default budget.',
  suits: ({ sessions }) => sessions === 1,
  variants: [
    {
      name: 'floor of the rounds',
      isFloor: true,
      measure: ({ parsed, session }, tools) => floorOf(roundPaths(parsed, session), tools),
    },
    {
      name: 'fold',
      async measure({ parsed, session }, { timed }) {
        const { ms, result } = await timed(() => foldChain(parsed, session));
        const bytes = roundPaths(parsed, session).reduce((sum, path) => sum + statSync(path).size, 0);
        return { ms, bytes, parts: { rounds: result.round } };
      },
    },
  ],
};
