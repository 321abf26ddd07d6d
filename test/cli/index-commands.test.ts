import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { IndexLinesReader } from '../../src/format/index-lines.js';
import type { SdRecord } from '../../src/format/session-data.js';
import { parseTime } from '../../src/format/time.js';
import { openIndex } from '../../src/io/index-store.js';
import { LandedWriter } from '../../src/io/landed-writer.js';
import { landedFolder } from '../../src/io/storage-root.js';
import { temporaryFolder } from '../shared.js';

const ASZ = fileURLToPath(new URL('../../src/cli/asz.js', import.meta.url));
const STAMP = '20260301T090000.000000000Z';
const NOW = parseTime('2026-03-01T09:00:00Z');

const working = temporaryFolder();
const root = join(working, 'data');

function asz(...argv: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ASZ, ...argv], {
    cwd: working,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function land(session: string, seq: number, stream: string, records: readonly Partial<SdRecord>[]): void {
  const at = '2026-03-01T09:00:00Z';
  const header = {
    seq,
    at,
    kind: 'transcript',
    adapter: 'x/1',
    dialect: 'x/1',
    src: 'p/s.jsonl',
    session,
    stream,
  };
  const writer = new LandedWriter(header);
  for (const [i, record] of records.entries())
    writer.add({ ord: i + 1, off: i * 100, sha: '0123456789ab', bytes: 99, ...record });
  writer.publish(landedFolder(root, session, 'transcript', stream), STAMP);
}

const PROMPT: Partial<SdRecord> = {
  id: 'u1',
  run: 'p1',
  from: 'external',
  trigger: 'external',
  flags: ['external_input'],
  parts: [{ k: 'text', text: 'list\nthem \u001b[2J', state: 'available', bytes: 16 }],
};

const USE: Partial<SdRecord> = {
  id: 'a1',
  parent: 'u1',
  call: 'm1',
  from: 'agent',
  flags: ['finished'],
  parts: [
    { k: 'text', text: 'I look.', state: 'available', bytes: 7 },
    { k: 'call', id: 'toolu_1', name: 'Bash', data: '{"command":"ls"}', state: 'available', bytes: 20 },
  ],
  dropped: [{ what: 'reasoning signature', bytes: 12, why: 'nobody reads it' }],
};

const RESULT: Partial<SdRecord> = {
  id: 'u2',
  parent: 'a1',
  from: 'external',
  parts: [
    { k: 'result', of: 'toolu_1', data: JSON.stringify('x'.repeat(400)), state: 'available', bytes: 402 },
  ],
};

land('s1', 1, 'main', [PROMPT, USE]);
land('s1', 2, 'main', [USE, RESULT]); // the use has landed twice
land('s2', 1, 'main', [PROMPT]);
land('unindexed', 1, 'main', [PROMPT]);
openIndex(root, 's1', NOW);
openIndex(root, 's2', NOW);

test('index lists what is indexed, and the rest not at all', () => {
  const { status, stdout } = asz('index');
  assert.equal(status, 0);
  assert.equal(
    stdout,
    `SESSION  ENTRIES  BLOCKS  STREAMS  STRINGS  INDEXED_SEQ
s1       4        6       1        8        2
s2       1        1       1        3        1

total: 5 entries, 7 joinable blocks
`,
  );
});

test('index of a session adds its detail', () => {
  const { stdout } = asz('index', 's1');
  assert.equal(
    stdout.slice(stdout.indexOf('total:')),
    `total: 4 entries, 6 joinable blocks

s1

record kinds:
  assistant           2
  user                2

joinable blocks:
  tool_use            2
  tool_result         1

provider calls: 1 distinct message ids over 2 fragment records (mean 2.00)
identity coverage: uuid=4  run=1  of 4 entries

top tools:
  Bash                 2

sample entries (one index, all streams, all rounds):
SEQ  ROW  KIND       STREAM  RECORD  CALL
1    1    user       main    u1      -
1    2    assistant  main    a1      m1
`,
  );
});

test('index of a session nobody knows reports nothing, and is no error', () => {
  const { status, stdout, stderr } = asz('index', 'none');
  assert.equal(status, 0);
  assert.equal(stderr, 'no session none in ./data\n');
  assert.match(stdout, /\n\ntotal: 0 entries, 0 joinable blocks\n$/);
});

test('index as JSON says the same', () => {
  const { sessions } = JSON.parse(asz('index', '--json').stdout);
  assert.deepEqual(sessions[1], {
    session: 's2',
    entries: 1,
    blocks: 1,
    streams: 1,
    strings: 3,
    indexed_seq: 1,
  });
  const [{ detail }] = JSON.parse(asz('index', '--json', 's1').stdout).sessions;
  assert.deepEqual(detail.provider_calls, { calls: 1, fragments: 2 });
  assert.deepEqual(detail.top_tools, [{ name: 'Bash', count: 2 }]);
});

test('show by tool-use id gives each block once, from the use to its result', () => {
  const { status, stdout } = asz('show', 's1', 'toolu_1');
  assert.equal(status, 0);
  assert.equal(
    stdout,
    `tool-use id toolu_1 resolves to 2 block(s)

── tool_use  block 1 of record  stream=main
   index : seq=1 row=2
   file  : s1/streams/main/transcript-${STAMP}-000001.sd
   source: ord=2 off=100 sha=0123456789ab bytes=99   (where it came from)
   from  : agent   flags: finished
   part 0  text        available, 7 bytes
      I look.
   part 1  call     Bash   available, 20 bytes
      {"command":"ls"}
   dropped reasoning signature, 12 bytes  (nobody reads it)

── tool_result  block 0 of record  stream=main
   index : seq=2 row=2
   file  : s1/streams/main/transcript-${STAMP}-000002.sd
   source: ord=2 off=100 sha=0123456789ab bytes=99   (where it came from)
   from  : external
   part 0  result   of toolu_1   available, 402 bytes
      "${'x'.repeat(298)}…

`,
  );
});

test('show by record id prints the first copy, and nothing that steers a terminal', () => {
  const { stdout } = asz('show', 's1', 'u1');
  assert.match(stdout, /^ {3}index : seq=1 row=1\n/);
  assert.match(stdout, /from {2}: external {3}trigger: external {3}flags: external_input\n/);
  assert.match(stdout, /\n {6}list them ␛\[2J\n\n$/);
  assert.match(asz('show', 's1', 'a1').stdout, /seq=1 row=2/);
  const { found } = JSON.parse(asz('show', 's1', 'u1', '--json').stdout);
  assert.equal(found[0].record.parts[0].text, 'list\nthem \x1b[2J');
});

test('show says what it did not find', () => {
  assert.deepEqual(asz('show', 's1', 'x'), {
    status: 1,
    stdout: '',
    stderr: 'asz: id "x" not found in the index for s1\n',
  });
  assert.deepEqual(asz('show', 'unindexed', 'u1'), {
    status: 1,
    stdout: '',
    stderr: 'asz: no index for session unindexed\n',
  });
  assert.match(asz('show', '../x', 'u1').stderr, /^asz: storage: id "\.\.\/x" cannot name a directory/);
});

test('show names a landed file that is gone', () => {
  land('gone', 1, 'main', [PROMPT]);
  openIndex(root, 'gone', NOW);
  rmSync(join(root, 'gone/streams'), { recursive: true });
  const { status, stderr } = asz('show', 'gone', 'u1');
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^data\/gone\/streams\/main\/transcript-.*-000001\.sd: .*no such file or directory; run asz verify\n$/,
  );
  rmSync(join(root, 'gone'), { recursive: true });
});

test('parse and verify of a session nobody knows say so, and it is no error', () => {
  for (const command of ['parse', 'verify']) {
    const { status, stderr } = asz(command, 'none');
    assert.deepEqual({ status, stderr }, { status: 0, stderr: 'no session none in ./data\n' });
  }
});

const EXACT = '{"b":1.0,"1":12345678901234567890,"e":1e400,"b":"\u009b"}';

test('show gives data as it landed, and as JSON the whole record', () => {
  land('exact', 1, 'main', [
    { ...PROMPT, parts: [{ k: 'text', data: EXACT, state: 'available', bytes: 9 }] },
  ]);
  openIndex(root, 'exact', NOW);
  assert.match(
    asz('show', 'exact', 'u1').stdout,
    /\n {6}\{"b":1\.0,"1":12345678901234567890,"e":1e400,"b":"�"\}\n/,
  );
  const { status, stdout, stderr } = asz('show', 'exact', 'u1', '--json');
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  const landed = readFileSync(landedFile('exact'), 'utf8').split('\n')[1]!;
  assert.ok(stdout.includes(`      "record": ${landed.replace('\u009b', '\\u009b')}\n`));
  assert.deepEqual(JSON.parse(stdout).found[0].record, JSON.parse(landed));
  rmSync(join(root, 'exact'), { recursive: true });
});

function landedFile(session: string): string {
  return join(landedFolder(root, session, 'transcript', 'main'), `transcript-${STAMP}-000001.sd`);
}

test('show prints altered evidence and says that it is altered', () => {
  land('altered', 1, 'main', [PROMPT]);
  openIndex(root, 'altered', NOW);
  const path = landedFile('altered');
  chmodSync(path, 0o644);
  writeFileSync(path, readFileSync(path, 'utf8').replace('list', 'lost'));
  const changed = asz('show', 'altered', 'u1');
  assert.equal(changed.status, 1);
  assert.match(changed.stdout, /lost them/);
  assert.match(
    changed.stderr,
    /^data\/altered\/\S+-000001\.sd: [^\n]+ digest mismatch, [^\n]+; run asz verify\n$/,
  );
  rmSync(path);
  land('altered', 1, 'main', [{ ...PROMPT, time: '2026-03-01T09:00:00Z' }]);
  const replaced = asz('show', 'altered', 'u1', '--json');
  assert.equal(replaced.status, 1);
  assert.equal(JSON.parse(replaced.stdout).found.length, 1);
  assert.match(
    replaced.stderr,
    /^\S+-000001\.sd: its bytes are not those that were indexed; run asz verify\n$/,
  );
  rmSync(join(root, 'altered'), { recursive: true });
});

function read(lines: string) {
  const reader = new IndexLinesReader();
  for (const line of lines.trimEnd().split('\n')) reader.push(line);
  return reader.finish();
}

test('index cat writes the lines that assemble reads', () => {
  const { status, stdout } = asz('index', 'cat', 's1');
  assert.equal(status, 0);
  const index = read(stdout);
  assert.deepEqual([index.session, index.entries, index.blocks, index.files.length], ['s1', 4, 6, 2]);
});

test('index cat ends after a sequence', () => {
  const index = read(asz('index', 'cat', 's1', '--through', '1').stdout);
  assert.deepEqual([index.entries, index.files.length], [2, 1]);
  assert.deepEqual(asz('index', 'cat', 's1', '--through', '3'), {
    status: 1,
    stdout: '',
    stderr: 'asz: the index of s1 reaches sequence 2, not 3\n',
  });
});

test('index cat builds a missing index in memory, and says when there is nothing to build from', () => {
  assert.equal(read(asz('index', 'cat', 'unindexed').stdout).entries, 1);
  assert.doesNotMatch(asz('index').stdout, /unindexed/, 'nothing was saved');
  assert.equal(asz('index', 'cat', 'none').stderr, 'asz: no landed records for session none\n');
});

test('index cat to a reader that stops early is quiet and quick', async () => {
  const many = Array.from({ length: 5000 }, (_, i) => ({ ...PROMPT, id: `${i}`.repeat(20) }));
  land('large', 1, 'main', many);
  openIndex(root, 'large', NOW);
  const child = spawn(process.execPath, [ASZ, 'index', 'cat', 'large'], { cwd: working });
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.deepEqual([code, stderr], [0, '']);
  rmSync(join(root, 'large'), { recursive: true });
});

test('a damaged landed file under a missing index is named with its row', () => {
  land('torn', 1, 'main', [PROMPT]);
  const path = join(landedFolder(root, 'torn', 'transcript', 'main'), `transcript-${STAMP}-000001.sd`);
  rmSync(path);
  writeFileSync(
    path,
    '{"h":1,"schema":"sd/1","kind":"transcript","dialect":"d","src":"s","session":"torn"}\nx\n',
  );
  assert.match(
    asz('index', 'cat', 'torn').stderr,
    /^asz: index: .*-000001\.sd row 1: sessiondata: decode record: /,
  );
  rmSync(join(root, 'torn'), { recursive: true });
});
