/** How long does it take to build an index from the landed files? */
import { openIndex } from '../../src/io/index-store.js';
import { landedPaths } from '../corpora.js';
import { floorOf } from '../floor.js';
import { linkedRoot, type Question } from '../harness.js';

export const INDEX_REBUILD: Question = {
  name: 'index rebuild',
  asks: 'Building the index of the largest session from its landed files, and saving it.',
  suits: () => true,
  variants: [
    {
      name: 'floor of the landed files',
      isFloor: true,
      measure: ({ landed, session }, tools) => floorOf(landedPaths(landed, session), tools),
    },
    {
      name: 'rebuild',
      async measure({ landed, session }, tools) {
        const root = linkedRoot(landed, tools, [`${session}/streams`, `${session}/runs`]);
        const { ms, result } = await tools.timed(() => openIndex(root, session, { ms: 0, ns: 0 }));
        return { ms, bytes: result.index.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
      },
    },
  ],
};
