/** Where clips stand: at their times, side by side, and never more than a lane can show. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ViewNode } from '../../../src/format/view-document.js';
import { type ClipLayout, clipsIn, layClips } from '../../../src/page/model/clips.js';
import { momentsOf } from '../../../src/page/model/moments.js';
import { outlineOf } from '../../../src/page/model/outline.js';
import { axisWidth, timeAxis } from '../../../src/page/model/time-axis.js';
import { goldenDocuments } from './golden-documents.js';
import { outlined, starts, step, stream } from './made-document.js';

const T = 1_772_442_842_310;
const noStreams = () => [];

function laid(steps: readonly ViewNode[], startedBy: Parameters<typeof layClips>[2] = noStreams): ClipLayout {
  const moments = momentsOf(steps);
  const axis = timeAxis(
    moments.map(({ at }) => at),
    axisWidth(steps.length, 1),
    new Set(),
  );
  return layClips(moments, axis, startedBy);
}
/** Tools at so many ms behind `T`, on an axis of 1280 px for 12,800 ms. */
const tools = (...behind: number[]) =>
  laid([
    ...behind.map((ms) => step('tool', T + ms)),
    step('message.external', T),
    step('message.external', T + 12_800),
  ]);
const places = (layout: ClipLayout) =>
  layout.lanes
    .find(({ lane }) => lane === 'tools')!
    .clips.map(({ left, width, moments }) => [Math.round(left), Math.round(width), moments.length]);

test('a clip is 110 px wide at its time, and shortened when the next one is near', () => {
  assert.deepEqual(places(tools(0, 2000, 2500)), [
    [0, 110, 1],
    [200, 50, 1],
    [250, 110, 1],
  ]);
});

test('a clip less than 30 px behind another is pushed there', () => {
  assert.deepEqual(places(tools(1000, 1100)), [
    [100, 30, 1],
    [130, 110, 1],
  ]);
});

test('a clip is pushed as far as it covers 24 px of its own place; further steps share the last clip', () => {
  assert.deepEqual(places(tools(1000, 1000, 1000, 1000, 1000)), [
    [100, 30, 1],
    [130, 30, 1],
    [160, 110, 3],
  ]);
});

test('clips stand in the order of times, also when the times run backwards', () => {
  assert.deepEqual(places(tools(5000, 1000)), [
    [100, 110, 1],
    [500, 110, 1],
  ]);
});

test('a hundred thousand steps at one instant are three clips', () => {
  const layout = laid(Array.from({ length: 100_000 }, () => step('tool', T)));
  assert.deepEqual(
    layout.lanes.map(({ clips, count }) => [clips.length, count]),
    [[3, 100_000]],
  );
  assert.equal(layout.clipOf.size, 100_000);
});

test('a call that started several children is one clip of the lane of nested streams', () => {
  const opener = step('agent.call', T, { edges: [starts('a'), starts('b')] });
  const outline = outlined({ loose: [opener], streams: [stream('a', [opener]), stream('b', [opener])] });
  const { lanes, nestedOf } = laid([opener], outline.startedBy);
  assert.deepEqual(
    lanes.map(({ lane, count }) => [lane, count]),
    [
      ['agents', 1],
      ['nested', 2],
    ],
  );
  assert.deepEqual(
    nestedOf.get(opener.id)?.streams.map(({ name }) => name),
    ['a', 'b'],
  );
});

test('whatever the times: every step is in one clip of its lane, and clips do not overlap', () => {
  const anyTime = fc.oneof(
    fc.integer({ min: T, max: T + 60_000 }),
    fc.integer(),
    fc.double(),
    fc.constant(0),
  );
  fc.assert(
    fc.property(fc.array(anyTime), fc.constantFrom('tool', 'new.kind'), (times, kind) => {
      const steps = times.map((at) => step(kind, at));
      const { lanes, clipOf } = laid(steps);
      assert.deepEqual(new Set(clipOf.keys()), new Set(steps.map(({ id }) => id)));
      for (const { clips } of lanes) {
        for (const [i, clip] of clips.entries()) {
          assert.ok(clip.width >= 29.999 && clip.width <= 110);
          const next = clips[i + 1];
          assert.ok(next === undefined || clip.left + clip.width <= next.left + 1e-6);
        }
      }
    }),
  );
});

test('clips in a window are those that reach into it', () => {
  const layout = laid(Array.from({ length: 2000 }, (_, i) => step('tool', T + i * 997)));
  const { clips } = layout.lanes[0]!;
  for (const [from, to] of [
    [0, 0],
    [5000, 6280],
    [-100, 10],
    [1e9, 2e9],
  ] as const) {
    const expected = clips.filter(({ left }) => left <= to && left > from - 110);
    assert.deepEqual(clipsIn(clips, from, to), expected);
    for (const clip of clips)
      if (clip.left <= to && clip.left + clip.width > from) assert.ok(expected.includes(clip));
  }
});

for (const { name, document } of goldenDocuments()) {
  test(`${name}: every step of every stream has its clip, and so has every stream that a step started`, () => {
    const outline = outlineOf(document);
    for (const { name } of document.streams) {
      const steps = outline.stepsOf(name);
      const { clipOf, nestedOf } = laid(steps, outline.startedBy);
      for (const node of steps) {
        assert.ok(clipOf.get(node.id)!.moments.some((moment) => moment.node === node));
        assert.equal(nestedOf.has(node.id), outline.startedBy(node).length > 0);
      }
    }
  });
}
