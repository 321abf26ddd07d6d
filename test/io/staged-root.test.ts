import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LockedError } from '../../src/format/errors.js';
import { StagedRoot } from '../../src/io/staged-root.js';
import { temporaryFolder } from '../shared.js';

test('a root has its name when it is published, and nothing is left beside it', () => {
  const folder = temporaryFolder();
  const destination = join(folder, 'deep/new');
  const staged = new StagedRoot(destination, 'busy');
  mkdirSync(join(staged.path, 's1'));
  assert.ok(!existsSync(destination));
  staged.publish();
  assert.deepEqual([readdirSync(join(folder, 'deep')), readdirSync(destination)], [['new'], ['s1']]);
});

test('an empty folder gives way, a filled one stays as it is', () => {
  const folder = temporaryFolder();
  const destination = join(folder, 'new');
  mkdirSync(destination);
  const first = new StagedRoot(destination, 'busy');
  mkdirSync(join(first.path, 's1'));
  first.publish();
  const second = new StagedRoot(destination, 'busy');
  assert.throws(() => second.publish(), /^StorageError: storage: publish .*new: /);
  second.discard();
  assert.deepEqual([readdirSync(folder), readdirSync(destination)], [['new'], ['s1']]);
});

test('two cannot make one root; what a dead one left is taken away', () => {
  const destination = join(temporaryFolder(), 'new');
  const first = new StagedRoot(destination, 'busy');
  assert.throws(
    () => new StagedRoot(destination, 'busy'),
    (cause) => cause instanceof LockedError && cause.message.startsWith('busy'),
  );
  mkdirSync(join(first.path, 'half'));
  first.discard();
  mkdirSync(join(destination, '../.asz-new/root/half'), { recursive: true });
  const second = new StagedRoot(destination, 'busy');
  assert.deepEqual(readdirSync(second.path), []);
  second.discard();
});

test('a failure is thrown on, with what could not be taken back', () => {
  const destination = join(temporaryFolder(), 'new');
  const staged = new StagedRoot(destination, 'busy');
  const cause = new Error('no room');
  assert.throws(
    () => staged.fail(cause),
    (thrown) => thrown === cause,
  );
  assert.ok(!existsSync(join(destination, '../.asz-new')));
});

test('a folder of somebody else is not touched', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.asz-new/root'), { recursive: true });
  writeFileSync(join(folder, '.asz-new/mine'), '');
  assert.throws(
    () => new StagedRoot(join(folder, 'new'), 'busy'),
    /^StorageError: storage: make .*\.asz-new: it is there and holds mine; move it away$/,
  );
  assert.deepEqual(readdirSync(join(folder, '.asz-new')).sort(), ['mine', 'root']);
});
