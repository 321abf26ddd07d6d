import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { indexFingerprint, isIndexed, loadIndex, openIndex } from '../../src/io/index-store.js';
import { indexFolder } from '../../src/io/storage-root.js';
import { land } from '../rounds/round-builder.js';
import { temporaryFolder } from '../shared.js';
import { main, user } from '../stages/index-builder.js';

const NOW = { ms: Date.UTC(2026, 0, 1), ns: 0 };

/** A root with one landed file and its index. */
function indexed(): string {
  const root = temporaryFolder();
  land(root, main(user('u1', 'p1')));
  openIndex(root, 's', NOW);
  assert.ok(isIndexed(root, 's', 1));
  return root;
}

function isAbsent(root: string): void {
  assert.equal(loadIndex(root, 's'), undefined);
  assert.equal(isIndexed(root, 's', 1), false);
  assert.equal(indexFingerprint(root, 's'), '');
}

/** What may take a path's place, the thing itself moved aside. */
const IMPOSTORS: readonly (readonly [string, (path: string, aside: string) => void])[] = [
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a link to itself', (path) => symlinkSync(path, path)],
  ['a link to the real one', (path, aside) => symlinkSync(aside, path)],
  ['a dangling link', (path) => symlinkSync('none', path)],
];
const DIRECTORY = ['a directory', (path: string) => mkdirSync(path)] as const;
const FILE = ['a file', (path: string) => writeFileSync(path, 'x')] as const;

function replaced(path: string, put: (path: string, aside: string) => void): void {
  const aside = join(temporaryFolder(), 'aside');
  renameSync(path, aside);
  put(path, aside);
}

for (const name of ['entries.bin', 'index.state']) {
  for (const [what, put] of IMPOSTORS)
    test(`${what} in place of ${name} is absence, and the index is built again over it`, () => {
      const root = indexed();
      const path = join(indexFolder(root, 's'), name);
      replaced(path, put);
      isAbsent(root);
      assert.equal(openIndex(root, 's', NOW).indexedSeq, 1);
      assert.ok(lstatSync(path).isFile());
      assert.ok(isIndexed(root, 's', 1));
    });

  test(`a directory in place of ${name} is absence, and nothing can be saved there`, () => {
    const root = indexed();
    const path = join(indexFolder(root, 's'), name);
    replaced(path, DIRECTORY[1]);
    isAbsent(root);
    assert.throws(() => openIndex(root, 's', NOW), {
      code: 'STORAGE',
      message: `storage: write ${path}: is a directory`,
    });
  });
}

for (const [what, put] of [...IMPOSTORS, FILE])
  test(`${what} in place of index/ is absence, and nothing can be saved there`, () => {
    const root = indexed();
    const path = indexFolder(root, 's');
    replaced(path, put);
    isAbsent(root);
    const rule = what.includes('link') ? 'it is a symbolic link' : 'it is not a directory';
    assert.throws(() => openIndex(root, 's', NOW), {
      code: 'STORAGE',
      message: `storage: write ${path}: ${rule}`,
    });
  });

test('a file of entries too large for memory is absence', () => {
  const root = indexed();
  truncateSync(join(indexFolder(root, 's'), 'entries.bin'), 2 ** 43);
  assert.equal(loadIndex(root, 's'), undefined);
  assert.equal(openIndex(root, 's', NOW).indexedSeq, 1);
  assert.deepEqual(readdirSync(indexFolder(root, 's')).sort(), ['entries.bin', 'index.state']);
});
