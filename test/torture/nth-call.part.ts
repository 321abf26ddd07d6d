/** Every case of every form of the n-th call, for every operation; with `$ASZ_ONE_IN=N` one in N, drawn by the seed. */
import { FORMS_HERE, FORMS_OF_PROCESSES, type Form, NthCall } from './nth-call.js';
import { OPERATIONS } from './operations.js';
import type { Toll, Torture } from './run.js';
import { sampleOf } from './sample.js';

const ONE_IN = Number(process.env.ASZ_ONE_IN ?? 1);

export async function run({ seed, print }: Torture): Promise<Toll> {
  const wrong: string[] = [];
  let [tried, injected] = [0, 0];
  for (const operation of OPERATIONS) {
    const loop = await NthCall.of(operation, seed);
    for (const form of [...FORMS_HERE, ...FORMS_OF_PROCESSES]) {
      const before = { ...loop.score, wrong: wrong.length };
      const cases = casesOf(loop, form, seed);
      for (const one of cases)
        try {
          await loop.try(one);
        } catch (cause) {
          wrong.push((cause as Error).message);
          print(`WRONG ${wrong.at(-1)}`); // Hours before the end, where all are told.
        }
      const hit = loop.score.injected - before.injected;
      tried += cases.length;
      injected += hit;
      print(
        `${operation.name} (${loop.calls.length} calls), ${form}: ${cases.length} tried, ${hit} injected, ${hit - wrong.length + before.wrong} survived; ${loop.score.borne - before.borne} ended well at once, ${loop.score.relanded - before.relanded} records landed again`,
      );
    }
    loop.remove();
  }
  return { counts: { tried, injected, survived: injected - wrong.length }, wrong };
}

/** Acted out in one process every case is tried; of real processes that only repeat those with less said, one in four. */
function casesOf(loop: NthCall, form: Form, seed: number) {
  const cases = loop.cases(form);
  const share = form.startsWith('killed, ') ? 4 * ONE_IN : ONE_IN;
  return sampleOf(cases, Math.ceil(cases.length / share), seed);
}
