/**
 * Commands that only read make no call that could change a root, so that a read-only one is as good. Asked of the
 * calls themselves, because permissions do not bind who runs tests as root.
 */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type Counted, changes, Faults } from '../faults/faults.js';
import { SEED } from '../random.js';
import { Place } from '../torture/place.js';
import { filesOf, makeSmallRoot, put, SESSION } from './small-root.js';

const COMMANDS: readonly (readonly string[])[] = [
  ['verify', '--jobs', '1'],
  ['verify', '--jobs', '1', '--json'],
  ['verify', '--jobs', '1', SESSION],
  ['show', SESSION, 't1'],
  ['conversation', SESSION],
  ['conversation', SESSION, '--fold'],
  ['conversation', SESSION, '--json'],
  ['conversation', SESSION, '--yaml'],
  ['conversations'],
  ['index'],
  ['index', SESSION],
  ['index', 'cat', SESSION],
  ['sources'],
];

const ROOTS: Readonly<Record<string, (root: string) => void>> = {
  whole: () => {},
  'without caches': (root) => {
    for (const file of filesOf(root, /index\/|\.state$|settled\.json$/)) rmSync(join(root, file));
  },
  'with damaged caches': (root) => {
    for (const file of filesOf(root, /index\/|\.state$|settled\.json$/))
      put(join(root, file), Buffer.alloc(9));
  },
  'with damaged evidence': (root) => {
    for (const file of filesOf(root, /\.s[df]$/))
      put(join(root, file), readFileSync(join(root, file)).subarray(0, -9));
  },
  'with what a killed writer left': (root) => {
    for (const folder of [SESSION, `${SESSION}/streams/main`, `_conversations/${SESSION}/rounds`])
      writeFileSync(join(root, folder, '.tmp-0123456789abcdef'), 'half');
  },
};

const place = new Place();
await makeSmallRoot(place.root);
place.begin();
after(() => place.remove());

/** The calls that `asz ...argv` makes, of those that could change something. */
async function changesOf(argv: readonly string[], make: (root: string) => void): Promise<readonly Counted[]> {
  place.reset();
  make(place.root);
  const faults = new Faults({ folders: [place.folder], seed: SEED });
  faults.install();
  try {
    const { status } = await place.here(argv);
    assert.ok(status === 0 || status === 1, `${status}`);
  } finally {
    faults.uninstall();
  }
  assert.ok(faults.calls.length > 0);
  return faults.calls.filter((call) => changes(call));
}

for (const [what, make] of Object.entries(ROOTS))
  describe(`a root ${what}`, () => {
    for (const argv of COMMANDS)
      test(`asz ${argv.join(' ')} makes no call that changes anything`, async () => {
        assert.deepEqual(await changesOf(argv, make), []);
      });
  });

test('a parse, which writes, is seen to', async () => {
  const calls = await changesOf(['parse', '--jobs', '1'], ROOTS['without caches']!);
  assert.ok(calls.some(({ name }) => name === 'renameSync'));
});
