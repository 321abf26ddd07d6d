/** Where a receiver listens, and connections that are slow, many, or kept. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { startReceiver } from '../../src/receive/receiver.js';
import { temporaryFolder } from '../shared.js';
import { BODY, bytesOf, HEAD, landedRecord, receiving, SD, tell } from './receiving.js';

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
