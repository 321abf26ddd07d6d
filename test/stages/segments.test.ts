import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Instant } from '../../src/format/time.js';
import { type Segment, windowsHolding } from '../../src/stages/segments.js';
import { randomFrom, SEED } from '../random.js';
import { type ARecord, assembled, child, main, user } from './index-builder.js';

/** One talk of the main stream: its records' times, `-` for none. Named by its run. */
const talk = (run: string, ...times: string[]): ARecord[] =>
  times.map((time, i) => ({ ...user(`${run}-${i}`, run), time: time === '-' ? '' : `2026-03-01T${time}Z` }));

async function windows(...talks: ARecord[][]): Promise<string[]> {
  const { relations } = await assembled(main(...talks.flat()));
  const byWindow = new Map<string, string[]>();
  for (const { type, from, to } of relations.values())
    if (type === 'in_segment')
      byWindow.set(to, [...(byWindow.get(to) ?? []), from.replace('talk/main/', '')]);
  return [...byWindow.values()].map((names) => names.join(' ')).sort();
}

for (const [what, talks, want] of [
  ['a gap of exactly ten minutes is none', [talk('a', '09:00:00'), talk('b', '09:10:00')], ['a b']],
  ['a nanosecond more is one', [talk('a', '09:00:00'), talk('b', '09:10:00.000000001')], ['a', 'b']],
  [
    'nanoseconds count on both sides',
    [talk('a', '09:00:00.000000002'), talk('b', '09:10:00.000000002')],
    ['a b'],
  ],
  [
    'nanoseconds that make it less are no gap',
    [talk('a', '09:00:00.000000002'), talk('b', '09:10:00.000000001')],
    ['a b'],
  ],
  [
    'the gap runs from the last time of the talk before',
    [talk('a', '09:00:00', '09:30:00'), talk('b', '09:40:00')],
    ['a b'],
  ],
  [
    'a long silence inside a talk cuts nothing',
    [talk('a', '09:00:00', '12:00:00'), talk('b', '12:01:00')],
    ['a b'],
  ],
  ['a negative difference is no gap', [talk('a', '09:00:00', '15:00:00'), talk('b', '10:00:00')], ['a b']],
  [
    'only the talk before counts, not the latest so far',
    [talk('a', '09:00:00', '12:00:00'), talk('b', '09:01:00'), talk('c', '09:20:00')],
    ['a b', 'c'],
  ],
  [
    'talks are sorted by first time, not by landing',
    [talk('b', '10:00:00'), talk('a', '09:00:00'), talk('c', '09:05:00')],
    ['a c', 'b'],
  ],
  [
    'talks without a time come first, and no gap is measured from them',
    [talk('b', '10:00:00'), talk('a', '-')],
    ['a b'],
  ],
  [
    'nor to them',
    [talk('a', '-'), talk('b', '-'), talk('c', '10:00:00'), talk('d', '10:30:00')],
    ['a b c', 'd'],
  ],
  ['no talk has a time', [talk('a', '-'), talk('b', '-')], ['a b']],
  [
    'a talk’s range is of records with a time',
    [talk('a', '09:00:00', '-'), talk('b', '09:11:00')],
    ['a', 'b'],
  ],
  [
    'equal first times keep the order in which the talks opened',
    [talk('b', '09:00:00', '09:30:00'), talk('a', '09:00:00'), talk('c', '09:11:00')],
    ['a b', 'c'],
  ],
] as [string, ARecord[][], string[]][])
  test(`windows: ${what}`, async () => assert.deepEqual(await windows(...talks), want));

test('a segment sits in the session, is named by its first talk’s position, and says nothing more', async () => {
  const { nodes, relations } = await assembled(main(...talk('b', '10:00:00'), ...talk('a', '09:55:00')));
  assert.deepEqual(nodes.get('segment/at_1_2'), {
    ...{ id: 'segment/at_1_2', kind: 'segment', parent: 'session/s', ref: { seq: 1, row: 2 }, attrs: {} },
  });
  assert.deepEqual(relations.get('rel/in_segment/talk_main_b/segment_at_1_2'), {
    ...{ id: 'rel/in_segment/talk_main_b/segment_at_1_2', type: 'in_segment', from: 'talk/main/b' },
    ...{ to: 'segment/at_1_2', quality: 'exact_unique', via: 'activity window' },
    evidence: [{ seq: 1, row: 1 }],
  });
});

test('records that reach no run do not widen a talk', async () => {
  const stray = { from: 'runtime', time: '2026-03-01T09:30:00Z' };
  const { counts } = await assembled(main(...talk('a', '09:00:00'), stray, ...talk('b', '09:35:00')));
  assert.equal(counts.segments, 2);
});

// ---- talks of other streams ----

