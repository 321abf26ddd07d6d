/**
 * `npm run torture [-- words]`: the long forms of the tests that break things on purpose, those whose names hold one of
 * the words. Prints a line for each loop: cases tried, faults injected, survived. `$ASZ_SEED` repeats a run.
 */
import { SEED } from '../random.js';
import { FORMS_HERE, FORMS_OF_PROCESSES, type Form, NthCall } from './nth-call.js';
import { OPERATIONS } from './operations.js';
import { sampleOf } from './sample.js';
import { PAIRS, TwoAtOnce } from './two-at-once.js';

/** A loop as it is reported: it says how many faults were injected when it is done. */
interface Loop {
  readonly name: string;
  readonly cases: readonly (() => Promise<void>)[];
  readonly injected: () => number;
  /** More that it counted, in words. */
  readonly remarks: () => string;
}

/** A part of the torture: its loops are made when it is its turn. */
interface Part {
  readonly name: string;
  readonly loops: () => AsyncGenerator<Loop>;
}

const PARTS: readonly Part[] = [
  ...OPERATIONS.map((operation) => ({
    name: operation.name,
    async *loops() {
      const loop = await NthCall.of(operation, SEED);
      for (const form of [...FORMS_HERE, ...FORMS_OF_PROCESSES]) {
        const { injected: before, relanded, borne } = loop.score;
        yield {
          name: `${operation.name} (${loop.calls.length} calls), ${form}`,
          cases: casesOf(loop, form).map((one) => () => loop.try(one)),
          injected: () => loop.score.injected - before,
          remarks: () =>
            `${loop.score.borne - borne} ended well at once, ${loop.score.relanded - relanded} records landed again`,
        };
      }
      loop.remove();
    },
  })),
  ...PAIRS.map((pair) => ({
    name: pair.name,
    async *loops() {
      const loop = await TwoAtOnce.of(pair, SEED);
      yield {
        name: `${pair.name}, one stopped`,
        cases: loop.stops.map((at, i) => () => loop.try(at, i % 2 === 0 ? 'goes on' : 'is killed')),
        injected: () => loop.score.cases,
        remarks: () => JSON.stringify(loop.score),
      };
      let busy = 0;
      yield {
        name: `${pair.name}, at the same moment`,
        cases: Array.from({ length: RACES }, () => async () => {
          busy += await loop.race(1);
        }),
        injected: () => RACES,
        remarks: () => `${busy} times one was busy`,
      };
      loop.remove();
    },
  })),
];

const RACES = 25;

/** Acted out in this process every case is tried; of those that cost a process, the ones that only repeat it are sampled. */
function casesOf(loop: NthCall, form: Form) {
  const cases = loop.cases(form);
  return form.startsWith('killed, ') ? sampleOf(cases, cases.length / 4, SEED) : cases;
}

const words = process.argv.slice(2);
const total = { cases: 0, injected: 0, broken: 0 };
console.log(`ASZ_SEED=${SEED}`);
for (const part of PARTS) {
  if (words.length > 0 && !words.some((word) => part.name.includes(word))) continue;
  for await (const { name, cases, injected, remarks } of part.loops()) {
    const began = performance.now();
    let broken = 0;
    for (const one of cases)
      try {
        await one();
      } catch (cause) {
        if (++broken <= 5) console.log(`✖ ${(cause as Error).message}`);
      }
    total.cases += cases.length;
    total.injected += injected();
    total.broken += broken;
    const seconds = Math.round((performance.now() - began) / 1000);
    const survived = `${injected() - broken} survived`;
    console.log(
      `${name}: ${cases.length} cases, ${injected()} faults, ${survived}; ${remarks()} (${seconds}s)`,
    );
  }
}
const { cases, injected, broken } = total;
console.log(
  `in all: ${cases} cases, ${injected} faults injected, ${injected - broken} survived; ASZ_SEED=${SEED}`,
);
process.exitCode = broken === 0 ? 0 : 1;
