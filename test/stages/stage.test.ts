import assert from 'node:assert/strict';
import { Readable, type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { type Page, pagesOf } from '../../src/stages/page.js';
import { streamOf } from '../../src/stages/pipeline.js';
import { barrier, type StageRules, streaming } from '../../src/stages/stage.js';
import { agent, anIndex, assembledIndex, call, child, main, text, user } from './index-builder.js';

/** What two stages and their sink saw, in order: rules read the pages of ten entries, four a page. */
async function seen(stage: (rules: StageRules) => Transform, end = true): Promise<string[]> {
  const log: string[] = [];
  const rules = (name: string): StageRules => ({
    page: ({ from }) => log.push(`${name} ${from}`),
    ...(end ? { end: () => log.push(`${name} end`) } : {}),
  });
  await pipeline(
    streamOf(pagesOf(0, 10, 4)),
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
    { from: 0, to: 1, settles: false },
    { from: 1, to: 2, settles: true },
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

for (const [what, throwing] of [
  [
    'at a page',
    {
      page: () => {
        throw new Error('boom');
      },
    },
  ],
  [
    'at the end',
    {
      page: () => {},
      end: () => {
        throw new Error('boom');
      },
    },
  ],
  [
    'something that is no error',
    {
      page: () => {
        throw 'boom';
      },
    },
  ],
] as [string, StageRules][])
  for (const stage of [streaming, barrier])
    test(`rules that throw ${what} end the pipeline of a ${stage.name} stage, and nothing else`, async () =>
      assert.rejects(
        pipeline(
          streamOf(pagesOf(0, 1)),
          stage(throwing),
          sink(() => {}),
        ),
        { message: 'boom' },
      ));

test('an index that cannot be read ends its assembly, whichever stage meets it', async () => {
  const index = anIndex(
    main(user('u1', 'p1'), agent('a1', 'm1', text(), call('t1'))),
    child('kid', user('k1', 'q1')),
  );
  for (const column of [
    'kind',
    'record',
    'stream',
    'call',
    'blockTool',
    'child',
    'flags',
    'run',
    'timeMs',
    'label',
  ] as const) {
    const broken = new Proxy(index[column], {
      get(target, key) {
        if (key === '1') throw new Error(`no ${column}`);
        return Reflect.get(target, key) as unknown;
      },
    });
    await assert.rejects(assembledIndex({ ...index, [column]: broken }), { message: `no ${column}` });
  }
});
