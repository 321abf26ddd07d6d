import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type AppendCursor,
  loadAppendCursor,
  loadCursor,
  loadSnapshotCursor,
  type SnapshotCursor,
  saveCursor,
} from '../../src/io/cursor.js';
import { temporaryFolder } from '../shared.js';

const APPEND: AppendCursor = {
  kind: 'append',
  source: 'p/s1.jsonl',
  dev: 66306n,
  ino: 18446744073709551615n,
  offset: 4096,
  ord: 12,
  lastUuid: 'u12',
  tailSha256: 'c'.repeat(64),
  size: 4100,
  mtime: 1788267363,
  lastSeq: 3,
  updatedAt: '2026-03-01T09:00:01Z',
  state: 'source_gone',
};

const SNAPSHOT: SnapshotCursor = {
  kind: 'snapshot',
  source: 'p/s1/agent-a1.meta.json',
  contentSha256: 'd'.repeat(64),
  size: 61,
  mtime: -5,
  lastSeq: 4,
  updatedAt: '2026-03-01T09:00:01Z',
  state: 'active',
};

test('an append cursor is written in its order and read back', () => {
  const path = join(temporaryFolder(), 'transcript.cursor');
  saveCursor(path, APPEND);
  assert.equal(
    readFileSync(path, 'utf8'),
    `schema        1
kind          append
source        p/s1.jsonl
dev           66306
ino           18446744073709551615
offset        4096
ord           12
last_uuid     u12
tail_sha256   ${'c'.repeat(64)}
size          4100
mtime         1788267363
last_seq      3
updated_at    2026-03-01T09:00:01Z
state         source_gone
check         4103da86d31ee7d4
`,
  );
  assert.deepEqual(loadAppendCursor(path, APPEND.source), APPEND);
  assert.deepEqual(loadCursor(path), APPEND);
});

test('a snapshot cursor is written in its order and read back', () => {
  const path = join(temporaryFolder(), 'meta.cursor');
  saveCursor(path, SNAPSHOT);
  assert.equal(
    readFileSync(path, 'utf8'),
    `schema        1
kind          snapshot
source        p/s1/agent-a1.meta.json
content_sha256 ${'d'.repeat(64)}
size          61
mtime         -5
last_seq      4
updated_at    2026-03-01T09:00:01Z
state         active
check         d11e36f98171a3bf
`,
  );
  assert.deepEqual(loadSnapshotCursor(path, SNAPSHOT.source), SNAPSHOT);
  assert.deepEqual(loadCursor(path), SNAPSHOT);
});

test('without a file the cursor is fresh: active, at byte 0 of line 0', () => {
  const path = join(temporaryFolder(), 'transcript.cursor');
  const { offset, ord, ino, state, tailSha256 } = loadAppendCursor(path, 'p/s1.jsonl');
  assert.deepEqual(
    { offset, ord, ino, state, tailSha256 },
    { offset: 0, ord: 0, ino: 0n, state: 'active', tailSha256: '' },
  );
  assert.equal(loadSnapshotCursor(path, 'x').contentSha256, '');
  assert.equal(loadCursor(path), undefined);
});

test('a source that moved is known by its present path', () => {
  const path = join(temporaryFolder(), 'transcript.cursor');
  saveCursor(path, APPEND);
  assert.equal(loadAppendCursor(path, 'elsewhere/s1.jsonl').source, 'elsewhere/s1.jsonl');
});

test('empty ids and digests are left out, an unknown state reads as active', () => {
  const path = join(temporaryFolder(), 'transcript.cursor');
  saveCursor(path, { ...APPEND, lastUuid: '', tailSha256: '' });
  assert.doesNotMatch(readFileSync(path, 'utf8'), /last_uuid|tail_sha256/);
  const paused = 'schema 1\nkind append\nsource x\nlast_seq 1\nstate paused\n';
  writeFileSync(path, paused);
  assert.equal(loadAppendCursor(path, 'x').state, 'active');
});

test('a cursor that lacks what every writer writes, or is no file, is damaged, and nothing of it counts', () => {
  const path = join(temporaryFolder(), 'transcript.cursor');
  writeFileSync(path, 'schema 1\nkind append\nsource x\noffset 9\nord 3\nlast_seq 1\n');
  const { state, offset, ord, source } = loadAppendCursor(path, 'p/s1.jsonl');
  assert.deepEqual([state, offset, ord, source], ['damaged', 0, 0, 'p/s1.jsonl']);
  assert.equal(loadCursor(path)?.state, 'damaged');
  rmSync(path);
  mkdirSync(path);
  assert.equal(loadSnapshotCursor(path, 'x').state, 'damaged');
});
