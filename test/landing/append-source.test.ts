import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isComplete } from '../../src/landing/pass-tally.js';
import { aPrompt, Collection, checkProvenance, MAIN, PROJECT, SESSION } from './collecting.js';

const CURSOR = 'streams/main/transcript.cursor';

test('an unterminated last line waits, and lands once when it is complete', async () => {
  const c = new Collection();
  const path = c.write(MAIN, `${aPrompt('u1')}{"type":"user",`);
  assert.equal((await c.pass()).records, 1);
  assert.equal((await c.pass()).records, 0);
  appendFileSync(path, '"uuid":"u2"}\n');
  const tally = await c.pass();
  assert.deepEqual([tally.records, isComplete(tally)], [1, true]);
  const [, second] = c.records();
  assert.deepEqual(
    [second?.value.id, second?.value.ord, second?.value.off],
    ['u2', 2, Buffer.byteLength(aPrompt('u1'))],
  );
  assert.equal(checkProvenance(c.sources, c.landed()), 2);
});

test('a line of 5 MB under a budget of 1 KiB lands alone, and the line after it lands too', async () => {
  const c = new Collection();
  c.write(MAIN, aPrompt('u1') + aPrompt('u2', 'x'.repeat(5_000_000)) + aPrompt('u3') + aPrompt('u4'));
  const tally = await c.pass({ maxDeltaBytes: 1024 });
  assert.deepEqual([tally.records, isComplete(tally)], [4, true]);
  const ids = c.landed().map(({ records }) => records.map(({ value }) => value.id).join());
  assert.deepEqual(ids, ['u1', 'u2', 'u3,u4']);
});

test('a torn line longer than the budget lands nothing, and is no error', async () => {
  const c = new Collection();
  const path = c.write(MAIN, aPrompt('u1') + 'x'.repeat(10_000));
  const tally = await c.pass({ maxDeltaBytes: 1024 });
  assert.deepEqual([tally.records, isComplete(tally)], [1, true]);
  appendFileSync(path, '\n');
  assert.equal((await c.pass({ maxDeltaBytes: 1024 })).records, 1);
});

test('400 lines under 4 KiB all land in one pass, no file larger than the budget, none needlessly small', async () => {
  const c = new Collection();
  const lines = Array.from({ length: 400 }, (_, i) => aPrompt(`u${i}`, 'y'.repeat(i % 50)));
  c.write(MAIN, lines.join(''));
  const tally = await c.pass({ maxDeltaBytes: 4096 });
  assert.deepEqual([tally.records, tally.landed, tally.pending, isComplete(tally)], [400, 1, 0, true]);
  const files = c.landed();
  assert.deepEqual(
    files.map(({ seq }) => seq),
    files.map((_, i) => i + 1),
  );
  for (const { bytes } of files) assert.ok(bytes.length <= 4096);
  assert.equal(checkProvenance(c.sources, files), 400);
  assert.equal(c.cursor().ord, '400');
});

test('a landed file is bounded although its records are larger than their lines', async () => {
  const c = new Collection();
  c.write(MAIN, 'x\n'.repeat(1000));
  const tally = await c.pass({ maxDeltaBytes: 4096 });
  assert.deepEqual([tally.records, tally.bytes, tally.pending], [1000, 2000, 0]);
  for (const { bytes } of c.landed()) assert.ok(bytes.length <= 4096);
});

test('more than 65 budgets of one source are pending, and nothing is lost in the next pass', async () => {
  const c = new Collection();
  const count = 200;
  c.write(MAIN, Array.from({ length: count }, (_, i) => aPrompt(`u${i}`, 'z'.repeat(900))).join(''));
  const first = await c.pass({ maxDeltaBytes: 1024 });
  assert.deepEqual([first.pending, isComplete(first)], [1, false]);
  assert.ok(first.bytes >= 65 * 1024 && first.bytes < 67 * 1024, `${first.bytes}`);
  let records = first.records;
  for (let passes = 0; records < count; passes++) {
    assert.ok(passes < 10);
    records += (await c.pass({ maxDeltaBytes: 1024 })).records;
  }
  assert.deepEqual(
    c.records().map(({ value }) => value.id),
    Array.from({ length: count }, (_, i) => `u${i}`),
  );
});

