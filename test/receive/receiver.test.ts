/** What a receiver takes, what it refuses, and what is then on the disk. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { takeLock } from '../../src/io/lock.js';
import { startReceiver } from '../../src/receive/receiver.js';
import { filesBelow } from '../landing/collecting.js';
import { decodeResponse, type WireRecord } from '../push/official.js';
import { temporaryFolder } from '../shared.js';
import {
  BODY,
  bytesOf,
  landedRecord,
  receiving,
  record,
  roundOf,
  roundRecord,
  sha,
  type Told,
  tell,
} from './receiving.js';

const SD = 's/streams/main/transcript-20260101T000000.000000000Z-000001.sd';
const DIGEST = 'abcdef012345';
const SF = `_conversations/s/rounds/r000001-${DIGEST}.sf`;
const ROUND = roundOf('s', 1, DIGEST);

/** Everything evident below a root; locks are not. */
const evident = (root: string) => filesBelow(root).filter((path) => !path.endsWith('.lock'));

const partial = ({ body }: Told) => decodeResponse(body).partialSuccess;

/** One record that is refused for this reason; nothing is on the disk of it. */
async function misfit(wire: WireRecord, words: RegExp, root = temporaryFolder()): Promise<void> {
  const before = evident(root);
  const receiver = await receiving(root);
  const told = await tell(receiver, bytesOf(wire));
  await receiver.receiver.close();
  assert.equal(told.status, 200);
  const { rejectedLogRecords, errorMessage = '' } = partial(told) ?? {};
  assert.equal(rejectedLogRecords, '1', `taken: ${JSON.stringify(wire)}`);
  assert.match(errorMessage, words);
  assert.deepEqual(evident(root), before);
}

test('files are put where they say, read-only, and a repeat changes nothing', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root);
  const request = bytesOf(landedRecord(SD, BODY), roundRecord(SF, ROUND), { body: { stringValue: 'x' } });
  const told = await tell(receiver, request);
  assert.deepEqual(
    [told.status, told.headers['content-type'], told.body.length],
    [200, 'application/x-protobuf', 0],
  );
  assert.deepEqual(evident(root), [SF, SD].sort());
  assert.equal(readFileSync(join(root, SD), 'utf8'), BODY);
  assert.equal(readFileSync(join(root, SF), 'utf8'), ROUND);
  assert.equal(statSync(join(root, SD)).mode & 0o777, 0o444);
  await tell(receiver, request);
  assert.deepEqual(
    receiver.got.map(({ files, repeats, rejected, foreign, bytes }) => [
      files,
      repeats,
      rejected,
      foreign,
      bytes,
    ]),
    [
      [2, 0, 0, 1, request.length],
      [0, 2, 0, 1, request.length],
    ],
  );
});

test('gzip is taken, and counts as what it inflates to', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root, { maxBytes: 100_000 });
  const gzip = (bytes: Buffer) =>
    tell(receiver, gzipSync(bytes), { headers: { 'Content-Encoding': 'gzip' } });
  assert.equal((await gzip(bytesOf(landedRecord(SD, BODY)))).status, 200);
  assert.deepEqual(evident(root), [SD]);
  const bomb = await gzip(Buffer.alloc(20_000_000));
  assert.equal(bomb.status, 413);
  assert.equal(
    (await tell(receiver, Buffer.from('no gzip'), { headers: { 'Content-Encoding': 'gzip' } })).status,
    400,
  );
  const torn = gzipSync(bytesOf(landedRecord(SD, BODY)));
  assert.equal(
    (await tell(receiver, torn.subarray(0, torn.length - 9), { headers: { 'Content-Encoding': 'gzip' } }))
      .status,
    400,
  );
});

