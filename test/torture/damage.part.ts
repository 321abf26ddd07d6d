/** All eight bits of every byte of every landed file and round flipped, and every truncation, shown to all readers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cutsOf, Damaging, filesOf, makeSmallRoot } from '../damage/small-root.js';
import type { Toll, Torture } from './run.js';

export async function run({ folder, print }: Torture): Promise<Toll> {
  const root = join(folder, 'data');
  await makeSmallRoot(root);
  const damaging = await Damaging.of(root, 'complete');
  for (const file of filesOf(root, /\.(sd|sf)$/)) {
    const bytes = readFileSync(join(root, file));
    for (let at = 0; at < bytes.length; at++)
      for (let bit = 0; bit < 8; bit++) {
        const flipped = Buffer.from(bytes);
        flipped[at]! ^= 1 << bit;
        await damaging.show(file, flipped, `${file} byte ${at} bit ${bit}`);
      }
    for (const at of cutsOf(bytes, true))
      await damaging.show(file, bytes.subarray(0, at), `${file} cut at ${at}`);
    print(`${file}: ${damaging.tried} tried`);
  }
  const { tried, refused, harmless, accepted, crashes, writes } = damaging;
  const counts = { tried, refusals: refused, 'told by verify alone': harmless };
  const whole = damaging.isWhole ? [] : ['the root is not as it was'];
  return {
    counts: { ...counts, accepted: accepted.length, crashes: crashes.length, writes: writes.length },
    wrong: [...accepted, ...crashes, ...writes, ...whole],
  };
}
