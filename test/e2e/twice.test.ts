/**
 * What is done is not done again: a second collection lands nothing, a second parse writes nothing, and a parse
 * whose index is there opens no landed file at all.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { listSessions } from '../../src/io/storage-root.js';
import { needsShared, REPOSITORY, sharedData } from '../shared.js';
import { assertDone, contentsOf, rewrite, Workplace } from './run-asz.js';

const SAMPLES = join(REPOSITORY, 'samples/projects');

async function aCollected(projects = SAMPLES): Promise<Workplace> {
  const place = new Workplace();
  cpSync(projects, place.projects, { recursive: true });
  assertDone(await place.asz(['collect', '--once']));
  return place;
}

/** What the system says of every file that is named like this, so that a rewrite with the same bytes shows. */
function filesAsTheyAre(root: string, wanted: RegExp): string[] {
  return [...contentsOf(root, wanted).keys()].map((name) => {
    const { ino, mtimeMs, ctimeMs, size, mode } = statSync(join(root, name));
    return [name, ino, mtimeMs, ctimeMs, size, mode.toString(8)].join(' ');
  });
}

const EVIDENCE = /\.s[df]$/;
const DURABLE = /\.s[df]$|\.cursor$|conversation\.state$|entries\.bin$|index\.state$/;

describe('done once', { concurrency: 2 }, () => {
  test('collecting twice lands nothing the second time, and touches no landed file and no round', async () => {
    const place = await aCollected();
    const before = filesAsTheyAre(place.root, EVIDENCE);
    assert.ok(before.length > 10);
    assert.match(assertDone(await place.asz(['collect', '--once'])), / landed=0 records=0 rounds=0 \(/);
    assert.deepEqual(filesAsTheyAre(place.root, EVIDENCE), before);
  });

  test('parsing twice writes nothing the second time, whatever the first parse was', async () => {
    const place = await aCollected();
    const before = filesAsTheyAre(place.root, DURABLE);
    for (const argv of [['parse'], ['parse', '--jobs', '1'], ['parse', listSessions(place.root)[0]!]]) {
      assert.match(assertDone(await place.asz(argv)), /^0 round\(s\) written$/m);
      assert.deepEqual(filesAsTheyAre(place.root, DURABLE), before);
    }
  });

  test('reading changes nothing: verify, index, index cat, conversation, show, sources', async () => {
    const place = await aCollected();
    const before = filesAsTheyAre(place.folder, /./);
    const [session] = listSessions(place.root) as [string];
    const id = /"id":"([^"]+)"/.exec([...contentsOf(place.root, /main.*\.sd$/).values()][0]!)![1]!;
    for (const argv of [
      ['verify'],
      ['index'],
      ['index', session],
      ['index', 'cat', session],
      ['conversation', session],
      ['conversation', session, '--fold'],
      ['show', session, id],
      ['sources'],
      ['glossary'],
    ])
      assertDone(await place.asz(argv));
    assert.deepEqual(filesAsTheyAre(place.folder, /./), before);
  });

  test('what grew is all that lands: one file for a transcript that got lines', async () => {
    const place = await aCollected();
    const before = contentsOf(place.root, EVIDENCE);
    const grown = [...contentsOf(place.projects, /^[^/]+\/[^/]+\.jsonl$/).keys()][0]!;
    const line = {
      type: 'user',
      uuid: 'new-1',
      timestamp: '2026-03-02T20:00:00.000Z',
      message: { content: 'more' },
    };
    appendFileSync(join(place.projects, grown), `${JSON.stringify(line)}\n`);
    assert.match(assertDone(await place.asz(['collect', '--once'])), / landed=1 records=1 rounds=1 \(/);
    const after = contentsOf(place.root, EVIDENCE);
    assert.equal(after.size, before.size + 2);
    for (const [path, content] of before) assert.equal(after.get(path), content);
    assertDone(await place.asz(['verify']));
  });

  test('landed files and rounds are read-only, sources are as they were', async () => {
    const place = await aCollected();
    for (const line of filesAsTheyAre(place.root, EVIDENCE)) assert.match(line, / 100444$/);
    assert.deepEqual(contentsOf(place.projects), contentsOf(SAMPLES));
  });

  // ---- what a parse opens ----

  const LOGGER = pathToFileURL(join(import.meta.dirname, 'log-opens.js')).href;

  type Tracer = 'strace' | 'log-opens';

  /** Every landed file that `asz ...argv` opened, below the root, in the order of opening. */
  async function landedFilesOpened(tracer: Tracer, place: Workplace, argv: string): Promise<string[]> {
    const log = join(place.folder, 'opens.log');
    rewrite(log, '');
    const traced =
      tracer === 'strace'
        ? `strace -f -qq -e trace=open,openat,openat2 -e signal=none -o ${log} "$ASZ_NODE" "$ASZ_BUILT" ${argv}`
        : `ASZ_TEST_OPENS=${log} NODE_OPTIONS=--import=${LOGGER} asz ${argv}`;
    assertDone(await place.shell(traced));
    const text = readFileSync(log, 'utf8');
    assert.match(text, /session\.state|index\.state|asz\.yaml/, 'the tracer sees what is opened');
    return text
      .split('\n')
      .filter((line) => !line.includes(' = -1 '))
      .flatMap((line) => (/\.sd"/.test(line) ? [/data\/([^"]+\.sd)"/.exec(line)![1]!] : []));
  }

  const hasStrace = spawnSync('strace', ['-V']).status === 0;

  for (const tracer of ['strace', 'log-opens'] as const)
    test(`a parse with an index opens no landed file, one without opens each once; by ${tracer}`, {
      skip: tracer === 'strace' && !hasStrace ? 'skipped: no strace' : false,
    }, async () => {
      const place = await aCollected();
      const landed = [...contentsOf(place.root, /\.sd$/).keys()];
      const opens = (argv: string) => landedFilesOpened(tracer, place, argv);
      assert.deepEqual(await opens('parse'), []);
      assert.deepEqual(await opens('parse --jobs 1'), []);
      rmSync(join(place.root, '_conversations'), { recursive: true });
      assert.deepEqual(await opens('parse --jobs 1'), [], 'no parse with an index reads a payload');
      assert.equal(place.rounds(listSessions(place.root)[0]!).length, 1);
      for (const session of listSessions(place.root))
        rmSync(join(place.root, session, 'index'), { recursive: true });
      assert.deepEqual((await opens('parse --jobs 1')).sort(), landed);
      assert.deepEqual(await opens('collect --once'), [], 'nor does a collection that finds nothing new');
      assert.deepEqual(await opens('index'), []);
      assert.deepEqual((await opens('verify --jobs 1')).sort(), landed, 'verify reads each once');
    });

  test('a parse with an index does not notice that payloads are gone: verify does', async () => {
    const place = await aCollected();
    rmSync(join(place.root, '_conversations'), { recursive: true });
    const expected = assertDone(await (await aCollected()).asz(['conversation', FIRST_SAMPLE, '--fold']));
    for (const [path, content] of contentsOf(place.root, /\.sd$/))
      rewrite(join(place.root, path), '\n'.repeat(content.length));
    assert.match(assertDone(await place.asz(['parse'])), /^2 round\(s\) written$/m);
    assert.equal(assertDone(await place.asz(['conversation', FIRST_SAMPLE, '--fold'])), expected);
    assert.equal((await place.asz(['verify'])).status, 1);
  });

  const FIRST_SAMPLE = readdirSync(join(REPOSITORY, 'test/golden/samples'))
    .filter((name) => !name.startsWith('_'))
    .sort()[0]!;

  test(
    'real transcripts: a second pass lands nothing, a second parse writes nothing',
    needsShared,
    async () => {
      const place = new Workplace({ projects: join(sharedData()!, 'real/newest/projects') });
      assert.match((await place.asz(['collect', '--once'])).stdout, / rounds=16 \(/);
      const before = filesAsTheyAre(place.root, EVIDENCE);
      assert.match((await place.asz(['collect', '--once'])).stdout, / landed=0 records=0 rounds=0 \(/);
      assert.match(assertDone(await place.asz(['parse'])), /^0 round\(s\) written$/m);
      assert.deepEqual(filesAsTheyAre(place.root, EVIDENCE), before);
    },
  );
});
