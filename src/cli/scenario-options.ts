/** What `scenario build` and `scenario check` take alike: when, how fast, and which file (cli spec 3.13). */
import { readFileSync } from 'node:fs';
import { parseDuration } from '../config/duration.js';
import { causeText, UsageError } from '../format/errors.js';
import { type Instant, isNoTime, parseTime } from '../format/time.js';
import { readScenario } from '../scenario/read-scenario.js';
import type { Scenario } from '../scenario/scenario.js';
import { ScenarioError } from '../scenario/yaml-file.js';
import type { ParsedArguments } from './arguments.js';

/** The scenario in a file. Throws `ScenarioError`. */
export function scenarioIn(path: string): Scenario {
  return readScenario(path, textOf(path));
}

export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ScenarioError(causeText(cause), { cause });
  }
}

/** The base time; `undefined` for `now` and for a flag that was not given. */
export function baseTime(options: ParsedArguments): Instant | undefined {
  const text = options.text('at') ?? 'now';
  if (text === 'now') return undefined;
  const at = parseTime(text);
  if (isNoTime(at)) throw new UsageError(`--at ${JSON.stringify(text)} is not RFC 3339 ${REACH}`);
  return at;
}

/** What a landed time can be: signed 64-bit nanoseconds, of which 0 stands for no time. */
const REACH = 'from 1677-09-22 to 2262-04-11, other than 1970-01-01T00:00:00Z';

/** What the clock of a plan takes from the command line. */
export function paceOf(options: ParsedArguments): {
  intervalMs: number | undefined;
  scale: number | undefined;
} {
  return { intervalMs: intervalOf(options), scale: scaleOf(options) };
}

function intervalOf(options: ParsedArguments): number | undefined {
  const text = options.text('interval');
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms === undefined || ms < 0)
    throw new UsageError(`--interval ${JSON.stringify(text)} is not a duration such as 100ms, 1.5s or 15m`);
  return ms;
}

function scaleOf(options: ParsedArguments): number | undefined {
  const text = options.text('scale');
  if (text === undefined) return undefined;
  const scale = Number(text);
  if (text.trim() === '' || !(scale >= 0 && scale <= MAX_SCALE))
    throw new UsageError(`--scale ${JSON.stringify(text)}: want a number from 0 to ${MAX_SCALE}`);
  return scale;
}

/** Enough for years between steps; more would leave what a time can be. */
const MAX_SCALE = 1_000_000;
