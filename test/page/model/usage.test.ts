/** Tokens are counted once, and what nobody knows is not counted as nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Usage, ViewDocument, ViewNode } from '../../../src/format/view-document.js';
import { outlineOf } from '../../../src/page/model/outline.js';
import { allTokens, contextOf, NO_TOKENS, sumTokens, usageOf } from '../../../src/page/model/usage.js';
import { goldenDocuments } from './golden-documents.js';
import { outlined, starts, step, stream, talk } from './made-document.js';

const call = (usage: Usage | undefined, more: Partial<ViewNode> = {}) =>
  step('llm.call', 1, { ...(usage === undefined ? {} : { usage }), ...more });
const MAIN = stream('main', [], 'main');

test('a call counts once, also when its tree stands outside every talk', () => {
  const { total, ofTree } = usageOf(
    outlined({
      talks: [talk([call({ in: 1, out: 2, cache_read: 4, cache_write: 8 })])],
      loose: [call({ out: 16 })],
    }),
  );
  assert.deepEqual(total, { in: 1, out: 18, cacheRead: 4, cacheWrite: 8, calls: 2, unknown: 0 });
  assert.equal(allTokens(total), 31);
  assert.deepEqual(ofTree(talk([])), NO_TOKENS);
});

test('a call without usage is unknown, one of zeros is known, a synthetic one is none', () => {
  const synthetic = call(undefined, { children: [step('message.synthetic', 1)] });
  const { total } = usageOf(outlined({ loose: [call(undefined), call({}), synthetic] }));
  assert.deepEqual(total, { ...NO_TOKENS, calls: 2, unknown: 1 });
});

test('a child is added to the one step that started it, with the children of its own', () => {
  const inner = step('agent.call', 1, { stream: 'a', edges: [starts('b')] });
  const outer = step('agent.call', 1, { edges: [starts('a')] });
  const root = talk([call({ in: 1 }), outer]);
  const roll = usageOf(
    outlined({
      talks: [
        root,
        talk([call({ in: 10 }, { stream: 'a' }), inner], { stream: 'a' }),
        talk([call({ in: 100 }, { stream: 'b' })], { stream: 'b' }),
      ],
      streams: [MAIN, stream('a', [outer]), stream('b', [inner])],
    }),
  );
  assert.equal(roll.ofTree(root).in, 1);
  assert.equal(roll.ofTreeNested(root).in, 111);
  assert.equal(roll.ofStream('main').in, 1);
  assert.equal(roll.ofStreamNested('main').in, 111);
  assert.equal(roll.ofChildren(outer).in, 110);
  assert.equal(roll.ofChildren(inner).in, 100);
  assert.equal(roll.total.in, 111);
  assert.deepEqual(roll.apart, []);
});

test('a child of several steps, or of none, is shown apart and added to no step', () => {
  const first = step('agent.call', 1, { edges: [starts('a')] });
  const second = step('agent.call', 1, { edges: [starts('a')] });
  const [a, orphan] = [stream('a', [first, second]), stream('orphan')];
  const roll = usageOf(
    outlined({
      talks: [talk([first, second]), talk([call({ in: 7 }, { stream: 'a' })], { stream: 'a' })],
      streams: [MAIN, a, orphan],
    }),
  );
  assert.deepEqual(roll.apart, [a, orphan]);
  assert.equal(roll.ofChildren(first).in, 0);
  assert.equal(roll.ofStreamNested('main').in, 0);
  assert.equal(roll.total.in, 7);
});

test('one step that is named twice is still the one origin', () => {
  const opener = step('agent.call', 1, { edges: [starts('a'), starts('a', 'strong_inference')] });
  const roll = usageOf(
    outlined({
      talks: [talk([opener]), talk([call({ in: 7 }, { stream: 'a' })], { stream: 'a' })],
      streams: [MAIN, stream('a', [opener, opener])],
    }),
  );
  assert.deepEqual(roll.apart, []);
  assert.equal(roll.ofChildren(opener).in, 7);
});

test('streams that started each other in a circle are counted once', () => {
  const [ofA, ofB] = [step('agent.call', 1, { stream: 'a' }), step('agent.call', 1, { stream: 'b' })];
  const roll = usageOf(
    outlined({
      talks: [
        talk([ofA, call({ in: 1 }, { stream: 'a' })], { stream: 'a' }),
        talk([ofB, call({ in: 10 }, { stream: 'b' })], { stream: 'b' }),
      ],
      streams: [stream('a', [ofB]), stream('b', [ofA])],
    }),
  );
  assert.equal(roll.ofStreamNested('a').in, 11);
  assert.equal(roll.ofStreamNested('b').in, 11);
  assert.equal(roll.ofChildren(ofA).in, 10);
});

test('what a foreign document writes for a count and is none adds nothing', () => {
  const usage = {
    in: Number.POSITIVE_INFINITY,
    out: -5,
    cache_read: '9',
    cache_write: 3,
  } as unknown as Usage;
  assert.deepEqual(sumTokens([call(usage)]), { ...NO_TOKENS, cacheWrite: 3, calls: 1 });
  assert.equal(sumTokens([call(null as unknown as Usage)]).unknown, 1);
});

test('context is all that went in', () => {
  assert.equal(contextOf(call({ in: 1, out: 100, cache_read: 2, cache_write: 4 })), 7);
});

for (const { name, document } of goldenDocuments()) {
  test(`${name}: the total is the streams' own, and main with its children and what stands apart`, () => {
    const roll = usageOf(outlineOf(document as ViewDocument));
    const streams = document.streams.map(({ name }) => allTokens(roll.ofStream(name)));
    const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
    assert.equal(allTokens(roll.total), sum(streams));
    const tops = [...document.streams.filter(({ role }) => role === 'main'), ...roll.apart];
    assert.equal(allTokens(roll.total), sum(tops.map(({ name }) => allTokens(roll.ofStreamNested(name)))));
  });
}
