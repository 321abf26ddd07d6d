import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { publishLandedBody, readLandedBody, renumbered, wordsOf } from '../../src/io/landed-body.js';
import { readLandedFile } from '../../src/io/landed-file.js';
import { temporaryFolder } from '../shared.js';

const HEADER = Buffer.from(
  '{"h":1,"schema":"sd/1","seq":7,"at":"2026-01-01T00:00:00Z","kind":"transcript","adapter":"x/1","dialect":"x/1","src":"a","session":"s1"}',
);

test('what is published is read back byte for byte, and is a landed file', () => {
  const path = join(temporaryFolder(), 'x-000007.sd');
  const records = Buffer.from('{"ord":1}\n{"ord":2, "id":"\u00e9"}\nnull\n');
  publishLandedBody(path, HEADER, [records.subarray(0, 10), records.subarray(10)], 3);
  const { sha256, records: count, oddLine } = readLandedFile(path);
  assert.deepEqual([count, oddLine], [3, 0]);
  assert.deepEqual(readLandedBody(path, sha256), { header: HEADER, records });
  assert.throws(() => publishLandedBody(path, HEADER, [], 0), /storage: target already exists: /);
});

test('a file without records has an empty body', () => {
  const path = join(temporaryFolder(), 'x-000007.sd');
  publishLandedBody(path, HEADER, [], 0);
  assert.equal(readLandedBody(path, readLandedFile(path).sha256).records.length, 0);
});

test('other bytes, no file and a folder are refused', () => {
  const folder = temporaryFolder();
  publishLandedBody(join(folder, 'a'), HEADER, [], 0);
  mkdirSync(join(folder, 'b'));
  assert.throws(
    () => readLandedBody(join(folder, 'a'), 'x'),
    /^StorageError: storage: .*a changed while it was read/,
  );
  assert.throws(() => readLandedBody(join(folder, 'b'), 'x'), /^StorageError: storage: read .*b: /);
  assert.throws(
    () => readLandedBody(join(folder, 'c'), 'x'),
    /^StorageError: storage: read .*c: .*no such file/,
  );
});

for (const [name, header, at3] of [
  ['plain', '{"h":1,"seq":7,"at":"x","src":"a"}', '{"h":1,"seq":3,"at":"x","src":"a"}'],
  ['spaced', '{ "seq" : 7 , "h":1}', '{ "seq" : 3 , "h":1}'],
  ['escaped', '{"s\\u0065q":7}', '{"s\\u0065q":3}'],
  ['nested', '{"x":{"seq":7},"seq":7}', '{"x":{"seq":7},"seq":3}'],
  ['absent', '{"h":1}', '{"h":1}'],
] as const)
  test(`the sequence of a header is replaced where it stands: ${name}`, () => {
    assert.equal(renumbered(Buffer.from(header), 3).toString(), at3);
  });

test('bytes that are no UTF-8 stay in a header', () => {
  const header = Buffer.concat([Buffer.from('{"src":"'), Buffer.of(0xff, 0xfe), Buffer.from('","seq":7}')]);
  const expected = Buffer.concat([
    Buffer.from('{"src":"'),
    Buffer.of(0xff, 0xfe),
    Buffer.from('","seq":12}'),
  ]);
  assert.deepEqual(renumbered(header, 12), expected);
});

test('what headers say is compared without sequence and time', () => {
  const words = (text: string) => wordsOf(Buffer.from(text));
  assert.equal(words('{"seq":7,"at":"x","src":"a"}'), words('{"seq":123,"at":"yy","src":"a"}'));
  assert.notEqual(words('{"seq":7,"at":"x","src":"a"}'), words('{"seq":7,"at":"x","src":"b"}'));
});
