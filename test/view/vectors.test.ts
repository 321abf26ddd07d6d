/** Every document of the shared data, equal as a value, with the order of keys and of lists. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { needsShared, sharedData, temporaryFolder } from '../shared.js';
import { randomVectors } from '../vectors/landed-root.js';
import { comparable, documentOf, place } from './viewing.js';

interface Expected {
  readonly root: string;
  readonly conversation: string;
  readonly path: string;
}

function expectations(): Expected[] {
  const data = sharedData()!;
  return ['vectors', 'edge'].flatMap((folder) =>
    readdirSync(join(data, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.view.json'))
      .sort()
      .map((name) => {
        const path = join(data, folder, name);
        const { conversation } = JSON.parse(readFileSync(path, 'utf8'));
        return { path, conversation, root: path.slice(0, -'.view.json'.length) };
      }),
  );
}

test('the documents of the vectors and the edge sessions', needsShared, () => {
  const expected = expectations();
  assert.equal(expected.length, 38);
  for (const { root, conversation, path } of expected) {
    assert.ok(existsSync(root), root);
    const want = comparable(JSON.parse(readFileSync(path, 'utf8')));
    assert.equal(comparable(JSON.parse(documentOf(root, conversation))), want, path);
  }
});

test('the documents of the random sessions', needsShared, () => {
  const folder = join(sharedData()!, 'random');
  const views = new Map(
    readFileSync(join(folder, 'views.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { session: string; view: unknown })
      .map(({ session, view }) => [session, view]),
  );
  assert.equal(views.size, 267);
  const profiles = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && name !== 'views.jsonl');
  let held = 0;
  for (const vector of profiles.flatMap((name) => randomVectors(join(folder, name)))) {
    const want = views.get(vector.session);
    if (want === undefined) continue;
    const root = temporaryFolder();
    place(root, vector);
    assert.equal(comparable(JSON.parse(documentOf(root, vector.session))), comparable(want), vector.session);
    held++;
  }
  assert.equal(held, 267);
});
