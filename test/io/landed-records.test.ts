import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataSlices, writeClosing, writeHeader, writeRecord } from '../../src/format/session-data.js';
import { LandedRecords } from '../../src/io/landed-records.js';
import { temporaryFolder } from '../shared.js';

const root = temporaryFolder();
const folder = join(root, 's/streams/main');
mkdirSync(folder, { recursive: true });

const place = { at: '2026-01-02T03:05:00Z', kind: 'transcript', adapter: 'x/1', dialect: 'x/1' };
const record = (ord: number) => writeRecord({ ord, off: 0, sha: '428b4ad985d6', bytes: 9, id: `u${ord}` });

function land(seq: number, ...lines: readonly string[]): string {
  const header = writeHeader({ ...place, seq, src: 'p/s.jsonl', session: 's', stream: 'main' });
  const body = [header, ...lines, ''].join('\n');
  const path = join(folder, `transcript-20260301T090000.000000000Z-00000${seq}.sd`);
  const digest = createHash('sha256').update(body).digest('hex');
  writeFileSync(path, `${body}${writeClosing(lines.length, digest)}\n`);
  return path;
}

land(1, record(1), record(2));
const damaged = land(4, record(1), 'x', record(3));

test('records and their lines are found by position, and sound files have no faults', () => {
  const records = new LandedRecords(root, 's');
  assert.equal(records.at(1, 2)?.id, 'u2');
  assert.equal(records.lineAt(1, 2), record(2));
  assert.equal(records.at(1, 3), undefined);
  assert.deepEqual(records.faults(1), []);
});

test('what surrounds a fault is given, and the fault is remembered once', () => {
  const records = new LandedRecords(root, 's');
  assert.equal(records.at(4, 1)?.id, 'u1');
  assert.equal(records.at(4, 2), undefined);
  assert.equal(records.at(4, 3)?.id, 'u3');
  const [fault = '', ...others] = records.faults();
  assert.ok(fault.startsWith(`${damaged}: sessiondata: decode record: `), fault);
  assert.deepEqual(others, []);
});

test('missing sequences are named, those that are covered as runs', () => {
  const records = new LandedRecords(root, 's');
  assert.equal(records.at(9, 1), undefined);
  const missing = (words: string) => `${join(root, 's')}: no landed file of sequence ${words}`;
  assert.deepEqual(records.faults(5), [missing('2 to 3'), missing('5'), missing('9')]);
});

test('other bytes than the indexed ones are a fault', () => {
  const path = 'streams/main/transcript-20260301T090000.000000000Z-000001.sd';
  const indexed = { seq: 1, path, sha256: '0'.repeat(64), sizeBytes: 1, records: 2 };
  const records = new LandedRecords(root, 's', [indexed]);
  assert.equal(records.at(1, 1)?.id, 'u1');
  assert.deepEqual(records.faults(), [`${join(root, 's', path)}: its bytes are not those that were indexed`]);
});

test('data is sliced as it stands', () => {
  const data = '{"b": 1.0,"1":1e400,"b":2}';
  assert.deepEqual(dataSlices(`{"parts":[{"k":"x"},{"data":${data}}]}`), [undefined, data]);
  assert.deepEqual(dataSlices('{"ord":1}'), []);
});
