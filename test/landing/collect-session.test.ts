import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLAUDE_CODE } from '../../src/adapters/claude-code/claude-code.js';
import { SESSION_BUSY, takeLock } from '../../src/io/lock.js';
import { isComplete } from '../../src/landing/pass-tally.js';
import { aPrompt, Collection, filesBelow, MAIN, PROJECT, SESSION } from './collecting.js';

const AGENT = 'a0123456789abcdef';
const IN_SESSION = `${PROJECT}/${SESSION}`;
const OTHER = '22222222-2222-4333-8444-555555555555';

test('each kind of source lands in its place, in one order, under one stamp', async () => {
  const c = new Collection();
  c.write(MAIN, aPrompt('u1'));
  c.write(`${IN_SESSION}/subagents/agent-${AGENT}.jsonl`, aPrompt('c1'));
  c.write(`${IN_SESSION}/subagents/agent-${AGENT}.meta.json`, '{\n  "toolUseId": "t1"\n}\n\r\n');
  c.write(`${IN_SESSION}/subagents/workflows/wf_1/journal.jsonl`, '{"type":"started"}\n');
  c.write(`${IN_SESSION}/subagents/workflows/wf_1/agent-a1111111111111111.jsonl`, aPrompt('d1'));
  c.write(`${IN_SESSION}/workflows/wf_1.json`, '{"workflowName":"w"}');
  c.write(`${IN_SESSION}/workflows/scripts/x-wf_1.js`, 'run();\n');
  const tally = await c.pass();
  assert.deepEqual([tally.errors, tally.landed, tally.records, tally.indexed], [[], 7, 7, 7]);
  const stamp = '20260101T000000.000000000Z';
  assert.deepEqual(
    c.landed().map(({ path, header }) => [path.slice(join(c.root, SESSION).length + 1), header.kind]),
    [
      [`streams/main/transcript-${stamp}-000001.sd`, 'transcript'],
      [`streams/${AGENT}/transcript-${stamp}-000002.sd`, 'transcript'],
      [`streams/${AGENT}/meta-${stamp}-000003.sd`, 'agent_meta'],
      [`streams/a1111111111111111/transcript-${stamp}-000004.sd`, 'transcript'],
      [`runs/wf_1/journal-${stamp}-000005.sd`, 'journal'],
      [`runs/wf_1/script-${stamp}-000006.sd`, 'workflow_script'],
      [`runs/wf_1/manifest-${stamp}-000007.sd`, 'workflow_manifest'],
    ],
  );
  const headers = c.landed().map(({ headerText }) => JSON.parse(headerText));
  assert.deepEqual(
    headers.map(({ stream, batch }) => stream ?? batch),
    ['main', AGENT, AGENT, 'a1111111111111111', 'wf_1', 'wf_1', 'wf_1'],
  );
  assert.deepEqual(Object.keys(headers[4]).join(), 'h,schema,seq,at,kind,adapter,dialect,src,session,batch');
  const sidecar = c.landed()[2]?.records[0]?.value;
  assert.deepEqual([sidecar.bytes, sidecar.tool, sidecar.child], [23, 't1', AGENT]);
  assert.deepEqual(
    Object.keys(c.cursor('runs/wf_1/manifest.cursor')).join(),
    'schema,kind,source,content_sha256,size,mtime,last_seq,updated_at,state',
  );
});

test('a snapshot lands again when it changed, not when only its last newline did', async () => {
  const c = new Collection();
  const path = c.write(`${IN_SESSION}/workflows/wf_1.json`, '{"n":1}');
  c.write(`${IN_SESSION}/workflows/wf_2.json`, '\n');
  await c.pass();
  appendFileSync(path, '\n');
  assert.equal((await c.pass()).records, 0);
  writeFileSync(path, '{"n":2}\n');
  assert.equal((await c.pass()).records, 1);
  assert.deepEqual(
    c.landed().map(({ records }) => records[0]?.value.ord),
    [1, 1],
  );
});

test('a manifest caught half written is an error of its own, spends no number, and lands when whole', async () => {
  const c = new Collection();
  const path = c.write(`${IN_SESSION}/workflows/wf_1.json`, '{"n":');
  c.write(`${IN_SESSION}/workflows/wf_2.json`, '{}');
  const tally = await c.pass();
  assert.equal(tally.errors.length, 1);
  assert.match(tally.errors[0]?.message ?? '', /^session \S+: \S+wf_1\.json: the manifest is not valid JSON/);
  assert.deepEqual(
    c.landed().map(({ seq, batch }) => [seq, batch]),
    [[1, 'wf_2']],
  );
  writeFileSync(path, '{"n":1}');
  assert.equal(isComplete(await c.pass()), true);
  assert.deepEqual(
    c.landed().map(({ seq, batch }) => [seq, batch]),
    [
      [1, 'wf_2'],
      [2, 'wf_1'],
    ],
  );
});

