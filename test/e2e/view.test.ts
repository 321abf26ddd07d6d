/** The commands that show conversations, as a user runs them. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { aPrompt, PROJECT, SESSION } from '../landing/collecting.js';
import { REPOSITORY, temporaryFolder } from '../shared.js';
import { madeRoot, said, step, talkNode } from '../view/made-root.js';
import { documentOf, viewed } from '../view/viewing.js';
import { assertDone, assertRefused, ended, rewrite, Workplace } from './run-asz.js';

const GOLDEN = join(REPOSITORY, 'test/golden/every-kind');

test('conversation --json and --yaml print the document', async () => {
  const place = new Workplace({ root: GOLDEN });
  const json = assertDone(await place.asz(['conversation', 'every-kind', '--json']));
  const document = viewed(GOLDEN, 'every-kind');
  assert.equal(json, `${JSON.stringify(document, null, 2)}\n`);
  const yaml = assertDone(await place.asz(['conversation', '-yaml', 'every-kind']));
  assert.deepEqual(parse(yaml), document);
});

test('what a terminal would act on is spelled out, in raw data too', async () => {
  const sign = '\u009b\u007f';
  const files = [{ records: [said(sign), { parts: [{ k: 'call', data: `{"a":"${sign}"}` }] }] }];
  const nodes = [talkNode('talk/1', { attrs: { a: sign } }), step('a', 1), step('b', 2, { kind: 'tool' })];
  const place = new Workplace({ root: madeRoot({ files, nodes }) });
  for (const form of ['--json', '--yaml']) {
    const printed = assertDone(await place.asz(['conversation', 's', form]));
    assert.doesNotMatch(printed, /[\u007f-\u009f]/);
    assert.deepEqual(form === '--json' ? JSON.parse(printed) : parse(printed), viewed(place.root, 's'));
  }
  assert.equal(viewed(place.root, 's').talks[0].children[1].text, `{"a":"${sign}"}`);
});

test('a broken chain has a document, and its exit code is 0; an unusable one has none', async () => {
  const place = new Workplace({ root: madeRoot({ files: [{ records: [said('x')] }] }) });
  rmSync(join(place.root, 's'), { recursive: true });
  const document = JSON.parse(assertDone(await place.asz(['conversation', 's', '--json'])));
  assert.deepEqual(document.summary.problems, ['round 1: landed file seq 1 is missing']);
  assertRefused(
    await place.asz(['conversation', 'nobody', '--json']),
    /^asz: view: no rounds for nobody; run asz parse/,
  );
  assertRefused(await place.asz(['conversation', '../s', '--json']), /cannot name a directory/);
  rewrite(place.roundPaths('s')[0]!, 'x');
  assertRefused(await place.asz(['conversation', 's', '--yaml']), /^asz: view: s: round 1 does not read: /);
});

test('--hide withholds, and is refused where it means nothing', async () => {
  const files = [{ records: [said('SECRET', 1, { flags: ['system_prompt'] })] }];
  const place = new Workplace({ root: madeRoot({ files, nodes: [talkNode(), step('a', 1)] }) });
  const shown = assertDone(await place.asz(['conversation', 's', '--json']));
  assert.match(shown, /SECRET/);
  const hidden = assertDone(
    await place.asz(['conversation', 's', '--json', '--hide', 'system_prompt', '--hide', 'tool_schemas']),
  );
  assert.doesNotMatch(hidden, /SECRET/);
  for (const argv of [
    ['conversation', 's', '--json', '--hide', 'x'],
    ['conversation', 's', '--hide', 'system_prompt'],
  ]) {
    const { status, stdout } = await place.asz(argv);
    assert.deepEqual([status, stdout], [2, '']);
  }
  assertRefused(await place.asz(['conversation', 's', '--json', '--yaml']), /one or the other/);
});

test('a reader that stops early ends the document quietly', async () => {
  const place = new Workplace({ root: GOLDEN });
  for (const form of ['--json', '--yaml']) {
    const { stdout, stderr } = await place.shell(`asz conversation every-kind ${form} | head -c 20`);
    assert.deepEqual([stdout.length, stderr], [20, '']);
  }
});

test('conversations lists what there is', async () => {
  const place = new Workplace({ root: GOLDEN });
  const listed = assertDone(await place.asz(['conversations']));
  assert.match(
    listed,
    /^CONVERSATION {2,}TITLE .*STATE\nevery-kind {2,}Every kind .* 2026-01-02 \d\d:\d\d {2,}not checked\n\n1 conversation\(s\)\n$/,
  );
  const [row] = JSON.parse(assertDone(await place.asz(['conversations', '--json'])));
  assert.deepEqual([row.id, row.state, row.talks], ['every-kind', 'not_checked', 7]);
  const nowhere = new Workplace();
  assertRefused(await nowhere.asz(['conversations']), /no such file or directory/);
  for (const form of [[], ['--json'], ['--fold'], ['--html', 'x.html']])
    assertRefused(await nowhere.asz(['conversation', 's1', ...form]), /no such file or directory/);
});

test('a list of many conversations opens one file of each, and no landed file', async () => {
  const place = new Workplace({ root: temporaryFolder() });
  const line = (id: string, round: number) =>
    `${JSON.stringify({ t: 'header', schema: 'sf/1', conversation: id, session: id, round, talks: round })}\n`;
  for (let i = 0; i < 1000; i++)
    for (const round of [1, 2])
      rewrite(
        join(place.root, '_conversations', `c${i}`, 'rounds', `r00000${round}-000000000000.sf`),
        `${line(`c${i}`, round)}${'x'.repeat(round === 2 ? 100_000 : 10)}`,
      );
  const log = join(place.folder, 'opens');
  const logger = pathToFileURL(join(import.meta.dirname, 'log-opens.js')).href;
  const env = { ASZ_TEST_OPENS: log, NODE_OPTIONS: `--import ${logger}` };
  const rows = JSON.parse(assertDone(await place.asz(['conversations', '--json'], { env })));
  assert.deepEqual([rows.length, rows[0].talks], [1000, 2]);
  const opened = readFileSync(log, 'utf8')
    .split('\n')
    .filter((path) => path.includes(place.root));
  assert.equal(opened.length, 1000);
  for (const path of opened) assert.match(path, /r000002-000000000000\.sf/);
});

/** Starts a serving command on a free port, and waits until it says where. Ended with the test. */
async function started(t: TestContext, place: Workplace, argv: readonly string[]) {
  const child = place.start(argv);
  t.after(() => child.kill('SIGKILL'));
  const ran = ended(child);
  let heard = '';
  child.stdout!.on('data', (data) => {
    heard += data;
  });
  while (!heard.includes('http://') && child.exitCode === null) await setTimeout(10);
  return { child, ran, url: /http:\/\/\S+/.exec(heard)![0], heard: () => heard };
}

