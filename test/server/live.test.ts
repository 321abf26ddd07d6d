/** What moves: events, the watch over a root, and search. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { before, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { printableJson } from '../../src/format/json-text.js';
import { listRounds } from '../../src/io/chain-directory.js';
import {
  conversationFolder,
  listLandedFiles,
  roundsFolder,
  sessionFolder,
} from '../../src/io/storage-root.js';
import { RootWatch } from '../../src/server/root-watch.js';
import { mayHold, patternOf, searchDocument } from '../../src/server/search.js';
import { aSession } from '../builders.js';
import { rewrite } from '../e2e/run-asz.js';
import type { SessionBuilder } from '../session-builder.js';
import { type Served, serving } from './serving.js';

async function aParsedSession(root?: string, session = 's1'): Promise<SessionBuilder> {
  const made = aSession({ session, ...(root && { root }) });
  made.main.title(`the title of ${session}`).input('What is the Weather?').says('Rain.');
  made.land();
  await made.parse();
  return made;
}

async function goOn(session: SessionBuilder): Promise<void> {
  session.main.input('and now?').says('Sun.');
  session.land();
  await session.parse();
}

/** A listener to a server's events, closed with the test. */
async function listening(t: TestContext, { address }: Served): Promise<IncomingMessage> {
  const asking = get({ host: address.host, port: address.port, path: '/api/events', agent: false });
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  response.on('error', () => {}); // It is cut off when the server closes.
  t.after(() => response.destroy());
  return response.setEncoding('utf8');
}

test('an event for every conversation that has another head', async (t) => {
  const session = await aParsedSession();
  const served = await serving(t, session.root);
  const events = await listening(t, served);
  assert.equal(events.headers['content-type'], 'text/event-stream');
  let heard = '';
  events.on('data', (text: string) => {
    heard += text;
  });
  await goOn(session);
  await goOn(session);
  await aParsedSession(session.root, 's2');
  served.watch.check();
  while (!heard.includes('s2')) await setTimeout(5);
  const data = heard.split('\n').filter((line) => line.startsWith('data: '));
  assert.deepEqual(data, ['data: {"conversation":"s1","head":3}', 'data: {"conversation":"s2","head":1}']);
});

test('sixteen may listen, and room is made when one leaves', async (t) => {
  const { root } = await aParsedSession();
  const faults: unknown[] = [];
  const served = await serving(t, root, { onError: (_, cause) => faults.push(cause) });
  const all = [];
  for (let i = 0; i < 16; i++) all.push(await listening(t, served));
  const refused = await served.ask('/api/events');
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '10']);
  assert.deepEqual(faults, [], 'nothing went wrong');
  all[0]!.destroy();
  while (served.watch.listeners === 16) await setTimeout(5);
  assert.equal((await listening(t, served)).statusCode, 200);
});

test('the watch notices new rounds, gone chains, and nothing else', async () => {
  const session = await aParsedSession();
  const watch = new RootWatch(session.root, 60_000);
  const told: unknown[] = [];
  const stop = watch.listen((changes) => told.push(...changes));
  watch.check();
  assert.deepEqual([told, watch.lastRefreshMs], [[], 0]);
  await goOn(session);
  watch.check(60_000);
  assert.deepEqual(told, [], 'it looked a moment ago');
  watch.check();
  assert.deepEqual(told.splice(0), [{ conversation: 's1', head: 2 }]);
  assert.ok(watch.lastRefreshMs > 0);
  rmSync(conversationFolder(session.root, 's1'), { recursive: true, force: true });
  watch.check();
  assert.deepEqual(told.splice(0), [{ conversation: 's1', head: 0 }]);
  rmSync(session.root, { recursive: true, force: true });
  stop();
  watch.check();
  assert.deepEqual(told, []);
});

test('the watch notices a chain that was replaced by one as long', async () => {
  const session = await aParsedSession();
  const [round] = listRounds(roundsFolder(session.root, 's1'));
  const watch = new RootWatch(session.root, 60_000);
  const told: unknown[] = [];
  watch.listen((changes) => told.push(...changes));
  renameSync(round!.path, round!.path.replace(/[0-9a-f]{12}\.sf$/, '0123456789ab.sf'));
  watch.check();
  assert.deepEqual(told, [{ conversation: 's1', head: 1 }]);
});

test('the watch notices evidence that changed under the same head', async () => {
  const session = await aParsedSession();
  const [landed] = listLandedFiles(sessionFolder(session.root, 's1'));
  const watch = new RootWatch(session.root, 60_000);
  const told: unknown[] = [];
  watch.listen((changes) => told.push(...changes));
  watch.check();
  assert.deepEqual(told, []);
  const bytes = readFileSync(landed!.path);
  bytes[bytes.length - 3]! ^= 1;
  rewrite(landed!.path, bytes);
  watch.check();
  assert.deepEqual(told.splice(0), [{ conversation: 's1', head: 1 }]);
  renameSync(landed!.path, `${landed!.path}.away`);
  watch.check();
  watch.check();
  assert.deepEqual(told, [{ conversation: 's1', head: 1 }]);
});

test('the status moves when the root changed', async (t) => {
  const session = await aParsedSession();
  const { ask, watch } = await serving(t, session.root);
  assert.equal((await ask('/api/status')).json().last_refresh, 0);
  await goOn(session);
  watch.check();
  assert.ok((await ask('/api/status')).json().last_refresh > 0);
});

let root: string;
before(async () => {
  root = (await aParsedSession()).root;
  await aParsedSession(root, 's2');
});

