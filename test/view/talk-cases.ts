/** Rules of talks and of trees. */
import assert from 'node:assert/strict';
import { type Case, ids, oneTalk, rulesInto } from './case.js';
import { relation, said, step, TEN, talkNode } from './made-root.js';

export const TALK_CASES: Case[] = [];
const rule = rulesInto(TALK_CASES);

// ---- talks ----

rule('a talk is labelled by its first external message, and that one only', (view) => {
  const made = oneTalk([said(' '), said('second')], 'message.external');
  assert.equal('label' in view(made).talks[0], false);
});

rule("without one, by the first of three injections that is somebody's words", (view) => {
  const words = (texts: readonly (readonly [string, string[]?])[]) =>
    view(
      oneTalk(
        texts.map(([text, flags = []]) => said(text, undefined, { flags })),
        'context.injection',
      ),
    ).talks[0].label;
  assert.equal(words([[' '], ['  {"type":"deferred_tools_delta","a":1}'], ['words']]), 'words');
  assert.equal(words([['you are', ['system_prompt']], ['[]', ['tool_schemas']], ['words']]), 'words');
  assert.equal(words([[' '], [' '], [' '], ['a fourth']]), undefined);
});

rule('injections are tried in the order of the tree, not of the file', (view) => {
  const made = oneTalk([said('landed first'), said('landed second')], 'context.injection');
  const nodes = [
    talkNode(),
    step('run/1', 1, { kind: 'run' }),
    step('b', 2, { kind: 'context.injection' }),
    { ...step('a', 1, { kind: 'context.injection' }), parent: 'late' },
    step('late', 3, { kind: 'run' }),
  ];
  assert.equal(view({ ...made, nodes }).talks[0].label, 'landed second');
});

rule('a talk answers with the last words of an assistant or of a child', (view) => {
  const made = oneTalk([said('a'), said('b'), said('c')]);
  const nodes = [
    talkNode(),
    step('x', 1),
    step('y', 2, { kind: 'agent.output' }),
    step('z', 3, { kind: 'message.synthetic' }),
  ];
  assert.equal(view({ ...made, nodes }).talks[0].reply, 'b');
});

rule('a talk counts at every depth, and a tree is written to level twelve', (view) => {
  const chain = Array.from({ length: 15 }, (_, i) => ({
    ...step(`s${i}`, 1),
    parent: i === 0 ? 'talk/1' : `s${i - 1}`,
  }));
  const talk = view({ files: [{ records: [said('x')] }], nodes: [talkNode(), ...chain] }).talks[0];
  assert.equal(talk.steps, 15);
  let levels = 0;
  for (let node = talk; node !== undefined; node = node.children?.[0]) levels++;
  assert.equal(levels, 13);
});

rule('a talk without times spans nothing and stands behind those that have one', (view) => {
  const files = [{ records: [said('a'), said('b', 5), said('c', 3)] }];
  const nodes = [
    talkNode('t1'),
    talkNode('t2', { ref: { seq: 1, row: 2 } }),
    talkNode('t3', { ref: { seq: 1, row: 3 } }),
  ];
  const { talks } = view({ files, nodes });
  assert.deepEqual(ids(talks), ['t3', 't2', 't1']);
  assert.deepEqual([talks[2].at, 'from' in talks[2], 'to' in talks[2]], [0, false, false]);
});

rule('talks are ordered by when they began, to the nanosecond, and equals by position', (view) => {
  const time = (fraction: string) => ({ time: `2026-01-01T10:00:00.${fraction}Z` });
  const files = [{ records: [time('0000000009'), time('000000002'), time('000000001'), time('000000001')] }];
  const nodes = [1, 2, 3, 4].map((row) => talkNode(`t${5 - row}`, { ref: { seq: 1, row } }));
  assert.deepEqual(ids(view({ files, nodes }).talks), ['t4', 't2', 't1', 't3']);
});

rule('a talk begins and ends with whatever is under it, though times run backwards', (view) => {
  const files = [{ records: [said('a', 5), said('b', 2), said('c', 9), said('d')] }];
  const nodes = [talkNode(), step('r', 2, { kind: 'run' }), { ...step('s', 3), parent: 'r' }, step('u', 4)];
  const talk = view({ files, nodes }).talks[0];
  assert.deepEqual([talk.from, talk.to, talk.at], [TEN + 2000, TEN + 9000, TEN + 5000]);
});

