import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchesOf } from '../../src/landing/batches.js';

const MIB = 1024 * 1024;

function batches(...sizes: number[]): string[] {
  const waiting = sizes.map((bytes, i) => ({
    session: { id: `s${i}`, primary: '', directories: [], sources: [] },
    bytes,
  }));
  return batchesOf(waiting).map(({ sessions, bytes }) => `${sessions.map(({ id }) => id)} ${bytes / MIB}`);
}

test('the largest session begins, a big one is alone, and equals keep their order', () => {
  assert.deepEqual(batches(MIB, 9 * MIB, 3 * MIB, 5 * MIB, MIB), ['s1 9', 's3,s2 8', 's0,s4 2']);
});

test('a batch takes so many sessions and no more, also when nothing waits in them', () => {
  const [first, second] = batchesOf(
    Array.from({ length: 40 }, (_, i) => ({
      session: { id: `s${i}`, primary: '', directories: [], sources: [] },
      bytes: 0,
    })),
  );
  assert.deepEqual([first?.sessions.length, second?.sessions.length], [32, 8]);
});

test('nothing waits, no batch', () => {
  assert.deepEqual(batches(), []);
});
