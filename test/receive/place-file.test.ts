/** Whose fault it is that a file does not get to its place: only what is the file's own is rejected for good. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LockedError, StorageError } from '../../src/format/errors.js';
import { misfitOf } from '../../src/receive/place-file.js';

const refused = (code: string, syscall: string) =>
  Object.assign(new Error(`${code}: why, ${syscall} '/r/s'`), { code, syscall, path: '/r/s' });

/** What becomes of an error: its words as a reason, or those that it is thrown on with. */
function fate(cause: unknown): string {
  try {
    return `rejected: ${misfitOf(cause).message}`;
  } catch (thrown) {
    return `thrown: ${(thrown as Error).message}`;
  }
}

test('what stands in the way of a path is the path’s, what the disk does not do is not, nor is a fault of ours', () => {
  const full = refused('ENOSPC', 'write');
  const both = new AggregateError([full, refused('EIO', 'rm')], 'no space left; and then it stays');
  assert.deepEqual(
    [
      new StorageError('storage: a rule'),
      refused('ENOTDIR', 'lstat'),
      refused('EEXIST', 'mkdir'),
      new StorageError('storage: publish x', { cause: full }),
      new StorageError('storage: publish x', { cause: both }),
      refused('EIO', 'lstat'),
      refused('EEXIST', 'link'),
      new LockedError('storage: busy'),
      new TypeError('x is not a function'),
    ].map(fate),
    [
      'rejected: storage: a rule',
      'rejected: storage: lstat /r/s: not a directory',
      'rejected: storage: mkdir /r/s: file exists',
      'thrown: storage: publish x',
      'thrown: storage: publish x',
      "thrown: EIO: why, lstat '/r/s'",
      "thrown: EEXIST: why, link '/r/s'",
      'thrown: storage: busy',
      'thrown: x is not a function',
    ],
  );
});
