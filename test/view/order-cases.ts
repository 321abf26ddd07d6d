/** Rules of the order in which things happened. */
import assert from 'node:assert/strict';
import { type Case, ids, rulesInto } from './case.js';
import { type MadeRoot, relation, said, step, talkNode } from './made-root.js';

export const ORDER_CASES: Case[] = [];
const rule = rulesInto(ORDER_CASES);

// ---- the order in which things happened ----

/** Two lanes: a child's file that landed before its parent's. */
const TWO_LANES: MadeRoot['files'] = [
  { stream: 'child', records: [said('c1', 4), said('c2', 5)] },
  { stream: 'main', records: [said('m1', 1), said('m2', 9), said('m3', 2)] },
];

rule('relations are in the order they happened, not in the order files landed', (view) => {
  const at = (seq: number, row: number) => ({ evidence: [{ seq, row }] });
  const relations = [
    relation('rel/1', 'talk/1', 'x', at(1, 1)),
    relation('rel/2', 'talk/1', 'x', at(1, 2)),
    relation('rel/3', 'talk/1', 'x', at(2, 1)),
    relation('rel/4', 'talk/1', 'x', at(2, 2)),
    relation('rel/5', 'talk/1', 'x', at(2, 3)),
  ];
  const document = view({ files: TWO_LANES, nodes: [talkNode()], relations });
  // rel/5 was stamped second 2, but it stands behind second 9 in its own lane.
  assert.deepEqual(ids(document.relations), ['rel/3', 'rel/1', 'rel/2', 'rel/4', 'rel/5']);
});

rule('a relation happened at the first place in each lane, and of those at the earliest', (view) => {
  const relations = [
    relation('rel/1', 'talk/1', 'x', {
      evidence: [
        { seq: 2, row: 3 },
        { seq: 2, row: 2 },
      ],
    }),
    relation('rel/2', 'talk/1', 'x', { evidence: [{ seq: 1, row: 2 }] }),
    relation('rel/3', 'talk/1', 'x', {
      evidence: [
        { seq: 2, row: 2 },
        { seq: 1, row: 1 },
      ],
    }),
  ];
  assert.deepEqual(ids(view({ files: TWO_LANES, nodes: [talkNode()], relations }).relations), [
    'rel/3',
    'rel/2',
    'rel/1',
  ]);
});

rule('what shares its evidence is ordered by id, and what has none comes last', (view) => {
  const relations = [
    relation('rel/z', 'talk/1', 'x'),
    relation('rel/y', 'talk/1', 'x', { evidence: [{ seq: 1, row: 1 }] }),
    relation('rel/b', 'talk/1', 'x', { evidence: [{ seq: 2, row: 1 }] }),
    relation('rel/a', 'talk/1', 'x', { evidence: [{ seq: 2, row: 1 }] }),
    relation('rel/c', 'talk/1', 'x'),
  ];
  const expected = ['rel/a', 'rel/b', 'rel/y', 'rel/c', 'rel/z'];
  assert.deepEqual(ids(view({ files: TWO_LANES, nodes: [talkNode()], relations }).relations), expected);
});

rule('of items without a time the lower position is first, behind those with one', (view) => {
  const files = [
    { stream: 'b', records: [said('x')] },
    { stream: 'a', records: [said('y')] },
    { stream: 'c', records: [said('z', 1)] },
  ];
  const relations = [1, 2, 3].map((seq) =>
    relation(`rel/${4 - seq}`, 'talk/1', 'x', { evidence: [{ seq, row: 1 }] }),
  );
  assert.deepEqual(ids(view({ files, nodes: [talkNode()], relations }).relations), [
    'rel/1',
    'rel/3',
    'rel/2',
  ]);
});

rule('a relation from a node to itself is two edges, in before out', (view) => {
  const relations = [relation('rel/1', 'talk/1', 'talk/1', { via: 'v' })];
  const edge = { type: 'starts', other: 'talk/1', quality: 'exact_unique', via: 'v' };
  const { edges } = view({ files: TWO_LANES, nodes: [talkNode()], relations }).talks[0];
  assert.deepEqual(
    edges.map(({ dir }: { dir: string }) => dir),
    ['in', 'out'],
  );
  assert.deepEqual(
    edges.map(({ dir: _, ...rest }: { dir: string }) => rest),
    [edge, edge],
  );
});

rule(
  'streams: main first, then by position; opened by every step that started them, as the steps happened',
  (view) => {
    const stream = (name: string, role: string, row: number) => ({
      id: `stream/${name}`,
      kind: 'stream',
      stream: name,
      ref: { seq: 2, row },
      attrs: { role, records: row },
    });
    const nodes = [
      stream('child', 'child', 1),
      stream('main', 'main', 2),
      talkNode('talk/1', { ref: { seq: 2, row: 1 } }),
      step('late', 2, { ref: { seq: 2, row: 2 } }),
      step('early', 1, { ref: { seq: 2, row: 1 }, stream: 'other' }),
      { ...step('orphan', 1), parent: 'nobody', stream: 'child', ref: { seq: 1, row: 1 } },
      { ...step('streamless', 1), stream: '' },
    ];
    const relations = ['late', 'early', 'orphan', 'streamless', 'gone'].map((id, i) =>
      relation(`rel/${i}`, id, 'stream/child'),
    );
    const [main, child] = view({ files: TWO_LANES, nodes, relations }).streams;
    assert.equal(main.name, 'main');
    const opening = (id: string, talk: string, by: string) => ({
      step: id,
      stream: by,
      talk,
      quality: 'exact_unique',
    });
    assert.deepEqual(child.opened_by, [
      opening('early', 'talk/1', 'other'),
      opening('orphan', '', 'child'),
      opening('late', 'talk/1', 'main'),
    ]);
    assert.deepEqual([child.parent, child.records, child.talk, child.label], ['main', 1, '', '']);
  },
);

rule("a talk is a child's only when its stream says so, and an auxiliary stream does not", (view) => {
  const stream = (name: string, role: string) => ({
    id: `stream/${name}`,
    kind: 'stream',
    stream: name,
    attrs: { role },
  });
  const nodes = [
    stream('c', 'child'),
    stream('a', 'auxiliary'),
    talkNode('t1', { stream: 'c' }),
    talkNode('t2', { stream: 'a', ref: { seq: 1, row: 2 } }),
  ];
  const { talks } = view({ files: TWO_LANES, nodes });
  assert.deepEqual([talks[0].child, 'child' in talks[1]], [true, false]);
});
