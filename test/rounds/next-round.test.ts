import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entity } from '../../src/format/entity.js';
import { readRound } from '../../src/format/round-reader.js';
import { GROUPS } from '../../src/format/session-flow.js';
import type { SessionIndex } from '../../src/format/session-index.js';
import { Fold } from '../../src/rounds/fold.js';
import { type BuiltRound, difference, nextRound } from '../../src/rounds/next-round.js';
import { factsOf, inputDigest, roundHeader } from '../../src/rounds/round-header.js';
import { nodeEntity } from '../entities.js';
import { agent, anIndex, call, main, result, results, text, user } from '../stages/index-builder.js';
import { chainOf, entitiesOf } from '../vectors/in-memory.js';
import { aNode, anUnresolved, aRelation, roundBytes } from './round-builder.js';

const DEFAULT = 2 ** 21;

/** A session of files that each add a talk with a tool. */
const session = (files: number): SessionIndex =>
  anIndex(
    ...Array.from({ length: files }, (_, i) =>
      main(
        user(`u${i}`, `p${i}`),
        { ...agent(`a${i}`, `m${i}`, text(), call(`t${i}`)), parent: `u${i}` },
        results(`r${i}`, result(`t${i}`)),
      ),
    ),
  );

async function built(
  fold: Fold,
  index: SessionIndex,
  watermark: number,
  maxBytes: number,
): Promise<BuiltRound> {
  const next = await nextRound(fold, index, watermark, { maxBytes });
  assert.ok(next.built !== undefined);
  return next.built;
}

const apply = (fold: Fold, round: BuiltRound): void => fold.apply(readRound(Buffer.concat([...round.bytes])));

/** Every window some budget chooses, widest last. */
async function windows(fold: Fold, index: SessionIndex, watermark: number): Promise<number[]> {
  const chosen = new Set<number>();
  const whole = await built(fold, index, watermark, DEFAULT);
  for (let budget = 1; budget <= whole.sizeBytes; budget += 100) {
    const { throughSeq, fromSeq, sizeBytes, more } = await built(fold, index, watermark, budget);
    assert.ok(
      sizeBytes <= budget || throughSeq === fromSeq,
      'only a window of one file may be over the budget',
    );
    assert.equal(more, throughSeq < watermark);
    chosen.add(throughSeq);
  }
  chosen.add((await built(fold, index, watermark, whole.sizeBytes)).throughSeq);
  return [...chosen];
}

test('from 1 to 10 the windows tried are 10, 5, 3, 2, 1', async () =>
  assert.deepEqual(await windows(new Fold('s'), session(10), 10), [1, 2, 3, 5, 10]));

test('from 4 to 10 they are 10, 7, 5, 4', async () => {
  const index = session(10);
  const fold = new Fold('s');
  apply(fold, await built(fold, index, 3, DEFAULT));
  assert.deepEqual(await windows(fold, index, 10), [4, 5, 7, 10]);
});

test('a budget equal to the whole file fits, one byte less narrows', async () => {
  const index = session(4);
  const { sizeBytes } = await built(new Fold('s'), index, 4, DEFAULT);
  assert.equal((await built(new Fold('s'), index, 4, sizeBytes)).throughSeq, 4);
  assert.equal((await built(new Fold('s'), index, 4, sizeBytes - 1)).throughSeq, 2);
});

test('a window of one file is published whole, whatever its size', async () => {
  const { throughSeq, sizeBytes, more } = await built(new Fold('s'), session(1), 1, 1);
  assert.deepEqual([throughSeq, more], [1, false]);
  assert.ok(sizeBytes > 1000);
});

test('windows go by sequence, also where sequences are missing', async () => {
  const index = anIndex({ ...main(user('u1', 'p1')), seq: 5 }, { ...main(user('u2', 'p2')), seq: 8 });
  const { rounds, fold } = await chainOf(index, { maxBytes: 1 });
  assert.deepEqual(rounds.map(({ fromSeq, throughSeq }) => [fromSeq, throughSeq]).at(-1), [8, 8]);
  assert.equal(fold.throughSeq, 8);
});

