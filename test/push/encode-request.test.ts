import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_TIME } from '../../src/format/time.js';
import {
  type Attribute,
  encodeRecord,
  encodeRequest,
  type LogRecord,
} from '../../src/push/encode-request.js';
import { randomFrom, SEED } from '../random.js';
import { decodeRequest, encodeOfficially } from './official.js';

const SCOPE = { name: 'n', version: 'v' };

interface Group {
  readonly resource: readonly Attribute[];
  readonly records: readonly LogRecord[];
}

function encoded(groups: readonly Group[]): Buffer {
  const encoded = groups.map(({ resource, records }) => ({ resource, records: records.map(encodeRecord) }));
  const request = encodeRequest(encoded, SCOPE);
  assert.equal(request.length, request.written.length);
  return request.written;
}

test('a request of one record is these bytes', () => {
  const record: LogRecord = {
    time: { ms: 1_767_225_600_500, ns: 1 },
    observed: { ms: 0, ns: 2 },
    body: Buffer.from('é\n'),
    attributes: [
      ['asz.format', 'sd'],
      ['asz.seq', 0],
      ['asz.lines', 300],
    ],
  };
  const bytes = encoded([{ resource: [['service.name', 'Mock Agent']], records: [record] }]);
  assert.equal(bytes.toString('hex'), VECTOR);
  assert.equal(bytes.length, 133);
});

/** Export spec 3. */
const VECTOR = [
  '0a82010a1e0a1c0a0c736572766963652e6e616d65120c0a0a4d6f636b204167656e7412600a060a016e12017612560901',
  '65c70b5272861810091a04494e464f2a050a03c3a90a32120a0a61737a2e666f726d617412040a027364320d0a0761737a',
  '2e7365711202180032100a0961737a2e6c696e6573120318ac02590200000000000000',
].join('');

test('numbers of every size, times before 1970 and texts that are not well-formed decode as they were meant', () => {
  const numbers = [0, 1, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 53 - 1, 2 ** 62, -1, -(2 ** 63)];
  const record: LogRecord = {
    time: { ms: -1, ns: 999_999 },
    observed: NO_TIME,
    body: Buffer.alloc(0),
    attributes: [...numbers.map((n, i) => [`n${i}`, n] as const), ['lone', 'a\ud800b'], ['empty', '']],
  };
  const [group] = decodeRequest(encoded([{ resource: [], records: [record] }])).resourceLogs!;
  const [got] = group!.scopeLogs![0]!.logRecords!;
  assert.equal(got!.timeUnixNano, String(2n ** 64n - 1n));
  assert.equal(got!.observedTimeUnixNano, undefined);
  assert.deepEqual(got!.body, { stringValue: '' });
  const values = got!.attributes!.map(({ value }) => value!.intValue ?? value!.stringValue);
  assert.deepEqual(values, [...numbers.map((n) => String(BigInt(n))), 'a\ufffdb', '']);
});

test('random requests are, byte for byte, what the official definitions make of them', () => {
  const chance = randomFrom(SEED);
  const text = () =>
    chance.pick([
      '',
      'a',
      'é',
      '😀'.repeat(chance(50)),
      'x'.repeat(chance(300)),
      'y'.repeat(chance(40_000)),
      '\u0000\n',
    ]);
  for (let i = 0; i < 300; i++) {
    const attributes = () =>
      Array.from({ length: chance(4) }, (_, n) => [`k${n}`, chance.pick([text(), chance(2 ** 31)])] as const);
    const groups = Array.from({ length: chance(4) }, () => ({
      resource: attributes(),
      records: Array.from({ length: chance(4) }, () => ({
        time: { ms: chance(2 ** 31), ns: chance(1_000_000) },
        observed: { ms: chance(2 ** 31), ns: chance(1_000_000) },
        body: Buffer.from(text()),
        attributes: attributes(),
      })),
    }));
    const bytes = encoded(groups);
    assert.ok(encodeOfficially(decodeRequest(bytes)).equals(bytes), `request ${i} of seed ${SEED}`);
    const bodies = decodeRequest(bytes).resourceLogs?.flatMap(({ scopeLogs }) =>
      scopeLogs![0]!.logRecords?.map(({ body }) => body!.stringValue),
    );
    assert.deepEqual(
      (bodies ?? []).filter((body) => body !== undefined),
      groups.flatMap(({ records }) => records.map(({ body }) => body.toString())),
    );
  }
});
