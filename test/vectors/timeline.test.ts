/**
 * Rounds planned from one timeline are those of the plain way, which assembles the session anew for every try:
 * for every vector and every random session, at budgets from one round per file to one round for all, from the
 * beginning and from anywhere in a chain.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SessionIndex } from '../../src/format/session-index.js';
import { Fold } from '../../src/rounds/fold.js';
import { planRounds } from '../../src/rounds/plan-rounds.js';
import { Timeline } from '../../src/rounds/timeline.js';
import { type Random, randomFrom, SEED } from '../random.js';
import { needsShared, REPOSITORY, sharedData } from '../shared.js';
import { chainOf, indexOf } from './in-memory.js';
import { randomVectors, type Vector, vectorsIn } from './landed-root.js';

const BUDGETS = [1, 4096, 65_536, 2 ** 21];
/** One round per landed file: every checkpoint is an end, so nothing can hide between two. */
const PER_FILE = [1];

/** Rounds as a parse plans them, going on from where `fold` stands. */
async function planned(
  index: SessionIndex,
  maxBytes: number,
  fold: Fold,
  settled = false,
): Promise<Buffer[] | undefined> {
  const watermark = index.files.at(-1)!.seq;
  const timeline = await Timeline.build(fold, index, { watermark, settled });
  if (timeline === undefined) return undefined;
  const rounds: Buffer[] = [];
  const { throughSeq } = fold;
  for await (const { bytes } of planRounds(timeline, fold, index, { throughSeq, watermark, maxBytes }))
    rounds.push(Buffer.concat([...bytes]));
  return rounds;
}

async function holdAgainstPlain(vector: Vector, random: Random, budgets = BUDGETS): Promise<void> {
  const index = indexOf(vector);
  const ends = index.files.map(({ seq }) => seq);
  for (const maxBytes of budgets) {
    const plain = await chainOf(index, { maxBytes });
    const whole = await planned(index, maxBytes, new Fold(vector.session));
    assertSame(whole, plain.bytes, `${vector.session} at ${maxBytes}`);
  }
  const timeline = await Timeline.build(new Fold(vector.session), index, { watermark: ends.at(-1)! });
  assert.deepEqual(timeline!.counts, (await chainOf(index)).counts, `counts of ${vector.session}`);
  if (ends.length < 2) return;
  const begun = [ends[random(ends.length - 1)]!];
  const maxBytes = BUDGETS[random(BUDGETS.length)]!;
  const { fold } = await chainOf(index, { checkpoints: begun });
  const rest = await planned(index, maxBytes, fold);
  const settled = await planned(index, maxBytes, fold, true);
  const { bytes } = await chainOf(index, { maxBytes }, fold);
  assertSame(rest, bytes, `${vector.session} after ${begun}`);
  assertSame(settled, bytes, `${vector.session} after ${begun}, known to be settled`);
}

function assertSame(got: readonly Buffer[] | undefined, want: readonly Buffer[], what: string): void {
  assert.ok(got !== undefined, `${what}: planned`);
  const lines = (rounds: readonly Buffer[]) => rounds.map((round) => round.toString());
  if (got.length !== want.length || got.some((round, i) => !round.equals(want[i]!)))
    assert.deepEqual(lines(got), lines(want), what);
}

const random = randomFrom();

test(`the golden roots are planned as they are built (seed ${SEED})`, async () => {
  const golden = join(REPOSITORY, 'test/golden');
  const roots = readdirSync(golden, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const vectors = roots.flatMap(({ name }) => vectorsIn(join(golden, name)));
  assert.ok(vectors.length >= 8);
  for (const vector of vectors) await holdAgainstPlain(vector, random);
});

test(`the scenarios and the sessions made by hand (seed ${SEED})`, needsShared, async () => {
  const data = sharedData()!;
  for (const kind of ['vectors', 'edge'])
    for (const { name } of readdirSync(join(data, kind), { withFileTypes: true }).filter((e) =>
      e.isDirectory(),
    ))
      for (const root of kind === 'edge' ? [name] : [`${name}/sd`, `${name}/claude-code`])
        for (const vector of vectorsIn(join(data, kind, root))) await holdAgainstPlain(vector, random);
});

for (const profile of ['plain', 'deleg', 'aux', 'seg', 'big', 'chg'])
  test(`the ${profile} random sessions (seed ${SEED})`, needsShared, async () => {
    for (const vector of randomVectors(join(sharedData()!, 'random', `${profile}.jsonl`)))
      await holdAgainstPlain(vector, random, PER_FILE);
  });
