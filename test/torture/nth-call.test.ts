/** The n-th call, in short: a sample of the cases of every form. `npm run torture` tries them all. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { SEED } from '../random.js';
import { FORMS_HERE, FORMS_OF_PROCESSES, NthCall } from './nth-call.js';
import { OPERATIONS } from './operations.js';
import { sampleOf } from './sample.js';

// One after the other: a fault stands in the way of the whole process.
for (const operation of OPERATIONS)
  describe(operation.name, () => {
    let loop: Promise<NthCall> | undefined;

    for (const [forms, samples] of [
      [FORMS_HERE, 6],
      [FORMS_OF_PROCESSES, 2],
    ] as const)
      for (const form of forms)
        test(`${form}: nothing is lost, and the next run completes it`, async () => {
          loop ??= NthCall.of(operation, SEED);
          const nthCall = await loop;
          const wanted = form === 'failing' ? samples * 3 : samples;
          const before = nthCall.score.injected;
          for (const one of sampleOf(nthCall.cases(form), wanted, SEED)) await nthCall.try(one);
          assert.ok(nthCall.score.injected - before >= wanted / 2, JSON.stringify(nthCall.score));
        });

    after(async () => (await loop)?.remove());
  });
