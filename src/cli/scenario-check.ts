import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '../format/errors.js';
import { parseTime } from '../format/time.js';
import { FORMATS, type Format, formatNamed } from '../scenario/build.js';
import { checkScenario } from '../scenario/check/check.js';
import { expectsSomething } from '../scenario/check/evaluate.js';
import type { Expectation } from '../scenario/check/expectation.js';
import { PARTS, type Part, PROPERTY_NAMES } from '../scenario/check/properties.js';
import { readExpectation } from '../scenario/check/read-expectation.js';
import type { Scenario } from '../scenario/scenario.js';
import { ScenarioError } from '../scenario/yaml-file.js';
import type { CommandContext } from './context.js';
import { baseTime, paceOf, scenarioIn, textOf } from './scenario-options.js';

/** When nothing else is said, so that a check gives the same files whenever it runs. */
const BASE_TIME = '2026-01-01T00:00:00Z';

/** `asz scenario check`: a scenario as a test (scenario spec 8). */
export async function run({ options, args, print }: CommandContext): Promise<number> {
  const [path] = args;
  if (path === undefined) throw new UsageError('scenario check needs a FILE');
  if (options.text('remove') !== undefined) throw new UsageError('--remove is for scenario build');
  const formats = formatsNamed(options.text('format') ?? 'all');
  const [at, pace] = [baseTime(options) ?? parseTime(BASE_TIME), paceOf(options)];
  const without = withoutWords(options.text('without') ?? '');
  const scenario = scenarioIn(path);
  const expectPath = options.text('expect') ?? path.replace(/(?:\.[^./\\]*)?$/, '.expect.yaml');
  const expectation = expectationOf(scenario, expectPath, options.text('expect') !== undefined);
  const out = options.text('out');
  const folder = out === undefined ? mkdtempSync(join(tmpdir(), 'asz-scenario-')) : resolve(out);
  const result = await checkScenario({ scenario, expectation, formats, folder, at, ...pace, without, print });
  let { failed } = result;
  if (!scenario.expectsNothing && (expectation === undefined || !expectsSomething(expectation))) {
    failed++;
    const fault = expectation === undefined ? 'is missing' : 'asserts nothing';
    print(`expectation: ${expectPath} ${fault}; write it, or say expect: none in ${path}`);
  }
  for (const line of result.first) print(line);
  const unchecked = result.notChecked === 0 ? '' : `, ${result.notChecked} not checked`;
  if (failed > 0) {
    print(`FAILED: ${failed} of ${failed + result.held} checks${unchecked}; files kept in ${folder}`);
    return 1;
  }
  if (out === undefined) rmSync(folder, { recursive: true, force: true });
  print(`ok: ${result.held} checks held${unchecked}`);
  return 0;
}

function formatsNamed(name: string): readonly Format[] {
  return name === 'all' ? FORMATS : [formatNamed(name, [...FORMATS, 'all'])];
}

function withoutWords(text: string): readonly Part[] {
  return text.split(',').flatMap((word) => {
    if (word === '') return [];
    const part = PARTS.find((known) => known === word);
    if (part === undefined)
      throw new UsageError(`--without ${JSON.stringify(word)}: want ${PARTS.join(' or ')}`);
    return [part];
  });
}

/** The expectation of a scenario; `undefined` when there is none. One that was named must be there. */
function expectationOf(scenario: Scenario, path: string, isNamed: boolean): Expectation | undefined {
  if (!isNamed && !existsSync(path)) return undefined;
  if (!isNamed && scenario.expectsNothing)
    throw new ScenarioError(`${scenario.path}: it says expect: none, and ${path} is there`);
  return readExpectation(path, textOf(path), scenario, PROPERTY_NAMES);
}
