import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { aLandedSession, aSession } from './builders.js';

test('each record hangs on the last of its stream, a second later, and only input opens a run', () => {
  const { transcript } = aSession().main.input('go').says('gone').input('again', { parent: '' });
  assert.deepEqual(
    transcript.map(({ id, parent, run, time }) => [id, parent, run, time]),
    [
      ['main-1', undefined, 'main-run-1', '2026-01-02T09:00:00.000Z'],
      ['main-2', 'main-1', undefined, '2026-01-02T09:00:01.000Z'],
      ['main-3', undefined, 'main-run-2', '2026-01-02T09:00:02.000Z'],
    ],
  );
});

test('fragments belong to one provider call until one of them is its last', () => {
  const { transcript } = aSession().main.thinks().tool('t1', 'Bash').result('t1').says('done');
  assert.deepEqual(
    transcript.map(({ call }) => call),
    ['main-call-1', 'main-call-1', undefined, 'main-call-2'],
  );
});

test('one clock runs through all streams, and waiting moves it', () => {
  const session = aSession({ begins: '2026-01-02T12:00:00Z' });
  session.main.input('go');
  session.stream('child').input('help');
  session.wait(60_000);
  session.main.says('gone');
  const times = [session.main, session.stream('child')].map(({ transcript }) =>
    transcript.map((r) => r.time),
  );
  assert.deepEqual(times, [
    ['2026-01-02T12:00:00.000Z', '2026-01-02T12:01:02.000Z'],
    ['2026-01-02T12:00:01.000Z'],
  ]);
});

test('a reset hangs on nothing and continues the last record; its summary hangs on it', () => {
  const [, reset, summary] = aSession().main.input('go').reset('so far').transcript;
  assert.deepEqual([reset?.parent, reset?.continues], [undefined, 'main-1']);
  assert.deepEqual([summary?.parent, summary?.run], ['main-2', 'main-run-2']);
});

test('a replayed record keeps its id and loses what stood beside its result', () => {
  const { transcript } = aSession().main.input('go').tool('t1', 'Bash').result('t1').replay(1);
  const [result, copy] = transcript.slice(-2);
  assert.equal(copy?.id, result?.id);
  assert.notEqual(result?.parts?.[0]?.data, undefined);
  assert.equal(copy?.parts?.[0]?.data, undefined);
});

test('what was told lands and is parsed, and what is told afterwards makes the next round', async () => {
  const session = aLandedSession();
  const [first] = await session.parse();
  assert.match(readFileSync(first!.path, 'utf8'), /"title":"a small session"/);
  assert.deepEqual(await session.parse(), [], 'nothing new, no round');
  session.main.says('One more thing.');
  assert.equal(session.land(), 1);
  const [second] = await session.parse();
  assert.deepEqual([second?.round, second?.fromSeq, second?.throughSeq], [2, 2, 2]);
});
