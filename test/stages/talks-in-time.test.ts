import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareTimes, TalksInTime } from '../../src/stages/talks-in-time.js';
import { randomFrom, SEED } from '../random.js';

test('talks that come, move and go stand where sorting all of them would put them', () => {
  const random = randomFrom();
  const time = () => (random(4) === 0 ? undefined : { ms: random(8), ns: random(2) });
  for (let round = 0; round < 300; round++) {
    const talks: { from: ReturnType<typeof time>; gone: boolean }[] = [];
    const inTime = new TalksInTime();
    for (let step = 0; step < 12; step++) {
      const moved = new Set<number>();
      for (let more = random(4); more > 0; more--) moved.add(talks.push({ from: time(), gone: false }) - 1);
      for (let more = random(3); more > 0 && talks.length > 0; more--) {
        const place = random(talks.length);
        if (talks[place]!.gone) continue;
        talks[place] = random(3) === 0 ? { ...talks[place]!, gone: true } : { from: time(), gone: false };
        moved.add(place);
      }
      const before = [...inTime.places];
      const cut = inTime.update([...moved], (place) => talks[place]!);
      const all = [...talks.keys()].filter((place) => !talks[place]!.gone);
      const want = all.sort((a, b) => compareTimes(talks[a]!.from, talks[b]!.from) || a - b);
      const what = `seed ${SEED}, round ${round}, step ${step}`;
      assert.deepEqual(inTime.places, want, what);
      assert.equal(cut === undefined, moved.size === 0, what);
      const kept = want.slice(0, cut ?? want.length);
      assert.deepEqual(kept, before.slice(0, kept.length), what);
      assert.ok(!kept.some((place) => moved.has(place)), what);
      const at = time();
      const first = want.findIndex((place) => compareTimes(talks[place]!.from, at) >= 0);
      assert.equal(inTime.firstFrom(at), first < 0 ? want.length : first, what);
    }
  }
});
