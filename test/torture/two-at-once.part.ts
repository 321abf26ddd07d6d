/** Two at once: one of them stopped at every call that changes something, and many starts at the same moment. */
import type { Toll, Torture } from './run.js';
import { sampleOf } from './sample.js';
import { PAIRS, TwoAtOnce } from './two-at-once.js';

const ONE_IN = Number(process.env.ASZ_ONE_IN ?? 1);
const RACES = 25;

export async function run({ seed, print }: Torture): Promise<Toll> {
  const wrong: string[] = [];
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (cause) {
      wrong.push((cause as Error).message);
    }
  };
  let [tried, races] = [0, 0];
  for (const pair of PAIRS) {
    const loop = await TwoAtOnce.of(pair, seed);
    const stops = sampleOf(loop.stops, Math.ceil(loop.stops.length / ONE_IN), seed);
    for (const [i, at] of stops.entries())
      await attempt(() => loop.try(at, i % 2 === 0 ? 'goes on' : 'is killed'));
    let busy = 0;
    const times = Math.ceil(RACES / ONE_IN);
    for (let i = 0; i < times; i++)
      await attempt(async () => {
        busy += await loop.race(1);
      });
    const { cases, held, saidBusy, killed } = loop.score;
    tried += cases;
    races += times;
    print(
      `${pair.name}: ${cases} stops, in ${held} something was held, ${saidBusy} times the other said so, ${killed} killed; ${times} starts at once, ${busy} times one was busy`,
    );
    loop.remove();
  }
  return { counts: { tried, 'at once': races, survived: tried + races - wrong.length }, wrong };
}
