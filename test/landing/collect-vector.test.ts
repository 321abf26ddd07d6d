/** One small session whose landed bytes are known: every rule that shows in five lines. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { parseTime } from '../../src/format/time.js';
import { Collection } from './collecting.js';

const ID = '0a0a0a0a-0000-4000-8000-000000000001';
const LINES = [
  `{"type":"user","uuid":"u1","parentUuid":null,"promptId":"p1","timestamp":"2026-01-02T03:04:05.678Z","origin":{"kind":"human"},"sessionId":"${ID}","message":{"role":"user","content":"count <lines> & say é"}}`,
  '{"type":"assistant","uuid":"a1","parentUuid":"u1","timestamp":"2026-01-02T03:04:07.000Z","requestId":"req_1","message":{"id":"msg_1","role":"assistant","model":"model-x","stop_reason":"tool_use","content":[{"type":"thinking","thinking":"","signature":"c2lnbmVk"},{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command": "wc -l a.txt","n":1.0}}],"usage":{"input_tokens":2,"output_tokens":31,"cache_read_input_tokens":900,"cache_creation_input_tokens":0}}}',
  '{"type":"user","uuid":"r1","parentUuid":"a1","promptId":"p1","timestamp":"2026-01-02T03:04:08.250Z","toolUseResult":{"stdout":"3 a.txt","stderr":""},"message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":"3 a.txt","is_error":false}]}}',
  `{"type":"ai-title","aiTitle":"Count lines","sessionId":"${ID}"}`,
  '{broken',
];

test('a prompt, a call, its result, a title and a broken line land byte for byte', async () => {
  const collection = new Collection();
  collection.now = parseTime('2026-01-02T03:05:00.5Z');
  const source = collection.write(`-home-me-app/${ID}.jsonl`, LINES.map((line) => `${line}\n`).join(''));
  const tally = await collection.pass();
  assert.deepEqual([tally.records, tally.bytes, tally.landed, tally.errors], [5, 1080, 1, []]);

  const [file, ...more] = collection.landed(ID);
  assert.equal(more.length, 0);
  assert.equal(file?.name, 'transcript-20260102T030500.500000000Z-000001.sd');
  assert.equal(statSync(file.path).mode & 0o777, 0o444);
  assert.equal(
    createHash('sha256').update(file.bytes).digest('hex'),
    '3350a35b72210a896b02490a83a2d9d088be99c863f808109ca632daca9864e1',
    file.bytes.toString(),
  );

  const { ino, dev, mtimeMs } = statSync(source);
  assert.deepEqual(collection.cursor('streams/main/transcript.cursor', ID), {
    schema: '1',
    kind: 'append',
    source: `-home-me-app/${ID}.jsonl`,
    dev: `${dev}`,
    ino: `${ino}`,
    offset: '1080',
    ord: '5',
    last_uuid: 'r1',
    tail_sha256: '30c02f6f702850e6de700b406e41686ba70eb6638138d67d47c396d7194971cf',
    size: '1080',
    mtime: `${Math.floor(mtimeMs / 1000)}`,
    last_seq: '1',
    updated_at: '2026-01-02T03:05:00.5Z',
    state: 'active',
  });
  assert.deepEqual(collection.state(ID), {
    schema: '1',
    session: ID,
    next_seq: '2',
    liveness: 'unknown',
    last_scan: '2026-01-02T03:05:00.5Z',
    updated_at: '2026-01-02T03:05:00.5Z',
  });
  const [added] = collection.sink.files;
  assert.deepEqual([added?.seq, added?.stream, added?.batch, added?.records.length], [1, 'main', '', 5]);
  assert.equal(collection.sink.saved.get(ID)?.indexedSeq, 1);
});
