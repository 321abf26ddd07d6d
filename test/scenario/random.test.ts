/**
 * Random scenarios hold every property in both formats, which agree. `ASZ_SCENARIOS=20000 ASZ_SEED=7` is a long run,
 * in batches with a seed each, so that it can be watched. A failure prints the smallest scenario found, ready to be
 * kept as a file.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FORMATS } from '../../src/scenario/build.js';
import { checkTexts } from './checking.js';
import { type RandomScenario, randomScenario } from './random-scenario.js';

const RUNS = Number(process.env.ASZ_SCENARIOS ?? 500);
const SEED = Number(process.env.ASZ_SEED ?? 20260101);
const BATCH = 500;

/** What does not hold; empty when all does. What a check throws is told too. */
async function differences({ scenario, expectation }: RandomScenario): Promise<readonly string[]> {
  try {
    const texts = { path: 'random.yaml', scenario, expectation };
    const { ok, lines, first } = await checkTexts(texts, FORMATS, true, isPushed(scenario) ? [] : ['push']);
    return ok ? [] : [...lines.filter((line) => !/: (ok|not checked)$|no expectations/.test(line)), ...first];
  } catch (cause) {
    return [String((cause as Error).stack)];
  }
}

/** Its pushes cost a check more than all else, so that one scenario in ten is pushed; which ones, their texts decide. */
function isPushed(scenario: string): boolean {
  return scenario.length % 10 === 0;
}

const property = fc.asyncProperty(randomScenario, async (random) => (await differences(random)).length === 0);

test(`${RUNS} random scenarios from seed ${SEED} hold every property and agree in both formats`, async () => {
  let checked = 0;
  for (let seed = SEED; checked < RUNS; seed++) {
    const numRuns = Math.min(BATCH, RUNS - checked);
    const { failed, counterexample, counterexamplePath } = await fc.check(property, { numRuns, seed });
    if (failed) assert.fail(await shown(counterexample![0], `seed ${seed}, path ${counterexamplePath}`));
    checked += numRuns;
    console.log(
      `${checked} random scenarios checked in both formats, seeds ${SEED} to ${seed}: no difference`,
    );
  }
});

async function shown(random: RandomScenario, where: string): Promise<string> {
  const found = await differences(random);
  const files = [
    'the smallest scenario that differs:',
    '',
    random.scenario,
    'its budgets:',
    random.expectation,
  ];
  return [`${where}; ${files.join('\n')}`, ...found].join('\n');
}
