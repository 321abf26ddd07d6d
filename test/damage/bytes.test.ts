/** Every byte of every landed file and round, flipped and cut: no reader takes a change for the truth. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { randomFrom, SEED } from '../random.js';
import { temporaryFolder } from '../shared.js';
import { cutsOf, Damaging, filesOf, makeSmallRoot } from './small-root.js';

const root = join(temporaryFolder(), 'data');
await makeSmallRoot(root);
const damaging = await Damaging.of(root, 'sampled');
const FILES = filesOf(root, /\.(sd|sf)$/);

function assertRefused({ accepted, crashes, writes }: Damaging): void {
  assert.deepEqual({ accepted, crashes, writes }, { accepted: [], crashes: [], writes: [] }, `seed ${SEED}`);
}

describe('every byte', () => {
  const random = randomFrom();
  for (const file of FILES)
    test(`${file}: one bit of each byte flipped`, async () => {
      const bytes = readFileSync(join(root, file));
      for (let at = 0; at < bytes.length; at++) {
        const flipped = Buffer.from(bytes);
        flipped[at]! ^= 1 << random(8);
        await damaging.show(file, flipped, `${file} byte ${at} ${bytes[at]} is ${flipped[at]}`);
      }
      assertRefused(damaging);
    });

  for (const file of FILES)
    test(`${file}: cut at each line's edge and every 16 bytes`, async () => {
      const bytes = readFileSync(join(root, file));
      for (const at of cutsOf(bytes, false))
        await damaging.show(file, bytes.subarray(0, at), `${file} cut at ${at}`);
      assertRefused(damaging);
    });

  test('the root is whole again, and was never written to', () => {
    assert.ok(damaging.isWhole);
    assert.ok(damaging.tried > 5000, `${damaging.tried}`);
  });
});
