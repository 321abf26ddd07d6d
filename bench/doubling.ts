/**
 * Does the time of a parse grow with the evidence, and not faster? One session of 30, 60, 120 and 240 thousand
 * records, parsed without a chain, as one big round and at the default budget.
 */
import { rmSync } from 'node:fs';
import { corpusNamed, scratchFolder } from './corpora.js';
import { aszProcess, linkedRoot, median, timed } from './harness.js';
import { ONE_ROUND } from './questions/parse.js';

const SIZES = ['30k', '60k', '120k', '240k'] as const;

export interface Doubling {
  readonly records: number;
  readonly oneRoundMs: number;
  readonly roundsMs: number;
}

/** Every size in turn, so that a busy minute of the machine does not bend the slope. */
export async function measureDoubling(runs: number, say: (line: string) => void): Promise<Doubling[]> {
  const corpora = [];
  for (const size of SIZES) corpora.push(await corpusNamed(size, { chains: false }, say));
  const times = corpora.map(() => ({ oneRound: [] as number[], rounds: [] as number[] }));
  for (let run = 0; run < runs; run++)
    for (const [i, { landed }] of corpora.entries()) {
      times[i]!.oneRound.push(await parseMs(landed, ONE_ROUND));
      times[i]!.rounds.push(await parseMs(landed, undefined));
    }
  const results = corpora.map(({ records }, i) => ({
    records,
    oneRoundMs: median(times[i]!.oneRound),
    roundsMs: median(times[i]!.rounds),
  }));
  for (const { records, oneRoundMs, roundsMs } of results)
    console.log(
      `doubling: ${records} records: one round ${oneRoundMs.toFixed(0)} ms, rounds of 2 MiB ${roundsMs.toFixed(0)} ms`,
    );
  return results;
}

async function parseMs(landed: string, maxRoundBytes: number | undefined): Promise<number> {
  const scratch = scratchFolder(`doubling-${process.pid}`);
  try {
    const tools = { scratch, timed };
    const root = linkedRoot(landed, tools);
    const options = maxRoundBytes === undefined ? {} : { maxRoundBytes };
    return (await aszProcess(root, tools, ['parse'], options)).ms;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
