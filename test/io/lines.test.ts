import assert from 'node:assert/strict';
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
