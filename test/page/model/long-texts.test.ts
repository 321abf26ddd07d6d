/** Long texts: how much is shown, what is cut, what differs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { clippedAt, excerptOf, MOST_UNITS } from '../../../src/page/model/clipped.js';
import { gist, promptOf, resetReason } from '../../../src/page/model/kind-words.js';
import { lineDiff } from '../../../src/page/model/line-diff.js';
import { step } from './made-document.js';

test('a text is clipped when its bytes end where the document cuts and there are more', () => {
  assert.equal(clippedAt('x'.repeat(2000), 5000), 2000);
  assert.equal(clippedAt(`${'x'.repeat(1997)}`, 5000), 1997);
  assert.equal(clippedAt('é'.repeat(1000), 2001), 2000);
  assert.equal(clippedAt('x'.repeat(2000), 2000), undefined);
  assert.equal(clippedAt('words out of data', 5000), undefined);
  assert.equal(clippedAt('x', undefined), undefined);
});

test('how many lines are shown depends on what they are', () => {
  const text = Array.from({ length: 50 }, (_, i) => `${i}`).join('\n');
  const shown = (kind: string) => excerptOf(text, kind, false).text.split('\n').length;
  assert.deepEqual(['result', 'thinking', 'epoch.summary', 'toString'].map(shown), [20, 10, 30, 6]);
  assert.deepEqual(excerptOf(text, 'result', false), {
    text: text.split('\n').slice(0, 20).join('\n'),
    lines: 50,
    isWhole: false,
  });
  assert.deepEqual(excerptOf(text, 'result', true), { text, lines: 50, isWhole: true });
});

test('one endless line is not endless on the page, opened or not, and no character is cut in two', () => {
  const line = '😀'.repeat(1_000_000);
  for (const isOpen of [false, true]) {
    const { text, isWhole } = excerptOf(`x${line}`, 'result', isOpen);
    assert.ok(text.length <= MOST_UNITS && !isWhole);
    assert.ok(text.isWellFormed());
  }
});

test('a difference put together again gives both texts', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after);
      const side = (mark: '-' | '+') => lines.filter((line) => line.mark === ' ' || line.mark === mark);
      if (before !== '')
        assert.equal(
          side('-')
            .map(({ text }) => text)
            .join('\n'),
          before,
        );
      if (after !== '')
        assert.equal(
          side('+')
            .map(({ text }) => text)
            .join('\n'),
          after,
        );
    }),
  );
});

test('what stays the same in the middle is said to', () => {
  assert.deepEqual(
    lineDiff('a\nb\nc', 'a\nx\nc').map(({ mark, text }) => mark + text),
    [' a', '-b', '+x', ' c'],
  );
});

test('texts too long to compare are both there whole', () => {
  const [a, b] = ['a\n'.repeat(2000), 'b\n'.repeat(2000)];
  assert.equal(lineDiff(a, b).length, 4002);
});

test('one line of a step says what a tool was asked', () => {
  const of = (text: string) => gist(step('tool', 0, { text }));
  assert.equal(of('{"command":"npm test","description":"Run the tests"}'), 'Run the tests');
  assert.equal(of('{"a":1,"b":"two"}'), '1 · two');
  assert.equal(of('  several\n words '), 'several words');
});

test('of what a client writes about itself, one line says what it is about', () => {
  const of = (kind: string, text: string) => gist(step(kind, 0, { text }));
  const error = '{"parentUuid":"x","subtype":"api_error","error":{"status":529,"message":"Overloaded"}}';
  assert.equal(of('error.api', error), 'api_error · 529 · Overloaded');
  const told = '<task-notification>\n<task-id>1</task-id>\n<summary>Agent "Look" completed</summary>';
  assert.equal(of('runtime.notification', told), 'Agent "Look" completed');
  assert.equal(of('runtime.notification', 'plain'), 'plain');
});

test('a reset says why as far as the client does', () => {
  const text = '{"type":"system","compactMetadata":{"trigger":"auto","preTokens":20500}}';
  assert.deepEqual(resetReason(step('epoch.boundary', 0, { text })), { trigger: 'auto', before: 20500 });
  assert.deepEqual(resetReason(step('epoch.boundary', 0)), { trigger: undefined, before: undefined });
});

test('what a child was asked is the prompt of its call', () => {
  assert.equal(promptOf(step('agent.call', 0, { text: '{"prompt":"look"}' })), 'look');
  assert.equal(promptOf(step('tool', 0, { text: 'words' })), undefined);
});
