import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionIndex } from '../../src/format/session-index.js';
import { MAX_PARENT_LINKS } from '../../src/stages/talks.js';
import {
  type ARecord,
  agent,
  anIndex,
  assembled,
  assembledIndex,
  child,
  journal,
  main,
  text,
  user,
} from './index-builder.js';

const runtime = (more: ARecord): ARecord => ({ from: 'runtime', flags: ['notice'], ...more });
const reset = (id: string): ARecord => ({ id, from: 'runtime', flags: ['context_reset'] });

// ---- what starts a talk ----

test('input from outside starts a talk, and each of its runs is a node under it', async () => {
  const { nodes, ids } = await assembled(main(user('u1', 'p1'), user('u2', 'p2')));
  assert.deepEqual(ids('talk'), ['talk/main/p1', 'talk/main/p2']);
  assert.deepEqual(nodes.get('talk/main/p1'), {
    ...{ id: 'talk/main/p1', kind: 'talk', parent: 'epoch/main/0', stream: 'main', ref: { seq: 1, row: 1 } },
    attrs: { loops: 1, runs: 1, trigger: 'external' },
  });
  assert.deepEqual(nodes.get('run/talk_main_p1/p1'), {
    ...{ id: 'run/talk_main_p1/p1', kind: 'run', parent: 'talk/main/p1', stream: 'main' },
    ...{ ref: { seq: 1, row: 1 }, attrs: { trigger: 'external' } },
  });
});

for (const [what, records, talks] of [
  [
    'a notification goes on with the talk',
    [runtime({ run: 'p2', trigger: 'notification' })],
    ['talk/main/p1'],
  ],
  [
    'a trigger nobody knows, stated as unknown, does too',
    [runtime({ run: 'p2', trigger: 'unknown' })],
    ['talk/main/p1'],
  ],
  [
    'a run that states no trigger starts one: a person typed a command',
    [runtime({ run: 'p2' })],
    ['talk/main/p1', 'talk/main/p2'],
  ],
  [
    'an unreadable trigger is none',
    [runtime({ run: 'p2', trigger: 'whatever' })],
    ['talk/main/p1', 'talk/main/p2'],
  ],
  [
    'one external trigger among others starts one, wherever it stands',
    [runtime({ run: 'p2', trigger: 'notification' }), runtime({ run: 'p2', trigger: 'external' })],
    ['talk/main/p1', 'talk/main/p2'],
  ],
  [
    'one notification among silent ones goes on',
    [runtime({ run: 'p2' }), runtime({ run: 'p2', trigger: 'notification' })],
    ['talk/main/p1'],
  ],
] as [string, ARecord[], string[]][])
  test(`after a talk, ${what}`, async () => {
    assert.deepEqual((await assembled(main(user('u1', 'p1'), ...records))).ids('talk'), talks);
  });

test('the first run of a stream starts a talk though a notification triggered it', async () => {
  const { ids, nodes } = await assembled(main(runtime({ run: 'p1', trigger: 'notification' })));
  assert.deepEqual(ids('talk'), ['talk/main/p1']);
  assert.equal(nodes.get('run/talk_main_p1/p1')?.attrs.trigger, 'external');
});

test('only records with that run id of their own state its trigger, and only those of the stream', async () => {
  const { ids } = await assembled(
    main(user('u1', 'p1'), { id: 'x', run: 'p2', from: 'runtime', trigger: 'notification' }),
    main({ parent: 'x', from: 'external', trigger: 'external' }),
    child('kid', user('k1', 'p2')),
    journal('b', { run: 'p2', trigger: 'external' }),
  );
  assert.deepEqual(ids('talk'), ['talk/kid', 'talk/main/p1']);
});

test('a run the stream reaches only through parents in another stream states no trigger there: it starts a talk', async () => {
  const { ids } = await assembled(
    child('kid', { id: 'k1', run: 'p2', from: 'external', trigger: 'notification' }),
    main(user('u1', 'p1'), runtime({ parent: 'k1' })),
  );
  assert.deepEqual(ids('talk'), ['talk/kid', 'talk/main/p1', 'talk/main/p2']);
});

test('the talk’s first run is external, the rest are notifications, and both counts are of its runs', async () => {
  const { nodes } = await assembled(
    main(
      user('u1', 'p1'),
      runtime({ run: 'p2', trigger: 'notification' }),
      runtime({ run: 'p3', trigger: 'notification' }),
    ),
  );
  assert.deepEqual(nodes.get('talk/main/p1')?.attrs, { loops: 3, runs: 3, trigger: 'external' });
  const triggers = ['p1', 'p2', 'p3'].map((run) => nodes.get(`run/talk_main_p1/${run}`)?.attrs.trigger);
  assert.deepEqual(triggers, ['external', 'notification', 'notification']);
});

