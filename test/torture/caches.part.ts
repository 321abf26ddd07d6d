/**
 * All eight bits of every byte, and every truncation, of every cache of a root: what is read is what was written, or
 * nothing. And a sample of them before a pass, which is to write the file again and land nothing twice.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { believed, CACHES, CacheRoot, damagesOf, mended } from '../damage/caches.js';
import { randomFrom } from '../random.js';
import type { Toll, Torture } from './run.js';

const PASSES = 100;

export async function run({ folder, seed, print }: Torture): Promise<Toll> {
  const whole = await new CacheRoot(join(folder, 'whole')).make();
  const random = randomFrom(seed);
  const wrong: string[] = [];
  let [tried, passes] = [0, 0];
  for (const file of Object.keys(CACHES)) {
    const read = believed(whole, file, () => [0, 1, 2, 3, 4, 5, 6, 7]);
    tried += read.tried;
    wrong.push(...read.wrong);
    const damages = [...damagesOf(whole.bytes(file), () => [random(8)])];
    for (let i = 0; i < PASSES; i++, passes++) {
      const [what, bytes] = random.pick(damages);
      const place = whole.copyTo(join(folder, 'copy'));
      for (const words of await mended(place, file, bytes, random(2) === 0)) wrong.push(`${what}: ${words}`);
      rmSync(place.folder, { recursive: true });
    }
    print(`${file}: ${tried} tried, ${passes} passes`);
  }
  return { counts: { tried, passes, believed: wrong.length }, wrong };
}
