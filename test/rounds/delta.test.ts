import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import type { Entity } from '../../src/format/entity.js';
import { compareCodePoints } from '../../src/format/json-text.js';
import { GROUPS } from '../../src/format/session-flow.js';
import { Delta } from '../../src/rounds/delta.js';
import { Fold } from '../../src/rounds/fold.js';
import { tombstone } from '../entities.js';
import { randomFrom, SEED } from '../random.js';
import { aNode, anUnresolved, aRelation, aRound } from './round-builder.js';

/** The frames that lead from what a chain says to an assembly, given in batches of a size. */
async function difference(folded: Entity[], assembly: Entity[], batch = 2): Promise<Entity[]> {
  const fold = new Fold('s');
  fold.apply(aRound({}, folded));
  const frames: Entity[] = [];
  const sink = new Writable({
    objectMode: true,
    write(entities: Entity[], _encoding, done) {
      frames.push(...entities);
      done();
    },
  });
  const batches = Array.from({ length: Math.ceil(assembly.length / batch) }, (_, i) =>
    assembly.slice(i * batch, (i + 1) * batch),
  );
  await pipeline(Readable.from(batches), new Delta(fold), sink);
  return frames;
}

for (const [what, folded, assembly, written] of [
  ['new: the entity', [], [aNode('a')], [aNode('a')]],
  ['equal: nothing', [aNode('a')], [aNode('a')], []],
  ['different: the entity', [aNode('a')], [aNode('a', { name: 'Bash' })], [aNode('a', { name: 'Bash' })]],
  ['a node that is gone: a tombstone', [aNode('a')], [], [tombstone('node', 'a')]],
  ['a relation that is new', [], [aRelation('r')], [aRelation('r')]],
  ['a relation that differs', [aRelation('r')], [aRelation('r', 'w')], [aRelation('r', 'w')]],
  ['a relation that is gone: a tombstone', [aRelation('r')], [], [tombstone('relation', 'r')]],
  ['unresolved and new: open', [], [anUnresolved('u')], [anUnresolved('u')]],
  [
    'unresolved, open and gone: resolved, its kind, reference and reason kept',
    [anUnresolved('u', 'open', 'why')],
    [],
    [anUnresolved('u', 'resolved', 'why')],
  ],
  ['unresolved, resolved and gone: nothing', [anUnresolved('u', 'resolved')], [], []],
  ['unresolved, terminal and gone: nothing', [anUnresolved('u', 'terminal')], [], []],
  [
    'unresolved, resolved and there: open again',
    [anUnresolved('u', 'resolved')],
    [anUnresolved('u')],
    [anUnresolved('u')],
  ],
  [
    'unresolved, open with another reason',
    [anUnresolved('u', 'open', 'x')],
    [anUnresolved('u', 'open', 'y')],
    [anUnresolved('u', 'open', 'y')],
  ],
  ['one id in two groups', [aNode('x')], [aRelation('x')], [tombstone('node', 'x'), aRelation('x')]],
  ['nothing at all', [], [], []],
] as [string, Entity[], Entity[], Entity[]][])
  test(`the difference: ${what}`, async () => {
    const lines = (entities: Entity[]) => entities.map((entity) => entity.line(1));
    assert.deepEqual(lines(await difference(folded, assembly)), lines(written));
  });

test('what is gone stands in its place among what is new, group by group', async () => {
  const folded = [aNode('a'), aNode('c'), aNode('e'), aRelation('b'), anUnresolved('a'), anUnresolved('z')];
  const frames = await difference(folded, [aNode('b'), aNode('c'), aNode('d'), anUnresolved('m')]);
  assert.deepEqual(
    frames.map(({ group, id, removes }) => `${group} ${id}${removes ? ' gone' : ''}`),
    [
      'node a gone',
      'node b',
      'node d',
      'node e gone',
      'relation b gone',
      'unresolved a',
      'unresolved m',
      'unresolved z',
    ],
  );
});

test('ids go by code point, where JavaScript’s own order is another', async () => {
  const folded = [aNode('\uffff'), aNode('😀')];
  const frames = await difference(folded, [aNode('\ue000'), aNode('\uffff'), aNode('\u{10ffff}')], 1);
  assert.deepEqual(
    frames.map(({ id }) => id),
    ['\ue000', '😀', '\u{10ffff}'],
  );
});

test('random folds and assemblies: the frames are those a Map gives, sorted, in batches of any size', async () => {
  const random = randomFrom();
  const make = [
    (id: string) => aNode(id, { name: random.pick(['Bash', 'Read']) }),
    (id: string) => aRelation(id, random.pick(['v', 'w'])),
    (id: string) => anUnresolved(id, 'open', random.pick(['v', 'w'])),
  ];
  for (let round = 0; round < 200; round++) {
    const side = (): Entity[] =>
      GROUPS.flatMap((_, g) => {
        const ids = new Set(
          Array.from(
            { length: random(12) },
            () => random.pick(['a', 'b', '/', '😀', '\uffff', 'c']) + random(3),
          ),
        );
        return [...ids].sort(compareCodePoints).map((id) => make[g]!(id));
      });
    const [folded, assembly] = [side(), side()];
    const key = ({ group, id }: Entity) => `${GROUPS.indexOf(group)} ${id}`;
    const [before, now] = [
      new Map(folded.map((e) => [key(e), e])),
      new Map(assembly.map((e) => [key(e), e])),
    ];
    const want = new Map<string, string>();
    for (const [k, entity] of now) if (before.get(k)?.tail !== entity.tail) want.set(k, entity.tail);
    for (const [k, { group, id, tail }] of before)
      if (!now.has(k))
        want.set(
          k,
          group === 'unresolved' ? tail.replace('"open"', '"resolved"') : tombstone(group, id).tail,
        );
    const frames = await difference(folded, assembly, 1 + random(5));
    const sorted = [...want].sort(([a], [b]) => compareCodePoints(a, b));
    assert.deepEqual(
      frames.map((e) => [key(e), e.tail]),
      sorted,
      `seed ${SEED}, round ${round}`,
    );
  }
});
