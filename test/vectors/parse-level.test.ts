/**
 * The parse level: from the landed files of every vector the project must make every round, byte for byte. Each
 * test names how many chains it must meet, so that an empty folder cannot pass.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sortIds } from '../../src/format/id-order.js';
import { readRound } from '../../src/format/round-reader.js';
import { GROUPS } from '../../src/format/session-flow.js';
import { listRounds } from '../../src/io/chain-directory.js';
import { roundsFolder } from '../../src/io/storage-root.js';
import { Fold } from '../../src/rounds/fold.js';
import { parseSession } from '../../src/rounds/parse-session.js';
import { needsShared, sharedData, temporaryFolder } from '../shared.js';
import { chainOf, indexOf } from './in-memory.js';
import {
  firstDifference,
  landFiles,
  OPTIONS,
  randomVectors,
  reproduce,
  type Vector,
  vectorsIn,
} from './landed-root.js';

const SMALL = { ...OPTIONS, maxBytes: 65_536 };
const data = (...path: string[]) => join(sharedData()!, ...path);
const foldersIn = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

/** Reproduces chains and asserts how many there were, and how many rounds they held. */
async function reproduceAll(
  vectors: readonly Vector[],
  want: { chains: number; rounds: number },
  options = OPTIONS,
): Promise<void> {
  const different: string[] = [];
  let rounds = 0;
  for (const vector of vectors) {
    rounds += vector.rounds.length;
    different.push(...(await reproduce(temporaryFolder(), vector, options)));
  }
  assert.deepEqual(different, []);
  assert.deepEqual({ chains: vectors.length, rounds }, want);
}

for (const format of ['sd', 'claude-code'])
  test(`every round of the scenarios' ${format} vectors`, needsShared, async () => {
    const vectors = foldersIn(data('vectors')).flatMap((name) => vectorsIn(data('vectors', name, format)));
    await reproduceAll(vectors, { chains: 14, rounds: 23 });
  });

test('every round of the sessions made by hand', needsShared, async () => {
  const vectors = foldersIn(data('edge')).flatMap((name) => vectorsIn(data('edge', name)));
  await reproduceAll(vectors, { chains: 10, rounds: 12 });
});

for (const [profile, rounds] of Object.entries({
  plain: 355,
  deleg: 319,
  aux: 306,
  seg: 335,
  big: 355,
  chg: 327,
})) {
  test(`every round of the ${profile} random sessions, built in memory`, needsShared, async () => {
    const vectors = randomVectors(data('random', `${profile}.jsonl`));
    let built = 0;
    for (const vector of vectors) {
      const fold = new Fold(vector.session);
      for (const { through, name, content } of vector.rounds) {
        const { bytes } = await chainOf(indexOf(vector, through), {}, fold);
        assert.equal(firstDifference(Buffer.concat(bytes), content), undefined, `${vector.session} ${name}`);
        built += bytes.length;
      }
    }
    assert.deepEqual({ chains: vectors.length, built }, { chains: 150, built: rounds });
  });

  // On disk each round costs six syncs, so every tenth session stands for the way through the storage root.
  test(
    `every round of every tenth ${profile} random session, landed and published`,
    needsShared,
    async () => {
      const tenth = randomVectors(data('random', `${profile}.jsonl`)).filter((_, i) => i % 10 === 0);
      const want = tenth.reduce((sum, vector) => sum + vector.rounds.length, 0);
      await reproduceAll(tenth, { chains: 15, rounds: want });
    },
  );
}

for (const [name, chains, roundsDefault, roundsSmall] of [
  ['newest', 16, 16, 31],
  ['spotter', 5, 5, 20],
] as const) {
  test(`every round of the real sessions ${name}, whole files`, needsShared, () =>
    reproduceAll(vectorsIn(data('real', name, 'root-default')), { chains, rounds: roundsDefault }),
  );

  test(`every round of the real sessions ${name}, small files, landed round by round`, needsShared, () =>
    reproduceAll(vectorsIn(data('real', name, 'root-small')), { chains, rounds: roundsSmall }, SMALL),
  );

  test(`every round of the real sessions ${name}, small files, all landed at once`, needsShared, async () => {
    const vectors = vectorsIn(data('real', name, 'root-small'));
    let rounds = 0;
    for (const vector of vectors) {
      const root = temporaryFolder();
      landFiles(root, vector, Number.POSITIVE_INFINITY);
      await parseSession(root, vector.session, SMALL);
      const got = listRounds(roundsFolder(root, vector.session));
      assert.deepEqual(
        got.map((round) => round.name),
        vector.rounds.map((round) => round.name),
      );
      for (const [i, { path }] of got.entries())
        assert.equal(firstDifference(readFileSync(path), vector.rounds[i]!.content), undefined);
      rounds += got.length;
    }
    assert.deepEqual({ chains: vectors.length, rounds }, { chains, rounds: roundsSmall });
  });
}

for (const [folder, count] of [
  ['vectors', 46],
  ['edge', 12],
] as const)
  test(`the fold at every checkpoint of ${folder} is the reference's`, needsShared, () => {
    const files = foldFiles(folder);
    for (const { path, root } of files) {
      const [heading, ...entities] = readFileSync(path, 'utf8').trimEnd().split('\n');
      const words = heading!.split(' ');
      const [vector] = vectorsIn(root);
      const { fold, revisions } = foldOf(vector!, Number(words[5]));
      assert.deepEqual(words, [
        ...['conversation', vector!.session, 'session', vector!.session],
        ...['round', String(fold.round), 'through', String(fold.throughSeq)],
      ]);
      const lines = GROUPS.flatMap((group) =>
        sortIds([...fold.entities[group].keys()]).map((id) =>
          fold.entities[group].get(id)!.line(revisions.get(id)!),
        ),
      );
      assert.deepEqual(lines, entities, path);
    }
    assert.equal(files.length, count);
  });

/** Every fold file of a folder, with the root its chain stands in. */
function foldFiles(folder: 'vectors' | 'edge'): { path: string; root: string }[] {
  const texts = (name: string) => readdirSync(data(folder, name)).filter((file) => file.includes('.fold.'));
  return folder === 'vectors'
    ? foldersIn(data(folder)).flatMap((name) =>
        texts(name).map((file) => ({
          path: data(folder, name, file),
          root: data(folder, name, file.slice(0, file.indexOf('.'))),
        })),
      )
    : texts('.').map((file) => ({
        path: data(folder, file),
        root: data(folder, file.slice(0, file.indexOf('.'))),
      }));
}

/** The fold of a vector's first rounds, and the round each entity was last written in. */
function foldOf(
  { session, rounds }: Vector,
  through: number,
): { fold: Fold; revisions: Map<string, number> } {
  const fold = new Fold(session);
  const revisions = new Map<string, number>();
  for (const { content } of rounds.slice(0, through)) {
    const round = readRound(content);
    fold.apply(round);
    for (const { id } of round.frames) revisions.set(id, fold.round);
  }
  return { fold, revisions };
}
