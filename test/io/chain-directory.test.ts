import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  chainHead,
  listRounds,
  publishRound,
  removeReservations,
  roundName,
} from '../../src/io/chain-directory.js';
import { temporaryFolder } from '../shared.js';

const DIGEST = '0123456789ab'.padEnd(64, 'c');

test('a missing directory is an empty chain with head 0', () => {
  assert.deepEqual(listRounds(join(temporaryFolder(), 'rounds')), []);
  assert.equal(chainHead([]), 0);
});

test('rounds are listed by number; links, folders, reservations and other names are not', () => {
  const folder = temporaryFolder();
  for (const [round, text] of [
    [2, 'b'],
    [1000001, 'c'],
    [1, 'a'],
    [3, ''],
  ] as const)
    writeFileSync(join(folder, roundName(round, DIGEST)), text);
  writeFileSync(join(folder, 'r000004-0123456789AB.sf'), 'x');
  writeFileSync(join(folder, 'r00005-0123456789ab.sf'), 'x');
  writeFileSync(join(folder, '.tmp-6'), 'x');
  mkdirSync(join(folder, roundName(7, DIGEST)));
  symlinkSync(join(folder, roundName(1, DIGEST)), join(folder, roundName(8, DIGEST)));
  const rounds = listRounds(folder);
  assert.deepEqual(
    rounds.map(({ round }) => round),
    [1, 2, 1000001],
  );
  assert.deepEqual(rounds[0], {
    path: join(folder, 'r000001-0123456789ab.sf'),
    name: 'r000001-0123456789ab.sf',
    round: 1,
    digest12: '0123456789ab',
  });
  assert.equal(chainHead(rounds), 1000001);
});

test('a number that no number holds is an error that names the file', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'r9007199254740993-0123456789ab.sf'), 'x');
  assert.throws(() => listRounds(folder), { code: 'FORMAT', message: /r9007199254740993-/ });
});

test('rounds are published one after the other, read-only', () => {
  const folder = join(temporaryFolder(), 'rounds');
  const path = publishRound(folder, 1, DIGEST, 'one\n');
  publishRound(folder, 2, DIGEST, [Buffer.from('two\n')]);
  assert.equal(path, join(folder, 'r000001-0123456789ab.sf'));
  assert.equal(readFileSync(path, 'utf8'), 'one\n');
  assert.equal(statSync(path).mode & 0o777, 0o444);
  assert.equal(chainHead(listRounds(folder)), 2);
});

for (const [round, head] of [
  [1, 1],
  [3, 1],
  [0, 1],
] as const)
  test(`round ${round} after round ${head} is refused, whatever its digest`, () => {
    const folder = temporaryFolder();
    publishRound(folder, 1, DIGEST, 'one\n');
    for (const digest of [DIGEST, 'f'.repeat(64)])
      assert.throws(() => publishRound(folder, round, digest, 'x'), {
        code: 'CHAIN',
        message: `sessionflow: cannot publish round ${round}: the chain head is round ${head}`,
      });
  });

test('a reservation is removed by the next publication once it is a minute old', () => {
  const folder = temporaryFolder();
  const nowMs = Date.now();
  const old = join(folder, roundName(1, 'a'.repeat(12)));
  const young = join(folder, roundName(1, 'b'.repeat(12)));
  for (const [path, ageMs] of [
    [old, 61_000],
    [young, 59_000],
  ] as const) {
    writeFileSync(path, '');
    utimesSync(path, (nowMs - ageMs) / 1000, (nowMs - ageMs) / 1000);
  }
  publishRound(folder, 1, DIGEST, 'one\n', { nowMs });
  assert.ok(!existsSync(old));
  assert.ok(existsSync(young));
  removeReservations(folder, nowMs + 10_000);
  assert.ok(!existsSync(young));
  assert.equal(listRounds(folder).length, 1, 'a round is no reservation at any age');
});

test('a reservation of this very round blocks until it is old', () => {
  const folder = temporaryFolder();
  const path = join(folder, roundName(1, DIGEST));
  writeFileSync(path, '');
  const nowMs = Date.now();
  assert.throws(() => publishRound(folder, 1, DIGEST, 'x', { nowMs }), {
    message: `storage: target already exists: ${path}`,
  });
  assert.equal(publishRound(folder, 1, DIGEST, 'x', { nowMs: nowMs + 120_000 }), path);
});
