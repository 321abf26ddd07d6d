import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LineReader } from '../../src/io/lines.js';
import { temporaryFolder } from '../shared.js';

const folder = temporaryFolder();

function file(content: string | Buffer): string {
  const path = join(folder, 'lines');
  writeFileSync(path, content);
  return path;
}

/** Every line as `[text, raw, terminated]`. */
function read(content: string, pieceBytes: number, start = 0): [string, string, boolean][] {
  const reader = new LineReader(file(content), { pieceBytes, start });
  const lines: [string, string, boolean][] = [];
  while (reader.next()) lines.push([reader.text, String(reader.raw), reader.terminated]);
  assert.equal(reader.next(), false);
  reader.close();
  return lines;
}

for (const [what, content, expected] of [
  ['an empty file', '', []],
  ['a lone newline', '\n', [['', '\n', true]]],
  [
    'a torn tail',
    'a\nb',
    [
      ['a', 'a\n', true],
      ['b', 'b', false],
    ],
  ],
  [
    'empty lines',
    'a\n\n\nb\n',
    [
      ['a', 'a\n', true],
      ['', '\n', true],
      ['', '\n', true],
      ['b', 'b\n', true],
    ],
  ],
  [
    'carriage returns',
    'a\r\nb\r',
    [
      ['a\r', 'a\r\n', true],
      ['b\r', 'b\r', false],
    ],
  ],
] as const)
  test(`${what} reads the same through a buffer of any size`, () => {
    for (const pieceBytes of [1, 2, 3, 4096]) assert.deepEqual(read(content, pieceBytes), expected);
  });

test('lines of random lengths, most longer than the buffer, match a naive split', () => {
  const seed = 20260901;
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state % below;
  };
  for (let run = 0; run < 50; run++) {
    const lines = Array.from({ length: random(40) }, () => 'é…x'.repeat(random(60)));
    const content = lines.join('\n');
    const terminated = content === '' ? [] : content.replace(/\n$/, '').split('\n');
    const texts = read(content, 1 + random(64)).map(([text]) => text);
    assert.deepEqual(texts, terminated, `seed ${seed}, run ${run}`);
  }
});

test('a hash takes in every line once, before and through the current one, through a buffer of any size', () => {
  const content = 'a\n\nlonger than a buffer\nc\ntorn';
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');
  for (const pieceBytes of [1, 2, 3, 7, 4096])
    for (let asked = 0; asked < 6; asked++) {
      const hash = createHash('sha256');
      const reader = new LineReader(file(content), { pieceBytes, hash });
      for (let line = 0, from = 0; reader.next(); line++, from = reader.offset) {
        if (line !== asked) continue;
        reader.hashBefore();
        assert.equal(hash.copy().digest('hex'), sha(content.slice(0, from)));
        reader.hashThrough();
        assert.equal(hash.copy().digest('hex'), sha(content.slice(0, reader.offset)));
      }
      reader.hashThrough();
      assert.equal(hash.digest('hex'), sha(content), `${pieceBytes} bytes, asked at line ${asked}`);
      assert.equal(reader.offset, content.length);
      reader.close();
    }
});

test('a line begins with a text or not, and never with more than it has', () => {
  const reader = new LineReader(file('{"t":"end"}\n{"t"\n:"end"\n'));
  const begins = [];
  while (reader.next()) begins.push(['{"t":"end', '{"t"', ''].map((text) => reader.startsWith(text)));
  reader.close();
  assert.deepEqual(begins, [
    [true, true, true],
    [false, true, true],
    [false, false, true],
  ]);
});

test('readers one after the other and side by side have buffers of their own', () => {
  const [first, second] = [file('first\n'), join(folder, 'second')];
  writeFileSync(second, 'a second line, longer\nand one more\n');
  const texts = (path: string) => {
    const reader = new LineReader(path);
    const lines = [];
    while (reader.next()) lines.push(reader.text);
    reader.close();
    return lines;
  };
  assert.deepEqual(texts(second), ['a second line, longer', 'and one more']);
  assert.deepEqual(texts(first), ['first']);
  const [a, b] = [new LineReader(first), new LineReader(second)];
  assert.ok(a.next() && b.next());
  assert.deepEqual([a.text, b.text], ['first', 'a second line, longer']);
  assert.ok(!a.next() && b.next());
  a.close();
  assert.equal(b.text, 'and one more');
  b.close();
});

test('reading starts at a byte offset', () => {
  assert.deepEqual(read('ab\ncd\n', 4096, 3), [['cd', 'cd\n', true]]);
});

test('a line of thousands of pieces is one line', () => {
  const length = 32 * 1024 * 1024 + 1;
  const reader = new LineReader(file(Buffer.alloc(length, 'x')), { pieceBytes: 4096 });
  assert.equal(reader.next(), true);
  assert.equal(reader.line.length, length);
  assert.equal(reader.terminated, false);
  reader.close();
});

test('a missing file is the error of opening it', () => {
  assert.throws(() => new LineReader(join(folder, 'none')), { code: 'ENOENT' });
});
