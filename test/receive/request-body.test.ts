/** Bodies as they travel: in pieces of no announced size, and as gzip of several members. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '../shared.js';
import { BODY, bytesOf, landedRecord, receiving, SD, tell } from './receiving.js';

const LONG = `${BODY}${'{"ord":2}\n'.repeat(100_000)}`;

test('a body of no announced size is read whole, up to exactly as many bytes as a request may have', async () => {
  const root = temporaryFolder();
  const request = bytesOf(landedRecord(SD, LONG));
  const chunked = { headers: { 'Transfer-Encoding': 'chunked' } };
  const exact = await receiving(root, { maxBytes: request.length });
  assert.equal((await tell(exact, request, chunked)).status, 200);
  assert.equal(readFileSync(join(root, SD), 'utf8'), LONG);
  const short = await receiving(temporaryFolder(), { maxBytes: request.length - 1 });
  assert.equal((await tell(short, request, chunked)).status, 413);
  assert.equal((await tell(short, request)).status, 413);
});

test('gzip of several members is one body, and garbage behind the last is refused', async () => {
  const root = temporaryFolder();
  const receiver = await receiving(root);
  const gzip = (...pieces: readonly Buffer[]) =>
    tell(receiver, Buffer.concat(pieces), { headers: { 'Content-Encoding': 'gzip' } });
  const request = bytesOf(landedRecord(SD, LONG));
  const members = [request.subarray(0, 1000), request.subarray(1000)].map((part) => gzipSync(part));
  assert.equal((await gzip(...members, Buffer.from('garbage'))).status, 400);
  assert.equal((await gzip(...members)).status, 200);
  assert.equal(readFileSync(join(root, SD), 'utf8'), LONG);
});
