/**
 * Builds the next round of a chain: assemble to a watermark, take the difference to the fold, serialise it, and
 * narrow the window until it fits the budget (storage spec 3 and 3.6).
 */
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Entity } from '../format/entity.js';
import { type FrameCounts, type Header, headerLine } from '../format/session-flow.js';
import type { SessionIndex } from '../format/session-index.js';
import type { AssemblyCounts } from '../stages/assembly-counts.js';
import { assemble } from '../stages/pipeline.js';
import { Delta } from './delta.js';
import type { Fold } from './fold.js';
import { factsOf, roundHeader, type Window } from './round-header.js';
import { COUNTED, commitSize, OverBudget, RoundSerializer } from './serializer.js';

/** `parse.max_round_bytes` when nothing else is said: a round travels whole as one log record. */
export const DEFAULT_MAX_ROUND_BYTES = 2 * 1024 * 1024;

export interface RoundOptions {
  /** Budget of the whole file, commit line included. Equal fits. */
  readonly maxBytes: number;
  /** Entries per page; only the tests set it. */
  readonly pageEntries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A round that is not yet published. */
export interface BuiltRound extends Window {
  readonly round: number;
  readonly digest: string;
  readonly inputDigest: string;
  readonly bytes: readonly Buffer[];
  readonly sizeBytes: number;
  readonly counts: FrameCounts;
  readonly tombstones: number;
  /** Whether evidence or revisions are left for the rounds after it. */
  readonly more: boolean;
}

/** What one full assembly says that the chain does not. */
export interface Difference {
  readonly frames: readonly Entity[];
  readonly counts: AssemblyCounts;
}

export interface NextRound {
  /** Absent when nothing changed and no evidence advanced. */
  readonly built: BuiltRound | undefined;
  /** Of the assembly to the end of the round's window. */
  readonly counts: AssemblyCounts;
}

/** The next round of the chain that `fold` holds, over the evidence up to `watermark`. */
export async function nextRound(
  fold: Fold,
  index: SessionIndex,
  watermark: number,
  options: RoundOptions,
): Promise<NextRound> {
  const fromSeq = fold.throughSeq + 1;
  let throughSeq = watermark;
  for (;;) {
    const { frames, counts } = await difference(fold, index, throughSeq, options);
    if (frames.length === 0 && watermark < fromSeq) return { built: undefined, counts };
    const window = { fromSeq, throughSeq };
    const more = throughSeq < watermark;
    const built = await serialize(fold, index, window, frames, { ...options, more });
    if (built !== undefined) return { built, counts };
    if (throughSeq > fromSeq) {
      // No search back upwards: the first window that fits is taken.
      throughSeq = fromSeq + Math.floor((throughSeq - fromSeq) / 2);
      continue;
    }
    // Without a chain there is nothing to revise, and nothing to assemble for it.
    const revisions = fold.round > 0 ? await difference(fold, index, fold.throughSeq, options) : undefined;
    if (revisions !== undefined && revisions.frames.length > 0)
      return {
        built: await revisionRound(fold, index, watermark, revisions.frames, options),
        counts: revisions.counts,
      };
    // A window of one landed file is published whole, whatever its size.
    return { built: await serialize(fold, index, window, frames, { signal: options.signal, more }), counts };
  }
}

/** One full assembly to a watermark, compared with the fold. */
export async function difference(
  fold: Fold,
  index: SessionIndex,
  watermark: number,
  options: Pick<RoundOptions, 'pageEntries' | 'signal'>,
): Promise<Difference> {
  const assembly = assemble(index, {
    conversation: fold.conversation,
    watermark,
    ...(options.pageEntries === undefined ? {} : { pageEntries: options.pageEntries }),
  });
  const frames: Entity[] = [];
  const sink = new Writable({
    objectMode: true,
    write(batch: readonly Entity[], _encoding, done) {
      for (const frame of batch) frames.push(frame);
      done();
    },
  });
  await pipeline([...assembly.streams, new Delta(fold), sink], signalOption(options.signal));
  return { frames, counts: assembly.steps.counts };
}

/** The bytes of a round, or `undefined` when it is over the budget; without a budget it never is. */
async function serialize(
  fold: Fold,
  index: SessionIndex,
  window: Window,
  frames: readonly Entity[],
  options: { readonly maxBytes?: number; readonly signal?: AbortSignal | undefined; readonly more: boolean },
): Promise<BuiltRound | undefined> {
  const facts = factsOf(fold, index, window.throughSeq, frames);
  return writeRound(roundHeader(fold, index, window, facts), frames, options);
}

/** As `serialize`, for a header that is known. */
export async function writeRound(
  header: Header,
  frames: readonly Entity[],
  options: { readonly maxBytes?: number; readonly signal?: AbortSignal | undefined; readonly more: boolean },
): Promise<BuiltRound | undefined> {
  const serializer = new RoundSerializer(header, { maxBytes: options.maxBytes });
  const bytes: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes.push(chunk);
      done();
    },
  });
  try {
    await pipeline(batchesOf(frames), serializer, sink, signalOption(options.signal));
  } catch (cause) {
    if (cause instanceof OverBudget) return undefined;
    throw cause;
  }
  return {
    fromSeq: header.from_seq,
    throughSeq: header.through_seq,
    round: header.round,
    digest: serializer.digest,
    inputDigest: header.input_digest,
    bytes,
    sizeBytes: serializer.sizeBytes,
    counts: serializer.counts,
    tombstones: frames.filter(({ removes }) => removes).length,
    more: options.more,
  };
}

/**
 * A round of an upgrade's revisions: over no new file, as many frames as fit the budget and at least one (seeds,
 * "An upgrade's revisions go first").
 */
async function revisionRound(
  fold: Fold,
  index: SessionIndex,
  watermark: number,
  frames: readonly Entity[],
  options: RoundOptions,
): Promise<BuiltRound> {
  const window = { fromSeq: fold.throughSeq + 1, throughSeq: fold.throughSeq };
  const taken = frames.slice(0, framesThatFit(fold, index, window, frames, options.maxBytes));
  const more = taken.length < frames.length || watermark > fold.throughSeq;
  return (await serialize(fold, index, window, taken, { signal: options.signal, more }))!;
}

/** How many leading frames fit the budget, at least 1. A frame is far longer than its count's digits. */
function framesThatFit(
  fold: Fold,
  index: SessionIndex,
  window: Window,
  frames: readonly Entity[],
  maxBytes: number,
): number {
  const sizes = new Float64Array(frames.length + 1);
  const digits = String(fold.round + 1).length;
  for (const [i, frame] of frames.entries()) sizes[i + 1] = sizes[i]! + frame.sizeWithoutRound + digits;
  const fits = (count: number): boolean => {
    const taken = frames.slice(0, count);
    const header =
      Buffer.byteLength(
        headerLine(roundHeader(fold, index, window, factsOf(fold, index, window.throughSeq, taken))),
      ) + 1;
    return header + sizes[count]! + commitSize(countFrames(taken)) <= maxBytes;
  };
  let [low, high] = [1, frames.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function countFrames(frames: readonly Entity[]): FrameCounts {
  const counts = { nodes: 0, relations: 0, unresolved: 0 };
  for (const { group } of frames) counts[COUNTED[group]]++;
  return counts;
}

const BATCH = 1024;

function* batchesOf(frames: readonly Entity[]): Generator<readonly Entity[]> {
  for (let from = 0; from < frames.length; from += BATCH) yield frames.slice(from, from + BATCH);
}

function signalOption(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
