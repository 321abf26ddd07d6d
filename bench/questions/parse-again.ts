/** What does a parse cost that has little or nothing to do? */
import { spawnSync } from 'node:child_process';
import { aszProcess, linkedRoot, type Question } from '../harness.js';

export const PARSE_AGAIN: Question = {
  name: 'parse again',
  asks: 'Parsing with a chain, as a process from start to end: nothing new, and one new landed file of 100 records that is already indexed.',
  suits: ({ behind }) => behind !== undefined,
  variants: [
    {
      name: 'floor: a process that does nothing',
      isFloor: true,
      async measure(_corpus, { timed }) {
        return { ms: (await timed(() => spawnSync(process.execPath, ['-e', '0']))).ms };
      },
    },
    {
      name: 'nothing new',
      async measure({ parsed }, tools) {
        const root = linkedRoot(parsed, tools);
        // What an earlier parse leaves behind for the next one, if anything, is left by this one.
        await aszProcess(root, tools, ['parse']);
        const { ms, stdout } = await aszProcess(root, tools, ['parse']);
        if (!stdout.includes('0 round(s) written')) throw new Error('there was something new');
        return { ms };
      },
    },
    {
      name: 'one new file',
      async measure({ behind }, tools) {
        const root = linkedRoot(behind!, tools);
        const { ms, stdout } = await aszProcess(root, tools, ['parse']);
        if (!stdout.includes('1 round(s) written')) throw new Error('there was nothing new');
        return { ms };
      },
    },
  ],
};
