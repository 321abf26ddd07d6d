import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeHeader, writeRecord } from '../../src/format/session-data.js';
import { publishLandedBody, readLandedBody } from '../../src/io/landed-body.js';
import { readLandedFile } from '../../src/io/landed-file.js';
import { listLandedFiles } from '../../src/io/storage-root.js';
import { hasEvidence, repackSession } from '../../src/repack/repack-session.js';
import { verifyLanded } from '../../src/rounds/verify-landed.js';
import { aLandedSession } from '../builders.js';
import { contentsOf, rewrite } from '../e2e/run-asz.js';
import { temporaryFolder } from '../shared.js';

const NOW = { ms: Date.UTC(2026, 0, 5), ns: 0 };

function repack(root: string, budgetBytes = 2 ** 21, session = 's1') {
  const destination = temporaryFolder();
  const report = repackSession({ root, destination, session, budgetBytes, now: NOW });
  return { destination, report, files: listLandedFiles(join(destination, session)) };
}

/** Lands lines of text as one file, numbered as a source's lines; gives its path. */
function land(
  root: string,
  seq: number,
  lines: readonly (string | Buffer)[],
  more: object = {},
  prefix = 'transcript',
) {
  const header = {
    seq,
    at: '2026-01-01T00:00:00Z',
    kind: prefix,
    adapter: 'x/1',
    dialect: 'x/1',
    src: 'p/s1.jsonl',
    session: 's1',
    stream: 'main',
    ...more,
  };
  const path = join(
    root,
    's1/streams',
    header.stream,
    `${prefix}-20260101T000000.000000000Z-${String(seq).padStart(6, '0')}.sd`,
  );
  const pieces = lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]);
  publishLandedBody(path, Buffer.from(writeHeader(header)), pieces, lines.length);
  return path;
}

/** Records of lines that follow each other, `size` bytes each with the newline. */
function lines(from: number, count: number, size: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const ord = from + i;
    const record = (id: string) =>
      writeRecord({ ord, off: (ord - 1) * 10, sha: '0123456789ab', bytes: 9, id });
    return record('x'.repeat(size - 1 - record('x').length + 1));
  });
}

test('a file ends before the line that would take its lines past the budget', () => {
  const root = temporaryFolder();
  land(root, 1, lines(1, 3, 100));
  land(root, 2, lines(4, 4, 100));
  const shapes = (budget: number) =>
    repack(root, budget).files.map(({ path }) => readLandedFile(path).records);
  assert.deepEqual(shapes(300), [3, 3, 1]);
  assert.deepEqual(shapes(299), [2, 2, 2, 1]);
  assert.deepEqual(shapes(700), [7]);
  assert.deepEqual(shapes(1), [1, 1, 1, 1, 1, 1, 1]);
});

test('a record above the budget is alone in its file', () => {
  const root = temporaryFolder();
  land(root, 1, [...lines(1, 2, 100), ...lines(3, 1, 5000), ...lines(4, 2, 100)]);
  const { files } = repack(root, 250);
  assert.deepEqual(
    files.map(({ path }) => readLandedFile(path).records),
    [2, 1, 2],
  );
});

test('sequences are issued from 1, place after place in the order of their first files', () => {
  const root = temporaryFolder();
  land(root, 3, lines(1, 1, 100));
  land(root, 7, lines(1, 1, 100), { stream: 'child' });
  land(root, 9, lines(2, 1, 100));
  land(root, 12, lines(2, 1, 100), { stream: 'child' });
  const { files, report } = repack(root, 150);
  assert.deepEqual(
    files.map(({ seq, stream }) => [seq, stream]),
    [
      [1, 'main'],
      [2, 'main'],
      [3, 'child'],
      [4, 'child'],
    ],
  );
  assert.deepEqual(report, { session: 's1', filesIn: 4, filesOut: 4, records: 4, bytes: 4 * 99 });
});

test('a header keeps every byte but its sequence, and the name says when it was collected', () => {
  const root = temporaryFolder();
  const path = land(root, 41, lines(1, 1, 100), { at: '2026-01-02T03:04:05.6Z' });
  const text = readFileSync(path, 'utf8').split('\n')[0]!;
  const odd = text.replace('"h":1', '"h" : 1,"later":{"seq":41},"caf\u00e9":"\u2028"');
  publishLandedBody(
    path.replace('000041', '000042'),
    Buffer.from(odd.replace('"seq":41,"at"', '"seq":42,"at"')),
    [Buffer.from(`${lines(2, 1, 100)[0]}\n`)],
    1,
  );
  const { files } = repack(root, 1);
  assert.match(files[0]!.name, /^transcript-20260102T030405\.600000000Z-000001\.sd$/);
  const header = (i: number) => readFileSync(files[i]!.path, 'utf8').split('\n')[0];
  assert.equal(header(0), text.replace('"seq":41', '"seq":1'));
  assert.equal(header(1), odd.replace('"seq":41,"at"', '"seq":2,"at"'));
});

test('a file that does not say when it was collected is named by the present', () => {
  const root = temporaryFolder();
  land(root, 1, lines(1, 1, 100), { at: 'yesterday' });
  assert.match(repack(root).files[0]!.name, /^transcript-20260105T000000\.000000000Z-000001\.sd$/);
});