// ---- where a record belongs ----

test('a record whose run is known belongs to the talk that owns the run, and the current talk stays', async () => {
  const { parentOf } = await assembled(
    main(user('u1', 'p1'), user('u2', 'p2'), runtime({ run: 'p1' }), runtime({})),
  );
  assert.equal(parentOf('notice/1/3'), 'run/talk_main_p1/p1');
  assert.equal(parentOf('notice/1/4'), 'talk/main/p2');
});

test('a record before any talk sits in its epoch', async () => {
  const { parentOf } = await assembled(main(runtime({}), user('u1', 'p1')));
  assert.equal(parentOf('notice/1/1'), 'epoch/main/0');
});

test('a talk stays in the epoch in which it opened, and its later records with it', async () => {
  const { parentOf } = await assembled(
    main(user('u1', 'p1'), reset('b1'), runtime({ run: 'p1' }), runtime({}), user('u2', 'p2')),
  );
  assert.equal(parentOf('talk/main/p1'), 'epoch/main/0');
  assert.equal(parentOf('notice/1/3'), 'run/talk_main_p1/p1');
  assert.equal(parentOf('notice/1/4'), 'talk/main/p1', 'the current talk goes on over the reset');
  assert.equal(parentOf('talk/main/p2'), 'epoch/main/b1');
});

test('a response reaches its run through parents of every kind, files and streams', async () => {
  const { parentOf } = await assembled(
    main(user('u1', 'p1')),
    { kind: 'changes', stream: 'main', records: [{ id: 'c1', parent: 'u1' }] },
    { kind: 'execution', stream: 'main', records: [{ id: 'e1', parent: 'c1' }] },
    journal('b', { id: 'j1', parent: 'e1' }),
    child('kid', runtime({ id: 'k1', parent: 'j1' })),
    main({ ...agent('a1', 'm1', text()), parent: 'k1' }),
  );
  assert.equal(parentOf('call/m1'), 'run/talk_main_p1/p1');
  assert.equal(
    parentOf('notice/5/1'),
    'run/talk_kid/p1',
    'the walk keeps the stream of the record it began with',
  );
});

test('the walk goes to the first copy of a record, never to a provider body', async () => {
  const { parentOf } = await assembled(
    { kind: 'provider_body', records: [{ id: 'u1', run: 'p9' }] },
    main(user('u0', 'p1'), user('u1', 'p2')),
    main(user('u1', 'p3'), runtime({ parent: 'u1' })),
  );
  assert.equal(parentOf('notice/3/2'), 'run/talk_main_p2/p2');
});

test('a repeated copy reaches no run of its own, and its parent is not looked at', async () => {
  const { counts } = await assembled(
    main(user('u1', 'p1'), { id: 'x', parent: 'u1' }),
    main({ id: 'x', run: 'p7' }),
  );
  assert.equal(counts.runs, 1);
});

test('the walk does not look past the watermark', async () => {
  const index = anIndex(main(user('u1', 'p1'), runtime({ parent: 'u2' })), main(user('u2', 'p2')));
  const parent = async (watermark: number) =>
    (await assembledIndex(index, { watermark })).parentOf('notice/1/2');
  assert.equal(await parent(1), 'talk/main/p1');
  assert.equal(await parent(2), 'run/talk_main_p2/p2', 'the run is first met at the record that reaches it');
});

// ---- other streams ----

test('a stream that is not the main one is one talk from its start', async () => {
  const { ids, nodes } = await assembled(
    child('kid', runtime({}), reset('b1'), user('k1', 'p1'), user('k2', 'p2')),
  );
  assert.deepEqual(ids('talk'), ['talk/kid']);
  assert.deepEqual(nodes.get('talk/kid'), {
    ...{ id: 'talk/kid', kind: 'talk', parent: 'epoch/kid/0', stream: 'kid', ref: { seq: 1, row: 1 } },
    attrs: { loops: 2, runs: 2, trigger: 'unknown' },
  });
  assert.equal(nodes.get('notice/1/1')?.parent, 'talk/kid');
  assert.equal(nodes.get('run/talk_kid/p1')?.attrs.trigger, 'external');
  assert.equal(nodes.get('run/talk_kid/p2')?.attrs.trigger, 'notification');
});

test('a child without a run has a talk of no runs', async () => {
  const { nodes } = await assembled(child('kid', runtime({})));
  assert.deepEqual(nodes.get('talk/kid')?.attrs, { loops: 0, runs: 0, trigger: 'unknown' });
});

