import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as seam from '../../src/io/file-system.js';
import { replaceFile } from '../../src/io/publish.js';
import { temporaryFolder } from '../shared.js';
import { OPERATIONS } from '../torture/operations.js';
import { Place } from '../torture/place.js';
import { CALLS } from './calls.js';
import { type Fault, Faults, faultsOf } from './faults.js';

/** Does work with a fault in its way, and gives what was counted. */
function under(folder: string, at: number, fault: Fault | undefined, work: () => void): Faults {
  const faults = new Faults({ folders: [folder], seed: 1, ...(fault === undefined ? {} : { at, fault }) });
  faults.install();
  try {
    work();
  } finally {
    faults.uninstall();
  }
  return faults;
}

test('every call of the seam is known, with the ways in which it fails', () => {
  const functions = Object.entries(seam).filter(([, value]) => typeof value === 'function');
  assert.deepEqual(functions.map(([name]) => name).sort(), Object.keys(CALLS).sort());
  for (const name of Object.keys(CALLS) as (keyof typeof CALLS)[])
    assert.ok(faultsOf({ name, path: '', flags: 'create' }).length > 0, name);
});

test('calls below the watched folder are counted in order, others are not', () => {
  const folder = temporaryFolder();
  const elsewhere = temporaryFolder();
  const { calls } = under(folder, 0, undefined, () => {
    replaceFile(join(folder, 'a'), 'x');
    replaceFile(join(elsewhere, 'b'), 'x');
  });
  const names = ['openSync', 'writeSync', 'fchmodSync', 'fsyncSync', 'closeSync', 'renameSync'];
  assert.deepEqual(
    calls.map(({ name }) => name),
    [...names, 'openSync', 'fsyncSync', 'closeSync'],
  );
  assert.equal(seam.existsSync(join(elsewhere, 'b')), true);
});

test('the n-th call fails as the system would have it fail, and no other does', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'a');
  assert.throws(() => under(folder, 2, { how: 'fails', code: 'ENOSPC' }, () => replaceFile(path, 'x')), {
    message: `storage: write ${path}: no space left on device`,
  });
  assert.deepEqual(seam.readdirSync(folder), []);
});

test('a short write is gone on with', () => {
  const folder = temporaryFolder();
  const { hit } = under(folder, 2, { how: 'short' }, () => replaceFile(join(folder, 'a'), 'a long text'));
  assert.equal(hit?.name, 'writeSync');
  assert.equal(readFileSync(join(folder, 'a'), 'utf8'), 'a long text');
});

test('a full disk refuses what needs room and nothing else', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'old'), 'x');
  under(folder, 1, { how: 'full' }, () => {
    assert.throws(() => replaceFile(join(folder, 'a'), 'x'), /no space left/);
    assert.equal(seam.readFileSync(join(folder, 'old'), 'utf8'), 'x');
    seam.rmSync(join(folder, 'old'));
  });
  assert.deepEqual(seam.readdirSync(folder), []);
});

test('a dead disk does nothing any more; of the write it died in, a part is done', () => {
  const folder = temporaryFolder();
  under(folder, 2, { how: 'dead' }, () => {
    assert.throws(() => replaceFile(join(folder, 'a'), 'a long text'));
    assert.throws(() => seam.mkdirSync(join(folder, 'b')));
    assert.equal(seam.existsSync(folder), false);
  });
  const [name] = seam.readdirSync(folder);
  assert.match(name!, /^\.tmp-/);
  const left = readFileSync(join(folder, name!), 'utf8');
  assert.ok(left.length > 0 && 'a long text'.startsWith(left) && left !== 'a long text', left);
});

test('the seed alone decides the order of a directory', () => {
  const folder = temporaryFolder();
  for (let i = 0; i < 9; i++) mkdirSync(join(folder, `${i}`));
  const orders = [1, 1, 2].map((seed) => {
    const faults = new Faults({ folders: [folder], seed });
    faults.install();
    try {
      return seam.readdirSync(folder).join('');
    } finally {
      faults.uninstall();
    }
  });
  assert.equal(orders[0], orders[1]);
  assert.notEqual(orders[0], orders[2]);
});

test('in a process, all threads count together, and the n-th call is its last', async () => {
  const operation = OPERATIONS[0]!;
  const place = new Place(operation.budgets);
  try {
    await operation.prepare(place);
    const countFile = join(place.folder, 'count');
    const options = { folders: [place.box, place.sources], seed: 1 };
    const count = async (jobs: string) => {
      place.begin();
      const ran = await place.process(['collect', '--once', '--jobs', jobs], { ...options, countFile });
      assert.deepEqual([ran.status, ran.stderr], [0, '']);
      seam.rmSync(place.root, { recursive: true });
      return Number(readFileSync(countFile, 'utf8'));
    };
    const [alone, threads] = [await count('1'), await count('2')];
    assert.ok(alone > 500 && threads > alone * 0.9, `${alone} calls, ${threads} in threads`);
    const killed = await place.process(['collect', '--once', '--jobs', '2'], {
      ...options,
      at: Math.floor(alone / 2),
      fault: { how: 'killed' },
    });
    assert.equal(killed.status, null);
  } finally {
    place.remove();
  }
});
