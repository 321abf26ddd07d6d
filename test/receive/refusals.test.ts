/** Refusals that reach whoever is refused, and requests that are made to keep a receiver busy. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '../shared.js';
import { BODY, bytesOf, HEAD, landedRecord, receiving, record, SD, tell } from './receiving.js';

/** What comes back to a client that says all it has to say before it listens; an error when it cannot say it. */
function sayAll(port: number, said: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    socket.once('error', reject);
    let left = said;
    const say = () => {
      if (left.length === 0) {
        let back = '';
        socket.on('data', (piece) => {
          back += piece.toString('latin1');
        });
        socket.once('end', () => resolve(back));
        socket.resume();
        return;
      }
      const piece = left.subarray(0, 100_000);
      left = left.subarray(piece.length);
      socket.write(piece, () => void setTimeout(1).then(say));
    };
    socket.once('connect', say);
  });
}

test('a client that sends all of too large a body still gets its answer', async () => {
  const { port } = await receiving(temporaryFolder(), { maxBytes: 2_000_000 });
  const body = Buffer.alloc(6_000_000);
  for (const framing of [
    [`Content-Length: ${body.length}\r\n\r\n`, body],
    [
      'Transfer-Encoding: chunked\r\n\r\n',
      Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]),
    ],
  ] as const)
    assert.match(
      await sayAll(port, Buffer.concat([Buffer.from(HEAD + framing[0]), framing[1]])),
      /^HTTP\/1\.1 413 /,
    );
});

test('a header that is there twice is refused, 400', async () => {
  const { port, refused } = await receiving(temporaryFolder());
  for (const twice of [
    'Host: 127.0.0.1',
    'Host: evil.example',
    'Content-Type: text/html',
    'Content-Type: application/x-protobuf',
  ])
    assert.match(
      await sayAll(port, Buffer.from(`${HEAD}${twice}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)),
      /^HTTP\/1\.1 400 /,
      twice,
    );
  const encoded = `${HEAD}Content-Encoding: identity\r\nContent-Encoding: gzip\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  assert.match(await sayAll(port, Buffer.from(encoded)), /^HTTP\/1\.1 400 /);
  assert.equal(refused[0], '400 more than one host header');
});

test('a body that is encoded on the way in another form than chunked is refused, 400', async () => {
  const { port } = await receiving(temporaryFolder());
  const said = `${HEAD}Connection: close\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`;
  assert.match(await sayAll(port, Buffer.from(said)), /^HTTP\/1\.1 400 /);
});

test('a long text is not taken apart, and a reason is short whatever a file says', async () => {
  const receiver = await receiving(temporaryFolder());
  await tell(
    receiver,
    bytesOf(
      landedRecord('/'.repeat(5000), BODY),
      landedRecord(SD, BODY.replace('sd/1', 'é'.repeat(100_000))),
    ),
  );
  const [path, header] = receiver.got[0]!.reasons;
  assert.match(path!, /^\/{700}…: asz\.file is longer than 4096 bytes$/);
  assert.match(header!, /: its header is none: sessiondata: unsupported schema "é{400,500}…$/);
});

test('once its sender is gone, a request is not stored to its end, and another has its place', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root, { atOnce: 1 });
  const files = Array.from({ length: 400 }, (_, i) => SD.replace('s', `s${i}`));
  const body = bytesOf(...files.map((file) => landedRecord(file, BODY)));
  const socket = connect(receiver.port, '127.0.0.1');
  socket.write(`${HEAD}Content-Length: ${body.length}\r\n\r\n`);
  socket.write(body);
  while (readdirSync(root).length === 0) await setTimeout(5);
  socket.destroy();
  while ((await tell(receiver, Buffer.alloc(0))).status !== 200) await setTimeout(20);
  assert.ok(readdirSync(root).length < files.length);
  assert.equal((await tell(receiver, body)).status, 200);
  const { files: added, repeats } = receiver.got.at(-1)!;
  assert.equal(added + repeats, files.length);
  assert.ok(repeats > 0 && added > 0, `${added} new`);
});

test('a request of very many records is refused, and others have their turn meanwhile', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root);
  const one = bytesOf(record('', { 'asz.format': 'sd' }));
  const gzip = (count: number) =>
    tell(receiver, gzipSync(Buffer.concat(Array<Buffer>(count).fill(one))), {
      headers: { 'Content-Encoding': 'gzip' },
    });
  let turns = 0;
  const ticking = setInterval(() => turns++, 1);
  const told = await gzip(100_000);
  clearInterval(ticking);
  assert.equal(told.status, 200);
  assert.equal(receiver.got[0]!.rejected, 100_000);
  assert.ok(turns >= 10, `${turns} turns`);
  const many = await gzip(100_001);
  assert.deepEqual(
    [many.status, many.body.toString('latin1').slice(2)],
    [413, 'a request may have 100000 records; send fewer at once'],
  );
  assert.equal((await tell(receiver, bytesOf(landedRecord(SD, BODY)))).status, 200);
  assert.deepEqual(readdirSync(root), ['s']);
});
