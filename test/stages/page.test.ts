import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Page, pagesOf } from '../../src/stages/page.js';

async function ranges(entries: number, pageEntries?: number): Promise<number[][]> {
  const pages: Page[] = [];
  for await (const page of pagesOf(entries, pageEntries)) pages.push(page as Page);
  return pages.map(({ from, to }) => [from, to]);
}

test('pages cover all entries once, in order, the last one shorter', async () => {
  assert.deepEqual(await ranges(7, 3), [
    [0, 3],
    [3, 6],
    [6, 7],
  ]);
  assert.deepEqual(await ranges(6, 3), [
    [0, 3],
    [3, 6],
  ]);
  assert.deepEqual(await ranges(0, 3), []);
  assert.deepEqual(await ranges(4097), [
    [0, 4096],
    [4096, 4097],
  ]);
});
