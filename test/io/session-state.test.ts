import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSessionState, saveSessionState } from '../../src/io/session-state.js';
import { temporaryFolder } from '../shared.js';

test('a session nobody collected yet starts at sequence 1', () => {
  const path = join(temporaryFolder(), 'session.state');
  const fresh = { session: 's1', nextSeq: 1, lastScan: '', updatedAt: '' };
  assert.deepEqual(loadSessionState(path, 's1'), fresh);
  writeFileSync(path, 'next_seq 0\n');
  assert.deepEqual(loadSessionState(path, 's1'), fresh);
});

test('the state is written in its order and read back', () => {
  const path = join(temporaryFolder(), 's1/session.state');
  const state = {
    session: 's1',
    nextSeq: 7,
    lastScan: '2026-03-01T09:00:00Z',
    updatedAt: '2026-03-01T09:00:01.25Z',
  };
  saveSessionState(path, state);
  assert.equal(
    readFileSync(path, 'utf8'),
    `schema     1
session    s1
next_seq   7
liveness   unknown
last_scan  2026-03-01T09:00:00Z
updated_at 2026-03-01T09:00:01.25Z
check      09c3affb5e7a59bc
`,
  );
  assert.deepEqual(loadSessionState(path, 's1'), state);
});
