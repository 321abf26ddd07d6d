import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { CLAUDE_CODE } from '../../src/adapters/claude-code/claude-code.js';
import { SESSION_BUSY, takeLock } from '../../src/io/lock.js';
import { CollectorMemory } from '../../src/landing/collect-root.js';
import { isComplete } from '../../src/landing/pass-tally.js';
import { aPrompt, Collection, MAIN, PROJECT, SESSION, stateAt } from './collecting.js';

const OTHER = '22222222-2222-4333-8444-555555555555';

test('a source root that is missing is an error of the pass', async () => {
  const c = new Collection();
  const tally = await c.pass();
  assert.deepEqual(
    tally.errors.map(({ message }) => message),
    [`source ${c.sources}: open ${c.sources}: no such file or directory`],
  );
  assert.equal(isComplete(tally), false);
});

test('the filter decides by the main transcript; what it excludes is neither read nor counted', async () => {
  const c = new Collection();
  c.write(MAIN, aPrompt('u1'));
  c.write(`-private-tmp-x/${OTHER}.jsonl`, aPrompt('u2'));
  const filter = { include: [], exclude: ['/private/tmp/**'] };
  const tally = await c.pass({ filter });
  assert.deepEqual([tally.sessions, tally.sources, tally.changed], [1, 1, [SESSION]]);
  assert.equal((await c.pass({ filter: { include: ['-private-*'], exclude: [] } })).changed[0], OTHER);
});

test('a session that is gone altogether: its cursors are told once, and again only after it was found', async () => {
  const c = new Collection();
  const path = c.write(MAIN, aPrompt('u1'));
  c.write(`${PROJECT}/${OTHER}.jsonl`, aPrompt('u2'));
  await c.pass();
  renameSync(path, `${path}.away`);
  assert.deepEqual([(await c.pass()).gone, c.cursor().state], [1, 'source_gone']);
  // Made active by hand: this process does not look again, another one does.
  const cursor = join(c.root, SESSION, 'streams/main/transcript.cursor');
  const active = readFileSync(cursor, 'utf8').replace('source_gone', 'active');
  writeFileSync(cursor, active);
  assert.equal((await c.pass()).gone, 0);
  assert.equal((await c.pass({ memory: new CollectorMemory() })).gone, 1);
  renameSync(`${path}.away`, path);
  await c.pass();
  assert.equal(c.cursor().state, 'active');
  rmSync(path);
  assert.equal((await c.pass()).gone, 1, 'found in between');
});

test('a lost session that is busy, or excluded, is left alone', async () => {
  const c = new Collection();
  const path = c.write(MAIN, aPrompt('u1'));
  await c.pass();
  rmSync(path);
  const excluding = { include: [], exclude: [PROJECT] };
  assert.equal((await c.pass({ filter: excluding, memory: new CollectorMemory() })).gone, 0);
  const lock = takeLock(join(c.root, SESSION, '.lock'), SESSION_BUSY);
  const busy = await c.pass();
  assert.deepEqual([busy.gone, busy.errors], [0, []]);
  lock.release();
  assert.equal((await c.pass()).gone, 1);
});

test('no session is taken for lost while a directory could not be read', async () => {
  const c = new Collection();
  const path = c.write(MAIN, aPrompt('u1'));
  await c.pass();
  rmSync(path);
  const adapter = {
    ...CLAUDE_CODE,
    discover: (root: string) => ({
      ...CLAUDE_CODE.discover(root),
      faults: [new Error('claudecode: read x: why')],
    }),
  };
  const tally = await c.pass({ adapter });
  assert.deepEqual([tally.gone, tally.errors.length, c.cursor().state], [0, 1, 'active']);
});

test('cursors of others are left alone: other sources, other places, other states', async () => {
  const c = new Collection();
  c.write(`${PROJECT}/${OTHER}.jsonl`, aPrompt('u2'));
  const cursors: [path: string, source: string, state: string][] = [
    ['streams/main/transcript.cursor', `${PROJECT}/${SESSION}/streams/main`, 'active'],
    ['streams/a0123456789abcdef/transcript.cursor', `${PROJECT}/${SESSION}.jsonl`, 'active'],
    ['streams/main/changes.cursor', 'x', 'active'],
    ['runs/wf_1/journal.cursor', `${PROJECT}/${OTHER}/subagents/workflows/wf_1/journal.jsonl`, 'active'],
    ['runs/wf_1/manifest.cursor', `${PROJECT}/${SESSION}/workflows/wf_1.json`, 'conflict'],
  ];
  for (const [path, source, state] of cursors) {
    const target = join(c.root, SESSION, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, `schema 1\nkind append\nsource ${source}\nstate ${state}\n`);
  }
  assert.equal((await c.pass()).gone, 0);
  for (const [path, , state] of cursors) assert.equal(stateAt(join(c.root, SESSION, path)).state, state);
});

test('files that look like transcripts are named once per process, and are no error', async () => {
  const c = new Collection();
  c.write(MAIN, aPrompt('u1'));
  c.write(`${PROJECT}/${SESSION}/subagents/agent-a2223d9.jsonl`, aPrompt('c1'));
  const first = await c.pass();
  assert.deepEqual(first.warnings, [
    `claudecode: 1 file(s) look like transcripts but are not collected, for their names or because a link leads to them: ${PROJECT}/${SESSION}/subagents/agent-a2223d9.jsonl`,
  ]);
  assert.equal(isComplete(first), true);
  assert.deepEqual((await c.pass()).warnings, []);
  c.write(`${PROJECT}/agent-new.jsonl`, '');
  assert.match((await c.pass()).warnings[0] ?? '', /1 file\(s\).*agent-new\.jsonl$/);
  assert.equal((await c.pass({ memory: new CollectorMemory() })).warnings.length, 1);
});

test('an aborted pass ends between two sessions', async () => {
  const c = new Collection();
  c.write(MAIN, aPrompt('u1'));
  assert.equal((await c.pass({ signal: AbortSignal.abort() })).sessions, 0);
});
