import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { test } from 'node:test';
import { decodeIndex, encodeIndex } from '../../src/format/index-file.js';
import { indexEntryLine, indexHeaderLine } from '../../src/format/index-lines.js';
import type { SessionIndex } from '../../src/format/session-index.js';
import { randomFrom, SEED } from '../random.js';
import {
  agent,
  anIndex,
  call,
  data,
  journal,
  main,
  manifest,
  result,
  results,
  text,
  user,
} from '../stages/index-builder.js';

const change = {
  schema: 'changes/1',
  id: 'i',
  captured_by: 'x',
  changes: [{ additions: 2 ** 40, deletions: 1 }],
};
const FULL = anIndex(
  main(
    user('u1', 'p1', { time: '2026-03-01T09:00:00.123456789Z', label: 'é😀' }),
    agent('a1', 'm1', text(), call('t1', 'Read', { server: 's', server_tool: 'q' }), data(change)),
    results('r1', result('t1')),
  ),
  journal('b', { child: 'kid', started_by: 'main', tool: 't1', time: '1960-01-01T00:00:00Z' }),
  manifest('b', 'flow'),
);

const bytesOf = (index: SessionIndex) => Buffer.concat(encodeIndex(index));
const linesOf = (index: SessionIndex) => [
  indexHeaderLine(index, Number.POSITIVE_INFINITY),
  ...Array.from({ length: index.entries }, (_, entry) => indexEntryLine(index, entry)),
];

for (const [what, index] of [
  ['of every kind of identifier', FULL],
  ['of one record without call, tool, batch or label', anIndex(main(user('u1', 'p1')))],
  ['of a file without records', anIndex(main())],
  ['of nothing', anIndex()],
] as const)
  test(`an index ${what} comes back from its bytes`, () => {
    const back = decodeIndex(bytesOf(index));
    assert.ok(back !== undefined);
    assert.deepEqual(linesOf(back), linesOf(index));
    assert.deepEqual(back.files, index.files);
    assert.deepEqual(bytesOf(back), bytesOf(index));
  });

test('bytes that start unaligned in memory read the same', () => {
  const bytes = bytesOf(FULL);
  for (let shift = 1; shift < 8; shift++) {
    const room = Buffer.from(new ArrayBuffer(bytes.length + shift));
    bytes.copy(room, shift);
    assert.deepEqual(linesOf(decodeIndex(room.subarray(shift))!), linesOf(FULL));
  }
});

test('a change of any one byte makes it absent', () => {
  const bytes = bytesOf(FULL);
  for (let at = 0; at < bytes.length; at++)
    for (const mask of [0x01, 0x80]) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= mask;
      assert.equal(decodeIndex(changed), undefined, `byte ${at} of ${bytes.length}`);
    }
});

test('cut short or grown by any number of bytes it is absent', () => {
  const bytes = bytesOf(FULL);
  for (let length = 0; length < bytes.length; length++)
    assert.equal(decodeIndex(bytes.subarray(0, length)), undefined, `${length} bytes`);
  for (const more of [1, 7, 8, 64])
    assert.equal(decodeIndex(Buffer.concat([bytes, Buffer.alloc(more)])), undefined);
});

type Head = Readonly<Record<'columns' | 'strings', object>>;

/** The bytes of an index with another head, and a check that says so. */
function withHead(change: (head: Head) => unknown): Buffer {
  const bytes = bytesOf(FULL);
  const end = 32 + bytes.readUInt32LE(12);
  const head = Buffer.from(JSON.stringify(change(JSON.parse(bytes.toString('utf8', 32, end)))));
  const room = Buffer.alloc(Math.ceil((32 + head.length) / 8) * 8);
  bytes.copy(room, 0, 0, 32);
  room.writeUInt32LE(head.length, 12);
  head.copy(room, 32);
  const changed = Buffer.concat([room, bytes.subarray(Math.ceil(end / 8) * 8)]);
  const gmac = createCipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12));
  gmac.setAAD(changed.subarray(0, 16)).setAAD(changed.subarray(32)).final();
  gmac.getAuthTag().copy(changed, 16);
  return changed;
}

test('a head that no writer writes makes it absent, whatever its check says', () => {
  assert.deepEqual(linesOf(decodeIndex(withHead((head) => head))!), linesOf(FULL));
  for (const change of [
    () => null,
    () => [],
    ({ columns: _, ...head }) => head,
    ({ strings: _, ...head }) => head,
    (head) => ({ ...head, entries: 1 }),
    (head) => ({ ...head, columns: { ...head.columns, row: [3, 5] } }),
    (head) => ({ ...head, columns: { ...head.columns, row: [1, -1] } }),
    (head) => ({ ...head, columns: { ...head.columns, row: [1, 0.5] } }),
    (head) => ({ ...head, columns: { ...head.columns, row: [1, 'x'] } }),
    (head) => ({ ...head, columns: { ...head.columns, row: [8, 2 ** 60] } }),
    (head) => ({ ...head, strings: { ...head.strings, record: [2 ** 60, 1, 0] } }),
  ] as ((head: Head) => unknown)[])
    assert.equal(decodeIndex(withHead(change)), undefined, String(change));
});

test('random bytes behind the magic are absent, and never an error', () => {
  const random = randomFrom();
  for (let i = 0; i < 500; i++) {
    const bytes = Buffer.from(Array.from({ length: random(300) }, () => random(256)));
    bytesOf(FULL).copy(bytes, 0, 0, random(40));
    assert.equal(decodeIndex(bytes), undefined, `seed ${SEED}, step ${i}`);
  }
});
