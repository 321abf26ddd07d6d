/**
 * What a round's header says, from the fold before it, the frames it writes and the index (storage spec 3.5).
 * Nothing here reads a clock: a round's bytes are a function of its evidence.
 */
import { createHash } from 'node:crypto';
import { firstPlace } from '../format/binary-search.js';
import { joinId } from '../format/ids.js';
import { BLOCK_CHANGES } from '../format/index-entry.js';
import type { Attributes, Entity, Header, Node } from '../format/session-flow.js';
import { entriesThrough, type IndexedFile, type SessionIndex } from '../format/session-index.js';
import { compareInstants, formatTime, type Instant, isNoTime } from '../format/time.js';
import { addLines } from '../format/workspace-change.js';
import { IDLE_GAP_MS } from '../stages/segments.js';
import { type Fold, membersOf } from './fold.js';

export const PARSER = 'v1';
/** The base version and the idle gap as a Go-style duration. */
export const POLICY = `v1+idle=${IDLE_GAP_MS / 60_000}m0s`;

/** The landed sequences a round consumes. `throughSeq` is `fromSeq` - 1 in a round of no new file. */
export interface Window {
  readonly fromSeq: number;
  readonly throughSeq: number;
}

/** The header of the round after `fold` that writes `frames` for the evidence of `window`. */
export function roundHeader(
  fold: Fold,
  index: SessionIndex,
  { fromSeq, throughSeq }: Window,
  frames: readonly Entity[],
): Header {
  const tally = fold.tallyWith(frames);
  const { title, from_time, through_time } = sessionAttributes(fold, index.session, frames);
  return {
    conversation: fold.conversation,
    session: index.session,
    round: fold.round + 1,
    previous: fold.digest || undefined,
    from_seq: fromSeq,
    through_seq: throughSeq,
    input_digest: inputDigest(fold.inputDigest, filesWithin(index, fromSeq, throughSeq)),
    parser: PARSER,
    policy: POLICY,
    ...timeRange(index, fromSeq, throughSeq),
    session_from_time: text(from_time),
    session_through_time: text(through_time),
    title: text(title),
    talks: tally.talks,
    steps: tally.steps,
    streams: tally.streams,
    segments: tally.segments,
    unresolved: tally.unresolved,
    ...workspaceChanges(index, throughSeq),
    llm_calls: tally.llm_calls,
    subagents: tally.subagents,
    bash_runs: tally.bash_runs,
  };
}

/**
 * SHA-256 of the previous round's input digest as hex text, then of each landed file's own digest after a zero
 * byte. They are sorted as strings, because directory order is not stable (seeds, "Header").
 */
export function inputDigest(previous: string, files: readonly { readonly sha256: string }[]): string {
  const hash = createHash('sha256').update(previous);
  for (const sha256 of files.map((file) => file.sha256).sort()) hash.update(`\0${sha256}`);
  return hash.digest('hex');
}

/** The indexed files of a range of sequences. */
export function filesWithin({ files }: SessionIndex, fromSeq: number, throughSeq: number): IndexedFile[] {
  const after = (seq: number) => firstPlace(files.length, (place) => files[place]!.seq > seq);
  return files.slice(after(fromSeq - 1), after(throughSeq));
}

/** Earliest and latest time of a range's records, of all kinds and duplicates included. */
function timeRange(
  index: SessionIndex,
  fromSeq: number,
  throughSeq: number,
): { from_time?: string; through_time?: string } {
  let [from, through]: [Instant | undefined, Instant | undefined] = [undefined, undefined];
  const end = entriesThrough(index, throughSeq);
  for (let entry = entriesThrough(index, fromSeq - 1); entry < end; entry++) {
    const time = { ms: index.timeMs[entry]!, ns: index.timeNs[entry]! };
    if (isNoTime(time)) continue;
    if (from === undefined || compareInstants(time, from) < 0) from = time;
    if (through === undefined || compareInstants(time, through) > 0) through = time;
  }
  return from === undefined ? {} : { from_time: formatTime(from), through_time: formatTime(through!) };
}

/** Workspace changes up to a sequence, the first block of each name. The duplicate rule plays no part. */
function workspaceChanges(index: SessionIndex, throughSeq: number) {
  const seen = new Set<number>();
  let [lines_added, lines_removed] = [0, 0];
  const end = entriesThrough(index, throughSeq);
  for (let block = 0; block < index.blocks && index.blockEntry[block]! < end; block++) {
    if (index.blockKind[block] !== BLOCK_CHANGES || seen.has(index.blockName[block]!)) continue;
    seen.add(index.blockName[block]!);
    lines_added = addLines(lines_added, index.blockAdds[block]!);
    lines_removed = addLines(lines_removed, index.blockDels[block]!);
  }
  return { changes: seen.size, lines_added, lines_removed };
}

function sessionAttributes(fold: Fold, session: string, frames: readonly Entity[]): Attributes {
  const id = joinId('session', session);
  const written = frames.find((frame) => frame.group === 'node' && frame.id === id);
  const node = written ?? fold.entities.node.get(id);
  return node === undefined ? {} : ((membersOf<Node>(node.tail).attrs ?? {}) as Attributes);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
