import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { replaceFile } from '../../src/io/publish.js';
import {
  DAMAGED,
  formatState,
  formatStateLines,
  readStateCache,
  readStateFile,
  readStateText,
  replaceStateValues,
  StateFields,
} from '../../src/io/state-file.js';
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
    'schema        1\ncontent_sha256 ab\nino           18446744073709551615\noffset        0\ncheck         144bb6a07772c21f\n',
  );
});

test('a value cannot start a line of its own', () => {
  const text = formatState(8, [['source', 'a\nstate conflict\r\nb']]);
  assert.equal(text, 'source  a state conflict b\ncheck   41971145682350b9\n');
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
  writeFileSync(join(folder, 'x.state'), 'schema 1\nupdated_at x\n');
  assert.equal(readStateCache(join(folder, 'x.state'))?.count('schema'), 1);
  mkdirSync(join(folder, 'd.state'));
  assert.equal(readStateFile(join(folder, 'd.state')), DAMAGED);
  assert.equal(readStateCache(join(folder, 'd.state')), undefined);
});

test('a file with a check is believed as a whole, and one without when it is lines of text', () => {
  const path = join(temporaryFolder(), 'x.state');
  const written = formatState(11, [
    ['session', 's1'],
    ['next_seq', 7],
    ['updated_at', 'x'],
  ]);
  const believed = (content: string | Buffer) => {
    writeFileSync(path, content);
    return readStateCache(path)?.count('next_seq');
  };
  assert.equal(believed(written), 7);
  for (let at = 0; at < written.length; at++)
    for (let bit = 0; bit < 8; bit++) {
      const flipped = Buffer.from(written);
      flipped[at]! ^= 1 << bit;
      // Whoever takes the check away has changed nothing that counts.
      assert.ok([undefined, 7].includes(believed(flipped)), `byte ${at}, bit ${bit}`);
    }
  for (let length = 0; length < written.length; length++)
    assert.ok([undefined, 7].includes(believed(written.slice(0, length))), `${length} bytes`);
  assert.equal(believed(written.replace(/check.*\n/, '')), 7, 'another writer has none');
  assert.equal(believed('next_seq   7'), undefined, 'cut short');
  assert.equal(believed(''), undefined);
  assert.equal(believed('next_seq   7\u0000\n'), undefined);
  assert.equal(believed(Buffer.from([0x61, 0x20, 0xff, 0x0a])), undefined);
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

test('a list of any length is written in pieces, and read back under its check', () => {
  for (const count of [0, 1, 511, 512, 513, 2000]) {
    const lines = Array.from({ length: count }, (_, i) => `pushed é${i} ${'a'.repeat(i % 50)}`);
    const path = join(temporaryFolder(), 'push.state');
    replaceFile(path, formatStateLines(lines));
    const text = lines.map((line) => `${line}\n`).join('');
    const written = readStateText(path);
    assert.ok(typeof written === 'string' && written.startsWith(text), `${count}`);
    assert.match(written.slice(text.length), /^check [0-9a-f]{16}\n$/);
    writeFileSync(path, written.replace('check', 'pushed x y\ncheck'));
    assert.equal(readStateText(path), DAMAGED);
  }
});
