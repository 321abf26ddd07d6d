import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { listRounds } from '../../src/io/chain-directory.js';
import { openIndex } from '../../src/io/index-store.js';
import { conversationFolder, indexFolder, roundsFolder } from '../../src/io/storage-root.js';
import { type ParseOptions, parseSession } from '../../src/rounds/parse-session.js';
import { temporaryFolder } from '../shared.js';
import { agent, call, main, result, results, text, user } from '../stages/index-builder.js';
import { land } from './round-builder.js';

const OPTIONS: ParseOptions = { maxBytes: 2 ** 21, now: () => ({ ms: Date.UTC(2026, 0, 1), ns: 0 }) };
const first = main(user('u1', 'p1'), agent('a1', 'm1', text(), call('t1', 'Bash')));
const second = { ...main(results('r1', result('t1')), user('u2', 'p2')), seq: 2 };

const note = (root: string) => join(conversationFolder(root, 's'), 'settled.json');
const rounds = (root: string) => listRounds(roundsFolder(root, 's'));
const noted = (root: string) => JSON.parse(readFileSync(note(root), 'utf8')) as Record<string, unknown>;

/** A root whose chain was parsed to its end, with what landed. */
async function settled() {
  const root = temporaryFolder();
  const landed = land(root, first, second);
  const reports = await parseSession(root, 's', OPTIONS);
  return { root, landed, reports };
}

test('a parse that reached the end is noted, and the next one says the same without a round', async () => {
  const { root, reports } = await settled();
  const [again, ...more] = await parseSession(root, 's', OPTIONS);
  assert.equal(more.length, 0);
  assert.equal(again?.round, 0);
  assert.equal(again?.throughSeq, 2);
  assert.deepEqual(again?.counts, reports.at(-1)?.counts);
});

test('a quiet parse opens neither round nor index nor landed file: they may be garbage', async () => {
  const { root, landed } = await settled();
  for (const file of [rounds(root)[0]!.path, join(indexFolder(root, 's'), 'entries.bin'), landed[0]!.path]) {
    rmSync(file);
    writeFileSync(file, 'garbage');
  }
  assert.equal((await parseSession(root, 's', OPTIONS)).at(-1)?.throughSeq, 2);
});

for (const indexed of [true, false])
  test(`what lands${indexed ? ' and is indexed' : ''} during a parse is not taken for parsed`, async () => {
    const root = temporaryFolder();
    land(root, first);
    let calls = 0;
    const now = () => {
      // Asked first for the index, then for the state beside the round: between the two a collector is at work.
      if (++calls === 2) {
        land(root, second);
        if (indexed) {
          rmSync(indexFolder(root, 's'), { recursive: true });
          openIndex(root, 's', OPTIONS.now());
        }
      }
      return OPTIONS.now();
    };
    assert.equal((await parseSession(root, 's', { ...OPTIONS, now })).at(-1)?.throughSeq, 1);
    assert.equal(calls, 2);
    assert.ok(!existsSync(note(root)));
    // What is landed and not indexed waits for its collector.
    assert.equal((await parseSession(root, 's', OPTIONS)).at(-1)?.throughSeq, indexed ? 2 : 1);
  });

for (const [what, damage] of [
  ['removed', (path: string) => rmSync(path)],
  ['emptied', (path: string) => truncateSync(path)],
  ['no JSON', (path: string) => writeFileSync(path, '{')],
  ['no object', (path: string) => writeFileSync(path, 'null')],
  [
    'a pipe',
    (path: string) => {
      rmSync(path);
      execFileSync('mkfifo', [path]);
    },
  ],
  [
    'of another build',
    (path: string) =>
      writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), build: 'v0' })),
  ],
] as const)
  test(`a note that is ${what} costs a full parse and changes nothing`, async () => {
    const { root } = await settled();
    const before = { note: noted(root), rounds: rounds(root).map(({ name }) => name) };
    damage(note(root));
    assert.equal((await parseSession(root, 's', OPTIONS)).at(-1)?.round, 0);
    assert.deepEqual({ note: noted(root), rounds: rounds(root).map(({ name }) => name) }, before);
  });

test('new evidence, a lost file, a renamed one and a lost index are all seen', async () => {
  const { root } = await settled();
  land(root, { ...main(user('u3', 'p3')), seq: 3 });
  rmSync(indexFolder(root, 's'), { recursive: true });
  assert.equal((await parseSession(root, 's', OPTIONS)).at(-1)?.round, 2);

  const renamed = (path: string) =>
    renameSync(path, join(dirname(path), 'transcript-20260101T000000.000000000Z-000007.sd'));
  for (const [lose, code] of [
    [rmSync, 'CHAIN'],
    [renamed, 'FORMAT'],
  ] as const) {
    const { root, landed } = await settled();
    lose(landed[0]!.path);
    await assert.rejects(parseSession(root, 's', OPTIONS), { code });
  }

  const { root: unindexed } = await settled();
  rmSync(indexFolder(unindexed, 's'), { recursive: true });
  assert.equal((await parseSession(unindexed, 's', OPTIONS)).at(-1)?.round, 0);
  assert.ok(existsSync(indexFolder(unindexed, 's')), 'built again');
});

test('a round that was taken away is written again', async () => {
  const { root } = await settled();
  const { path, name } = rounds(root)[0]!;
  rmSync(path);
  assert.equal((await parseSession(root, 's', OPTIONS)).at(-1)?.round, 1);
  assert.equal(rounds(root)[0]?.name, name);
});

test('what a killed parse left beside its chain is swept by the next', async () => {
  const { root } = await settled();
  rmSync(note(root));
  const leftover = join(roundsFolder(root, 's'), '.tmp-0123456789ab');
  writeFileSync(leftover, 'half a round');
  await parseSession(root, 's', OPTIONS);
  assert.ok(!existsSync(leftover));
});