test('the limit of a pass is 65 budgets to the byte: 65 lines of one budget each, and the next one waits', async () => {
  const c = new Collection();
  c.write(MAIN, `${'x'.repeat(1023)}\n`.repeat(67));
  const first = await c.pass({ maxDeltaBytes: 1024 });
  assert.deepEqual([first.records, first.pending], [65, 1]);
  const second = await c.pass({ maxDeltaBytes: 1024 });
  assert.deepEqual([second.records, second.pending], [2, 0]);
});

for (const [distance, noticed] of [
  [1_048_576, 1],
  [1_048_577, 0],
] as const)
  test(`a byte changed ${distance} before the cursor is ${noticed ? '' : 'not '}noticed at the next growth`, async () => {
    const c = new Collection();
    const lines = `${'x'.repeat(1023)}\n`.repeat(1100);
    const path = c.write(MAIN, lines);
    await c.pass();
    const rewritten = Buffer.from(`${lines}more\n`);
    rewritten[lines.length - distance] = 0x79;
    writeFileSync(path, rewritten);
    assert.equal((await c.pass()).conflicts, noticed);
  });

test('a line of more than 256 MiB waits, named, and what stands before it has landed', async () => {
  const c = new Collection();
  const path = c.write(MAIN, aPrompt('u1'));
  truncateSync(path, 258 * 1024 * 1024);
  const { records, errors } = await c.pass();
  assert.equal(records, 1);
  const offset = aPrompt('u1').length;
  assert.match(
    String(errors[0]?.message),
    new RegExp(`${MAIN}: the line at byte ${offset} is longer than 268435456 bytes`),
  );
  rmSync(path); // a sparse file, but not for whoever copies the folder
});

test('a truncated source is a conflict, named once, counted ever after', async () => {
  const c = new Collection();
  const path = c.write(MAIN, aPrompt('u1') + aPrompt('u2'));
  await c.pass();
  truncateSync(path, 10);
  const found = await c.pass();
  const offset = 2 * aPrompt('u1').length;
  assert.deepEqual(
    found.errors.map(({ message }) => message),
    [`claudecode: conflict on ${MAIN}: truncated: size 10 < offset ${offset}`],
  );
  assert.deepEqual([found.conflicts, c.cursor().state], [1, 'conflict']);
  writeFileSync(path, aPrompt('u1') + aPrompt('u2') + aPrompt('u3'));
  const later = await c.pass();
  assert.deepEqual([later.conflicts, later.errors, later.records, isComplete(later)], [1, [], 0, false]);
  assert.deepEqual(
    later.stopped.map(({ relativePath }) => relativePath),
    [MAIN],
    'a pass can still say which source stopped',
  );
});

test('a source rewritten within the last megabyte is a conflict once it grows, further back it is not seen', async () => {
  const filler = `${'f'.repeat(999)}\n`;
  const rewritten = async (at: number) => {
    const c = new Collection();
    const path = c.write(MAIN, filler.repeat(1500));
    await c.pass();
    const bytes = readFileSync(path);
    bytes.write('g', at);
    writeFileSync(path, bytes);
    appendFileSync(path, aPrompt('u'));
    return c.pass();
  };
  const near = await rewritten(1_499_000);
  assert.equal(
    near.errors[0]?.message,
    `claudecode: conflict on ${MAIN}: tail digest mismatch (source rewritten behind cursor)`,
  );
  assert.deepEqual([near.records, near.conflicts], [0, 1]);
  assert.deepEqual([(await rewritten(1000)).records], [1]);
});

test('the tail digest spans windows: any budget gives the same one', async () => {
  const digests = new Set<string>();
  for (const maxDeltaBytes of [0, 300_000, 1_100_000]) {
    const c = new Collection();
    c.write(MAIN, `${'f'.repeat(999)}\n`.repeat(2500));
    await c.pass({ maxDeltaBytes });
    digests.add(c.cursor().tail_sha256 ?? '');
  }
  assert.equal(digests.size, 1);
});

