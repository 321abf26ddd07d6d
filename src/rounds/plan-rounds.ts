/**
 * All rounds from a chain's head to the watermark, from one timeline. The ends are those that halving the window
 * gives (storage spec 3.6); only how a try is answered differs from `next-round.ts`.
 */
import type { Entity } from '../format/entity.js';
import { type Header, headerLine } from '../format/session-flow.js';
import type { SessionIndex } from '../format/session-index.js';
import { type BuiltRound, countFrames, writeRound } from './next-round.js';
import { type ChainHead, roundHeader } from './round-header.js';
import { commitSize } from './serializer.js';
import type { Timeline } from './timeline.js';

export interface PlanOptions {
  /** Where the chain ends. */
  readonly throughSeq: number;
  readonly watermark: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** The rounds in order, each built when it is asked for. */
export async function* planRounds(
  timeline: Timeline,
  head: ChainHead,
  index: SessionIndex,
  { throughSeq, watermark, maxBytes, signal }: PlanOptions,
): AsyncGenerator<BuiltRound> {
  let at = head;
  for (let after = throughSeq; after < watermark; ) {
    const { header, frames } = widestThatFits(timeline, at, index, after, watermark, maxBytes);
    const more = header.through_seq < watermark;
    const built = (await writeRound(header, frames, { signal, more }))!;
    yield built;
    at = { ...at, round: built.round, digest: built.digest, inputDigest: built.inputDigest };
    after = built.throughSeq;
  }
}

/** The first window of the halving whose round fits; one of a single landed file is taken at any size. */
function widestThatFits(
  timeline: Timeline,
  head: ChainHead,
  index: SessionIndex,
  after: number,
  watermark: number,
  maxBytes: number,
): { readonly header: Header; readonly frames: readonly Entity[] } {
  const fromSeq = after + 1;
  for (let throughSeq = watermark; ; throughSeq = fromSeq + Math.floor((throughSeq - fromSeq) / 2)) {
    const single = throughSeq <= fromSeq;
    const limit = single ? Number.POSITIVE_INFINITY : maxBytes;
    const tried = timeline.frames(after, throughSeq, head.round + 1, limit);
    if (tried === undefined) continue;
    const { frames, sizeBytes } = tried;
    const header = roundHeader(head, index, { fromSeq, throughSeq }, timeline.factsAt(throughSeq));
    const headerBytes = Buffer.byteLength(headerLine(header)) + 1;
    if (single || headerBytes + sizeBytes + commitSize(countFrames(frames)) <= maxBytes)
      return { header, frames };
  }
}
