/** A sample of damages shown to every command that reads, as real processes. */
import { join } from 'node:path';
import { ProcessCases } from '../damage/processes.js';
import { makeSmallRoot } from '../damage/small-root.js';
import { randomFrom } from '../random.js';
import type { Toll, Torture } from './run.js';

const DAMAGES = 120;

export async function run({ folder, seed }: Torture): Promise<Toll> {
  const whole = join(folder, 'whole');
  await makeSmallRoot(whole);
  const cases = await ProcessCases.of(join(folder, 'cases'), whole);
  const random = randomFrom(seed);
  for (let i = 0; i < DAMAGES; i++) await cases.try(random);
  const { tried, accepted, crashes, writes } = cases;
  const counts = { damages: DAMAGES, processes: tried, accepted: accepted.length, crashes: crashes.length };
  return { counts: { ...counts, writes: writes.length }, wrong: [...accepted, ...crashes, ...writes] };
}