test('one agent id under two directories: the second is refused, the first unharmed', async () => {
  const c = new Collection();
  c.write(`a/${SESSION}/subagents/agent-${AGENT}.jsonl`, aPrompt('u1'));
  c.write(`b/${SESSION}/subagents/agent-${AGENT}.jsonl`, aPrompt('u2'));
  const tally = await c.pass();
  assert.deepEqual([tally.conflicts, tally.records, isComplete(tally)], [1, 1, false]);
  assert.match(
    tally.errors[0]?.message ?? '',
    /^claudecode: a\/\S+ and b\/\S+ both map to \S+; refusing to interleave them$/,
  );
  assert.equal(c.records(AGENT)[0]?.value.id, 'u1');
  assert.equal(c.cursor(`streams/${AGENT}/transcript.cursor`).state, 'active');
});

test('a session another process holds counts as busy, and is no error', async () => {
  const c = new Collection();
  c.write(MAIN, aPrompt('u1'));
  const lock = takeLock(join(c.root, SESSION, '.lock'), SESSION_BUSY);
  const busy = await c.pass();
  assert.deepEqual([busy.busy, busy.records, isComplete(busy)], [[SESSION], 0, true]);
  lock.release();
  assert.equal((await c.pass()).records, 1);
});

test('killed after the file and before the cursor: the lines land again under a new number', async () => {
  const c = new Collection();
  c.write(MAIN, aPrompt('u1'));
  await c.pass();
  rmSync(join(c.root, SESSION, 'streams/main/transcript.cursor'));
  await c.pass();
  assert.deepEqual(
    c.landed().map(({ seq, records }) => [seq, records[0]?.value.ord]),
    [
      [1, 1],
      [2, 1],
    ],
  );
});

test('killed between cursor and index: the next pass repairs and saves it, though nothing lands', async () => {
  const c = new Collection();
  c.write(MAIN, aPrompt('u1'));
  await c.pass();
  c.sink.saved.clear();
  const tally = await c.pass();
  assert.deepEqual([tally.records, tally.reindexed, tally.changed], [0, 1, [SESSION]]);
  assert.equal(c.sink.saved.get(SESSION)?.indexedSeq, 1);
  assert.deepEqual((await c.pass()).changed, []);
});

test('a session state that was rolled back or lost gives no number twice', async () => {
  const c = new Collection();
  const path = c.write(MAIN, aPrompt('u1'));
  const state = join(c.root, SESSION, 'session.state');
  for (const lose of [() => writeFileSync(state, 'schema 1\nnext_seq 1\n'), () => rmSync(state)]) {
    await c.pass();
    lose();
    appendFileSync(path, aPrompt('u2'));
  }
  await c.pass();
  assert.deepEqual(
    c.landed().map(({ seq }) => seq),
    [1, 2, 3],
  );
  assert.equal(c.state().next_seq, '4');
});

test('left-over temporary files are swept under the lock', async () => {
  const c = new Collection();
  c.write(MAIN, aPrompt('u1'));
  await c.pass();
  const left = join(c.root, SESSION, 'streams/main/.tmp-0123');
  writeFileSync(left, 'half');
  await c.pass();
  assert.ok(!filesBelow(c.root).some((path) => path.includes('.tmp-')));
});

test('a file that cannot be written leaves no hole: the number goes to the next one', {
  skip: process.platform === 'win32',
}, async () => {
  const c = new Collection();
  c.write(MAIN, aPrompt('u1'));
  c.write(`${IN_SESSION}/subagents/agent-${AGENT}.jsonl`, aPrompt('c1'));
  mkdirSync(join(c.root, SESSION, 'streams'), { recursive: true });
  // A file where the stream's directory belongs refuses every write, also to root.
  writeFileSync(join(c.root, SESSION, 'streams/main'), '');
  const tally = await c.pass();
  assert.deepEqual([tally.errors.length, tally.records], [1, 1]);
  assert.deepEqual(
    c.landed().map(({ seq, stream }) => [seq, stream]),
    [[1, AGENT]],
  );
  assert.deepEqual(
    c.sink.files.map(({ seq }) => seq),
    [1],
  );
});

