import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatState, readStateFile, replaceStateValues, StateFields } from '../../src/io/state-file.js';
import { temporaryFolder } from '../shared.js';

test('keys are padded so that values line up, and a key as wide as the column takes one space', () => {
  const text = formatState(14, [
    ['schema', 1],
    ['content_sha256', 'ab'],
    ['ino', 18446744073709551615n],
    ['last_uuid', ''],
    ['offset', 0],
  ]);
  assert.equal(
    text,
    'schema        1\ncontent_sha256 ab\nino           18446744073709551615\noffset        0\n',
  );
});

test('a value cannot start a line of its own', () => {
  const text = formatState(8, [['source', 'a\nstate conflict\r\nb']]);
  assert.equal(text, 'source  a state conflict b\n');
});

test('reading trims, and skips blank lines, comments, lines without a space and unknown keys', () => {
  const fields = new StateFields('\n# seq 4\n  head    2 \r\nalone\nname   a  b \nother x\nhead 3\n');
  assert.equal(fields.count('head'), 3, 'the last line of a key counts');
  assert.equal(fields.text('name'), 'a  b');
  assert.equal(fields.text('alone'), '');
  assert.equal(fields.text('constructor'), '');
});

test('a number that is none reads as 0', () => {
  const fields = new StateFields('a -1\nb 1.5\nc x\nd 9007199254740993\ne 18446744073709551616\nf 7');
  for (const key of 'abcde') assert.equal(fields.count(key), 0, key);
  assert.equal(fields.count('f'), 7);
  assert.equal(fields.integer('a'), -1);
  assert.equal(fields.integer('b'), 0);
  assert.equal(fields.wide('d'), 9007199254740993n);
  assert.equal(fields.wide('e'), 0n);
  assert.equal(fields.wide('none'), 0n);
});

test('a missing file is no file, an unreadable one is an error', () => {
  const folder = temporaryFolder();
  assert.equal(readStateFile(join(folder, 'x.state')), undefined);
  writeFileSync(join(folder, 'x.state'), 'schema 1\n');
  assert.equal(readStateFile(join(folder, 'x.state'))?.count('schema'), 1);
  mkdirSync(join(folder, 'd.state'));
  assert.throws(() => readStateFile(join(folder, 'd.state')), {
    message: `storage: read ${join(folder, 'd.state')}: it is not a regular file`,
  });
});

for (const [name, before, after] of [
  ['in place', '# x\n\nnext_seq   9\nodd\tx y\n', '# x\n\nnext_seq   3\nodd\tx y\n'],
  ['twice', 'next_seq 1\nnext_seq   2\n', 'next_seq   3\nnext_seq   3\n'],
  ['at the end', 'session    s1', 'session    s1\nnext_seq   3\n'],
  ['of nothing', '', 'next_seq   3\n'],
  ['beside longer keys', 'next_seq2  1\nnext_seq   1\n', 'next_seq2  1\nnext_seq   3\n'],
] as const)
  test(`a value is replaced and the rest kept: ${name}`, () => {
    assert.equal(replaceStateValues(Buffer.from(before), 11, [['next_seq', 3]]).toString(), after);
  });

test('bytes that are no UTF-8 are kept beside a replaced value', () => {
  const odd = Buffer.concat([
    Buffer.from('source '),
    Buffer.of(0xff, 0xc3, 0xa0),
    Buffer.from('\nlast_seq 1\n'),
  ]);
  const kept = replaceStateValues(odd, 9, [['last_seq', 2]]);
  assert.deepEqual(kept, Buffer.concat([odd.subarray(0, -2), Buffer.from('2\n')]));
});
