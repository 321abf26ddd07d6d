/**
 * Chains without a file system, for properties that many parses must share: landed bytes become an index, and
 * rounds are built from it and folded as a parse does, only quicker.
 */
import { createHash } from 'node:crypto';
import type { Entity } from '../../src/format/entity.js';
import { readRound } from '../../src/format/round-reader.js';
import { isClosing, readHeader, readRecord } from '../../src/format/session-data.js';
import { GROUPS } from '../../src/format/session-flow.js';
import { entryOf, IndexBuilder, type SessionIndex } from '../../src/format/session-index.js';
import { placeOf } from '../../src/io/index-store.js';
import { Fold } from '../../src/rounds/fold.js';
import { type BuiltRound, nextRound } from '../../src/rounds/next-round.js';
import type { AssemblyCounts } from '../../src/stages/assembly-counts.js';
import type { Vector } from './landed-root.js';

/** The index of a vector's files up to a sequence. */
export function indexOf({ session, files }: Vector, through = Number.POSITIVE_INFINITY): SessionIndex {
  const builder = new IndexBuilder(session);
  const ordered = files.filter(({ seq }) => seq <= through).sort((a, b) => a.seq - b.seq);
  for (const { path, seq, content } of ordered) {
    const [, ...below] = path.split('/');
    const lines = content.toString('utf8').split('\n');
    const at = {
      stream: below[0] === 'streams' ? below[1]! : '',
      batch: below[0] === 'runs' ? below[1]! : '',
    };
    const place = placeOf(readHeader(lines[0]!), at);
    const end = lines.findIndex(isClosing);
    builder.addFile({
      seq,
      path: below.join('/'),
      sha256: createHash('sha256').update(content).digest('hex'),
      sizeBytes: content.length,
      records: end - 1,
    });
    for (let row = 1; row < end; row++) builder.addEntry(entryOf(readRecord(lines[row]!), row, place));
  }
  return builder.finish();
}

export interface ChainOptions {
  readonly maxBytes?: number;
  readonly pageEntries?: number;
  /** Where the index reached at each parse; by default it reached its end at once. */
  readonly checkpoints?: readonly number[];
}

/** A chain as it was built. */
export interface Chain {
  readonly fold: Fold;
  readonly rounds: readonly BuiltRound[];
  readonly bytes: readonly Buffer[];
  /** Counts of the last assembly. */
  readonly counts: AssemblyCounts;
}

/** Builds rounds until every checkpoint is reached, going on from `fold` when one is given. */
export async function chainOf(
  index: SessionIndex,
  options: ChainOptions = {},
  fold = new Fold(index.session),
): Promise<Chain> {
  const rounds: BuiltRound[] = [];
  let counts: AssemblyCounts | undefined;
  for (const watermark of options.checkpoints ?? [index.files.at(-1)?.seq ?? 0])
    for (let more = true; more; ) {
      const next = await nextRound(fold, index, watermark, {
        maxBytes: options.maxBytes ?? 2 ** 21,
        pageEntries: options.pageEntries,
      });
      counts = next.counts;
      if (next.built === undefined) break;
      rounds.push(next.built);
      fold.apply(readRound(Buffer.concat([...next.built.bytes])));
      more = next.built.more;
    }
  return { fold, rounds, bytes: rounds.map(({ bytes }) => Buffer.concat([...bytes])), counts: counts! };
}

/** What a fold holds, as text that can be compared. Resolved entries are history, and left out on request. */
export function entitiesOf(fold: Fold, { history = true } = {}): string[] {
  const entities: Entity[] = GROUPS.flatMap((group) => [...fold.entities[group].values()]);
  return entities
    .filter(({ group, tail }) => history || group !== 'unresolved' || tail.endsWith('"state":"open"}'))
    .map(({ group, id, tail }) => `${group} ${id}${tail}`)
    .sort();
}