test('records whose headers say different things of them stay in different files', () => {
  const root = temporaryFolder();
  land(root, 1, lines(1, 2, 100));
  land(root, 2, lines(3, 2, 100), { dialect: 'x/2' });
  land(root, 3, lines(5, 2, 100), { dialect: 'x/2', at: '2026-01-09T00:00:00Z' });
  const { files } = repack(root);
  assert.deepEqual(
    files.map(({ path }) => [readLandedFile(path).header.dialect, readLandedFile(path).records]),
    [
      ['x/1', 2],
      ['x/2', 4],
    ],
  );
});

test('a record line that is no UTF-8, has white space or numbers spelled oddly keeps its bytes', () => {
  const root = temporaryFolder();
  const line = Buffer.concat([
    Buffer.from(
      '{"ord":1, "off":0,"sha":"0123456789ab","bytes":1e0,"later":[1.0,{"b":0,"a":0,"a":1}],"id":"',
    ),
    Buffer.of(0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80),
    Buffer.from('"}  '),
  ]);
  land(root, 1, [line]);
  const { files } = repack(root);
  assert.ok(readFileSync(files[0]!.path).includes(Buffer.concat([Buffer.of(0x0a), line, Buffer.of(0x0a)])));
});

test('a file without records is read and gives none', () => {
  const root = temporaryFolder();
  land(root, 1, []);
  land(root, 2, lines(1, 2, 100));
  land(root, 3, []);
  const { files, report } = repack(root);
  assert.deepEqual([report.filesIn, report.filesOut, files.length], [3, 1, 1]);
});

test('cursors and the state are carried on but for what a repack changes', () => {
  const { root } = aLandedSession();
  const cursor =
    'schema        1\nkind          append\nsource        caf\u00e9\noffset        40\nodd  line\nlast_seq      1\nupdated_at    2026-01-01T00:00:00Z\nstate         conflict\nlater         x\n';
  writeFileSync(join(root, 's1/streams/main/transcript.cursor'), cursor);
  mkdirSync(join(root, 's1/streams/gone'));
  writeFileSync(
    join(root, 's1/streams/gone/transcript.cursor'),
    'schema        1\nkind          append\nsource        x\nord           7\nstate         active\nlast_seq      9\nupdated_at    2026-01-01T00:00:00Z\n',
  );
  const state =
    'schema     1\nsession    s1\nnext_seq   9\nliveness   unknown\nlast_scan  2026-01-01T00:00:00Z\n';
  writeFileSync(join(root, 's1/session.state'), state);
  const { destination, files } = repack(root, 300);
  const read = (path: string) => readFileSync(join(destination, 's1', path), 'utf8');
  assert.equal(
    read('streams/main/transcript.cursor'),
    cursor
      .replace('last_seq      1', `last_seq      ${files.length}`)
      .replace('updated_at    2026-01-01', 'updated_at    2026-01-05'),
  );
  // Of what a lost source had landed nothing is there: its cursor goes on saying so.
  assert.equal(
    read('streams/gone/transcript.cursor'),
    'schema        1\nkind          append\nsource        x\nord           7\nstate         active\nlast_seq      0\nupdated_at    2026-01-05T00:00:00Z\n',
  );
  assert.match(
    verifyLanded(destination, 's1')
      .problems.map(({ words }) => words)
      .join(),
    /end gap {2}streams\/gone\/transcript\.cursor/,
  );
  assert.equal(read('session.state'), state.replace('next_seq   9', `next_seq   ${files.length + 1}`));
  assert.equal(statSync(join(destination, 's1/session.state')).mode & 0o777, 0o644);
  for (const { path } of files) assert.equal(statSync(path).mode & 0o777, 0o444);
});

test('neither index nor chain is copied, and the source stays as it was', async () => {
  const session = aLandedSession();
  await session.parse();
  const before = contentsOf(session.root);
  const { destination } = repack(session.root);
  assert.deepEqual(contentsOf(session.root), before);
  assert.deepEqual(
    [...contentsOf(destination).keys()].map((path) => path.replace(/-.*-/, '-')),
    ['s1/session.state', 's1/streams/main/transcript-000001.sd', 's1/streams/main/transcript.cursor'],
  );
});

test('gaps between lines and ends are carried on, and show as before', () => {
  const root = temporaryFolder();
  land(root, 1, lines(1, 2, 100));
  land(root, 2, lines(4, 2, 100));
  const { destination } = repack(root);
  const gaps = (of: string) =>
    verifyLanded(of, 's1').problems.map(({ words }) => words.replace(/ transcript-.*: /, ': '));
  assert.equal(gaps(root).length, 2);
  assert.deepEqual(gaps(destination), gaps(root));
});

// ---- refusals ----

/** Refused in one line; gives nothing under the session's name that could be taken for it. */
function refuses(root: string, words: RegExp, session = 's1', budgetBytes = 2 ** 21): void {
  const destination = temporaryFolder();
  const before = contentsOf(root);
  assert.throws(
    () => repackSession({ root, destination, session, budgetBytes, now: NOW }),
    (cause: Error) => words.test(cause.message) && !cause.message.includes('\n'),
  );
  assert.deepEqual(readdirSync(destination), []);
  assert.deepEqual(contentsOf(root), before);
}