test('nothing new and no evidence: no round; evidence that changes nothing: a round without frames', async () => {
  const index = session(1);
  const fold = new Fold('s');
  apply(fold, await built(fold, index, 1, DEFAULT));
  assert.equal((await nextRound(fold, index, 1, { maxBytes: DEFAULT })).built, undefined);
  const { throughSeq, counts, tombstones } = await built(fold, index, 3, DEFAULT);
  assert.deepEqual([throughSeq, counts, tombstones], [3, { nodes: 0, relations: 0, unresolved: 0 }, 0]);
});

test('a late result revises its tool, and resolves what was open', async () => {
  const index = anIndex(
    main(user('u1', 'p1'), agent('a1', 'm1', call('t1'))),
    main(results('r1', result('t1'))),
  );
  const fold = new Fold('s');
  apply(fold, await built(fold, index, 1, DEFAULT));
  assert.equal(fold.tally.unresolved, 1);
  const second = await built(fold, index, 2, DEFAULT);
  const { frames, header } = readRound(Buffer.concat([...second.bytes]));
  assert.deepEqual(
    frames.map(({ id }) => id),
    ['epoch/main/0', 'stream/main', 'tool/t1', 'unres/tool_result/t1'],
  );
  assert.ok(frames[3]?.tail.endsWith('"reason":"no result landed for this tool use","state":"resolved"}'));
  assert.equal(header.unresolved, 0);
});

test('a result that lands first gives a node its relation of tool, and a stream’s role may change: revisions and tombstones', async () => {
  const index = anIndex(
    { kind: 'transcript', stream: 'kid', records: [user('k1', 'q1'), agent('k2', 'n1', text())] },
    main({ id: 'x', from: 'runtime', child: 'kid', flags: ['auxiliary'] }),
    main({ id: 'y', from: 'runtime', child: 'kid' }),
  );
  const { rounds, fold } = await chainOf(index, { maxBytes: 1 });
  // Until it is named as auxiliary the stream is a child and has an output; then a plain naming makes it one again.
  assert.deepEqual(
    rounds.map(({ tombstones }) => tombstones),
    [0, 2, 0],
  );
  assert.ok(fold.entities.node.has('output/kid'));
});

// ---- an upgrade's revisions ----