test('search finds words in titles and texts, in any case, grouped by conversation', async (t) => {
  const { ask } = await serving(t, root);
  const found = (await ask('/api/search?q=wEATHER')).json();
  assert.deepEqual(
    [found.query, found.complete, found.searched_bytes_per_text, found.not_searched],
    ['wEATHER', true, 2000, []],
  );
  assert.match(found.note, /past 2000 bytes is not searched/);
  assert.deepEqual(
    found.conversations.map(({ conversation }: { conversation: string }) => conversation),
    ['s1', 's2'],
  );
  const [{ hits, title, in_title }] = found.conversations;
  assert.deepEqual([title, in_title], ['the title of s1', false]);
  assert.deepEqual(
    hits.map(({ field }: { field: string }) => field),
    ['label', 'text'],
  );
  assert.deepEqual(hits[1], {
    node: 'input/1/2',
    talk: hits[0].node,
    stream: 'main',
    field: 'text',
    snippet: 'What is the Weather?',
  });
  const titles = (await ask('/api/search?q=of%20s2')).json().conversations;
  assert.deepEqual(titles, [{ conversation: 's2', title: 'the title of s2', in_title: true, hits: [] }]);
});

test('search gives as much as was asked for, and says when that is not all', async (t) => {
  const { ask } = await serving(t, root);
  const found = (await ask('/api/search?q=weather&limit=1')).json();
  assert.deepEqual(
    [found.complete, found.conversations.length, found.conversations[0].hits.length],
    [false, 1, 1],
  );
});

test('a look at the text of a document never denies what reading it finds', async () => {
  const texts = [
    'say "no"',
    'a\\b',
    'tab\there',
    '300 K',
    'ſtreng',
    'Straße',
    '😀 smile',
    'x\u200ey',
    'plain words',
  ];
  const children = texts.map((text, i) => ({ id: `c${i}`, kind: 'x', text }));
  const document = printableJson(JSON.stringify({ talks: [{ id: 't', kind: 'talk', children }] }));
  const bytes = Buffer.from(document);
  const { signal } = new AbortController();
  const words = [...texts, '300 k', 'STRENG', 'strasse', 'STRAßE', 'WORDS', '\u200e', 'absent', '"text"'];
  for (const size of [1, 7, 1000]) {
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
    for (const wanted of words) {
      const pattern = patternOf(wanted);
      const { hits } = await searchDocument(pieces, pattern, 9, signal);
      if (await mayHold(pieces, wanted, pattern, signal)) continue;
      assert.deepEqual(hits, [], wanted);
    }
    assert.equal(await mayHold(pieces, 'absent', patternOf('absent'), signal), false);
    assert.equal(await mayHold(pieces, 'STRENG', patternOf('STRENG'), signal), true);
  }
  await assert.rejects(mayHold([bytes], 'absent', patternOf('absent'), AbortSignal.abort()), {
    name: 'AbortError',
  });
});

test('search refuses what it cannot mean', async (t) => {
  const { ask } = await serving(t, root);
  for (const query of [
    '',
    'q=',
    'q=%20',
    `q=${'x'.repeat(201)}`,
    'q=x&limit=0',
    'q=x&limit=501',
    'q=x&limit=1.5',
    'q=x&limit=y',
    'q=x&limit=0x10',
    'q=x&limit=',
  ])
    assert.equal((await ask(`/api/search?${query}`)).status, 400, query);
  const patterns = ['.*', '(', '[a', '\\', '$^', 'a|b', '{1}', '-/'];
  for (const words of patterns) assert.equal(patternOf(words).exec(`x${words}y`)?.index, 1, words);
});

test('one search at a time; who leaves ends theirs', async (t) => {
  const copy = (await aParsedSession()).root;
  for (let i = 0; i < 40; i++)
    cpSync(conversationFolder(copy, 's1'), conversationFolder(copy, `copy-${i}`), { recursive: true });
  const served = await serving(t, copy);
  const asking = get({
    host: served.address.host,
    port: served.address.port,
    path: '/api/search?q=weather',
    agent: false,
  });
  asking.on('error', () => {}); // It is left before it is answered.
  let status = 0;
  while (status !== 503) status = (await served.ask('/api/search?q=x')).status;
  asking.destroy();
  while (status !== 200) status = (await served.ask('/api/search?q=x')).status;
});

test('a conversation without a document does not end a search', async (t) => {
  const copy = (await aParsedSession()).root;
  cpSync(conversationFolder(copy, 's1'), conversationFolder(copy, 'a'), { recursive: true });
  rmSync(conversationFolder(copy, 'a'), { recursive: true, force: true });
  const { ask } = await serving(t, copy);
  assert.deepEqual((await ask('/api/search?q=weather')).json().not_searched, []);
});

test('words beside keys of other things are not found', async () => {
  const document = {
    summary: { title: 'T' },
    talks: [
      {
        id: 't',
        kind: 'talk',
        attrs: { text: 'word' },
        children: [{ id: 'c', kind: 'x', stream: 'm', text: 'a word', dropped: [{ what: 'word' }] }],
      },
    ],
    loose: [{ id: 'l', kind: 'run', reply: 'word' }],
    relations: [{ id: 'word', text: 'word' }],
  };
  const found = await searchDocument(
    [Buffer.from(JSON.stringify(document))],
    /word/u,
    9,
    new AbortController().signal,
  );
  assert.deepEqual(
    found.hits.map(({ node, talk, field }) => [node, talk, field]),
    [
      ['c', 't', 'text'],
      ['l', '', 'reply'],
    ],
  );
  assert.equal(found.title, 'T');
});
