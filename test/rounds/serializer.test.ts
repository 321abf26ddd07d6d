import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import type { Entity } from '../../src/format/entity.js';
import { commitSize, OverBudget, RoundSerializer } from '../../src/rounds/serializer.js';
import { aHeader, aNode, anUnresolved, aRelation, roundBytes } from './round-builder.js';

async function serialized(frames: Entity[], maxBytes?: number, batch = 3) {
  const serializer = new RoundSerializer(aHeader(), { maxBytes });
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const batches = Array.from({ length: Math.ceil(frames.length / batch) }, (_, i) =>
    frames.slice(i * batch, (i + 1) * batch),
  );
  await pipeline(Readable.from(batches), serializer, sink);
  return { serializer, bytes: Buffer.concat(chunks) };
}

const CHUNK = 64 * 1024;
const frames = [
  aNode('tool/1'),
  aNode('tool/2', { name: '<é😀>' }),
  aRelation('rel/1'),
  anUnresolved('unres/1'),
];

for (const [what, all] of [
  ['no frames', []],
  ['a frame of each group', frames],
  ['a line longer than a chunk', [aNode('tool/1', { name: 'x'.repeat(3 * CHUNK) }), aNode('tool/2')]],
  [
    'long lines between short ones',
    Array.from({ length: 9 }, (_, i) => aNode(`tool/${i}`, { name: 'é'.repeat(i % 2 === 0 ? 3 : 40_000) })),
  ],
  [
    'many lines over many chunks',
    Array.from({ length: 5000 }, (_, i) => aNode(`tool/${i}`, { name: '😀'.repeat(i % 40) })),
  ],
] as [string, Entity[]][])
  test(`${what}: the bytes are the lines, the digest that of the bytes before the commit, the size theirs`, async () => {
    const { serializer, bytes } = await serialized(all);
    assert.ok(bytes.equals(roundBytes(aHeader(), all)));
    const before = bytes.subarray(0, bytes.lastIndexOf('{"t":"commit"'));
    assert.equal(serializer.digest, createHash('sha256').update(before).digest('hex'));
    assert.equal(serializer.sizeBytes, bytes.length);
    assert.equal(serializer.counts.nodes, all.filter(({ group }) => group === 'node').length);
  });

for (const letter of ['x', 'é', '€', '😀'])
  test(`lines of ${letter} that end just before, at and just after a chunk's border keep every byte`, async () => {
    const width = Buffer.byteLength(letter);
    for (let left = -6; left <= 6; left++) {
      const length = Math.floor((CHUNK - 600 + left * width) / width);
      const all = [
        aNode('tool/1', { name: letter.repeat(length) }),
        ...Array.from({ length: 12 }, (_, i) => aNode(`tool/2${i}`, { name: letter.repeat(left + 7) })),
      ];
      const { bytes } = await serialized(all);
      assert.ok(bytes.equals(roundBytes(aHeader(), all)), `${left}`);
    }
  });

test('a line that fills a chunk to its last byte keeps every byte', async () => {
  const around = roundBytes(aHeader(), []).length - commitSize({ nodes: 0, relations: 0, unresolved: 0 });
  const empty =
    Buffer.byteLength(roundBytes(aHeader(), [aNode('tool/1', { name: '' })])) -
    around -
    commitSize({ nodes: 1, relations: 0, unresolved: 0 });
  for (const room of [CHUNK - around - empty, CHUNK - empty])
    for (const off of [-1, 0, 1]) {
      const all = [aNode('tool/1', { name: 'x'.repeat(room + off) }), aNode('tool/2')];
      assert.ok((await serialized(all)).bytes.equals(roundBytes(aHeader(), all)), `${room} ${off}`);
    }
});

for (const [what, all] of [
  ['frames', frames],
  ['no frames', []],
  ['ten nodes, whose count has a digit more', Array.from({ length: 10 }, (_, i) => aNode(`tool/${i}`))],
] as [string, Entity[]][])
  test(`a budget equal to the size of the whole file fits, one byte less does not: ${what}`, async () => {
    const { length } = roundBytes(aHeader(), all);
    assert.equal((await serialized(all, length)).bytes.length, length);
    await assert.rejects(serialized(all, length - 1), OverBudget);
  });

test('a build is given up as soon as it must be over', async () => {
  let given = 0;
  function* endless() {
    for (let i = 0; ; i++) {
      given++;
      yield [aNode(`tool/${i}`)];
    }
  }
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  await assert.rejects(
    pipeline(Readable.from(endless()), new RoundSerializer(aHeader(), { maxBytes: 2000 }), sink),
    OverBudget,
  );
  assert.ok(given < 100);
});

test('a header a reader would refuse is not written', () =>
  assert.throws(() => new RoundSerializer(aHeader({ parser: '' })), {
    message: 'sessionflow: header missing parser version',
  }));
