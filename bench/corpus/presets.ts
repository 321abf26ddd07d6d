/** The corpora there are, as sizes of their sessions. */
import type { HistoryOptions } from './history.js';

export interface Preset {
  readonly sessions: readonly HistoryOptions[];
}

/** A child for so many records: 600 in the largest session. */
const RECORDS_PER_CHILD = 200;
/** What a collector finds that looks every few minutes. */
const RECORDS_PER_PASS = 3_000;

/**
 * The preset of a name: `small`, `big1`, `big48`, `long` for one transcript of 600 MB without children, or `<n>k`
 * for one session of so many thousand records.
 */
export function presetNamed(name: string, seed: number): Preset {
  const thousands = /^([1-9]\d{0,3})k$/.exec(name)?.[1];
  if (thousands !== undefined) return { sessions: [session(seed, Number(thousands) * 1000)] };
  switch (name) {
    case 'small':
      return {
        sessions: [0, 1].map((i) => ({ ...session(seed + i, 1200), children: 9, recordsPerPass: 600 })),
      };
    case 'big1':
      return { sessions: [session(seed, 120_000)] };
    case 'big48':
      return { sessions: sizesOfBig48().map((records, i) => session(seed + i, records)) };
    case 'long':
      return { sessions: [{ ...session(seed, 320_000), children: 0 }] };
    default:
      throw new RangeError(`no corpus ${name}: small, big1, big48, long, or <n>k`);
  }
}

function session(seed: number, records: number): HistoryOptions {
  const children = Math.round(records / RECORDS_PER_CHILD);
  return { seed, records, children, recordsPerPass: RECORDS_PER_PASS };
}

/** 365,000 records in 48 sessions: one of 73,000, the others ever smaller. */
function sizesOfBig48(): number[] {
  const [largest, rest, others] = [73_000, 292_000, 47];
  const weights = Array.from({ length: others }, (_, i) => 1 / (i + 4));
  const sum = weights.reduce((a, b) => a + b, 0);
  return [largest, ...weights.map((weight) => Math.round((rest * weight) / sum))];
}