test('view serves a root and ends when it is told to', async (t) => {
  const place = new Workplace({ root: GOLDEN });
  const { child, ran, url } = await started(t, place, ['view', '127.0.0.1:0']);
  const answer = await fetch(`${url}/api/c/every-kind/view`);
  assert.equal(await answer.text(), documentOf(GOLDEN, 'every-kind'));
  child.kill('SIGTERM');
  const { status, stdout, stderr } = await ran;
  assert.equal(stdout, `reading  : ${GOLDEN}\nserving  : 1 conversation(s)\n\n   ${url}\n\n`);
  assert.deepEqual([status, stderr], [0, 'ctrl-c to stop\n']);
});

test('view warns where other machines can reach it', async (t) => {
  const { child, ran } = await started(t, new Workplace({ root: GOLDEN }), ['view', '0.0.0.0:0']);
  child.kill('SIGTERM');
  assert.match((await ran).stderr, /^other machines can reach this address/);
});

test('view refuses what it cannot serve', async (t) => {
  const empty = new Workplace();
  assertRefused(await empty.asz(['view']), /no such file or directory/);
  rewrite(join(empty.root, 'x'), '');
  assertRefused(
    await empty.asz(['view']),
    /no conversations in .*; run asz collect first, or asz server to do both/,
  );
  const place = new Workplace({ root: GOLDEN });
  for (const address of ['8787', ':8787', '127.0.0.1:', '127.0.0.1:99999', '[zz]:1', 'a:b'])
    assert.equal((await place.asz(['view', address])).status, 2, address);
  const { url } = await started(t, place, ['view', '127.0.0.1:0']);
  assertRefused(await place.asz(['view', url.slice('http://'.length)]), /^asz: listen 127\.0\.0\.1:\d+: /);
});

