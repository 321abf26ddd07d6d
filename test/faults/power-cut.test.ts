/** What a call has said is done stays, also when a killed process left names unsynced on which it was built. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parseTime } from '../../src/format/time.js';
import { openIndex } from '../../src/io/index-store.js';
import { publishNew } from '../../src/io/publish.js';
import { conversationFolder, listLandedFiles, sessionFolder } from '../../src/io/storage-root.js';
import { aLandedSession } from '../builders.js';
import { temporaryFolder } from '../shared.js';
import { OPERATIONS } from '../torture/operations.js';
import { Place } from '../torture/place.js';
import { assertKept, evidence } from '../torture/promises.js';
import { DurableDisk } from './durable-disk.js';
import { Faults } from './faults.js';

/** Does work on a disk on which these names were never synced, and pulls the plug. */
async function cutAfter(folder: string, unsynced: readonly string[], work: () => unknown): Promise<void> {
  const disk = new DurableDisk(folder);
  for (const path of unsynced) disk.unsynced(path);
  const faults = new Faults({ folders: [folder], seed: 1, disk });
  faults.install();
  try {
    await work();
  } finally {
    faults.uninstall();
  }
  disk.lose();
}

test('a file is published for good, whoever made the folders down from the root', async () => {
  const folder = temporaryFolder();
  const root = join(folder, 'data');
  const path = join(root, 's/streams/x.sd');
  mkdirSync(dirname(path), { recursive: true });
  const unsynced = [root, join(root, 's'), join(root, 's/streams')];
  await cutAfter(folder, unsynced, () => publishNew(path, 'x', { root }));
  assert.ok(existsSync(path));
});

test('a landed file that goes into an index outlasts what is made of it', async () => {
  const { root, session } = aLandedSession();
  rmSync(join(root, session, 'index'), { recursive: true });
  const { path } = listLandedFiles(sessionFolder(root, session))[0]!;
  await cutAfter(root, [path], () => openIndex(root, session, parseTime('2026-01-03T00:00:00Z')));
  assert.ok(existsSync(path));
});

test('a round that a chain was found to end with is there for good once the chain is said to be settled', async () => {
  const built = aLandedSession();
  const { path } = (await built.parse())[0]!;
  rmSync(join(conversationFolder(built.root, built.session), 'settled.json'));
  await cutAfter(built.root, [path], () => built.parse());
  assert.ok(existsSync(path));
});

test('a collection that made its root made it for good', async () => {
  const operation = OPERATIONS[0]!;
  const place = new Place(operation.budgets);
  try {
    await operation.prepare(place);
    let done = new Map<string, string>();
    await cutAfter(place.box, [], async () => {
      const { status, stderr } = await place.here(operation.argv(place));
      assert.deepEqual([status, stderr], [0, '']);
      done = evidence(place.box);
    });
    assert.ok(done.size > 20);
    assertKept(done, place.box);
  } finally {
    place.remove();
  }
});
