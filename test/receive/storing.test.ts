/** What becomes of files that fit: what is on the disk, what stays, and what stands in the way. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { takeLock } from '../../src/io/lock.js';
import type { WireRecord } from '../push/official.js';
import { temporaryFolder } from '../shared.js';
import {
  BODY,
  bytesOf,
  DIGEST,
  evident,
  landedRecord,
  misfit,
  partial,
  ROUND,
  receiving,
  roundOf,
  roundRecord,
  SD,
  SF,
  tell,
} from './receiving.js';

test('of two names that only case tells apart one gets in, also of requests at once and beside a link', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root);
  const files = ['t', 'T'].map((session) => `${session}/streams/a/x-000001.sd`);
  // The first keeps the other waiting between its look and its folder.
  const others = Array.from({ length: 20 }, (_, i) => landedRecord(`a${i}/streams/a/x-000001.sd`, BODY));
  await Promise.all(files.map((file) => tell(receiver, bytesOf(...others, landedRecord(file, BODY)))));
  assert.equal(
    receiver.got.reduce((sum, { rejected }) => sum + rejected, 0),
    1,
  );
  assert.equal(files.filter((file) => existsSync(join(root, file))).length, 1);
  symlinkSync(temporaryFolder(), join(root, 'linked'));
  await misfit(landedRecord('Linked/streams/a/x-000001.sd', BODY), /"linked" is there/, root);
});

test('an empty file under a final name counts as not there, and no record is empty', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root);
  for (const file of [SD, SD.replace('transcript', 'journal'), SF]) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), '', { mode: 0o444 });
  }
  rmSync(join(root, SD));
  await misfit(landedRecord(SD, ''), /its body is empty/, root);
  await tell(receiver, bytesOf(landedRecord(SD, BODY), roundRecord(SF, ROUND)));
  assert.deepEqual([receiver.got[0]!.files, receiver.got[0]!.rejected], [2, 0]);
  assert.equal(readFileSync(join(root, SF), 'utf8'), ROUND);
});

test('what stands in the way of one file refuses that one, and the others are stored', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root);
  writeFileSync(join(root, 'plain'), 'x');
  mkdirSync(join(root, 'locked'));
  symlinkSync(join(temporaryFolder(), 'away'), join(root, 'locked/.lock'));
  mkdirSync(join(root, 'inner'));
  writeFileSync(join(root, 'inner/streams'), 'x');
  const bad = ['plain', 'locked', 'inner'].map((s) => landedRecord(`${s}/streams/a/x-000001.sd`, BODY));
  const told = await tell(receiver, bytesOf(...bad, landedRecord(SD, BODY)));
  assert.deepEqual([told.status, partial(told)?.rejectedLogRecords], [200, '3']);
  assert.ok(existsSync(join(root, SD)));
});

test('what stands in the way of one stream refuses its files alone, in plain words', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root);
  mkdirSync(join(root, 's/streams'), { recursive: true });
  writeFileSync(join(root, 's/streams/plain'), 'x');
  const files = ['main', 'plain', 'other'].map((id, i) => `s/streams/${id}/x-00000${i + 1}.sd`);
  await tell(receiver, bytesOf(...files.map((file) => landedRecord(file, BODY))));
  const { files: added, reasons } = receiver.got[0]!;
  assert.deepEqual(
    [added, reasons],
    [2, [`${files[1]}: storage: lstat ${join(root, files[1]!)}: not a directory`]],
  );
});

test('a session has each sequence once, also in another stream under the same name', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root);
  const files = ['streams/a', 'streams/b', 'runs/a'].map((place) => `s/${place}/x-000001.sd`);
  await tell(receiver, bytesOf(...files.map((file) => landedRecord(file, BODY))));
  await misfit(
    landedRecord(files[1]!, BODY),
    /sequence 1 is there already, as streams\/a\/x-000001\.sd$/,
    root,
  );
  assert.deepEqual([receiver.got[0]!.files, receiver.got[0]!.rejected], [1, 2]);
  assert.deepEqual(evident(root), [files[0]]);
});

test('what is there stays: other bytes, another file of the sequence, a name that only case tells apart', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root);
  await tell(receiver, bytesOf(landedRecord(SD, BODY), roundRecord(SF, ROUND)));
  await misfit(landedRecord(SD, `${BODY}\n`), /another file is there under its name/, root);
  await misfit(
    landedRecord(SD.replace('transcript', 'journal'), BODY),
    /sequence 1 is there already, as streams.main.transcript/,
    root,
  );
  const second = SD.replace('000001.sd', '000002.sd');
  await misfit(landedRecord(second.replace('s/', 'S/'), BODY), /"s" is there/, root);
  await misfit(landedRecord(second.replace('main', 'Main'), BODY), /"main" is there/, root);
  await misfit(roundRecord(SF.replace('/s/', '/S/'), roundOf('S', 1, DIGEST)), /"s" is there/, root);
  const both = [landedRecord('t/streams/a/x-000001.sd', BODY), landedRecord('T/streams/a/x-000001.sd', BODY)];
  assert.equal(partial(await tell(receiver, bytesOf(...both)))?.rejectedLogRecords, '1');
  assert.equal(readFileSync(join(root, SD), 'utf8'), BODY);
});

test('nothing goes through a symbolic link', async () => {
  const outside = temporaryFolder();
  const links: [string, WireRecord][] = [
    ['s', landedRecord(SD, BODY)],
    ['s/streams', landedRecord(SD, BODY)],
    ['s/runs', landedRecord('s/runs/r/journal-000001.sd', BODY)],
    ['s/streams/main', landedRecord(SD, BODY)],
    ['_conversations', roundRecord(SF, ROUND)],
    ['_conversations/s', roundRecord(SF, ROUND)],
    ['_conversations/s/rounds', roundRecord(SF, ROUND)],
  ];
  for (const [at, wire] of links) {
    const root = temporaryFolder();
    mkdirSync(join(root, at, '..'), { recursive: true });
    symlinkSync(outside, join(root, at));
    await misfit(wire, /symbolic link/, root);
    assert.deepEqual(readdirSync(outside), [], at);
  }
  const root = temporaryFolder();
  const target = join(outside, 'target');
  mkdirSync(join(root, SD, '..'), { recursive: true });
  writeFileSync(target, BODY);
  symlinkSync(target, join(root, SD));
  await misfit(landedRecord(SD, BODY), /another file is there/, root);
  assert.equal(readFileSync(target, 'utf8'), BODY);
});

test('a session that somebody holds is waited for, and then the sender is asked to come again', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root, { lockMs: 200 });
  const lock = takeLock(join(root, 's/.lock'), 'busy');
  const held = await tell(receiver, bytesOf(landedRecord(SD, BODY)));
  assert.deepEqual([held.status, held.headers['retry-after']], [503, '1']);
  assert.deepEqual(evident(root), []);
  const patient = await receiving(root, { lockMs: 10_000 });
  setTimeout(() => lock.release(), 100);
  assert.equal((await tell(patient, bytesOf(landedRecord(SD, BODY)))).status, 200);
});

test('while a session is held, the files of others are stored, and the wait is one for all', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root, { lockMs: 300 });
  const held = ['a', 'b', 'c', 'd'].map((session) => takeLock(join(root, session, '.lock'), 'busy'));
  const files = ['a', 'b', 'c', 'd', 's'].map((session) => SD.replace('s', session));
  const request = bytesOf(...files.map((file) => landedRecord(file, BODY)), roundRecord(SF, ROUND));
  const began = performance.now();
  const told = await tell(receiver, request);
  assert.deepEqual([told.status, told.headers['retry-after']], [503, '1']);
  assert.ok(performance.now() - began < 1000);
  assert.deepEqual(evident(root), [SF, SD]);
  for (const lock of held) lock.release();
  assert.equal((await tell(receiver, request)).status, 200);
  assert.deepEqual([receiver.got[0]!.files, receiver.got[0]!.repeats], [4, 2]);
});

test('what a killed receiver was writing is swept away by the next request for its session', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root);
  for (const file of [SD, SF]) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file, '../.tmp-0123456789abcdef'), 'torn');
  }
  await tell(receiver, bytesOf(landedRecord(SD, BODY), roundRecord(SF, ROUND)));
  assert.deepEqual(evident(root), [SF, SD]);
});

test('a request that waits for another of the same session is told so', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root, { lockMs: 0 });
  const many = Array.from({ length: 200 }, (_, i) => landedRecord(`s/streams/a/x-${100_000 + i}.sd`, BODY));
  await Promise.all([1, 2].map(() => tell(receiver, bytesOf(...many))));
  assert.match(
    receiver.refused.join(),
    /^503 storage: another request is still storing files of this session/,
  );
});

test('what the disk does not do is 503, and what was stored by then stays', async (t) => {
  if (process.getuid?.() === 0) return t.skip('root writes everywhere');
  const root = temporaryFolder();
  mkdirSync(join(root, 's/streams'), { recursive: true });
  chmodSync(join(root, 's/streams'), 0o500);
  const receiver = await receiving(root);
  assert.equal((await tell(receiver, bytesOf(landedRecord(SD, BODY)))).status, 503);
  chmodSync(join(root, 's/streams'), 0o700);
  assert.equal((await tell(receiver, bytesOf(landedRecord(SD, BODY)))).status, 200);
});