test('an index that cannot be opened does not keep evidence from landing', async () => {
  const c = new Collection();
  c.write(MAIN, aPrompt('u1'));
  const index = {
    open(): never {
      throw new Error('index: broken');
    },
  };
  const tally = await c.pass({ index });
  assert.deepEqual([tally.records, tally.indexed, c.landed().length], [1, 0, 1]);
  assert.deepEqual(
    tally.errors.map(({ message }) => message),
    [`session ${SESSION}: index: broken`],
  );
});

test('an index that says it is current is opened only when something lands', async () => {
  const c = new Collection();
  const path = c.write(MAIN, aPrompt('u1'));
  const index = {
    isCurrent: (session: string, through: number) => (c.sink.saved.get(session)?.indexedSeq ?? 0) >= through,
    open: (session: string, through: number) => c.sink.open(session, through),
  };
  await c.pass({ index });
  await c.pass({ index });
  assert.deepEqual(c.sink.opened, [[SESSION, 0]]);
  appendFileSync(path, aPrompt('u2'));
  await c.pass({ index });
  assert.deepEqual(c.sink.opened.length, 2);
  assert.equal(c.sink.saved.get(SESSION)?.indexedSeq, 2);
});

test('a stream whose id may not become a path is refused, the others land', async () => {
  const c = new Collection();
  c.write(MAIN, aPrompt('u1'));
  const adapter = {
    ...CLAUDE_CODE,
    discover(root: string) {
      const found = CLAUDE_CODE.discover(root);
      const hostile = ['../../evil', 'nul', 'a\u0000b', 'x'.repeat(201), 'dot.', '_x'].map((stream) => ({
        ...found.sessions[0]!.sources[0]!,
        stream,
      }));
      return {
        ...found,
        sessions: found.sessions.map((s) => ({ ...s, sources: [...hostile, ...s.sources] })),
      };
    },
  };
  const tally = await c.pass({ adapter });
  assert.deepEqual([tally.errors.length, tally.records], [6, 1]);
  for (const { message } of tally.errors) assert.match(message, /cannot name a directory/);
});

test("a pipe in a source's place is never opened for waiting", {
  skip: process.platform === 'win32',
}, async () => {
  const c = new Collection();
  c.write(MAIN, aPrompt('u1'));
  const adapter = {
    ...CLAUDE_CODE,
    discover(root: string) {
      const found = CLAUDE_CODE.discover(root);
      rmSync(join(root, MAIN));
      execFileSync('mkfifo', [join(root, MAIN)]);
      return found;
    },
  };
  const tally = await c.pass({ adapter });
  assert.match(tally.errors[0]?.message ?? '', /it is not a regular file$/);
});

test('a source behind a link is not read', { skip: process.platform === 'win32' }, async () => {
  const c = new Collection();
  c.write('elsewhere.txt', aPrompt('u1'));
  c.write(`${PROJECT}/x`, '');
  symlinkSync(join(c.sources, 'elsewhere.txt'), join(c.sources, MAIN));
  const { records, errors } = await c.pass();
  assert.equal(records, 0);
  assert.match(errors[0]?.message ?? '', /: it is a symbolic link, and none is followed$/);
});

test('a source nobody may read is an error of its own', { skip: process.getuid?.() === 0 }, async () => {
  const c = new Collection();
  chmodSync(c.write(MAIN, aPrompt('u1')), 0);
  const tally = await c.pass();
  assert.match(tally.errors[0]?.message ?? '', /permission denied/);
});

test('a session of empty files is not made; with a torn line it is', async () => {
  const c = new Collection();
  const path = c.write(MAIN, '');
  await c.pass();
  assert.deepEqual(c.sink.opened, []);
  appendFileSync(path, '{');
  await c.pass();
  assert.equal(c.state().next_seq, '1');
});

test('two sessions of one root stand alone, by id', async () => {
  const c = new Collection();
  c.write(`${PROJECT}/${OTHER}.jsonl`, aPrompt('u1'));
  c.write(MAIN, aPrompt('u1'));
  const tally = await c.pass();
  assert.deepEqual(tally.changed, [SESSION, OTHER]);
  assert.deepEqual(
    [c.landed(OTHER)[0]?.seq, readFileSync(join(c.root, OTHER, 'session.state'), 'utf8').split('\n')[1]],
    [1, `session    ${OTHER}`],
  );
});
