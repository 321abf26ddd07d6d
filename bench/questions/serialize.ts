/** What does it cost to write all entities of a session as one round, digest included? */
import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Entity } from '../../src/format/entity.js';
import { loadIndex } from '../../src/io/index-store.js';
import { Fold } from '../../src/rounds/fold.js';
import { factsOf, roundHeader } from '../../src/rounds/round-header.js';
import { RoundSerializer } from '../../src/rounds/serializer.js';
import { assemble } from '../../src/stages/pipeline.js';
import type { Corpus } from '../corpora.js';
import type { Question } from '../harness.js';

const BATCH = 1024;

export const SERIALIZE: Question = {
  name: 'serialize',
  asks: 'Writing every entity of the largest session as one round, header and SHA-256 included; entities in memory.',
  suits: ({ sessions }) => sessions === 1,
  variants: [
    {
      name: 'floor: SHA-256 of the round',
      isFloor: true,
      async measure(corpus, { timed }) {
        const bytes = await serialized(await roundOf(corpus));
        const { ms } = await timed(() => {
          const hash = createHash('sha256');
          for (const piece of bytes) hash.update(piece);
          return hash.digest('hex');
        });
        return { ms, bytes: sizeOf(bytes) };
      },
    },
    {
      name: 'serialize',
      async measure(corpus, { timed }) {
        const round = await roundOf(corpus);
        const { ms, result } = await timed(() => serialized(round));
        return { ms, bytes: sizeOf(result), parts: { frames: round.entities.length } };
      },
    },
  ],
};

type Round = Awaited<ReturnType<typeof roundOf>>;

async function roundOf({ landed, session }: Corpus) {
  const { index, indexedSeq } = loadIndex(landed, session)!;
  const entities: Entity[] = [];
  const sink = new Writable({
    objectMode: true,
    write(batch: readonly Entity[], _encoding, done) {
      for (const entity of batch) entities.push(entity);
      done();
    },
  });
  await pipeline([...assemble(index, { conversation: session, watermark: indexedSeq }).streams, sink]);
  return { index, indexedSeq, entities, session };
}

async function serialized({ index, indexedSeq, entities, session }: Round): Promise<Buffer[]> {
  const head = new Fold(session);
  const facts = factsOf(head, index, indexedSeq, entities);
  const header = roundHeader(head, index, { fromSeq: 1, throughSeq: indexedSeq }, facts);
  const bytes: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes.push(chunk);
      done();
    },
  });
  await pipeline(batchesOf(entities), new RoundSerializer(header), sink);
  return bytes;
}

function* batchesOf(entities: readonly Entity[]): Generator<readonly Entity[]> {
  for (let from = 0; from < entities.length; from += BATCH) yield entities.slice(from, from + BATCH);
}

function sizeOf(bytes: readonly Buffer[]): number {
  return bytes.reduce((sum, { length }) => sum + length, 0);
}
