import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeClosing, writeHeader, writeRecord } from '../../src/format/session-data.js';
import {
  LandedFileError,
  readLandedFile,
  readLandedHeader,
  readLandedRecord,
} from '../../src/io/landed-file.js';
import { temporaryFolder } from '../shared.js';

const folder = temporaryFolder();

const HEADER = writeHeader({
  seq: 1,
  at: '2026-01-02T03:05:00Z',
  kind: 'transcript',
  adapter: 'x/1',
  dialect: 'x/1',
  src: 'p/s.jsonl',
  session: 's',
  stream: 'main',
});

const record = (ord: number, id = `u${ord}`) =>
  writeRecord({ ord, off: 0, sha: '428b4ad985d6', bytes: 9, id });

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const closed = (body: string, records: number) => `${body}${writeClosing(records, sha256(body))}\n`;

function file(content: string): string {
  const path = join(folder, 'x.sd');
  writeFileSync(path, content);
  return path;
}

const BODY = `${HEADER}\n${record(1)}\n${record(2)}\n`;

test('a whole file gives its header, its records with their rows and lines, and both digests', () => {
  const content = closed(BODY, 2);
  const seen: unknown[] = [];
  const summary = readLandedFile(file(content), {
    header: (header) => seen.push(header.src),
    record: ({ id }, row, text) => seen.push([id, row, text]),
  });
  assert.deepEqual(seen, ['p/s.jsonl', ['u1', 1, record(1)], ['u2', 2, record(2)]]);
  assert.equal(summary.records, 2);
  assert.equal(summary.sha256, sha256(content));
  assert.equal(summary.sizeBytes, Buffer.byteLength(content));
  assert.deepEqual(summary.closing, { records: 2, digest: sha256(BODY) });
  assert.equal(summary.oddLine, 0);
});

test('records far larger than the read buffer keep their digests', () => {
  const body = `${HEADER}\n${record(1, 'é'.repeat(1_000_000))}\n${record(2, '…'.repeat(300_000))}\n`;
  const summary = readLandedFile(file(closed(body, 2)));
  assert.equal(summary.closing.digest, sha256(body));
  assert.equal(summary.sha256, sha256(closed(body, 2)));
});

for (const [what, closing] of [
  ['without its newline', closed(BODY, 2).trimEnd()],
  [
    'spelled with a space',
    `${BODY}${writeClosing(2, sha256(BODY)).replace('{"t":"end",', '{"t":"end", ')}\n`,
  ],
] as const)
  test(`a closing line ${what} is read, and said not to be canonical`, () => {
    const summary = readLandedFile(file(closing));
    assert.equal(summary.oddLine, 4);
    assert.equal(summary.sha256, sha256(closing));
  });

const digest = sha256(BODY);
const CHANGED = BODY.replace('"u1"', '"u9"');
const REFUSED: readonly (readonly [string, string, number, string])[] = [
  ['an empty file', '', 0, 'sessiondata: read header: the file is empty'],
  ['a header that is not JSON', '{\n', 0, 'sessiondata: decode header: '],
  [
    'a header without src',
    closed(`${HEADER.replace('"src":"p/s.jsonl",', '')}\n`, 0),
    0,
    'sessiondata: header missing src',
  ],
  [
    'a record that does not decode',
    `${HEADER}\n${record(1)}\n{"ord":"x"}\n`,
    2,
    'sessiondata: decode record: ',
  ],
  ['an empty line', `${HEADER}\n\n`, 1, 'sessiondata: decode record: '],
  ['no closing line', BODY, 3, 'sessiondata: p/s.jsonl has no closing line; it is incomplete'],
  ['a header alone', HEADER, 1, 'sessiondata: p/s.jsonl has no closing line; it is incomplete'],
  ['a torn closing line', closed(BODY, 2).slice(0, -20), 3, 'sessiondata: decode closing line: '],
  [
    'changed bytes',
    `${CHANGED}${writeClosing(2, digest)}\n`,
    3,
    `sessiondata: p/s.jsonl: digest mismatch, computed ${sha256(CHANGED).slice(0, 12)} and the file claims ${digest.slice(0, 12)}`,
  ],
  [
    'another count',
    `${BODY}${writeClosing(5, digest)}\n`,
    3,
    'sessiondata: p/s.jsonl holds 2 records, the file claims 5',
  ],
  [
    'bytes after the closing line',
    `${closed(BODY, 2)} `,
    3,
    'sessiondata: p/s.jsonl goes on after its closing line',
  ],
  [
    'two closing lines',
    `${closed(BODY, 2)}${writeClosing(2, digest)}\n`,
    3,
    'sessiondata: p/s.jsonl goes on after its closing line',
  ],
];

for (const [what, content, row, message] of REFUSED)
  test(`${what}: refused, with the row it happens at`, () => {
    assert.throws(
      () => readLandedFile(file(content)),
      (error) => error instanceof LandedFileError && error.row === row && error.message.startsWith(message),
    );
  });

test('records before a wrong one are visited, and what a visitor throws passes through', () => {
  const seen: number[] = [];
  const path = file(`${HEADER}\n${record(1)}\nx\n`);
  assert.throws(() => readLandedFile(path, { record: (_, row) => seen.push(row) }), LandedFileError);
  assert.deepEqual(seen, [1]);
  const own = new Error('enough');
  const record1 = () => {
    throw own;
  };
  assert.throws(() => readLandedFile(path, { record: record1 }), own);
});

test('a file that cannot be opened or is a folder does not read at row 0', () => {
  const missing = join(folder, 'none.sd');
  const message = `sessiondata: read header: open ${missing}: no such file or directory`;
  assert.throws(() => readLandedFile(missing), { row: 0, message });
  mkdirSync(join(folder, 'folder.sd'));
  assert.throws(() => readLandedFile(join(folder, 'folder.sd')), { row: 0, message: /is a directory/ });
});

test('a header, and a record by its row, are read alone', () => {
  const path = file(closed(BODY, 2));
  assert.equal(readLandedHeader(path).session, 's');
  assert.equal(readLandedRecord(path, 2)?.record.id, 'u2');
  assert.equal(readLandedRecord(path, 2)?.text, record(2));
  assert.equal(readLandedRecord(path, 3), undefined, 'the closing line is no record');
  assert.equal(readLandedRecord(path, 4), undefined);
  const torn = file(`${HEADER}\nx\n${record(2)}\n`);
  assert.equal(readLandedRecord(torn, 2)?.record.id, 'u2', 'what stands before is not decoded');
  assert.throws(() => readLandedRecord(torn, 1), { row: 1, message: /decode record/ });
});
