import assert from 'node:assert/strict';
import fs, { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { LockedError } from '../../src/format/errors.js';
import { StagedRoot } from '../../src/io/staged-root.js';
import { listLandedFiles } from '../../src/io/storage-root.js';
import { type RepackOptions, repackRoot } from '../../src/repack/repack-root.js';
import { verifyChain } from '../../src/rounds/verify-chain.js';
import { verifyLanded } from '../../src/rounds/verify-landed.js';
import { aLandedSession } from '../builders.js';
import { contentsOf, rewrite } from '../e2e/run-asz.js';
import { temporaryFolder } from '../shared.js';

const NOW = { ms: Date.UTC(2026, 0, 5), ns: 0 };

const repack = (root: string, destination: string, more: Partial<RepackOptions> = {}) =>
  repackRoot({
    root,
    destination,
    budgetBytes: 500,
    maxRoundBytes: 2 ** 21,
    jobs: 1,
    now: () => NOW,
    ...more,
  });

/** Two sessions with their chains. */
async function aRoot(): Promise<string> {
  const root = temporaryFolder();
  for (const session of ['s1', 's2']) await aLandedSession({ root, session }).parse();
  return root;
}

/** Landed files and rounds, which alone no clock reaches; cursors and states too, as the clock stands still here. */
const DURABLE = /\.(?:sd|sf|cursor)$|session\.state$/;

test('a root is repacked whole, with its chains, and twice the same', async () => {
  const root = await aRoot();
  const before = contentsOf(root);
  const [one, two] = [join(temporaryFolder(), 'deep/new'), temporaryFolder()];
  const report = await repack(root, one);
  assert.deepEqual(
    report.repacked.map(({ session }) => session),
    ['s1', 's2'],
  );
  assert.deepEqual(report.failed, []);
  for (const outcome of report.parsed) {
    assert.ok('result' in outcome);
    for (const { path } of outcome.result) assert.ok(existsSync(path), path);
  }
  for (const session of ['s1', 's2']) {
    const { problems, digests } = verifyLanded(one, session);
    assert.deepEqual([problems, verifyChain(one, session, () => digests).problems], [[], []]);
    assert.ok(digests!.size > 1);
  }
  assert.deepEqual(contentsOf(root), before);
  await repack(root, two, { jobs: 2 });
  assert.deepEqual(contentsOf(two, DURABLE), contentsOf(one, DURABLE));
  for (const made of [one, two])
    assert.deepEqual(
      readdirSync(dirname(made)).filter((name) => name.startsWith('.asz-')),
      [],
    );
});

test('one session alone', async () => {
  const root = await aRoot();
  const destination = join(temporaryFolder(), 'new');
  await repack(root, destination, { session: 's2' });
  assert.deepEqual(readdirSync(destination).sort(), ['_conversations', 's2']);
  const other = join(temporaryFolder(), 'new');
  await assert.rejects(
    repack(root, other, { session: 's3' }),
    /^StorageError: repack: session s3 has no landed files$/,
  );
  await assert.rejects(repack(root, other, { session: '_conversations' }), /has no landed files/);
  assert.ok(!existsSync(other));
});

test('a directory in which nothing landed is no session', async () => {
  const root = await aRoot();
  mkdirSync(join(root, 'lost+found'));
  mkdirSync(join(root, 'con'));
  const { repacked, failed } = await repack(root, join(temporaryFolder(), 'new'));
  assert.deepEqual([repacked.length, failed], [2, []]);
});

// ---- destinations ----

/** Refused before anything is made or changed. */
async function refuses(root: string, destination: string, words: RegExp): Promise<void> {
  // Others make folders beside it too: ours are the destination and where it is staged.
  const ofOurs = (name: string) => name.startsWith('.asz-') || name === basename(destination);
  const state = () => [contentsOf(root), readdirSync(dirname(destination)).filter(ofOurs)];
  const before = state();
  await assert.rejects(repack(root, destination), words);
  assert.deepEqual(state(), before);
}

test('the root itself, by whatever name, and anything in it', async () => {
  const root = await aRoot();
  const self =
    /^StorageError: repack: DEST is the storage root itself; landed files are never rewritten in place$/;
  await refuses(root, root, self);
  await refuses(root, `${root}/../${root.split('/').at(-1)}/.`, self);
  const link = join(temporaryFolder(), 'link');
  symlinkSync(root, link);
  await refuses(root, link, self);
  await refuses(link, root, self);
  const inside =
    /^StorageError: repack: destination .* lies inside the storage root, which is never changed; use a new or empty directory$/;
  await refuses(root, join(root, 'new'), inside);
  await assert.rejects(repack(root, join(root, 's1/deep/er')), inside);
  assert.ok(!existsSync(join(root, 's1/deep')));
  await refuses(root, join(link, 'new'), inside);
});

test('a destination that holds something, or is something else', async () => {
  const root = await aRoot();
  const folder = temporaryFolder();
  const filled = /^StorageError: repack: destination .* is not empty; use a new or empty directory$/;
  mkdirSync(join(folder, 'chain/_conversations/s1'), { recursive: true });
  await refuses(root, join(folder, 'chain'), filled);
  assert.deepEqual(readdirSync(join(folder, 'chain/_conversations')), ['s1']);
  writeFileSync(join(folder, 'file'), '');
  await refuses(root, join(folder, 'file'), /is not a directory; use a new or empty directory$/);
  await assert.rejects(repack(root, join(folder, 'file/new')), /file\/new|ENOTDIR|not a directory/);
  mkdirSync(join(folder, 'empty'));
  symlinkSync(join(folder, 'empty'), join(folder, 'link'));
  await refuses(root, join(folder, 'link'), /is a symbolic link; use a new or empty directory$/);
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
  await refuses(root, join(folder, 'dangling'), /is a symbolic link/);
  await repack(root, join(folder, 'new'));
  const made = contentsOf(join(folder, 'new'));
  await refuses(root, join(folder, 'new'), filled);
  assert.deepEqual(contentsOf(join(folder, 'new')), made);
});

test('where a file system is mounted', { skip: !existsSync('/dev/shm') && 'no /dev/shm here' }, async (t) => {
  if (readdirSync('/dev/shm').length > 0) return t.skip('/dev/shm is in use');
  await assert.rejects(repack(await aRoot(), '/dev/shm'), /is where a file system is mounted/);
});

test('a root that is not there', async () => {
  const folder = temporaryFolder();
  await assert.rejects(
    repack(join(folder, 'none'), join(folder, 'new')),
    /^StorageError: open .*none: no such file or directory$/,
  );
  assert.deepEqual(readdirSync(folder), []);
});

// ---- what goes wrong on the way ----

test('a session that fails is named and left out, the others are there without chains', async () => {
  const root = await aRoot();
  const [file] = listLandedFiles(join(root, 's1'));
  rewrite(file!.path, 'x');
  const destination = join(temporaryFolder(), 'new');
  const { repacked, failed, parsed } = await repack(root, destination);
  assert.deepEqual(
    [repacked.map(({ session }) => session), failed.map(({ session }) => session), parsed],
    [['s2'], ['s1'], []],
  );
  assert.match(failed[0]!.error, /^repack: session s1 does not hold: unread /);
  assert.deepEqual(readdirSync(destination), ['s2']);
  assert.deepEqual(verifyLanded(destination, 's2').problems, []);
});

test('where every session fails nothing is made', async () => {
  const root = temporaryFolder();
  const { session } = aLandedSession({ root });
  rewrite(listLandedFiles(join(root, session))[0]!.path, 'x');
  const folder = temporaryFolder();
  const { repacked, failed } = await repack(root, join(folder, 'new'));
  assert.deepEqual([repacked.length, failed.length, readdirSync(folder)], [0, 1, []]);
});

test('what a killed repack left is taken away, and somebody else in its place is not', async () => {
  const root = await aRoot();
  const folder = temporaryFolder();
  const destination = join(folder, 'new');
  mkdirSync(join(folder, '.asz-new/root/s1/streams'), { recursive: true });
  writeFileSync(join(folder, '.asz-new/.lock'), '');
  await repack(root, destination);
  assert.deepEqual(readdirSync(folder), ['new']);
  assert.ok(!existsSync(join(destination, 's1/streams/x')));
  mkdirSync(join(folder, '.asz-other/root'), { recursive: true });
  writeFileSync(join(folder, '.asz-other/mine'), '');
  await refuses(
    root,
    join(folder, 'other'),
    /^StorageError: storage: make .*\.asz-other: it is there and holds mine; move it away$/,
  );
  symlinkSync(folder, join(folder, '.asz-third'));
  await refuses(root, join(folder, 'third'), /it is there and is not a directory; remove it$/);
});

test('two at once: the second is told, and the first is not disturbed', async () => {
  const root = await aRoot();
  const destination = join(temporaryFolder(), 'new');
  const first = new StagedRoot(destination, 'busy');
  mkdirSync(join(first.path, 'kept'));
  await assert.rejects(
    repack(root, destination),
    (cause) =>
      cause instanceof LockedError &&
      /^repack: another process makes .*new \(held by process \d+/.test(cause.message),
  );
  first.publish();
  assert.deepEqual(readdirSync(destination), ['kept']);
  await assert.rejects(repack(root, destination), /is not empty/);
});

test('asked to stop, it leaves nothing', async () => {
  const root = await aRoot();
  const folder = temporaryFolder();
  const stop = new AbortController();
  const onProgress = (text: string) => {
    if (text.startsWith('repacked 1 of 2')) stop.abort();
  };
  await assert.rejects(repack(root, join(folder, 'new'), { signal: stop.signal, onProgress }), {
    name: 'AbortError',
  });
  assert.deepEqual(readdirSync(folder), []);
});

/**
 * Fails the n-th call of a function of `node:fs` for n = 1, 2, 3, … until a repack gets through. After each the
 * destination is not there, or holds whole sessions; the source is untouched; and the next repack succeeds.
 */
for (const [call, code] of [
  ['writeSync', 'ENOSPC'],
  ['openSync', 'EMFILE'],
  ['mkdirSync', 'EACCES'],
  ['linkSync', 'ENOSPC'],
  ['renameSync', 'EIO'],
  ['fchmodSync', 'EPERM'],
  ['readSync', 'EIO'],
] as const)
  test(`the n-th ${call} fails with ${code}, for every n`, async () => {
    const { root } = aLandedSession();
    const before = contentsOf(root);
    const whole = join(temporaryFolder(), 'new');
    await repack(root, whole);
    const [files, want] = [/\.sd$/, contentsOf(whole, /\.sd$/)];
    for (let n = 1, failed = true; failed; n++) {
      const folder = temporaryFolder();
      const destination = join(folder, 'new');
      failed = await failingAt(n, call, code, () => repack(root, destination));
      assert.deepEqual(contentsOf(root), before);
      for (const [path, bytes] of existsSync(destination) ? contentsOf(destination, files) : [])
        assert.equal(bytes, want.get(path), `${call} ${n}: ${path}`);
      for (const session of existsSync(destination) ? readdirSync(destination) : [])
        if (session !== '_conversations')
          assert.deepEqual(verifyLanded(destination, session).problems, [], `${call} ${n}`);
      const again = join(folder, existsSync(destination) ? 'again' : 'new');
      if (n % 4 === 0) {
        await replacing({ fsyncSync: () => {} }, () => repack(root, again));
        assert.deepEqual(contentsOf(again, files), want);
      }
      assert.ok(n < 1000);
    }
  });

/** Whether the n-th call came, and failed. Nothing is synced meanwhile: no power is cut here, and it takes most of the time. */
async function failingAt(
  n: number,
  call: keyof typeof fs,
  code: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const original = fs[call] as (...args: unknown[]) => unknown;
  let calls = 0;
  const failing = (...args: unknown[]) => {
    if (++calls !== n) return original(...args);
    const words = `${code}: made up, ${call}`;
    throw Object.assign(new Error(words), { code, syscall: call.replace('Sync', '') });
  };
  await replacing({ fsyncSync: () => {}, [call]: failing }, async () => {
    try {
      await work();
    } catch (cause) {
      assert.ok(cause instanceof Error && !cause.message.includes('\n'), String(cause));
    }
  });
  return calls >= n;
}

async function replacing(calls: Partial<typeof fs>, work: () => Promise<unknown>): Promise<void> {
  const originals = Object.fromEntries(Object.keys(calls).map((name) => [name, fs[name as keyof typeof fs]]));
  Object.assign(fs, calls);
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(fs, originals);
    syncBuiltinESMExports();
  }
}
