/** What does it cost to show a whole conversation? */
import { foldChain } from '../../src/rounds/read-chain.js';
import { documentBytes } from '../../src/view/document.js';
import { buildView } from '../../src/view/view.js';
import { landedPaths } from '../corpora.js';
import { floor } from '../floor.js';
import type { Question } from '../harness.js';

export const VIEW: Question = {
  name: 'view',
  asks: 'The document of the largest session, whole, in memory.',
  suits: ({ sessions }) => sessions === 1,
  variants: [
    {
      name: 'floor: fold, and each landed line read, hashed and parsed',
      isFloor: true,
      async measure({ parsed, session }, { timed }) {
        const { ms, result } = await timed(() => {
          foldChain(parsed, session);
          return floor(landedPaths(parsed));
        });
        return { ms, bytes: result.bytes };
      },
    },
    {
      name: 'document',
      async measure({ parsed, session, landedBytes }, { timed }) {
        let documentSize = 0;
        const { ms, result } = await timed(() => [...documentBytes(buildView(parsed, session))]);
        for (const piece of result) documentSize += piece.length;
        return { ms, bytes: landedBytes, parts: { 'document bytes': documentSize } };
      },
    },
  ],
};
