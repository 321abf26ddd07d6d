/**
 * What a round's header says, from the fold before it, the frames it writes and the index (storage spec 3.5).
 * Nothing here reads a clock: a round's bytes are a function of its evidence.
 */
import { createHash } from 'node:crypto';
import { firstPlace } from '../format/binary-search.js';
import type { Entity } from '../format/entity.js';
import { joinId } from '../format/ids.js';
import { BLOCK_CHANGES } from '../format/index-entry.js';
import type { Attributes, Header, Node } from '../format/session-flow.js';
import { entriesThrough, type IndexedFile, type SessionIndex } from '../format/session-index.js';
import { compareInstants, formatTime, type Instant, isNoTime } from '../format/time.js';
import { addLines } from '../format/workspace-change.js';
import { IDLE_GAP_MS } from '../stages/segments.js';
import type { Fold, Tally } from './fold.js';

export const PARSER = 'v1';
/** The base version and the idle gap as a Go-style duration. */
export const POLICY = `v1+idle=${IDLE_GAP_MS / 60_000}m0s`;

/** The landed sequences a round consumes. `throughSeq` is `fromSeq` - 1 in a round of no new file. */
export interface Window {
  readonly fromSeq: number;
  readonly throughSeq: number;
}

/** Where a chain stands: what the next round's header takes from the rounds before it. */
export interface ChainHead {
  readonly conversation: string;
  /** Number of the last round; 0 before the first. */
  readonly round: number;
  readonly digest: string;
  readonly inputDigest: string;
}

/** What a header says of the conversation as of its round. */
export interface ConversationFacts {
  readonly tally: Tally;
  /** The session's node; absent when there is none. */
  readonly session: Entity | undefined;
  readonly changes: WorkspaceChanges;
}

/** Workspace changes up to a sequence: how many, and the lines they added and removed. */
export interface WorkspaceChanges {
  readonly changes: number;
  readonly lines_added: number;
  readonly lines_removed: number;
}

/** The header of the round after `head` for the evidence of a window. */
export function roundHeader(
  head: ChainHead,
  index: SessionIndex,
  { fromSeq, throughSeq }: Window,
  { tally, session, changes }: ConversationFacts,
): Header {
  const { title, from_time, through_time } = attributesOf(session);
  return {
    conversation: head.conversation,
    session: index.session,
    round: head.round + 1,
    previous: head.digest || undefined,
    from_seq: fromSeq,
    through_seq: throughSeq,
    input_digest: inputDigest(head.inputDigest, filesWithin(index, fromSeq, throughSeq)),
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
    ...changes,
    llm_calls: tally.llm_calls,
    subagents: tally.subagents,
    bash_runs: tally.bash_runs,
  };
}

/** The facts of a fold with frames of the next round folded in. */
export function factsOf(
  fold: Fold,
  index: SessionIndex,
  throughSeq: number,
  frames: readonly Entity[],
): ConversationFacts {
  const id = joinId('session', index.session);
  const written = frames.find((frame) => frame.group === 'node' && frame.id === id);
  return {
    tally: fold.tallyWith(frames),
    session: written ?? fold.entities.node.get(id),
    changes: workspaceChanges(index, throughSeq),
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

/** The first block of each name counts. The duplicate rule plays no part. */
export function workspaceChanges(index: SessionIndex, throughSeq: number): WorkspaceChanges {
  const counter = new WorkspaceChangeCounter(index);
  counter.advance(entriesThrough(index, throughSeq));
  return counter.counts;
}

/** Counts workspace changes as evidence grows. */
export class WorkspaceChangeCounter {
  counts: WorkspaceChanges = { changes: 0, lines_added: 0, lines_removed: 0 };
  readonly #index: SessionIndex;
  readonly #seen = new Set<number>();
  #block = 0;

  constructor(index: SessionIndex) {
    this.#index = index;
  }

  /** Goes on to the blocks of entries before `entries`. */
  advance(entries: number): void {
    const { blocks, blockEntry, blockKind, blockName, blockAdds, blockDels } = this.#index;
    let { changes, lines_added, lines_removed } = this.counts;
    for (; this.#block < blocks && blockEntry[this.#block]! < entries; this.#block++) {
      const block = this.#block;
      if (blockKind[block] !== BLOCK_CHANGES || this.#seen.has(blockName[block]!)) continue;
      this.#seen.add(blockName[block]!);
      changes++;
      lines_added = addLines(lines_added, blockAdds[block]!);
      lines_removed = addLines(lines_removed, blockDels[block]!);
    }
    if (changes !== this.counts.changes) this.counts = { changes, lines_added, lines_removed };
  }
}

function attributesOf(session: Entity | undefined): Attributes {
  return session === undefined ? {} : ((session.members<Node>().attrs ?? {}) as Attributes);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
