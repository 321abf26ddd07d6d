/**
 * The conversation as of a round: the fold of rounds 1 to N. There is no other state.
 *
 * Last writer wins, per id, the whole entity; absence means unchanged; removal is a tombstone. A round that does
 * not follow, or carries another interpretation, is refused and not folded through (seeds, "The fold").
 */
import type { Entity } from '../format/entity.js';
import { ChainError } from '../format/errors.js';
import type { Round } from '../format/round-reader.js';
import { type Group, type Header, TALLY } from '../format/session-flow.js';

/** How many entities count as each of these, in the fold as of its round. */
export type Tally = { -readonly [K in keyof typeof TALLY]: number };

type Entities = { readonly [G in Group]: ReadonlyMap<string, Entity> };

/** What a round says it consumed: enough to hold it against the landed files. */
export interface Consumed {
  readonly round: number;
  readonly fromSeq: number;
  readonly throughSeq: number;
  readonly inputDigest: string;
}

export class Fold {
  /** The chain's conversation: its directory's name. */
  readonly conversation: string;
  /** Number of the last round folded; 0 before the first. */
  round = 0;
  /** Digest of that round, the next one's `previous`; empty before the first. */
  digest = '';
  /** Header of that round. */
  header: Header | undefined;
  readonly tally: Tally = emptyTally();

  readonly #entities = {
    node: new Map<string, Entity>(),
    relation: new Map<string, Entity>(),
    unresolved: new Map<string, Entity>(),
  };
  readonly #consumed: Consumed[] = [];
  #first: Header | undefined;

  constructor(conversation: string) {
    this.conversation = conversation;
  }

  /** What the fold holds, by group and id. Resolved and terminal entries stay. */
  get entities(): Entities {
    return this.#entities;
  }

  get throughSeq(): number {
    return this.header?.through_seq ?? 0;
  }

  get inputDigest(): string {
    return this.header?.input_digest ?? '';
  }

  /** What each round consumed, in order. */
  get consumed(): readonly Consumed[] {
    return this.#consumed;
  }

  /** Round 1's header, which fixes session, parser and policy. */
  get first(): Header | undefined {
    return this.#first;
  }

  /** Folds the next round in. Throws `ChainError` with the texts of storage spec 5; the fold is then unchanged. */
  apply({ header, digest, frames }: Round): void {
    this.#check(header);
    this.#first ??= header;
    this.round = header.round;
    this.digest = digest;
    this.header = header;
    this.#consumed.push({
      round: header.round,
      fromSeq: header.from_seq,
      throughSeq: header.through_seq,
      inputDigest: header.input_digest,
    });
    for (const frame of frames) this.#put(frame);
  }

  /** The counts as they would be with these frames folded in, without folding them. */
  tallyWith(frames: Iterable<Entity>): Tally {
    const tally = { ...this.tally };
    for (const { group, id, tally: bits } of frames) {
      count(tally, this.#entities[group].get(id)?.tally ?? 0, -1);
      count(tally, bits, 1);
    }
    return tally;
  }

  #put(entity: Entity): void {
    const entities: Map<string, Entity> = this.#entities[entity.group];
    count(this.tally, entities.get(entity.id)?.tally ?? 0, -1);
    if (entity.removes) entities.delete(entity.id);
    else {
      entities.set(entity.id, entity);
      count(this.tally, entity.tally, 1);
    }
  }

  #check(header: Header): void {
    const { round } = header;
    if (round !== this.round + 1)
      refuse(`cannot apply round ${round} to a view at round ${this.round}: rounds must fold in order`);
    if (round > 1 && header.previous !== this.digest)
      refuse(
        `round ${round} names previous "${short(header.previous)}", but the view's head is "${short(this.digest)}"`,
      );
    if (header.conversation !== this.conversation)
      refuse(
        `round ${round} belongs to conversation ${quote(header.conversation)}, the chain to ${quote(this.conversation)}`,
      );
    const first = this.#first ?? header;
    if (header.session !== first.session)
      refuse(`round ${round} carries session ${quote(header.session)}, the chain ${quote(first.session)}`);
    if (header.parser !== first.parser)
      refuse(
        `round ${round} was produced by parser ${quote(header.parser)}, the chain by ${quote(first.parser)}; a chain is one interpretation`,
      );
    if (header.policy !== first.policy)
      refuse(
        `round ${round} was produced under policy ${quote(header.policy)}, the chain under ${quote(first.policy)}`,
      );
  }
}

/** Counts of nothing. */
export function emptyTally(): Tally {
  return Object.fromEntries(Object.keys(TALLY).map((key) => [key, 0])) as Tally;
}

/** Adds what an entity counts as, or takes it away. Spelled out: a fold does this for every frame it reads. */
export function count(tally: Tally, bits: number, by: 1 | -1): void {
  if (bits === 0) return;
  if ((bits & TALLY.talks) !== 0) tally.talks += by;
  if ((bits & TALLY.steps) !== 0) tally.steps += by;
  if ((bits & TALLY.streams) !== 0) tally.streams += by;
  if ((bits & TALLY.segments) !== 0) tally.segments += by;
  if ((bits & TALLY.unresolved) !== 0) tally.unresolved += by;
  if ((bits & TALLY.llm_calls) !== 0) tally.llm_calls += by;
  if ((bits & TALLY.subagents) !== 0) tally.subagents += by;
  if ((bits & TALLY.bash_runs) !== 0) tally.bash_runs += by;
}

function refuse(rule: string): never {
  throw new ChainError(`sessionflow: ${rule}`);
}

function short(digest: string | undefined): string {
  return (digest ?? '').slice(0, 12);
}

function quote(word: string): string {
  return JSON.stringify(word);
}
