/** Times, numbers and marks as words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hitAddress } from '../../../src/page/model/addresses.js';
import { stretchesOf } from '../../../src/page/model/marks.js';
import { countOf, sizeText } from '../../../src/page/model/quantity-text.js';
import { withoutEchoes } from '../../../src/page/model/search-hits.js';
import { clockText, dateText, spanText, utcText } from '../../../src/page/model/time-text.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test('spans, in the unit that says most and never more than they were', () => {
  for (const [ms, words] of [
    [-1, '—'],
    [0, '—'],
    [Number.NaN, '—'],
    [1, '1 ms'],
    [999.9, '999 ms'],
    [42 * SECOND, '42 s'],
    [MINUTE - 1, '59 s'],
    [7 * MINUTE, '7 min'],
    [HOUR - 1, '59 min'],
    [HOUR, '1 h'],
    [3.49 * HOUR, '3.4 h'],
    [DAY - 1, '23.9 h'],
    [2.5 * DAY, '2.5 d'],
    [10 * DAY - 1, '9.9 d'],
    [10.9 * DAY, '10 d'],
  ] as const)
    assert.equal(spanText(ms), words, String(ms));
});

test('times in a zone, and in UTC', () => {
  const at = Date.UTC(2026, 2, 2, 23, 30, 5, 250);
  assert.equal(dateText(at, 'Europe/Berlin'), 'Mar 3, 2026, 00:30');
  assert.equal(clockText(at, 'Asia/Kolkata'), '05:00:05');
  assert.equal(utcText(at), '2026-03-02 23:30:05.250 UTC');
});

test('0 is no time, and what no calendar holds is none either', () => {
  for (const at of [0, Number.NaN, 1e17])
    assert.deepEqual([dateText(at), clockText(at), utcText(at)], ['—', '—', '—'], String(at));
});

test('counts and sizes', () => {
  assert.deepEqual([countOf(1, 'talk'), countOf(1200, 'talk')], ['1 talk', '1,200 talks']);
  assert.equal(countOf(2, 'entry', 'entries'), '2 entries');
  const sizes = [1, 999, 1000, 12_345, 999_999, 20_000_000, 5e12].map(sizeText);
  assert.deepEqual(sizes, ['1 byte', '999 bytes', '1.0 kB', '12 kB', '1,000 kB', '20 MB', '5,000 GB']);
});

test('words are marked wherever they stand, in any case, and mean themselves', () => {
  const marked = (text: string, words: string) =>
    stretchesOf(text, words).map(({ text, isMatch }) => (isMatch ? `[${text}]` : text));
  assert.deepEqual(marked('Rain, rain', 'rain'), ['[Rain]', ', ', '[rain]']);
  assert.deepEqual(marked('a.b acb', 'a.b'), ['[a.b]', ' acb']);
  assert.deepEqual(marked('nothing', ''), ['nothing']);
  assert.deepEqual(marked('', 'x'), ['']);
  assert.deepEqual(marked('😀x😀', '😀'), ['[😀]', 'x', '[😀]']);
});

test('the address of a hit names its step, and a talk by itself', () => {
  const hit = { node: 'input/1/1', talk: 'talk/main/p1', stream: 'main' };
  assert.equal(hitAddress('a/b', hit), '/c/a%2Fb?stream=main&talk=talk%2Fmain%2Fp1&step=input%2F1%2F1');
  assert.equal(hitAddress('c', { ...hit, node: hit.talk }), '/c/c?stream=main&talk=talk%2Fmain%2Fp1');
  assert.equal(hitAddress('c', { ...hit, node: 'x&y', talk: '', stream: '' }), '/c/c?step=x%26y');
});

test('what a talk only repeats of its steps is found once, at the step', () => {
  const of = (node: string, talk: string, snippet: string) => ({
    ...{ node, talk, snippet, stream: 'main', field: node === talk ? 'label' : 'text' },
  });
  const hits = [
    of('t1', 't1', 'a'),
    of('t1', 't1', 'b'),
    of('s1', 't1', 'a'),
    of('s2', 't2', 'b'),
    of('x', '', 'a'),
  ];
  assert.deepEqual(withoutEchoes(hits), hits.slice(1));
});