test('server collects, parses and serves in one process', async (t) => {
  const place = new Workplace({ projects: join(REPOSITORY, 'samples/projects') });
  const { child, ran, url, heard } = await started(t, place, ['server', '127.0.0.1:0', '--once']);
  let rows: { id: string; talks: number }[] = [];
  while (rows.length === 0) {
    await setTimeout(20);
    rows = (await (await fetch(`${url}/api/conversations`)).json()) as typeof rows;
  }
  while (!heard().includes('refreshed')) await setTimeout(20);
  const status = (await (await fetch(`${url}/api/status`)).json()) as Record<string, unknown>;
  assert.deepEqual(
    [status.mode, status.refreshing, status.next_refresh, status.last_error],
    ['once', false, 0, undefined],
  );
  assert.ok((status.landed as number) > 0 && (status.last_refresh as number) > 0);
  child.kill('SIGINT');
  assert.deepEqual([(await ran).status, (await ran).stderr], [0, 'ctrl-c to stop\n']);
});

/** A pass over it takes long enough to be met at work. */
function aLongHistory(): Workplace {
  const place = new Workplace();
  const prompt = (i: number) => aPrompt(`u${i}`, `question ${i} ${'x'.repeat(400)}`);
  rewrite(
    join(place.projects, PROJECT, `${SESSION}.jsonl`),
    Array.from({ length: 20_000 }, (_, i) => prompt(i)).join(''),
  );
  return place;
}

interface PassStatus {
  readonly refreshing: boolean;
  readonly landed: number;
  readonly last_error?: string;
}

async function statusOf(url: string): Promise<PassStatus> {
  return (await (await fetch(`${url}/api/status`)).json()) as PassStatus;
}

test('a server answers while a pass over a single session is at work', async (t) => {
  const { url } = await started(t, aLongHistory(), ['server', '127.0.0.1:0']);
  let status = await statusOf(url);
  let atWork = 0;
  for (; status.refreshing; status = await statusOf(url)) atWork++;
  assert.deepEqual([status.landed > 0, status.last_error], [true, undefined]);
  // A pass in the thread that answers lets a few through, before it begins and between landing and parsing.
  assert.ok(atWork >= 40, `${atWork} answers`);
});

test('a server that is ended during a pass ends cleanly, and the next pass goes on', async (t) => {
  const place = aLongHistory();
  const { child, ran, url } = await started(t, place, ['server', '127.0.0.1:0']);
  for (let i = 0; i < 3; i++) assert.equal((await statusOf(url)).refreshing, true);
  child.kill('SIGTERM');
  assert.equal((await ran).status, 0);
  assertDone(await place.asz(['collect', '--once']));
  assertDone(await place.asz(['verify']));
});

test('server needs something to collect from', async () => {
  const place = new Workplace();
  rewrite(
    join(place.folder, 'asz.yaml'),
    JSON.stringify({ adapters: [{ name: 'claude-code-local', enabled: false }] }),
  );
  assertRefused(
    await place.asz(['server']),
    /^asz: server: no local source to collect from; run asz view to serve /,
  );
});

test('hide and hosts are read from the configuration', async (t) => {
  const files = [{ records: [said('SECRET', 1, { flags: ['system_prompt'] })] }];
  const root = madeRoot({ files, nodes: [talkNode(), step('a', 1)] });
  const place = new Workplace({ root });
  rewrite(
    join(place.folder, 'asz.yaml'),
    JSON.stringify({ storage: { root }, view: { hide: ['system_prompt'], hosts: ['box'] } }),
  );
  const { url } = await started(t, place, ['view', '127.0.0.1:0']);
  assert.doesNotMatch(await (await fetch(`${url}/api/c/s/view`)).text(), /SECRET/);
  const shown = assertDone(await place.asz(['conversation', 's', '--json']));
  assert.match(shown, /SECRET/, 'a command withholds only what it is told to');
});