test('one run id in a parent and its child is two runs', async () => {
  const { ids } = await assembled(main(user('u1', 'p1')), child('kid', user('k1', 'p1')));
  assert.deepEqual(ids('run'), ['run/talk_kid/p1', 'run/talk_main_p1/p1']);
});

test('slashes in stream and run ids become underscores, in one part each', async () => {
  const { ids } = await assembled(main(user('u1', 'p/1')), child('a/b', user('k1', 'q/1')));
  assert.deepEqual(ids('talk'), ['talk/a_b', 'talk/main/p_1']);
  assert.deepEqual(ids('run'), ['run/talk_a_b/q_1', 'run/talk_main_p_1/p_1']);
});

// ---- the limit of the walk ----

/** A chain of parents: the first record has a run, record n is n links away from it. */
const chain = (length: number): ARecord[] => [
  user('r0', 'p1'),
  ...Array.from({ length }, (_, i) => runtime({ id: `r${i + 1}`, parent: `r${i}` })),
];

for (const [order, records, rowOf] of [
  ['from the run on', chain(130), (n: number) => n + 1],
  ['from the far end', chain(130).reverse(), (n: number) => 131 - n],
] as const)
  test(`a record 64 links from a run is in it, one 65 links away is not: landed ${order}`, async () => {
    const { parentOf } = await assembled(main(user('u1', 'p0'), ...records));
    const parent = (n: number) => parentOf(`notice/1/${rowOf(n) + 1}`);
    assert.equal(MAX_PARENT_LINKS, 64);
    for (const n of [1, 2, 63, 64]) assert.equal(parent(n), 'run/talk_main_p1/p1', `${n} links`);
    const outside = order === 'from the run on' ? 'talk/main/p1' : 'talk/main/p0';
    for (const n of [65, 66, 128, 130]) assert.equal(parent(n), outside, `${n} links`);
  });

test('records that branch off one chain each count their own links', async () => {
  const branches = [10, 63, 64].map((n) => runtime({ id: `b${n}`, parent: `r${n}` }));
  const { parentOf } = await assembled(main(...chain(70)), main(...branches));
  assert.equal(parentOf('notice/2/1'), 'run/talk_main_p1/p1');
  assert.equal(parentOf('notice/2/2'), 'run/talk_main_p1/p1');
  assert.equal(parentOf('notice/2/3'), 'talk/main/p1');
});

for (const [what, records] of [
  ['its own parent', [runtime({ id: 'x', parent: 'x' })]],
  [
    'its child’s child',
    [runtime({ id: 'x', parent: 'y' }), runtime({ id: 'y', parent: 'z' }), runtime({ id: 'z', parent: 'x' })],
  ],
] as const)
  test(`a loop of parents ends: a record that is ${what} has no run, and neither has one that leads into it`, async () => {
    const { parentOf } = await assembled(
      main(user('u1', 'p1'), ...records, runtime({ id: 'in', parent: 'x' })),
    );
    for (let row = 2; row <= records.length + 2; row++)
      assert.equal(parentOf(`notice/1/${row}`), 'talk/main/p1');
  });

test('a record with a run of its own inside a loop has it, and so have those that lead to it', async () => {
  const { parentOf } = await assembled(
    main(
      runtime({ id: 'x', parent: 'y' }),
      runtime({ id: 'y', parent: 'x', run: 'p1' }),
      runtime({ id: 'z', parent: 'x' }),
    ),
  );
  for (const row of [1, 2, 3]) assert.equal(parentOf(`notice/1/${row}`), 'run/talk_main_p1/p1');
});

for (const [shape, records] of [
  ['a chain of 100,000 parents', chain(100_000)],
  ['a chain of 100,000 parents landed backwards', chain(100_000).reverse()],
  [
    'a loop of 100,000 parents',
    Array.from({ length: 100_000 }, (_, i) => runtime({ id: `r${i}`, parent: `r${(i + 1) % 100_000}` })),
  ],
] as const)
  test(`${shape} overflows no stack and costs a few looks per link`, async () => {
    const { index, looks } = counting(anIndex(main(...records)), 'parent');
    const { counts } = await assembledIndex(index);
    assert.equal(counts.entries, records.length);
    assert.ok(looks() < 4 * records.length, `${looks()} looks at parents of ${records.length} records`);
  });

/** The index with one column that counts how often it is looked at. */
function counting(index: SessionIndex, column: 'parent'): { index: SessionIndex; looks: () => number } {
  let looks = 0;
  const values = index[column];
  const watched = new Proxy(values, {
    get(target, key) {
      looks++;
      return Reflect.get(target, key) as unknown;
    },
  });
  return { index: { ...index, [column]: watched }, looks: () => looks };
}
