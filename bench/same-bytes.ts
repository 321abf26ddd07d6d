/**
 * Are the rounds that are planned from one timeline, byte for byte, those of the plain way, which assembles the
 * session anew for every try? The tests ask it of every small session; here it is asked of the large one.
 */
import { readRound } from '../src/format/round-reader.js';
import { loadIndex } from '../src/io/index-store.js';
import { Fold } from '../src/rounds/fold.js';
import { DEFAULT_MAX_ROUND_BYTES, nextRound } from '../src/rounds/next-round.js';
import { planRounds } from '../src/rounds/plan-rounds.js';
import { Timeline } from '../src/rounds/timeline.js';
import type { Corpus } from './corpora.js';

export interface SameBytes {
  readonly rounds: number;
  /** Rounds that differ, or that one way has and the other has not. */
  readonly differing: number;
  readonly plannedMs: number;
  readonly plainMs: number;
}

/** Builds the chain of a corpus's largest session both ways, in memory. */
export async function compareWays({ landed, session }: Corpus): Promise<SameBytes> {
  const { index, indexedSeq: watermark } = loadIndex(landed, session)!;
  const maxBytes = DEFAULT_MAX_ROUND_BYTES;
  const began = performance.now();
  const planned: string[] = [];
  const empty = new Fold(session);
  const timeline = (await Timeline.build(empty, index, { watermark }))!;
  const options = { throughSeq: 0, watermark, maxBytes };
  for await (const { digest } of planRounds(timeline, empty, index, options)) planned.push(digest);
  const plannedAt = performance.now();
  const plain: string[] = [];
  const fold = new Fold(session);
  for (let more = true; more; ) {
    const { built } = await nextRound(fold, index, watermark, { maxBytes });
    plain.push(built!.digest);
    fold.apply(readRound(Buffer.concat([...built!.bytes])));
    ({ more } = built!);
  }
  const longest = planned.length > plain.length ? planned : plain;
  return {
    rounds: planned.length,
    differing: longest.filter((_, i) => planned[i] !== plain[i]).length,
    plannedMs: plannedAt - began,
    plainMs: performance.now() - plannedAt,
  };
}