test('the same bytes under a new inode go on; other bytes are a conflict', async () => {
  const c = new Collection();
  const path = c.write(MAIN, aPrompt('u1'));
  await c.pass();
  const before = c.cursor();
  cpSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
  assert.deepEqual((await c.pass()).errors, []);
  assert.notEqual(c.cursor().ino, before.ino, 'the new inode is remembered');
  assert.equal(c.cursor().offset, before.offset);
  appendFileSync(path, aPrompt('u2'));
  assert.equal((await c.pass()).records, 1);
  writeFileSync(`${path}.copy`, aPrompt('x1') + aPrompt('x2'));
  renameSync(`${path}.copy`, path);
  assert.match((await c.pass()).errors[0]?.message ?? '', /tail digest mismatch/);
});

test('a new inode without a tail digest to compare is a conflict', async () => {
  const c = new Collection();
  const path = c.write(MAIN, aPrompt('u1'));
  await c.pass();
  const cursor = join(c.root, SESSION, CURSOR);
  writeFileSync(cursor, readFileSync(cursor, 'utf8').replace(/(?:tail_sha256|check) .*\n/g, ''));
  cpSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
  assert.match(
    (await c.pass()).errors[0]?.message ?? '',
    /inode changed and the cursor has no tail digest to verify the bytes with$/,
  );
});

test('an unchanged source leaves its cursor as it was', async () => {
  const c = new Collection();
  c.write(MAIN, aPrompt('u1'));
  await c.pass();
  const path = join(c.root, SESSION, CURSOR);
  const before = readFileSync(path);
  c.now = { ms: c.now.ms + 1000, ns: 0 };
  const tally = await c.pass();
  assert.deepEqual(readFileSync(path), before);
  assert.equal(c.state().last_scan, '2026-01-01T00:00:01Z', 'the session was looked at all the same');
  assert.deepEqual([tally.sources, tally.landed, tally.changed], [1, 0, []]);
});

test('a transcript that moved to another project directory goes on, and its cursor says where', async () => {
  const c = new Collection();
  const path = c.write(MAIN, aPrompt('u1'));
  await c.pass();
  const moved = c.write(`-w-other/${SESSION}.jsonl`, '');
  renameSync(path, moved);
  appendFileSync(moved, aPrompt('u2'));
  assert.equal((await c.pass()).records, 1);
  assert.equal(c.cursor().source, `-w-other/${SESSION}.jsonl`);
});

test('a deleted transcript: gone once, files stay; restored it goes on; restored shorter it is a conflict', async () => {
  const c = new Collection();
  const child = `${PROJECT}/${SESSION}/subagents/agent-a0123456789abcdef.jsonl`;
  const path = c.write(MAIN, aPrompt('u1') + aPrompt('u2'));
  c.write(child, aPrompt('c1'));
  await c.pass();
  const content = readFileSync(path);
  rmSync(path);
  assert.deepEqual([(await c.pass()).gone, c.cursor().state, c.landed().length], [1, 'source_gone', 2]);
  assert.equal((await c.pass()).gone, 0);
  writeFileSync(path, Buffer.concat([content, Buffer.from(aPrompt('u3'))]));
  const restored = await c.pass();
  assert.deepEqual([restored.records, restored.errors, c.cursor().state], [1, [], 'active']);
  rmSync(path);
  await c.pass();
  writeFileSync(path, aPrompt('u1'));
  const shorter = await c.pass();
  assert.deepEqual([shorter.conflicts, c.cursor().state], [1, 'conflict']);
  assert.ok(existsSync(join(c.root, SESSION, 'streams/a0123456789abcdef')));
});

test('ids, last first: the cursor names the last record that has one', async () => {
  const c = new Collection();
  c.write(MAIN, `${aPrompt('u1')}{"a":{"uuid":"x"},"uuid":"u2"}\n{"no":"id"}\n`);
  await c.pass();
  assert.equal(c.cursor().last_uuid, 'x', 'found as text, so the first in the line');
});

test('an id that is not well-formed reads the same from the record and from the landed file', async () => {
  const c = new Collection();
  c.write(MAIN, '{"uuid":"a\\ud800","message":{"content":"\\udc00"}}\n');
  await c.pass();
  const [record] = c.records();
  assert.equal(record?.value.id, 'a\ufffd');
  assert.equal(c.sink.files[0]?.records[0]?.id, 'a\ufffd');
});
