/** Which requests a receiver takes, and which records of them. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startReceiver } from '../../src/receive/receiver.js';
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
  record,
  roundOf,
  roundRecord,
  SD,
  SF,
  sha,
  tell,
} from './receiving.js';

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

/** With an integer that a number may not hold. */
function withInteger(wire: WireRecord, key: string, intValue: string): WireRecord {
  const others = wire.attributes!.filter((attribute) => attribute.key !== key);
  return { ...wire, attributes: [...others, { key, value: { intValue } }] };
}

test('of many records that do not fit, some are said by name, and all are counted', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root);
  const bad = Array.from({ length: 500 }, (_, i) => landedRecord(SD, BODY, { 'asz.file': `x\u001b[2J${i}` }));
  const told = await tell(receiver, bytesOf(...bad, landedRecord(SD, BODY)));
  assert.equal(partial(told)?.rejectedLogRecords, '500');
  assert.ok(partial(told)!.errorMessage!.length < 2000);
  assert.deepEqual([receiver.got[0]!.files, receiver.got[0]!.reasons.length], [1, 10]);
});