/** A chain whose first round says other things than this build's assembly of the same file. */
async function outdated(index: SessionIndex): Promise<Fold> {
  const fold = new Fold('s');
  const { frames } = await difference(fold, index, 1, {});
  const changed: Entity[] = frames
    .filter(({ id }) => id !== 'tool/t0')
    .map((frame) =>
      frame.id === 'call/m0' ? nodeEntity({ id: 'call/m0', kind: 'llm.call', attrs: { old: true } }) : frame,
    );
  const gone = [
    aNode('msg/9'),
    ...Array.from({ length: 12 }, (_, i) => aNode(`tool/old${i + 10}`)),
    aRelation('rel/old'),
    anUnresolved('unres/old'),
  ];
  const all = GROUPS.flatMap((group) =>
    [...changed, ...gone].filter((frame) => frame.group === group).sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  const header = roundHeader(fold, index, { fromSeq: 1, throughSeq: 1 }, factsOf(fold, index, 1, all));
  fold.apply(readRound(roundBytes(header, all)));
  return fold;
}

for (const files of [1, 3])
  test(`an upgrade’s revisions go first, cut by frames, then the evidence of ${files - 1} files`, async () => {
    const index = session(files);
    const fold = await outdated(index);
    const revisions = (await difference(fold, index, 1, {})).frames.length;
    const { bytes, rounds } = await chainOf(index, { maxBytes: 1200 }, fold);
    const cut = rounds.filter(({ throughSeq, fromSeq }) => throughSeq < fromSeq);
    assert.ok(cut.length >= 3, `${cut.length} rounds of revisions`);
    assert.deepEqual(rounds.slice(0, cut.length), cut, 'revisions come before evidence');
    let [previous, written] = [readRound(bytes[0]!).header, 0];
    for (const [i, round] of cut.entries()) {
      const { header, frames } = readRound(bytes[i]!);
      assert.ok(round.sizeBytes <= 1200);
      assert.ok(frames.length >= 1);
      assert.deepEqual([header.from_seq, header.through_seq], [2, 1]);
      assert.deepEqual([header.from_time, header.through_time], [undefined, undefined]);
      if (i > 0) assert.equal(header.input_digest, inputDigest(previous.input_digest, []));
      assert.equal(round.more, i < cut.length - 1 || files > 1);
      previous = header;
      written += frames.length;
    }
    if (files === 1) assert.equal(written, revisions);
    const whole = await chainOf(index);
    assert.deepEqual(entitiesOf(fold, { history: false }), entitiesOf(whole.fold));
    assert.deepEqual({ ...fold.tally }, { ...whole.fold.tally });
    assert.equal(fold.throughSeq, files);
  });

test('frames of a cut keep their usual order: nodes, relations, unresolved entries, each by id', async () => {
  const index = session(1);
  const { bytes } = await chainOf(index, { maxBytes: 1200 }, await outdated(index));
  const order = bytes.flatMap((round) =>
    readRound(round).frames.map(({ group, id }) => `${GROUPS.indexOf(group)} ${id}`),
  );
  assert.deepEqual(order, order.toSorted());
  assert.equal(new Set(order).size, order.length);
});

test('a budget too small for one frame takes one frame a round', async () => {
  const index = session(1);
  const fold = await outdated(index);
  const revisions = (await difference(fold, index, 1, {})).frames.length;
  const { rounds } = await chainOf(index, { maxBytes: 1 }, fold);
  assert.deepEqual(
    rounds.map(({ counts: { nodes, relations, unresolved } }) => nodes + relations + unresolved),
    Array.from({ length: revisions }, () => 1),
  );
});

test('the cut takes as many frames as fit to the byte', async () => {
  const index = session(1);
  for (let budget = 1200; budget < 1700; budget += 7) {
    const fold = await outdated(index);
    const { frames } = await difference(fold, index, 1, {});
    const { counts, sizeBytes } = await built(fold, index, 1, budget);
    const taken = counts.nodes + counts.relations + counts.unresolved;
    assert.ok(sizeBytes <= budget || taken === 1);
    if (taken === frames.length) continue;
    const larger = frames.slice(0, taken + 1);
    const facts = factsOf(fold, index, 1, larger);
    const header = roundHeader(fold, index, { fromSeq: 2, throughSeq: 1 }, facts);
    assert.ok(roundBytes(header, larger).length > budget, `budget ${budget}`);
  }
});

test('revisions that fit with the evidence travel with it, in one round', async () => {
  const index = session(3);
  const { rounds } = await chainOf(index, {}, await outdated(index));
  assert.deepEqual(
    rounds.map(({ fromSeq, throughSeq, more }) => [fromSeq, throughSeq, more]),
    [[2, 3, false]],
  );
});

test('a chain that is up to date has no revisions: the one-file round over the budget is evidence', async () => {
  const { rounds } = await chainOf(session(3), { maxBytes: 1 });
  assert.deepEqual(
    rounds.map(({ fromSeq, throughSeq }) => [fromSeq, throughSeq]),
    [
      [1, 1],
      [2, 2],
      [3, 3],
    ],
  );
});

test('an aborted build rejects', async () => {
  const signal = AbortSignal.abort();
  await assert.rejects(nextRound(new Fold('s'), session(2), 2, { maxBytes: DEFAULT, signal }), {
    name: 'AbortError',
  });
});