test('only POST of exactly this type to exactly this path, from a host that is this machine', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root, { maxBytes: 1000 });
  const body = bytesOf(landedRecord(SD, BODY));
  const type = (value: string | undefined) => ({ headers: { 'Content-Type': value } });
  const cases: [number, Parameters<typeof tell>[2]][] = [
    [404, { path: '/' }],
    [404, { path: '/v1/logs/' }],
    [404, { path: '/v1/logs?x' }],
    [404, { path: '/v1/traces' }],
    [405, { method: 'GET' }],
    [405, { method: 'OPTIONS' }],
    [415, type('application/json')],
    [415, type('application/x-protobuf; charset=utf-8')],
    [415, type('application/protobuf')],
    [415, type(undefined)],
    [415, { headers: { 'Content-Encoding': 'deflate' } }],
    [415, { headers: { 'Content-Encoding': 'gzip, gzip' } }],
    [403, { headers: { Host: 'evil.example' } }],
    [403, { headers: { Host: 'evil.example:4318' } }],
  ];
  for (const [status, options] of cases)
    assert.equal((await tell(receiver, body, options)).status, status, JSON.stringify(options));
  assert.equal((await tell(receiver, Buffer.alloc(1001))).status, 413);
  assert.equal(
    (await tell(receiver, Buffer.alloc(1001), { headers: { 'Transfer-Encoding': 'chunked' } })).status,
    413,
  );
  assert.deepEqual(evident(root), []);
  for (const host of ['127.0.0.1', 'localhost:1', '[::1]:4318'])
    assert.equal((await tell(receiver, body, { headers: { Host: host } })).status, 200, host);
});

test('an address that other machines reach is refused', async () => {
  for (const host of ['0.0.0.0', '::', 'example.org', '10.0.0.1', '128.0.0.1'])
    await assert.rejects(startReceiver({ root: temporaryFolder(), address: { host, port: 0 } }), RangeError);
});

test('what is no such request is refused whole, wherever it is cut, with nothing on the disk', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root);
  const whole = bytesOf(landedRecord(SD, BODY), landedRecord(SD.replace('1.sd', '2.sd'), BODY));
  for (let length = 1; length < whole.length; length += 7) {
    const { status, body } = await tell(receiver, whole.subarray(0, length));
    assert.equal(status, 400, `cut at ${length}`);
    assert.match(body.toString('latin1'), /^\x12.protobuf: /s);
  }
  assert.deepEqual(evident(root), []);
  assert.equal((await tell(receiver, Buffer.alloc(0))).status, 200);
});

test('a record whose bytes are not what it says they are is refused by name', async () => {
  await misfit(
    landedRecord(SD, BODY, { 'asz.file.digest': sha('x') }),
    new RegExp(`^${SD}: asz.file.digest is not the digest`),
  );
  await misfit(
    landedRecord(SD, BODY, { 'asz.file.digest': sha(BODY).toUpperCase() }),
    /asz.file.digest is not/,
  );
  await misfit(landedRecord(SD, BODY, { 'asz.lines': 3 }), /asz.lines is not the number of lines/);
  await misfit(landedRecord(SD, BODY, { 'asz.lines': '2' }), /asz.lines is missing, or no whole number/);
  await misfit(
    { ...landedRecord(SD, BODY), body: { bytesValue: Buffer.from(BODY).toString('base64') } },
    /its body is no text/,
  );
  await misfit({ attributes: landedRecord(SD, BODY).attributes! }, /its body is no text/);
  await misfit(landedRecord(SD, BODY, { 'asz.format': 'sx' }), /asz.format is neither/);
  for (const name of ['asz.file', 'asz.file.digest', 'asz.lines', 'asz.session', 'asz.seq', 'asz.stream'])
    await misfit(landedRecord(SD, BODY, { [name]: undefined }), new RegExp(`${name} is missing`));
  const twice = landedRecord(SD, BODY);
  await misfit(
    { ...twice, attributes: [...twice.attributes!, twice.attributes![4]!] },
    /asz.file.digest is there twice/,
  );
  await misfit(record('x', { 'asz.format': 'sd' }), /^a record without asz.file: /);
});

