/** Documents that nobody of ours made. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { activityOf } from '../../../src/page/model/activity.js';
import { layClips } from '../../../src/page/model/clips.js';
import { contextFill } from '../../../src/page/model/context-fill.js';
import { fillCurve } from '../../../src/page/model/fill-curve.js';
import { EVERYTHING } from '../../../src/page/model/filters.js';
import { FindIndex } from '../../../src/page/model/find.js';
import { citationsOf, factsOf, pathOf, relatedOf } from '../../../src/page/model/inspect.js';
import { momentsOf } from '../../../src/page/model/moments.js';
import { type Outline, outlineOf } from '../../../src/page/model/outline.js';
import { rangeSummary } from '../../../src/page/model/range-summary.js';
import { segmentCells } from '../../../src/page/model/segment-cells.js';
import { selectionOf } from '../../../src/page/model/selection-edges.js';
import { soundDocument } from '../../../src/page/model/sound-document.js';
import { axisWidth, timeAxis } from '../../../src/page/model/time-axis.js';
import { localOffset, ticksOf } from '../../../src/page/model/time-ticks.js';
import { readingOrder } from '../../../src/page/model/transcript-rows.js';
import { uncitedRecords } from '../../../src/page/model/uncited-records.js';
import { usageOf } from '../../../src/page/model/usage.js';
import { goldenDocuments } from './golden-documents.js';

/** Everything the page asks of a document before it draws. */
function readThrough(value: unknown): void {
  const outline = outlineOf(soundDocument(value));
  usageOf(outline);
  new FindIndex(outline).find('a');
  for (const name of ['', ...outline.streams.keys()]) {
    readingOrder(outline, name, EVERYTHING);
    uncitedRecords(outline.document, name);
    layOut(outline, name);
  }
  for (const node of outline.nodes.values()) {
    pathOf(outline, node);
    factsOf(outline, node);
    relatedOf(outline, node);
    citationsOf(node);
  }
}

/** All that the timeline and the context fill are made of. */
function layOut(outline: Outline, name: string): void {
  const moments = momentsOf(outline.stepsOf(name));
  const axis = timeAxis(
    moments.map(({ at }) => at),
    axisWidth(moments.length, 1),
    new Set(),
  );
  ticksOf(axis, localOffset);
  segmentCells(outline.document.segments, axis);
  activityOf(moments, axis, 100);
  rangeSummary(moments, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  const layout = layClips(moments, axis, outline.startedBy);
  for (const { node } of moments) selectionOf(outline, layout, node.id);
  for (const clip of layout.lanes.flatMap(({ clips }) => clips)) assert.ok(clip.left >= 0 && clip.width > 0);
  for (const { points } of fillCurve(contextFill(moments), axis, 500, 100).lines)
    for (const { x, y } of points) assert.ok(x >= 0 && y >= 0 && y <= 100);
}

const documents = goldenDocuments().map(({ document }) => document);

test('a sound document is left as it is', () => {
  for (const document of documents) assert.deepEqual(soundDocument(structuredClone(document)), document);
});

test('what is no document at all is an empty one', () => {
  for (const value of [undefined, null, 1, 'x', [], {}]) {
    assert.deepEqual(soundDocument(value).talks, []);
    readThrough(value);
  }
});

test('a tree of a hundred thousand levels is cut, not followed', () => {
  let node: Record<string, unknown> = { id: 'deepest', kind: 'tool', at: 0 };
  for (let depth = 0; depth < 100_000; depth++)
    node = { id: `${depth}`, kind: 'tool', at: 0, children: [node] };
  readThrough({ loose: [node] });
});

test('whatever is put in the place of any member, the page reads on', () => {
  const odd = fc.constantFrom(
    null,
    0,
    -1,
    Number.NaN,
    '',
    '__proto__',
    [],
    {},
    [null],
    [[]],
    { a: {} },
    true,
    1e300,
  );
  fc.assert(
    fc.property(
      fc.nat(documents.length - 1),
      fc.array(fc.tuple(fc.nat(), odd), { minLength: 1, maxLength: 8 }),
      (which, swaps) => {
        const document = structuredClone(documents[which]!);
        const holders = holdersIn(document);
        for (const [at, value] of swaps) {
          const [holder, key] = holders[at % holders.length]!;
          holder[key] = structuredClone(value);
        }
        readThrough(document);
      },
    ),
    { numRuns: 400 },
  );
});

/** Every place in a document where a value stands. */
function holdersIn(root: object): [Record<string, unknown>, string][] {
  const found: [Record<string, unknown>, string][] = [];
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      found.push([value as Record<string, unknown>, key]);
      visit((value as Record<string, unknown>)[key]);
    }
  };
  visit(root);
  return found;
}
