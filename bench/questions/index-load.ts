/** How long does it take until a stored index can answer every question by id? */
import { loadIndex } from '../../src/io/index-store.js';
import { SessionModel } from '../../src/stages/session-model.js';
import type { Corpus } from '../corpora.js';
import { type Question, type Tools, type Variant, WARM_UPS } from '../harness.js';

export const INDEX_LOAD: Question = {
  name: 'index load',
  asks: 'Loading the index of the largest session with its own integrity check; then also the lookups, which the first two stages make.',
  suits: ({ sessions }) => sessions === 1,
  variants: [
    variant('load, first in a process', 0, load),
    variant('load, warm', WARM_UPS, load),
    variant('load with lookups, first', 0, loadWithLookups),
    variant('load with lookups, warm', WARM_UPS, loadWithLookups),
  ],
};

function variant(name: string, warmUps: number, work: (corpus: Corpus) => unknown): Variant {
  return {
    name,
    async measure(corpus: Corpus, { timed }: Tools) {
      for (let i = 0; i < warmUps; i++) work(corpus);
      return { ms: (await timed(() => work(corpus))).ms };
    },
  };
}

function load({ landed, session }: Corpus) {
  return loadIndex(landed, session)!;
}

function loadWithLookups(corpus: Corpus): SessionModel {
  const { index, indexedSeq } = load(corpus);
  const model = new SessionModel(index, corpus.session);
  for (const page of model.advance(indexedSeq, index.entries)) {
    model.records.page(page);
    model.streams.page(page);
  }
  return model;
}
