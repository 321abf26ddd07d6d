/**
 * Random scenarios hold every property in both formats, which agree. `ASZ_SCENARIOS=20000 ASZ_SEED=7` is a long run.
 * A failure prints the smallest scenario found, ready to be kept as a file.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkTexts } from './checking.js';
import { type RandomScenario, randomScenario } from './random-scenario.js';

const RUNS = Number(process.env.ASZ_SCENARIOS ?? 500);
const SEED = Number(process.env.ASZ_SEED ?? 20260101);

/** What does not hold; empty when all does. What a check throws is told too. */
async function differences({ scenario, expectation }: RandomScenario): Promise<readonly string[]> {
  try {
    const { ok, lines, first } = await checkTexts({ path: 'random.yaml', scenario, expectation });
    return ok ? [] : [...lines.filter((line) => !/: (ok|not checked)$|no expectations/.test(line)), ...first];
  } catch (cause) {
    return [String((cause as Error).stack)];
  }
}

test(`${RUNS} random scenarios, seed ${SEED}, hold every property and agree in both formats`, async () => {
  const property = fc.asyncProperty(
    randomScenario,
    async (random) => (await differences(random)).length === 0,
  );
  const { failed, counterexample, numRuns, seed, counterexamplePath } = await fc.check(property, {
    ...{ numRuns: RUNS, seed: SEED },
    ...(process.env.ASZ_PATH === undefined ? {} : { path: process.env.ASZ_PATH }),
  });
  console.log(`${numRuns} random scenarios checked in both formats, seed ${seed}`);
  if (!failed) return;
  const [random] = counterexample!;
  const found = await differences(random);
  assert.fail(
    [
      `seed ${seed}, path ${counterexamplePath}; the smallest scenario that differs:`,
      ...['', random.scenario, 'its budgets:', random.expectation, ...found],
    ].join('\n'),
  );
});
