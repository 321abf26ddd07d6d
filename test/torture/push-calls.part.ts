/** Every call of a push fails in every way and is the last, a push is killed at 50 moments, and every call of a receiver is its last. */
import { Misbehaving } from '../push/misbehaving.js';
import { randomFrom } from '../random.js';
import { PushCalls, ReceiveCalls } from './push-calls.js';
import type { Toll, Torture } from './run.js';
import { sampleOf } from './sample.js';

const MOMENTS = 50;
/** With `$ASZ_ONE_IN=N` one case in N; of the receiver's, each of which takes two processes, a quarter. */
const ONE_IN = Number(process.env.ASZ_ONE_IN ?? 1);

export async function run({ seed, print }: Torture): Promise<Toll> {
  const wrong: string[] = [];
  const tried = async (what: string, tries: readonly (() => Promise<void>)[]) => {
    const before = wrong.length;
    for (const one of tries)
      try {
        await one();
      } catch (cause) {
        wrong.push((cause as Error).message);
      }
    print(`${what}: ${tries.length} tried, ${wrong.length - before} wrong`);
    return tries.length;
  };
  const receiver = await Misbehaving.start(() => {}); // Closed below.
  const calls = await PushCalls.of(receiver, seed);
  let count = 0;
  for (const form of ['failing', 'killed'] as const)
    count += await tried(
      `push, ${form}`,
      sampled(calls.cases(form), ONE_IN, seed).map((one) => () => calls.try(one)),
    );
  const chance = randomFrom(seed);
  const moments = Array.from({ length: MOMENTS }, () => 100 + chance(600));
  count += await tried(
    'push, killed at some moment',
    moments.map((ms) => () => calls.tryAfter(ms)),
  );
  print(`${calls.repeated} files came twice`);
  calls.remove();
  receiver.close();
  const received = await ReceiveCalls.of(seed);
  const all = Array.from({ length: received.calls }, (_, i) => () => received.try(i + 1));
  const each = sampled(all, 4 * ONE_IN, seed);
  count += await tried('receive, killed and unsynced lost', each);
  received.remove();
  return { counts: { tried: count, injected: calls.injected + received.injected }, wrong };
}

function sampled<T>(items: readonly T[], oneIn: number, seed: number): T[] {
  return sampleOf(items, Math.ceil(items.length / oneIn), seed);
}
