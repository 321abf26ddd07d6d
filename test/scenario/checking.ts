/** What tests of scenarios share: a check in a folder of its own, with what it printed. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTime } from '../../src/format/time.js';
import { FORMATS, type Format } from '../../src/scenario/build.js';
import { type CheckResult, checkScenario } from '../../src/scenario/check/check.js';
import { ALWAYS_HELD, type Expectation } from '../../src/scenario/check/expectation.js';
import { type Part, PROPERTY_NAMES } from '../../src/scenario/check/properties.js';
import { readExpectation } from '../../src/scenario/check/read-expectation.js';
import { readScenario } from '../../src/scenario/read-scenario.js';

/** What a check said; `ok` when nothing differed. */
export interface Checked extends CheckResult {
  readonly ok: boolean;
  readonly lines: readonly string[];
}

export interface Texts {
  /** For messages. */
  readonly path: string;
  readonly scenario: string;
  readonly expectation?: string;
}

/** The texts of a scenario file and of the expectation beside it. */
export function textsOf(path: string): Texts {
  const beside = path.replace(/\.yaml$/, '.expect.yaml');
  return {
    ...{ path, scenario: readFileSync(path, 'utf8') },
    ...(existsSync(beside) ? { expectation: readFileSync(beside, 'utf8') } : {}),
  };
}

/**
 * Checks texts in memory, in a folder that is removed again. Throws `ScenarioError` as the command would print it.
 * `FAST_FOLDER` is used where there is one: these tests are about what is written, not that it survives a power cut.
 */
export async function checkTexts(
  texts: Texts,
  formats: readonly Format[] = FORMATS,
  withProperties = true,
  without: readonly Part[] = [],
): Promise<Checked> {
  const scenario = readScenario(texts.path, texts.scenario);
  const expectation =
    texts.expectation === undefined
      ? undefined
      : readExpectation(
          texts.path.replace(/\.yaml$/, '.expect.yaml'),
          texts.expectation,
          scenario,
          PROPERTY_NAMES,
        );
  const folder = mkdtempSync(join(FAST_FOLDER, 'asz-check-'));
  const lines: string[] = [];
  try {
    const at = parseTime('2026-01-01T00:00:00Z');
    const print = (line: string) => lines.push(line);
    const { held, failed, notChecked, first } = await checkScenario({
      ...{ scenario, expectation: asked(expectation, withProperties), formats, folder, at, without, print },
    });
    return { held, failed, notChecked, first, ok: failed === 0, lines };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An expectation, or the same with every property set off that can be. */
function asked(expectation: Expectation | undefined, withProperties: boolean): Expectation | undefined {
  if (withProperties || expectation === undefined) return expectation;
  const off = PROPERTY_NAMES.filter((name) => !ALWAYS_HELD.includes(name));
  return { ...expectation, properties: new Map(off.map((name) => [name, false])) };
}

/** A folder in memory, where the system has one. */
export const FAST_FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
