import assert from 'node:assert/strict';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertDone, contentsOf, Workplace } from '../e2e/run-asz.js';
import { randomFrom, SEED } from '../random.js';
import { temporaryFolder } from '../shared.js';
import { ProcessCases } from './processes.js';
import { makeSmallRoot, SESSION } from './small-root.js';

test('damage shown to commands as processes: each names it or says what it said before', async () => {
  const whole = join(temporaryFolder(), 'data');
  await makeSmallRoot(whole);
  const cases = await ProcessCases.of(temporaryFolder(), whole);
  const random = randomFrom();
  for (let i = 0; i < 14; i++) await cases.try(random);
  const { accepted, crashes, writes, tried } = cases;
  assert.deepEqual({ accepted, crashes, writes }, { accepted: [], crashes: [], writes: [] }, `seed ${SEED}`);
  assert.equal(tried, 140);
});

/** Modes and times of everything, so that any touch shows; what was read does not. */
function touched(folder: string): string {
  const names = (readdirSync(folder, { recursive: true, encoding: 'utf8' }) as string[]).sort();
  return names
    .map((name) => {
      const { mode, mtimeMs, ctimeMs, ino } = statSync(join(folder, name));
      return [name, mode, mtimeMs, ctimeMs, ino].join(' ');
    })
    .join('\n');
}

test('verify changes nothing: neither a clean root, nor a damaged one, nor one that is read-only', async () => {
  const place = new Workplace();
  await makeSmallRoot(place.root);
  const folders = [
    '.',
    SESSION,
    `${SESSION}/streams/main`,
    '_conversations',
    `_conversations/${SESSION}/rounds`,
  ];
  const before = touched(place.root);
  assertDone(await place.asz(['verify']));
  assert.equal(touched(place.root), before);
  for (const folder of folders) chmodSync(join(place.root, folder), 0o555);
  const sealed = touched(place.root);
  assertDone(await place.asz(['verify']));
  assert.equal(touched(place.root), sealed);
  for (const folder of folders) chmodSync(join(place.root, folder), 0o755);
  const [name] = contentsOf(place.root, /\.sf$/).keys();
  chmodSync(join(place.root, name!), 0o200);
  const damaged = touched(place.root);
  const { status } = await place.asz(['verify']);
  // Root may read everything; whoever may not is told so.
  assert.equal(status, process.getuid?.() === 0 ? 0 : 1);
  assert.equal(touched(place.root), damaged);
});
