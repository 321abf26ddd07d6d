import assert from 'node:assert/strict';
import { Readable, type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { type Page, pagesOf } from '../../src/stages/page.js';
import { barrier, type StageRules, streaming } from '../../src/stages/stage.js';

/** What two stages and their sink saw, in order: rules read the pages of ten entries, four a page. */
async function seen(stage: (rules: StageRules) => Transform, end = true): Promise<string[]> {
  const log: string[] = [];
  const rules = (name: string): StageRules => ({
    page: ({ from }) => log.push(`${name} ${from}`),
    ...(end ? { end: () => log.push(`${name} end`) } : {}),
  });
  await pipeline(
    pagesOf(10, 4),
    stage(rules('a')),
    streaming(rules('b')),
    sink((page) => log.push(`out ${page.from}`)),
  );
  return log;
}

function sink(take: (page: Page) => void): Writable {
  return new Writable({
    objectMode: true,
    write(page: Page, _encoding, done) {
      take(page);
      done();
    },
  });
}

test('a streaming stage passes each page on, and its rules end after the last', async () => {
  const log = await seen(streaming);
  assert.ok(log.indexOf('b 0') < log.indexOf('a end'));
  for (const name of ['a', 'b']) assert.ok(log.indexOf(`${name} 8`) < log.indexOf(`${name} end`));
  assert.deepEqual(
    log.filter((line) => line.startsWith('out')),
    ['out 0', 'out 4', 'out 8'],
  );
});

test('a barrier passes nothing on before its rules have ended, then all pages in order', async () => {
  const log = await seen(barrier);
  assert.deepEqual(log.slice(0, 4), ['a 0', 'a 4', 'a 8', 'a end']);
  assert.deepEqual(
    log.filter((line) => line.startsWith('out')),
    ['out 0', 'out 4', 'out 8'],
  );
});

test('rules need no end', async () => {
  for (const stage of [streaming, barrier]) assert.equal((await seen(stage, false)).length, 9);
});

test('pages are passed on, not copied', async () => {
  const pages: Page[] = [
    { from: 0, to: 1 },
    { from: 1, to: 2 },
  ];
  const got: Page[] = [];
  await pipeline(
    Readable.from(pages),
    barrier({ page: () => {} }),
    streaming({ page: () => {} }),
    sink((page) => got.push(page)),
  );
  assert.ok(got.length === 2 && got.every((page, i) => page === pages[i]));
});
