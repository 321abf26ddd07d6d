/**
 * Going on from a chain that is known to be settled: only what later evidence changes is written anew. An owner that
 * is not must still be heard where it writes the same id. (Every vector is held against the plain way by
 * test/vectors/timeline.test.ts.)
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fold } from '../../src/rounds/fold.js';
import { planRounds } from '../../src/rounds/plan-rounds.js';
import { Timeline } from '../../src/rounds/timeline.js';
import { nodeEntity } from '../entities.js';
import { type AFile, agent, anIndex, call, main, result, results, user } from '../stages/index-builder.js';
import { chainOf } from '../vectors/in-memory.js';
import { aRound } from './round-builder.js';

const MAX_BYTES = 2 ** 21;

/** The round that follows when the last file lands, the plain way and planned, as lines without header and commit. */
async function lastRound(...files: AFile[]): Promise<{ plain: string[]; planned: string[] }> {
  const index = anIndex(...files);
  const [covered, watermark] = [files.length - 1, files.length];
  const { fold } = await chainOf(index, { checkpoints: [covered] });
  const timeline = await Timeline.build(fold, index, { watermark, settled: true });
  const options = { throughSeq: covered, watermark, maxBytes: MAX_BYTES };
  const planned: string[] = [];
  for await (const { bytes } of planRounds(timeline!, fold, index, options))
    planned.push(
      ...Buffer.concat([...bytes])
        .toString()
        .split('\n')
        .slice(1, -2),
    );
  const { bytes } = await chainOf(index, { maxBytes: MAX_BYTES }, fold);
  return { planned, plain: bytes.flatMap((round) => round.toString().split('\n').slice(1, -2)) };
}

const begin = (...ids: string[]): AFile =>
  main(user('u', 'p'), { ...agent('a', 'm', ...ids.map((id) => call(id))), parent: 'u' });

for (const answered of ['t/1', 't_1'])
  test(`of two tools with one id ${answered} has its result: the entry of the other one stays open`, async () => {
    const { planned, plain } = await lastRound(begin('t/1', 't_1'), main(results('r', result(answered))));
    assert.deepEqual(planned, plain);
    assert.ok(!planned.some((line) => line.includes('"state":"resolved"')));
  });

test('of two results with one id and no request one finds its request: the other one is still open', async () => {
  const { planned, plain } = await lastRound(
    main(user('u', 'p'), results('r', result('t/1'), result('t_1'))),
    begin('t/1'),
  );
  assert.deepEqual(planned, plain);
  assert.ok(planned.some((line) => line.includes('"ref":"t_1"')));
});

test('of two calls whose ids become one, the one that is written last stays', async () => {
  const { planned, plain } = await lastRound(
    main(user('u', 'p'), { ...agent('a', 'm/1'), parent: 'u' }, { ...agent('b', 'm_1'), parent: 'u' }),
    main({ ...agent('c', 'm/1'), parent: 'u' }),
  );
  assert.deepEqual(planned, plain);
});

test('without a slash only what the new file changes is written, and it is the same', async () => {
  const { planned, plain } = await lastRound(begin('t1', 't2', 't3'), main(results('r', result('t2'))));
  assert.deepEqual(planned, plain);
  assert.ok(planned.some((line) => line.includes('"state":"resolved"')));
});

test('a chain that is said to be settled and is not is looked at whole: revisions have no timeline', async () => {
  const index = anIndex(begin('t1'), main(results('r', result('t1'))));
  const { fold } = await chainOf(index, { checkpoints: [1] });
  const old = nodeEntity({ id: 'tool/t1', kind: 'tool', attrs: { old: true } });
  const { digest: previous, inputDigest } = fold;
  fold.apply(aRound({ round: 2, previous, from_seq: 2, through_seq: 1, input_digest: inputDigest }, [old]));
  assert.equal(await Timeline.build(fold, index, { watermark: 2, settled: true }), undefined);
});

test('a history in which every file changes what all before it gave has no timeline: the plain way keeps no versions', async () => {
  const talks = Array.from({ length: 600 }, (_, i) => {
    const time = new Date(Date.UTC(2026, 5, 1) - i * 1000).toISOString();
    return main({ ...user(`u${i}`, `p${i}`), time });
  });
  const timeline = (files: readonly AFile[]) =>
    Timeline.build(new Fold('s'), anIndex(...files), { watermark: files.length });
  assert.ok((await timeline(talks.slice(0, 100))) !== undefined);
  assert.equal(await timeline(talks), undefined);
});
