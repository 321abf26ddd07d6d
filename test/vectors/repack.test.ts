/**
 * What a repack keeps, over shared data: all scenario vectors, the sessions made by hand, the real roots and a sample
 * of the random sessions.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isClosing } from '../../src/format/session-data.js';
import { repackSession } from '../../src/repack/repack-session.js';
import { verifyLanded } from '../../src/rounds/verify-landed.js';
import { keepsOrder, recordsOf, structureOf } from '../repack/twins.js';
import { needsShared, sharedData, temporaryFolder } from '../shared.js';
import { landFiles, randomVectors, type Vector, vectorsIn } from './landed-root.js';

const NOW = { ms: Date.UTC(2026, 0, 2), ns: 0 };

const foldersIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));

function repacked(vector: Vector, budgetBytes: number): Vector {
  const [root, destination] = [temporaryFolder(), temporaryFolder()];
  landFiles(root, vector, Number.POSITIVE_INFINITY);
  repackSession({ root, destination, session: vector.session, budgetBytes, now: NOW });
  const [twin] = vectorsIn(destination);
  const gaps = verifyLanded(root, vector.session).problems.length;
  assert.equal(verifyLanded(destination, vector.session).problems.length, gaps, vector.session);
  return twin!;
}

/** Everything that holds at any budget. */
async function holds(vector: Vector, twin: Vector, budgetBytes: number, isSame = true): Promise<void> {
  const { session } = vector;
  assert.deepEqual(recordsOf(twin), recordsOf(vector), `${session} at ${budgetBytes}: records`);
  assert.deepEqual(
    twin.files.map(({ seq }) => seq),
    twin.files.map((_, i) => i + 1),
    session,
  );
  for (const { path, content } of twin.files) {
    const lines = content.toString('latin1').split('\n');
    const end = lines.findIndex(isClosing);
    const bytes = lines.slice(1, end).reduce((sum, line) => sum + line.length + 1, 0);
    assert.ok(bytes <= budgetBytes || end === 2, `${path} holds ${bytes} bytes of records`);
  }
  if (!isSame) return;
  assert.deepEqual(await structureOf(twin), await structureOf(vector), `${session} at ${budgetBytes}: fold`);
}

/** The same files, whatever lay between: a header goes with the records it came with. */
function sameFiles(a: Vector, b: Vector): void {
  const shown = ({ files }: Vector) => files.map(({ path, content }) => [path, content.toString('latin1')]);
  assert.deepEqual(shown(a), shown(b), a.session);
}

/** `isSame`: whether the structure must be the same. */
async function propertiesOf(vectors: readonly Vector[], isSame: (vector: Vector) => boolean): Promise<void> {
  for (const vector of vectors) {
    const single = repacked(vector, 1);
    const whole = repacked(vector, 2 ** 21);
    await holds(vector, single, 1, isSame(vector));
    await holds(vector, whole, 2 ** 21, isSame(vector));
    const records = [...recordsOf(vector).values()].reduce((sum, { length }) => sum + length, 0);
    assert.equal(single.files.length, records);
    sameFiles(repacked(single, 2 ** 21), whole);
  }
}

test('scenario vectors keep their records and their structure', needsShared, async () => {
  const vectors = ['sd', 'claude-code'].flatMap((format) =>
    foldersIn(join(sharedData()!, 'vectors')).flatMap((folder) => vectorsIn(join(folder, format))),
  );
  assert.equal(vectors.length, 28);
  await propertiesOf(vectors, () => true);
});

test('sessions made by hand keep theirs', needsShared, async () => {
  const vectors = foldersIn(join(sharedData()!, 'edge')).flatMap(vectorsIn);
  assert.equal(vectors.length, 10);
  // The one is made of copies in two streams.
  await propertiesOf(vectors, ({ session }) => session !== 'edge-dups');
});

for (const name of ['plain', 'seg', 'deleg', 'aux', 'chg', 'big'])
  test(`a sample of the random sessions keeps theirs: ${name}`, needsShared, async () => {
    const vectors = randomVectors(join(sharedData()!, 'random', `${name}.jsonl`));
    const sample = vectors.filter((_, i) => i % 15 === 7);
    assert.ok(sample.filter(keepsOrder).length >= 3, 'structure is compared too');
    await propertiesOf(sample, keepsOrder);
  });

// Landed at 64 KiB and repacked at 2 MiB, and the other way round.
for (const [place, budgetBytes] of [
  ['newest/root-small', 2 ** 21],
  ['newest/root-default', 2 ** 16],
  ['spotter/root-small', 2 ** 21],
  ['spotter/root-default', 2 ** 16],
] as const)
  test(`real/${place} keeps theirs at ${budgetBytes} bytes`, needsShared, async () => {
    const vectors = vectorsIn(join(sharedData()!, 'real', place));
    assert.ok(vectors.length > 0);
    for (const vector of vectors) await holds(vector, repacked(vector, budgetBytes), budgetBytes);
  });
