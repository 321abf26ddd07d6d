import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listRounds } from '../../src/io/chain-directory.js';
import { roundsFolder } from '../../src/io/storage-root.js';
import { foldChain, foldFiles, readRoundFile } from '../../src/rounds/read-chain.js';
import { temporaryFolder } from '../shared.js';
import { aHeader, aNode, putRound } from './round-builder.js';

/** A chain of two rounds on disk, and its paths. */
function aChain(): { root: string; paths: string[] } {
  const root = temporaryFolder();
  const first = putRound(root, aHeader(), [aNode('tool/1')]);
  putRound(root, aHeader({ round: 2, previous: first.digest, from_seq: 2, through_seq: 3 }), [
    aNode('tool/2'),
  ]);
  return { root, paths: listRounds(roundsFolder(root, 's')).map(({ path }) => path) };
}

test('a chain on disk folds in the order of its numbers, and files given one by one fold the same', () => {
  const { root, paths } = aChain();
  for (const fold of [foldChain(root, 's'), foldFiles('s', paths)]) {
    assert.deepEqual(
      [fold.round, fold.throughSeq, [...fold.entities.node.keys()]],
      [2, 3, ['tool/1', 'tool/2']],
    );
  }
});

test('a missing chain is an empty fold, and nothing is created', () => {
  const fold = foldChain(temporaryFolder(), 's');
  assert.deepEqual([fold.round, fold.conversation], [0, 's']);
});

test('reservations, folders and other names are no rounds', () => {
  const { root } = aChain();
  for (const name of ['r000003-000000000000.sf', '.tmp-1', 'r000003-xyz.sf'])
    writeFileSync(join(roundsFolder(root, 's'), name), '');
  assert.equal(foldChain(root, 's').round, 2);
});

test('what a file breaks is said behind its base name', () => {
  const path = join(temporaryFolder(), 'r000002-0123456789ab.sf');
  writeFileSync(path, '{}');
  assert.throws(() => readRoundFile(path), {
    code: 'FORMAT',
    message: 'r000002-0123456789ab.sf: sessionflow: first frame is "", not a header',
  });
  assert.throws(() => readRoundFile(`${path}.none`), {
    message: /^r000002-0123456789ab\.sf\.none: open .*: no such file or directory$/,
  });
});

test('files out of order are refused', () => {
  const { paths } = aChain();
  assert.throws(() => foldFiles('s', paths.toReversed()), {
    message: 'sessionflow: cannot apply round 2 to a view at round 0: rounds must fold in order',
  });
  assert.throws(() => foldFiles('other', paths), {
    message: 'sessionflow: round 1 belongs to conversation "s", the chain to "other"',
  });
});