rule('a time rounds down, before 1970 too, and the first instant is none', (view) => {
  const files = [
    {
      records: [
        { time: '1969-12-31T23:59:59.9995Z' },
        { time: '1970-01-01T00:00:00Z' },
        { time: '2026-01-01T10:00:00.0019Z' },
      ],
    },
  ];
  const nodes = [talkNode(), step('a', 1), step('b', 2), step('c', 3)];
  const { talks, files: listed } = view({ files, nodes });
  assert.deepEqual(
    talks[0].children.map(({ at }: { at: number }) => at),
    [-1, 0, TEN + 1],
  );
  assert.deepEqual([listed[0].from_time, listed[0].through_time], [-1, TEN + 1]);
  const first = { records: [{ time: '1970-01-01T00:00:00Z' }] };
  assert.equal(view({ files: [first] }).files[0].from_time, null);
});

rule('a talk in several windows names the last, and counts in each', (view) => {
  const windows = ['w/b', 'w/a'].map((id, i) => ({ id, kind: 'segment', ref: { seq: 1, row: i + 1 } }));
  const joins = ['w/b', 'w/a'].map((to) =>
    relation(`rel/${to}`, 'talk/1', to, { type: 'in_segment', evidence: [{ seq: 1, row: 1 }] }),
  );
  const document = view({
    files: [{ records: [said('x', 1)] }],
    nodes: [talkNode(), ...windows],
    relations: joins,
  });
  assert.equal(document.talks[0].segment, 'w/b');
  assert.deepEqual(
    document.segments,
    ['w/b', 'w/a'].map((id) => ({ id, talks: 1, from: TEN + 1000, to: TEN + 1000 })),
  );
});

// ---- trees ----

rule('what no talk contains is loose, from its highest run or step down', (view) => {
  const files = [{ records: [said('a'), said('b'), said('c')] }];
  const nodes = [
    { id: 'epoch/1', kind: 'epoch' },
    { ...step('b/2', 2, { kind: 'epoch.boundary' }), parent: 'epoch/1' },
    { ...step('b/1', 3), parent: 'b/2' },
    { ...step('r', 1, { kind: 'run' }), parent: 'nobody' },
  ];
  const { loose, talks } = view({ files, nodes });
  assert.deepEqual([ids(loose), ids(loose[1].children), talks], [['r', 'b/2'], ['b/1'], []]);
});

rule('parents that lead in a circle lose no step', (view) => {
  const circle = [
    { ...step('a', 2), parent: 'c' },
    { ...step('b', 1), parent: 'a' },
    { ...step('c', 3), parent: 'b' },
    { ...step('d', 4), parent: 'c' },
  ];
  const { loose, summary } = view({ files: [{ records: [said('x')] }], nodes: circle });
  assert.deepEqual(ids(loose), ['b']);
  assert.deepEqual(
    [loose[0].children[0].id, loose[0].children[0].children[0].id, summary.steps],
    ['c', 'a', 4],
  );
});

rule('children are ordered by position: the whole record before its parts, no reference last', (view) => {
  const files = [{ records: [said('a', 9), said('b', 1)] }];
  const nodes = [
    talkNode(),
    { ...step('none', 1), ref: undefined },
    step('late', 2),
    step('part', 1, { ref: { seq: 1, row: 1, block: 0 } }),
    step('z', 1),
    step('a', 1),
  ];
  assert.deepEqual(ids(view({ files, nodes }).talks[0].children), ['a', 'z', 'part', 'late', 'none']);
});

rule('ids are ordered by code point beyond the basic plane', (view) => {
  const nodes = [talkNode(), step('\u{1f326}', 1), step('\uffee', 1)];
  const entries = ['u/\u{1f326}', 'u/\uffee'].map((id) => ({ id, kind: 'k', state: 'open' as const }));
  const document = view({ files: [{ records: [said('x')] }], nodes, unresolved: entries });
  assert.deepEqual(ids(document.talks[0].children), ['\uffee', '\u{1f326}']);
  assert.deepEqual(ids(document.unresolved), ['u/\uffee', 'u/\u{1f326}']);
});
