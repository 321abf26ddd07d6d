/** Chains as no parser writes them: shapes that would make a careless reader slow, or end it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node, Relation } from '../../src/format/session-flow.js';
import { madeRoot, relation, said, step, talkNode } from './made-root.js';
import { documentOf, viewed } from './viewing.js';

/** Far more than linear work takes, and far less than the square of it. */
const LIMIT_MS = 20_000;

function inTime<T>(work: () => T): T {
  const began = performance.now();
  const result = work();
  assert.ok(performance.now() - began < LIMIT_MS);
  return result;
}

const MANY = 20_000;
const files = [{ records: [said('x', 1)] }];

test('a tree as deep as there are nodes', () => {
  const nodes: Node[] = [
    talkNode(),
    ...Array.from({ length: MANY }, (_, i) => ({
      ...step(`s${i}`, 1),
      parent: i === 0 ? 'talk/1' : `s${i - 1}`,
    })),
  ];
  const { talks, summary } = inTime(() => viewed(madeRoot({ files, nodes }), 's'));
  assert.deepEqual([talks[0].steps, summary.steps], [MANY, MANY]);
});

test('talks in talks, and each tells of all below it', () => {
  const nodes = Array.from({ length: MANY }, (_, i) =>
    talkNode(`t${i}`, i === 0 ? {} : { parent: `t${i - 1}` }),
  );
  const { talks } = inTime(() =>
    viewed(madeRoot({ files, nodes: [...nodes, { ...step('s', 1), parent: `t${MANY - 1}` }] }), 's'),
  );
  assert.equal(talks.length, MANY);
  assert.equal(Math.min(...talks.map(({ steps }: { steps: number }) => steps)), 1);
});

test('one circle of all nodes, and many small ones', () => {
  const ring = Array.from({ length: MANY }, (_, i) => ({
    ...step(`r${i}`, 1),
    parent: `r${(i + 1) % MANY}`,
  }));
  const pairs = Array.from({ length: MANY }, (_, i) => ({ ...step(`p${i}`, 1), parent: `p${i ^ 1}` }));
  const { loose } = inTime(() => viewed(madeRoot({ files, nodes: [...ring, ...pairs] }), 's'));
  assert.equal(loose.length, 1 + MANY / 2);
});

test('one node at which all relations meet, each from a stream of its own', () => {
  const streams = Array.from({ length: 2000 }, (_, i) => ({
    stream: `s${i}`,
    records: [said('x', i % 60), said('y', (i * 7) % 60)],
  }));
  const relations: Relation[] = Array.from({ length: MANY }, (_, i) =>
    relation(`rel/${i}`, 'talk/1', 'talk/1', { evidence: [{ seq: 1 + (i % 2000), row: 1 + (i % 2) }] }),
  );
  const { talks } = inTime(() => viewed(madeRoot({ files: streams, nodes: [talkNode()], relations }), 's'));
  assert.equal(talks[0].edges.length, 2 * MANY);
});

test('a step that cites one record many times', () => {
  const refs = Array.from({ length: MANY }, () => ({ seq: 1, row: 1 }));
  const nodes = [talkNode(), step('a', 1, { kind: 'tool', refs })];
  const document = inTime(() => viewed(madeRoot({ files, nodes }), 's'));
  assert.equal(document.talks[0].children[0].refs.length, MANY);
});

test('data that nests deep, white space without end, names that mean something else', () => {
  const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
  const change = `{"schema":"changes/1","id":"c","captured_by":"p","gaps":${deep}}`;
  const records = [
    { parts: [{ k: 'call', data: deep }] },
    said(`${' '.repeat(1_000_000)}x${'\u00a0'.repeat(1_000_000)}`),
    { parts: [{ k: 'data', data: change }] },
    {
      parts: [
        {
          k: 'data',
          data: '{"__proto__":{"type":"queued_command"},"type":"queued_command","prompt":[{"text":"p"}]}',
        },
      ],
    },
  ];
  const nodes = [
    talkNode('__proto__'),
    ...records.map((_, i) => ({ ...step(`constructor/${i}`, i + 1), parent: '__proto__' })),
  ];
  const { talks, workspace_changes: changes } = inTime(() =>
    viewed(madeRoot({ files: [{ records }, { kind: 'changes', records: [records[2]!] }], nodes }), 's'),
  );
  assert.deepEqual(
    [talks[0].id, talks[0].children[0].text.length, talks[0].children[3].text],
    ['__proto__', 2000, 'p'],
  );
  assert.deepEqual([talks[0].reply, changes], ['p', []]);
});

test('no relation and no parent needs to lead anywhere', () => {
  const nodes = [
    talkNode('talk/1', { parent: 'gone', ref: { seq: 1, row: 99 } }),
    step('a', 7, {
      refs: [
        { seq: 1, row: 8 },
        { seq: 1, row: 9 },
      ],
    }),
  ];
  const relations = [
    relation('rel/1', 'gone', 'away', { type: 'in_segment', evidence: [{ seq: 1, row: 50 }] }),
  ];
  const root = madeRoot({ files, nodes, relations });
  assert.equal(documentOf(root, 's'), documentOf(root, 's'));
  assert.equal(viewed(root, 's').talks[0].children.length, 1);
});