test('a path that is not the one its other attributes give is refused', async () => {
  const at = (file: string, changes: Record<string, string | number | undefined> = {}) =>
    landedRecord(SD, BODY, { 'asz.file': file, ...changes });
  const name = SD.split('/')[3]!;
  for (const file of [
    `/s/streams/main/${name}`,
    `s/streams/main/x/${name}`,
    `s/streams/${name}`,
    `s/provider_body/${name}`,
    `s/index/main/${name}`,
    `./s/streams/main/${name}`,
    `s//main/${name}`,
    `s\\streams\\main\\${name}`,
    '',
    '../../etc/passwd',
  ])
    await misfit(at(file), /asz.file|cannot name/);
  for (const session of [
    '..',
    '.',
    '',
    '_conversations',
    '_export',
    'a\\b',
    'a\u0000b',
    'con',
    'a.',
    'a:b',
    'x'.repeat(201),
    'push.state',
    'PUSH.State',
  ])
    await misfit(
      at(`${session}/streams/main/${name}`, { 'asz.session': session }),
      /cannot name|called like/,
    );
  for (const id of ['..', '', '_x', 'nul.txt', 'a\nb'])
    await misfit(at(`s/streams/${id}/${name}`, { 'asz.stream': id }), /cannot name/);
  await misfit(at(SD, { 'asz.session': 't' }), /asz.session is not what asz.file says/);
  await misfit(at(SD, { 'asz.stream': 'other' }), /asz.stream is not what asz.file says/);
  await misfit(at(SD, { 'asz.run': 'r' }), /has asz.run too/);
  await misfit(at(SD, { 'asz.seq': 2 }), /sequence of asz.seq/);
  await misfit(at(SD, { 'asz.seq': '1' }), /asz.seq is missing, or no/);
  for (const bad of [
    'transcript.sd',
    'transcript-1.sd',
    'x-000001.sf',
    '.tmp-0-000001.sd',
    'a-99999999999999999999.sd',
    'a-000001.sd.',
    'a:-000001.sd',
  ])
    await misfit(at(`s/streams/main/${bad}`), /name/);
});

test('a round is named by its number and by the digest of its commit', async () => {
  await misfit(roundRecord(SF, ROUND, { 'asz.round': 2 }), /round in asz.round/);
  await misfit(
    roundRecord(SF, ROUND, { 'asz.conversation': 't' }),
    /asz.conversation is not what asz.file says/,
  );
  const other = '_conversations/s/rounds/r000001-000000000000.sf';
  await misfit(roundRecord(other, ROUND), /digest in its commit/);
  await misfit(roundRecord(SF, ROUND.slice(0, -5)), /digest in its commit/);
  const numbered = (digits: string, round: string) =>
    withInteger(roundRecord(SF.replace('000001', digits), roundOf('s', round, DIGEST)), 'asz.round', round);
  await misfit(numbered('9223372036854775807', '9223372036854775807'), /asz.round is beyond/);
  await misfit(numbered('9007199254740993', '9007199254740992'), /asz.round is beyond/);
  await misfit(numbered('9007199254740993', '9007199254740991'), /round in asz.round/);
  await misfit(numbered('0000001', '1'), /round in asz.round/);
  await misfit(roundRecord(SF, roundOf('s', 2, DIGEST)), /its header is not that of the round/);
  for (const file of [
    '_conversations/s/rounds/x.sf',
    '_conversations/s/r000001-abcdef012345.sf',
    '_conversations/../rounds/r000001-abcdef012345.sf',
    '_conversations/s/rounds/../rounds/r000001-abcdef012345.sf',
    '_conversations/_s/rounds/r000001-abcdef012345.sf',
  ])
    await misfit(roundRecord(SF, ROUND, { 'asz.file': file, 'asz.conversation': file.split('/')[1] }), /./);
});

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

/** With an integer that a number may not hold. */
function withInteger(wire: WireRecord, key: string, intValue: string): WireRecord {
  const others = wire.attributes!.filter((attribute) => attribute.key !== key);
  return { ...wire, attributes: [...others, { key, value: { intValue } }] };
}

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

test('of many records that do not fit, some are said by name, and all are counted', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root);
  const bad = Array.from({ length: 500 }, (_, i) => landedRecord(SD, BODY, { 'asz.file': `x\u001b[2J${i}` }));
  const told = await tell(receiver, bytesOf(...bad, landedRecord(SD, BODY)));
  assert.equal(partial(told)?.rejectedLogRecords, '500');
  assert.ok(partial(told)!.errorMessage!.length < 2000);
  assert.deepEqual([receiver.got[0]!.files, receiver.got[0]!.reasons.length], [1, 10]);
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