/** Which windows hold the talk of a child that begins at a time; windows by the run that opens them. */
async function holding(mainTalks: ARecord[][], ...times: string[]): Promise<string[]> {
  const { relations, nodes } = await assembled(
    main(...mainTalks.flat()),
    child('kid', ...talk('k', ...times)),
  );
  const nameOf = (segment: string) => {
    const { ref } = nodes.get(segment)!;
    return [...nodes.values()].find(
      ({ kind, ref: at }) => kind === 'talk' && at?.row === ref?.row && at?.seq === 1,
    )!.id;
  };
  return [...relations.values()]
    .filter(({ type, from }) => type === 'in_segment' && from === 'talk/kid')
    .map(({ to, quality, via }) => {
      assert.deepEqual(
        [quality, via],
        ['strong_inference', 'inside the window of the talk that delegated it'],
      );
      return nameOf(to).replace('talk/main/', '');
    })
    .sort();
}

const morning = talk('a', '09:00:00', '09:30:00');
const noon = talk('b', '12:00:00', '12:30:00');
for (const [what, mains, times, want] of [
  ['inside', [morning, noon], ['09:10:00', '12:10:00'], ['a']],
  ['at the first time of a window', [morning, noon], ['12:00:00'], ['b']],
  ['at the last time of a window', [morning, noon], ['09:30:00'], ['a']],
  ['a nanosecond after it', [morning, noon], ['09:30:00.000000001'], []],
  ['a nanosecond before the first', [morning, noon], ['08:59:59.999999999'], []],
  ['between two windows', [morning, noon], ['10:00:00'], []],
  ['without a time', [morning, noon], ['-'], []],
  ['inside a window that has no time', [talk('a', '-')], ['09:00:00'], []],
  ['in a window that begins with a talk without a time', [talk('z', '-'), morning], ['09:10:00'], ['z']],
] as [string, ARecord[][], string[], string[]][])
  test(`a child that begins ${what} is in ${want.join(' and ') || 'no window'}`, async () =>
    assert.deepEqual(await holding(mains, ...times), want));

test('windows can overlap, and every one that holds the child counts', async () => {
  // The long talk reaches over both later windows; the gaps are measured from the short talks between.
  const talks = [
    talk('long', '09:00:00', '11:00:00'),
    talk('short', '09:01:00'),
    talk('mid', '09:20:00', '09:25:00'),
    talk('late', '10:30:00'),
  ];
  assert.deepEqual(await windows(...talks), ['late', 'long short', 'mid']);
  assert.deepEqual(await holding(talks, '09:22:00'), ['long', 'mid']);
  assert.deepEqual(await holding(talks, '10:30:00'), ['late', 'long']);
  assert.deepEqual(await holding(talks, '10:00:00'), ['long']);
});

test('a thousand windows and children cost no pairwise search, and each child is in its own', async () => {
  const at = (minute: number, second: string) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:${second}`;
  const days = Array.from({ length: 1000 }, (_, i) => ({
    day: 1 + (i % 28),
    minute: (Math.floor(i / 28) % 36) * 30 + 5,
  }));
  const time = ({ day, minute }: (typeof days)[number], second: string) =>
    `2026-02-${String(day).padStart(2, '0')}T${at(minute, second)}Z`;
  const { relations, counts } = await assembled(
    main(
      ...days.flatMap((d, i) => [
        { ...user(`m${i}`, `p${i}`), time: time(d, '00') },
        { ...user(`n${i}`, `p${i}`), time: time(d, '30') },
      ]),
    ),
    ...days.map((d, i) => child(`kid${i}`, { ...user(`k${i}`, 'q'), time: time(d, '10') })),
  );
  assert.equal(counts.segments, 1000);
  const inferred = [...relations.values()].filter(({ quality }) => quality === 'strong_inference');
  assert.equal(inferred.filter(({ type }) => type === 'in_segment').length, 1000);
});

test('random windows and times: the sweep finds what a search over all windows finds', () => {
  const random = randomFrom();
  const at = (n: number): Instant => ({ ms: n, ns: 0 });
  for (let round = 0; round < 500; round++) {
    const begins = Array.from({ length: random(12) }, () => random(20)).sort((a, b) => a - b);
    const windows: Segment[] = begins.map((from) => ({
      start: 0,
      opening: 0,
      from: at(from),
      through: at(from + random(9)),
    }));
    if (random(3) === 0) windows.unshift({ start: 0, opening: 0, from: undefined, through: undefined });
    const times = Array.from({ length: random(12) }, () => random(30))
      .sort((a, b) => a - b)
      .map(at);
    const naive = times.map((time) =>
      windows.filter(
        ({ from, through }) => from !== undefined && from.ms <= time.ms && time.ms <= through!.ms,
      ),
    );
    assert.deepEqual(windowsHolding(windows, times), naive, `seed ${SEED}, round ${round}`);
  }
});