test('a budget that is not positive, and a session that has nothing', () => {
  const { root } = aLandedSession();
  for (const budget of [0, -1, Number.NaN])
    refuses(root, /^repack: the budget must be positive$/, 's1', budget);
  mkdirSync(join(root, 'empty/streams/main'), { recursive: true });
  refuses(root, /^repack: session empty has no landed files$/, 'empty');
  refuses(root, /cannot name a directory/, '../s1');
  assert.deepEqual([hasEvidence(join(root, 'empty')), hasEvidence(join(root, 's1'))], [false, true]);
});

test('every flipped byte of a landed file is refused', () => {
  const { root } = aLandedSession();
  const [file] = listLandedFiles(join(root, 's1'));
  const bytes = readFileSync(file!.path);
  for (let at = 0; at < bytes.length; at += 1) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 1;
    rewrite(file!.path, damaged);
    assert.throws(() => repack(root), /^StorageError: repack: session s1 does not hold: /, `byte ${at}`);
  }
});

test('every truncation of a landed file is refused', () => {
  const { root } = aLandedSession();
  const [file] = listLandedFiles(join(root, 's1'));
  const bytes = readFileSync(file!.path);
  for (let size = 0; size < bytes.length; size += 16) {
    rewrite(file!.path, bytes.subarray(0, size));
    assert.throws(
      () => repack(root),
      /^StorageError: repack: session s1 does not hold: .*; run asz verify$/,
      `${size}`,
    );
  }
});

test('a file in the place of another, and two of one sequence', () => {
  const root = temporaryFolder();
  const path = land(root, 1, lines(1, 2, 100));
  rewrite(path.replace('main', 'other'), readFileSync(path));
  refuses(root, /^repack: session s1 does not hold: listing .* carry the same sequence 1; run asz verify$/);
  rewrite(path.replace('main', 'other').replace('000001', '000002'), readFileSync(path));
  rewrite(path.replace('main', 'other'), '');
  refuses(root, /does not hold/);
});

test('a chain that is broken, and one whose evidence is gone', async () => {
  const session = aLandedSession();
  await session.parse();
  session.main.input('more').says('more');
  session.land();
  const { path } = (await session.parse())[0]!;
  const whole = readFileSync(path);
  rewrite(path, whole.subarray(0, -20));
  refuses(
    session.root,
    /^repack: the chain of s1 does not hold: round 2: .*; run asz verify; a chain that alone /,
  );
  rewrite(path, whole);
  repack(session.root);
  const [first, second] = listLandedFiles(join(session.root, 's1'));
  const kept = readFileSync(second!.path);
  rewrite(second!.path, '');
  refuses(session.root, /^repack: session s1 does not hold: unread /);
  rewrite(second!.path, kept);
  rewrite(first!.path.replace('000001.sd', 'x'), readFileSync(first!.path));
  rewrite(first!.path, kept);
  refuses(session.root, /does not hold/);
});

test('links and other things in the place of evidence', () => {
  const { root } = aLandedSession();
  const [file] = listLandedFiles(join(root, 's1'));
  const elsewhere = temporaryFolder();
  const misfit =
    /^repack: session s\d does not hold: unread \S+: it is not a regular file, and is not read; run asz verify$/;
  symlinkSync(file!.path, file!.path.replace('000001', '000002'));
  refuses(root, misfit);
  const other = aLandedSession({ root: elsewhere, session: 's2' }).root;
  symlinkSync(join(root, 's1/streams/main'), join(other, 's2/streams/child'));
  refuses(other, misfit, 's2');
  const third = aLandedSession().root;
  mkdirSync(join(third, 's1/streams/main/transcript-x-000009.sd'));
  refuses(third, misfit);
});

test('a session that the destination has already stays as it is', () => {
  const { root } = aLandedSession();
  const destination = temporaryFolder();
  mkdirSync(join(destination, 's1/theirs'), { recursive: true });
  assert.throws(
    () => repackSession({ root, destination, session: 's1', budgetBytes: 1, now: NOW }),
    /repack: destination session must be new: mkdir .*: file exists/,
  );
  assert.deepEqual(readdirSync(join(destination, 's1')), ['theirs']);
});

test('a session that fails on its way is taken away again', () => {
  const { root } = aLandedSession();
  // Found out after everything else is written.
  rmSync(join(root, 's1/session.state'));
  mkdirSync(join(root, 's1/session.state'));
  refuses(root, /^storage: read .*session\.state: it is not a regular file$/);
});

test('bytes that changed after they were found sound', () => {
  const root = temporaryFolder();
  const path = land(root, 1, lines(1, 1, 100));
  const { sha256 } = readLandedFile(path);
  assert.equal(readLandedBody(path, sha256).records.length, 100);
  rewrite(path, Buffer.concat([readFileSync(path), Buffer.from(' ')]));
  assert.throws(() => readLandedBody(path, sha256), /changed while it was read/);
});
