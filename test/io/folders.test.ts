import assert from 'node:assert/strict';
import fs, { mkdirSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeNewFolder, moveFolder, syncingFoldersOnce } from '../../src/io/folders.js';
import { publishNew, replaceFile } from '../../src/io/publish.js';
import { temporaryFolder } from '../shared.js';

test('folders are synced once at the end, and that of a published file, with those above, at once', {
  skip: process.platform !== 'linux',
}, (t) => {
  const root = realpathSync(temporaryFolder());
  const synced = syncedFolders(t, root);
  syncingFoldersOnce(() => {
    replaceFile(join(root, 's/a.state'), '1');
    replaceFile(join(root, 's/a.state'), '2');
    replaceFile(join(root, 's-2/a.state'), '1');
    assert.deepEqual(synced, []);
    publishNew(join(root, 's/streams/x.sd'), 'x', { root });
    assert.deepEqual(synced.splice(0).sort(), ['', '..', 's', 's/streams']);
    publishNew(join(root, 's/streams/y.sd'), 'y', { root });
    assert.deepEqual(synced.splice(0), ['s/streams'], 'the names above are known to last');
    replaceFile(join(root, 's/streams/x.cursor'), '1');
    assert.deepEqual(synced, []);
  });
  assert.deepEqual(synced.splice(0).sort(), ['s-2', 's/streams']);
  replaceFile(join(root, 's/a.state'), '3');
  assert.deepEqual(synced.splice(0), ['s']);
});

test('a folder synced when made is not synced again for the first file in it, unless it was made anew', {
  skip: process.platform !== 'linux',
}, (t) => {
  const root = realpathSync(temporaryFolder());
  const synced = syncedFolders(t, root);
  publishNew(join(root, 'a/b/x.sd'), 'x', { root });
  assert.deepEqual(synced.splice(0).sort(), ['', '..', 'a', 'a/b']);
  rmSync(join(root, 'a'), { recursive: true });
  publishNew(join(root, 'a/b/x.sd'), 'x', { root });
  assert.deepEqual(synced.splice(0).sort(), ['', 'a', 'a/b']);
});

test('a folder made anew by a call that then failed is synced with the first file in it', {
  skip: process.platform !== 'linux',
}, (t) => {
  const root = realpathSync(temporaryFolder());
  const synced = syncedFolders(t, root);
  publishNew(join(root, 'a/b/x.sd'), 'x', { root });
  rmSync(join(root, 'a'), { recursive: true });
  const made = t.mock.method(fs, 'mkdirSync', mkdirSync);
  // Of `a/b`, which has nothing to lie in yet, of `a`, and of `a/b` again.
  for (const call of [0, 1]) made.mock.mockImplementationOnce(mkdirSync, call);
  made.mock.mockImplementationOnce(() => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'mkdir' });
  }, 2);
  syncBuiltinESMExports();
  assert.throws(() => publishNew(join(root, 'a/b/x.sd'), 'x', { root }), /no space left on device/);
  made.mock.restore();
  syncBuiltinESMExports();
  synced.length = 0;
  publishNew(join(root, 'a/b/x.sd'), 'x', { root });
  assert.deepEqual(synced.sort(), ['', 'a', 'a/b']);
});

/** The folders that are synced from here to the end of the test, below `root`. */
function syncedFolders(t: TestContext, root: string): string[] {
  const synced: string[] = [];
  const { fsyncSync } = fs;
  t.after(() => {
    fs.fsyncSync = fsyncSync;
    syncBuiltinESMExports();
  });
  fs.fsyncSync = (fd) => {
    const path = readlinkSync(`/proc/self/fd/${fd}`);
    if (statSync(path).isDirectory()) synced.push(relative(root, path));
    fsyncSync(fd);
  };
  syncBuiltinESMExports();
  return synced;
}

test('a new folder has a free name, and a folder above it', () => {
  const folder = temporaryFolder();
  makeNewFolder(join(folder, 'a'));
  assert.throws(() => makeNewFolder(join(folder, 'a')), { code: 'EEXIST' });
  assert.throws(() => makeNewFolder(join(folder, 'b/c')), { code: 'ENOENT' });
});

test('a folder moves to a free name or over an empty folder, and over nothing else', () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  for (const name of ['from/x', 'empty', 'filled/y']) mkdirSync(at(name), { recursive: true });
  assert.throws(() => moveFolder(at('from'), at('filled')), { code: 'ENOTEMPTY' });
  moveFolder(at('from'), at('empty'));
  moveFolder(at('empty'), at('free'));
  assert.deepEqual([readdirSync(folder).sort(), readdirSync(at('free'))], [['filled', 'free'], ['x']]);
});
