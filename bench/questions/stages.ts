/** What does each of the eight stages cost, what the streams around them, and what the steps behind them? */
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { loadIndex } from '../../src/io/index-store.js';
import { assemble } from '../../src/stages/pipeline.js';
import { SessionModel } from '../../src/stages/session-model.js';
import type { StageRules } from '../../src/stages/stage.js';
import type { Corpus } from '../corpora.js';
import { type Question, type Variant, WARM_UPS } from '../harness.js';

const STAGES = ['records', 'streams', 'calls', 'tools', 'children', 'epochs', 'talks', 'segments'] as const;
const PAGE = 4096;

export const STAGES_QUESTION: Question = {
  name: 'stages',
  asks: 'Assembling the largest session whole, index in memory: the eight stages in a plain loop, as streams, and with the steps that make entities of them.',
  suits: ({ sessions }) => sessions === 1,
  variants: [
    variant('stages, plain loop, first', 0, plainLoop),
    variant('stages, plain loop, warm', WARM_UPS, plainLoop),
    variant('stages, as streams, warm', WARM_UPS, (corpus) => streamed(corpus, false)),
    variant('stages and steps, first', 0, (corpus) => streamed(corpus, true)),
    variant('stages and steps, warm', WARM_UPS, (corpus) => streamed(corpus, true)),
  ],
};

type Loaded = ReturnType<typeof load>;
type Parts = Record<string, number>;

function variant(name: string, warmUps: number, work: (loaded: Loaded) => Parts | Promise<Parts>): Variant {
  return {
    name,
    async measure(corpus, { timed }) {
      const loaded = load(corpus);
      for (let i = 0; i < warmUps; i++) await work(loaded);
      const { ms, result } = await timed(() => work(loaded));
      return { ms, parts: result };
    },
  };
}

function load({ landed, session }: Corpus) {
  const { index, indexedSeq } = loadIndex(landed, session)!;
  return { index, indexedSeq, session };
}

function plainLoop({ index, indexedSeq, session }: Loaded): Parts {
  const parts: Parts = {};
  const model = new SessionModel(index, session);
  const pages = [...model.advance(indexedSeq, PAGE)];
  for (const name of STAGES) {
    const began = performance.now();
    const rules: StageRules = model[name];
    for (const page of pages) rules.page(page);
    rules.end?.();
    parts[`ms of ${name}`] = performance.now() - began;
  }
  return parts;
}

async function streamed({ index, indexedSeq, session }: Loaded, withSteps: boolean): Promise<Parts> {
  const { streams } = assemble(index, { conversation: session, watermark: indexedSeq });
  let [entities, stagesMs] = [0, 0];
  const began = performance.now();
  const sink = new Writable({
    objectMode: true,
    write(batch: readonly unknown[], _encoding, done) {
      if (withSteps) {
        if (entities === 0) stagesMs = performance.now() - began;
        entities += batch.length;
      }
      done();
    },
  });
  const [pages, ...stages] = streams;
  await pipeline([pages, ...(withSteps ? stages : stages.slice(0, -1)), sink]);
  return withSteps ? { entities, 'ms to the first entity': stagesMs } : {};
}
