import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { REPOSITORY } from './repository.js';

export { REPOSITORY } from './repository.js';

/**
 * The folder of vectors that every implementation may test against, or `undefined` in a clone that does not
 * have it. `$ASZ_SHARED` names another place, and then a missing folder is a failure, not a skip.
 */
export function sharedData(): string | undefined {
  const named = process.env.ASZ_SHARED;
  if (named !== undefined && named !== '') {
    if (!existsSync(join(named, 'data'))) throw new Error(`ASZ_SHARED=${named} holds no data folder`);
    return join(named, 'data');
  }
  const beside = join(REPOSITORY, '../shared/data');
  return existsSync(beside) ? beside : undefined;
}

/** Options for a test that needs the vectors: skipped, and said so, where they are absent. */
export const needsShared = sharedData() === undefined ? { skip: 'skipped: no ../shared' } : {};

/** A new empty folder, removed when the test file ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'asz-test-'));
  folders.push(folder);
  return folder;
}

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
