import assert from 'node:assert/strict';
import { appendFileSync, cpSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SESSION_BUSY, takeLock } from '../../src/io/lock.js';
import { indexSink } from '../../src/landing/index-sink.js';
import { aPrompt, Collection, MAIN, PROJECT, SESSION } from './collecting.js';

const IN_SESSION = `${PROJECT}/${SESSION}`;
const AGENT = 'a0123456789abcdef';
const SIDECAR = `${IN_SESSION}/subagents/agent-${AGENT}.meta.json`;

/** A session that was collected, and whose lock somebody holds since. */
async function collected() {
  const c = new Collection();
  const main = c.write(MAIN, aPrompt('u1'));
  const sidecar = c.write(SIDECAR, '{"toolUseId":"t1"}');
  const pass = () => c.pass({ index: indexSink(c.root) });
  const first = await pass();
  assert.deepEqual([first.landed, first.errors], [2, []]);
  const at = (path: string) => join(c.root, SESSION, path);
  const lock = takeLock(at('.lock'), SESSION_BUSY);
  return { c, main, sidecar, at, pass, lock };
}

test('a session in which nothing moved takes no lock and writes nothing, and is counted all the same', async () => {
  const { c, at, pass, lock } = await collected();
  const before = readFileSync(at('session.state'));
  c.now = { ms: c.now.ms + 1000, ns: 0 };
  const { sessions, sources, busy, landed, errors } = await pass();
  assert.deepEqual(
    { sessions, sources, busy, landed, errors },
    { sessions: 1, sources: 2, busy: [], landed: 0, errors: [] },
  );
  lock.release();
  await pass();
  assert.deepEqual(readFileSync(at('session.state')), before);
});

type Place = Awaited<ReturnType<typeof collected>>;

const MOVES: [what: string, move: (place: Place) => void][] = [
  ['a line was added', ({ main }) => appendFileSync(main, aPrompt('u2'))],
  ['a line is being added', ({ main }) => appendFileSync(main, '{"half')],
  ['the transcript was cut', ({ main }) => writeFileSync(main, '')],
  [
    'the transcript has another inode',
    ({ main }) => {
      cpSync(main, `${main}.copy`);
      renameSync(`${main}.copy`, main);
    },
  ],
  ['the transcript is gone', ({ main }) => rmSync(main)],
  [
    'a document of the same size and age says something else',
    ({ sidecar }) => {
      writeFileSync(sidecar, '{"toolUseId":"t2"}');
      utimesSync(sidecar, 0, 0);
    },
  ],
  ['a document is gone', ({ sidecar }) => rmSync(sidecar)],
  ['a source is new', ({ c }) => c.write(`${IN_SESSION}/subagents/agent-${AGENT}.jsonl`, aPrompt('c1'))],
  ['a cursor is lost', ({ at }) => rmSync(at('streams/main/transcript.cursor'))],
  [
    'a cursor says that its source is gone',
    ({ at }) => replace(at('streams/main/transcript.cursor'), 'active', 'source_gone'),
  ],
  ['the index is lost', ({ at }) => rmSync(at('index'), { recursive: true })],
  ['the index is behind', ({ at }) => replace(at('index/index.state'), 'indexed_seq 2', 'indexed_seq 1')],
  ['the session state is lost', ({ at }) => rmSync(at('session.state'))],
  ['a killed writer left something', ({ at }) => writeFileSync(at('streams/main/.tmp-0'), '')],
  [
    'a landed file came from elsewhere',
    ({ at }) => writeFileSync(at('streams/main/transcript-x-000009.sd'), ''),
  ],
];

function replace(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8');
  assert.ok(text.includes(from), text);
  writeFileSync(path, text.replace(from, to));
}

for (const [what, move] of MOVES)
  test(`a session waits for its lock when ${what}`, async () => {
    const place = await collected();
    move(place);
    assert.deepEqual((await place.pass()).busy, [SESSION]);
    place.lock.release();
  });
