/** What does it cost to prove everything? */
import { statSync } from 'node:fs';
import { landedPaths, roundPaths } from '../corpora.js';
import { floorOf } from '../floor.js';
import { aszProcess, type Question, type Variant } from '../harness.js';

export const VERIFY: Question = {
  name: 'verify',
  asks: 'Verifying every landed file and every chain, as a process from start to end.',
  suits: ({ behind }) => behind !== undefined,
  variants: [
    {
      name: 'floor of landed files and rounds',
      isFloor: true,
      measure: ({ parsed }, tools) => floorOf([...landedPaths(parsed), ...roundPaths(parsed)], tools),
    },
    variant('one thread', ['--jobs', '1']),
    variant('a thread per core', []),
  ],
};

function variant(name: string, flags: readonly string[]): Variant {
  return {
    name,
    async measure({ parsed, landedBytes }, tools) {
      const { ms } = await aszProcess(parsed, tools, ['verify', ...flags]);
      const roundBytes = roundPaths(parsed).reduce((sum, path) => sum + statSync(path).size, 0);
      return { ms, bytes: landedBytes + roundBytes };
    },
  };
}
