import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Relation } from '../../src/format/session-flow.js';
import { mergeRelations } from '../../src/stages/relations.js';
import { openEntry } from '../../src/stages/unresolved.js';

const relation = (quality: string, via: string, seq: number): Relation => ({
  ...{ id: 'r', type: 't', from: 'a', to: 'b', quality, via },
  evidence: [{ seq, row: 1 }],
});

const ORDER = ['exact_unique', 'exact_ambiguous', 'strong_inference', 'weak_inference', 'unresolved'];
for (const [i, stronger] of ORDER.entries())
  for (const weaker of ORDER.slice(i + 1))
    test(`${stronger} wins over ${weaker} and brings its words, whichever comes first`, () => {
      const [strong, weak] = [relation(stronger, 'strong', 1), relation(weaker, 'weak', 2)];
      assert.deepEqual(mergeRelations(strong, weak), {
        ...strong,
        evidence: [
          { seq: 1, row: 1 },
          { seq: 2, row: 1 },
        ],
      });
      assert.deepEqual(mergeRelations(weak, strong), {
        ...strong,
        evidence: [
          { seq: 2, row: 1 },
          { seq: 1, row: 1 },
        ],
      });
    });

test('on a tie the first stays', () =>
  assert.equal(
    mergeRelations(relation('exact_unique', 'first', 1), relation('exact_unique', 'second', 2)).via,
    'first',
  ));

test('two qualities nobody knows are a tie', () =>
  assert.equal(mergeRelations(relation('x', 'first', 1), relation('unresolved', 'second', 2)).quality, 'x'));

for (const [what, first, second, via] of [
  ['the first', ['conflict', 'a'], ['exact_unique', 'b'], 'a; b'],
  ['the second', ['exact_unique', 'a'], ['conflict', 'b'], 'a; b'],
  ['one, and they use the same words', ['conflict', 'a'], ['exact_unique', 'a'], 'a'],
  ['one, and the first has no words', ['conflict', ''], ['exact_unique', 'b'], 'b'],
] as const)
  test(`a conflict stays a conflict and joins the words: ${what} says so`, () => {
    const merged = mergeRelations(relation(first[0], first[1], 1), relation(second[0], second[1], 2));
    assert.deepEqual([merged.quality, merged.via], ['conflict', via]);
  });

test('a third observation of a conflict adds its words once', () => {
  const observed = [
    relation('conflict', 'a', 1),
    relation('exact_unique', 'b', 2),
    relation('exact_unique', 'c', 3),
    relation('exact_unique', 'a', 4),
  ];
  assert.equal(observed.reduce(mergeRelations).via, 'a; b; c');
});

test('a position observed twice is there twice', () => {
  const same = relation('exact_unique', 'v', 1);
  assert.deepEqual(mergeRelations(same, same).evidence, [
    { seq: 1, row: 1 },
    { seq: 1, row: 1 },
  ]);
});

test('an empty reference is left out of the id of an unresolved entry', () => {
  assert.equal(openEntry('spawn_call', 'x', 'why').id, 'unres/spawn_call/x');
  assert.equal(openEntry('spawn_call', '', 'why').id, 'unres/spawn_call');
});
