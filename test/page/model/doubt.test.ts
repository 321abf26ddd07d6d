/** Where a chain does not hold, as the page tells it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ViewDocument } from '../../../src/format/view-document.js';
import { chainStop, doubtedBy, doubtOf, missingRounds } from '../../../src/page/model/doubt.js';
import { step } from './made-document.js';

function chain(rounds: readonly (readonly [number, boolean])[], head: number, problems: string[] = []) {
  return {
    rounds: rounds.map(([round, verified]) => ({
      ...{ round, verified, from_seq: round * 2 - 1, through_seq: round * 2 },
    })),
    head: { round: head, digest: '' },
    summary: { problems },
  } as unknown as ViewDocument;
}

test('a file is in doubt with every other of its round, and so is what rests on it', () => {
  const document = chain(
    [
      [1, true],
      [2, false],
    ],
    2,
  );
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((seq) => doubtedBy(document, seq)),
    [undefined, undefined, 2, 2, undefined],
  );
  const at = (...seqs: number[]) => step('tool', 0, { refs: seqs.map((seq) => ({ seq, row: 1 })) });
  assert.equal(doubtOf(document, at(1, 4)), 2);
  assert.equal(doubtOf(document, { ...at(1), ref: { seq: 2, row: 1 } }), undefined);
});

test('rounds that are not listed are named, from the first on', () => {
  assert.deepEqual(
    missingRounds(
      chain(
        [
          [2, true],
          [5, true],
          [6, true],
        ],
        6,
      ),
    ),
    [
      { from: 1, through: 1 },
      { from: 3, through: 4 },
    ],
  );
  assert.deepEqual(missingRounds(chain([[1, true]], 1)), []);
});

test('a chain stops where rounds lie behind its head, and not where one is only altered', () => {
  const two: [number, boolean][] = [
    [1, true],
    [3, true],
  ];
  assert.equal(chainStop(chain(two, 1, ['round 2 is missing'])), 'round 2 is missing');
  assert.equal(chainStop(chain([[1, true]], 1, ['round 2 does not read: no'])), undefined);
  assert.equal(chainStop(chain([[1, false]], 1, ['round 1: the input digest'])), undefined);
});
