import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type SdHeader, type SdRecord, writeRecord } from '../../src/format/session-data.js';
import { readLandedFile } from '../../src/io/landed-file.js';
import { LandedWriter } from '../../src/io/landed-writer.js';
import { temporaryFolder } from '../shared.js';

const STAMP = '20260301T090000.000000000Z';

const HEADER: SdHeader = {
  seq: 7,
  at: '2026-03-01T09:00:00Z',
  kind: 'agent_meta',
  adapter: 'x/1',
  dialect: 'x/1',
  src: 'p/s.jsonl',
  session: 's',
  stream: 'a1',
};

const aRecord = (ord: number, id = `é${ord}`): SdRecord => ({
  ord,
  off: 0,
  sha: '428b4ad985d6',
  bytes: 9,
  id,
});

test('what is published is what a reader reads, with the same digest, size and count', () => {
  const folder = join(temporaryFolder(), 'streams/a1');
  const writer = new LandedWriter(HEADER);
  for (let ord = 1; ord <= 5000; ord++) writer.add(aRecord(ord));
  const sizeBytes = writer.sizeBytes;
  const published = writer.publish(folder, STAMP);
  const read = readLandedFile(published.path);
  assert.equal(published.path, join(folder, `meta-${STAMP}-000007.sd`));
  assert.deepEqual(published, {
    path: published.path,
    seq: 7,
    sha256: read.sha256,
    sizeBytes: read.sizeBytes,
    records: 5000,
  });
  assert.equal(sizeBytes, statSync(published.path).size, 'the size is known before it is closed');
  assert.equal(read.oddLine, 0);
  assert.equal(statSync(published.path).mode & 0o777, 0o444);
});

test('a file without records is whole', () => {
  const published = new LandedWriter(HEADER).publish(temporaryFolder(), STAMP);
  assert.equal(readLandedFile(published.path).records, 0);
});

test('a record goes in while the closed file stays within the budget, the first at any size', () => {
  const writer = new LandedWriter(HEADER);
  assert.equal(writer.addWithin(aRecord(1, 'x'.repeat(5000)), 100), true);
  const budget = writer.sizeBytes + Buffer.byteLength(writeRecord(aRecord(2))) + 1;
  assert.equal(writer.addWithin(aRecord(2), budget - 1), false);
  assert.equal(writer.records, 1);
  assert.equal(writer.addWithin(aRecord(2), budget), true);
  assert.equal(writer.sizeBytes, budget);
  assert.equal(readLandedFile(writer.publish(temporaryFolder(), STAMP).path).sizeBytes, budget);
});

test('the tenth record makes the closing line longer, and the size knows', () => {
  const writer = new LandedWriter(HEADER);
  for (let ord = 1; ord <= 9; ord++) writer.add(aRecord(ord));
  const line = Buffer.byteLength(writeRecord(aRecord(10))) + 1;
  assert.equal(writer.addWithin(aRecord(10), writer.sizeBytes + line), false);
  assert.equal(writer.addWithin(aRecord(10), writer.sizeBytes + line + 1), true);
});

test('a carried line keeps its bytes', () => {
  const writer = new LandedWriter(HEADER);
  const line = '{"ord":1, "off":0,"sha":"x","bytes":1,"unknown":1e3}';
  writer.addLine(line);
  assert.ok(readFileSync(writer.publish(temporaryFolder(), STAMP).path, 'utf8').includes(`\n${line}\n`));
});

test('a header a reader would refuse starts no file, and neither does a kind nobody lands', () => {
  assert.throws(() => new LandedWriter({ ...HEADER, src: '' }), {
    message: 'sessiondata: header missing src',
  });
  assert.throws(() => new LandedWriter({ ...HEADER, kind: 'otlp_log' }), { code: 'FORMAT' });
});

test('a failed publication leaves nothing, and a taken name is refused', () => {
  const folder = temporaryFolder();
  const link = () => {
    throw Object.assign(new Error('EIO: acted out'), { code: 'EIO', syscall: 'link' });
  };
  assert.throws(() => new LandedWriter(HEADER).publish(folder, STAMP, { link }), { code: 'STORAGE' });
  assert.deepEqual(readdirSync(folder), []);
  const { path } = new LandedWriter(HEADER).publish(folder, STAMP);
  assert.throws(() => new LandedWriter(HEADER).publish(folder, STAMP), {
    message: `storage: target already exists: ${path}`,
  });
  assert.ok(existsSync(path));
});
