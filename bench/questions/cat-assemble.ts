/** What does a round cost that is built from text, through a pipe? */
import { execFileSync } from 'node:child_process';
import { aszWords, configFile, type Question } from '../harness.js';

export const CAT_ASSEMBLE: Question = {
  name: 'index cat | assemble',
  asks: 'The index as JSON lines through a pipe, and one round out of them: two processes.',
  suits: ({ sessions }) => sessions === 1,
  variants: [
    {
      name: 'cat alone',
      measure: (corpus, tools) => piped(corpus.session, configFile(corpus.landed, tools), tools, ''),
    },
    {
      name: 'cat, piped into assemble',
      measure: (corpus, tools) => {
        const assemble = `| ${aszWords('assemble', '--conversation', corpus.session)}`;
        return piped(corpus.session, configFile(corpus.landed, tools), tools, assemble);
      },
    },
  ],
};

async function piped(
  session: string,
  config: string,
  { timed }: { readonly timed: <T>(work: () => T) => Promise<{ ms: number; result: T }> },
  rest: string,
) {
  const words = `${aszWords('index', 'cat', session, '--config', config)} ${rest} | wc -c`;
  const { ms, result } = await timed(() => execFileSync('sh', ['-c', words], { encoding: 'utf8' }));
  return { ms, parts: { 'bytes out': Number(result) } };
}