test('a root is made once it can be listened for, and a busy port is said in one breath', async () => {
  const { port } = await receiving(temporaryFolder());
  const root = join(temporaryFolder(), 'new');
  const address = { host: '127.0.0.1', port };
  await assert.rejects(startReceiver({ root, address }), {
    message: `listen 127.0.0.1:${port}: address already in use`,
  });
  assert.ok(!existsSync(root));
  const plain = join(temporaryFolder(), 'plain');
  writeFileSync(plain, 'x');
  await assert.rejects(startReceiver({ root: plain, address: { host: '127.0.0.1', port: 0 } }), /EEXIST/);
  await receiving(root);
  assert.deepEqual(readdirSync(root), []);
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

/** A connection that says what it is told, and what came back by its end. */
function raw(port: number, ...said: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let back = '';
    const socket = connect(port, '127.0.0.1', () => said.forEach((text) => void socket.write(text)));
    socket.on('data', (piece) => {
      back += piece.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(back));
  });
}

const HEAD = 'POST /v1/logs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-protobuf\r\n';

test('headers and bodies that come too slowly, or not at all, are given up', async () => {
  const root = temporaryFolder();
  const { port } = await receiving(root, { headersMs: 500, requestMs: 1000, idleMs: 400 });
  const began = performance.now();
  const [slowHead, slowBody] = await Promise.all([
    raw(port, 'POST /v1/logs HTTP/1.1\r\nHost: 127'),
    raw(port, `${HEAD}Content-Length: 100\r\n\r\nabc`),
  ]);
  assert.match(slowHead, /^$|^HTTP\/1\.1 408 /);
  assert.equal(slowBody, '');
  assert.ok(performance.now() - began < 8000);
});

test('a fifth request at once is asked to come again, and a body in the making holds nobody for ever', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root, { atOnce: 2, idleMs: 600 });
  const slow = [1, 2].map(() => raw(receiver.port, `${HEAD}Content-Length: 100\r\n\r\nabc`));
  await new Promise((resolve) => setTimeout(resolve, 150));
  const fifth = await tell(receiver, bytesOf(landedRecord(SD, BODY)));
  assert.deepEqual(
    [fifth.status, fifth.headers['retry-after'], fifth.headers.connection],
    [503, '1', 'close'],
  );
  await Promise.all(slow);
  assert.equal((await tell(receiver, bytesOf(landedRecord(SD, BODY)))).status, 200);
});

test('a client that sends a byte now and then does not keep a receiver from its end', async () => {
  const { port, receiver } = await receiving(temporaryFolder(), { headersMs: 500, requestMs: 1000 });
  const socket = connect(port, '127.0.0.1', () => socket.write(`${HEAD}Content-Length: 1000\r\n\r\n`));
  socket.on('error', () => {});
  const drip = setInterval(() => socket.write('x'), 100);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const began = performance.now();
  await receiver.close();
  clearInterval(drip);
  assert.ok(performance.now() - began < 3000);
});

test('many requests over one connection, and a receiver that ends when it is told', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root);
  const warnings: Error[] = [];
  const listen = (warning: Error) => warnings.push(warning);
  process.on('warning', listen);
  const body = bytesOf(landedRecord(SD, BODY)).toString('latin1');
  const one = `${HEAD}Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`;
  const answers = await new Promise<number>((resolve, reject) => {
    let count = 0;
    const socket = connect(receiver.port, '127.0.0.1', () => socket.write(one, 'latin1'));
    socket.on('data', (piece) => {
      count += piece.toString('latin1').split('HTTP/1.1 200').length - 1;
      if (count < 30) socket.write(one, 'latin1');
      else socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(count));
  });
  assert.equal(answers, 30);
  await receiver.receiver.close();
  process.off('warning', listen);
  assert.deepEqual(warnings, []);
  await assert.rejects(tell(receiver, Buffer.alloc(0)));
  assert.ok(existsSync(join(root, SD)));
});
