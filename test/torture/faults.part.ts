/**
 * Faults between asz and its files: the n-th call fails, the process is killed at it, or what was not synced is gone; and
 * two processes at once. Prints a line for each loop: cases tried, faults injected, survived.
 */
import { SEED } from '../random.js';
import { FORMS_HERE, FORMS_OF_PROCESSES, type Form, NthCall } from './nth-call.js';
import { OPERATIONS } from './operations.js';
import type { Toll, Torture } from './run.js';
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

/** Its loops are made when it is its turn. */
interface Subject {
  readonly name: string;
  readonly loops: () => AsyncGenerator<Loop>;
}

const SUBJECTS: readonly Subject[] = [
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

export async function run({ print }: Torture): Promise<Toll> {
  const total = { cases: 0, faults: 0, survived: 0 };
  const wrong: string[] = [];
  for (const subject of SUBJECTS)
    for await (const { name, cases, injected, remarks } of subject.loops()) {
      const before = wrong.length;
      for (const one of cases)
        try {
          await one();
        } catch (cause) {
          wrong.push(`${name}: ${(cause as Error).message}`);
        }
      const survived = injected() - (wrong.length - before);
      total.cases += cases.length;
      total.faults += injected();
      total.survived += survived;
      print(`${name}: ${cases.length} cases, ${injected()} faults, ${survived} survived; ${remarks()}`);
    }
  return { counts: total, wrong };
}
