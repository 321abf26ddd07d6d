import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { directoryEntries } from '../../src/io/directory-entries.js';
import { temporaryFolder } from '../shared.js';

test('a directory that is not there holds nothing; one that cannot be read is an error', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  assert.deepEqual(directoryEntries(join(folder, 'none')), []);
  assert.deepEqual(
    directoryEntries(folder).map(({ name }) => name),
    ['file'],
  );
  assert.throws(() => directoryEntries(join(folder, 'file')), {
    code: 'STORAGE',
    message: /not a directory/,
  });
});
