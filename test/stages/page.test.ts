import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Page, pagesOf } from '../../src/stages/page.js';

function ranges(from: number, to: number, pageEntries?: number): number[][] {
  const pages: Page[] = [...pagesOf(from, to, pageEntries)];
  assert.deepEqual(
    pages.filter(({ settles }) => settles),
    pages.slice(-1),
    'the last page settles, and no other',
  );
  return pages.map((page) => [page.from, page.to]);
}

test('pages cover all entries once, in order, the last one shorter', () => {
  assert.deepEqual(ranges(0, 7, 3), [
    [0, 3],
    [3, 6],
    [6, 7],
  ]);
  assert.deepEqual(ranges(0, 6, 3), [
    [0, 3],
    [3, 6],
  ]);
  assert.deepEqual(ranges(5, 9, 3), [
    [5, 8],
    [8, 9],
  ]);
  assert.deepEqual(ranges(0, 4097), [
    [0, 4096],
    [4096, 4097],
  ]);
});

test('a checkpoint without new entries has a page all the same, for there is something to settle', () =>
  assert.deepEqual(ranges(4, 4, 3), [[4, 4]]));
