/** Requests read by us and by the official definitions: the same records, or both refuse. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtobufWriter } from '../../src/format/protobuf-writer.js';
import { NAMES, OTHER, type ReceivedRecord, recordsOf, type Value } from '../../src/receive/read-request.js';
import {
  decodeRequest,
  encodeOfficially,
  sayAgain,
  type WireRecord,
  type WireRequest,
  type WireValue,
} from '../push/official.js';
import { type Random, randomFrom, SEED } from '../random.js';

const allOf = (request: Uint8Array) => [...recordsOf(request)];

/** A record as both sides can be asked to tell it: what is no text and no whole number is only that. */
type Plain = readonly [body: string, attributes: readonly (readonly [string, string])[]];

function ours(request: Uint8Array): Plain[] {
  return [...recordsOf(request)].map(({ body, attributes, doubled }: ReceivedRecord) => [
    plain(body),
    doubled === undefined
      ? [...attributes].map(([name, value]) => [name, plain(value)] as const).sort()
      : [['doubled', doubled]],
  ]);
}

function plain(value: Value | undefined): string {
  if (value === undefined) return 'none';
  if (value === OTHER) return 'other';
  return typeof value === 'bigint' ? `int ${value}` : `text ${Buffer.from(value).toString('utf8')}`;
}

function official(request: WireRequest): Plain[] {
  const records = (request.resourceLogs ?? []).flatMap(({ scopeLogs = [] }) =>
    scopeLogs.flatMap(({ logRecords = [] }) => logRecords),
  );
  return records.map((record): Plain => {
    const attributes = (record.attributes ?? []).filter(({ key }) => NAMES.some((name) => name === key));
    const names = attributes.map(({ key }) => key!);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    const first = names.filter((name, i) => names.indexOf(name) !== i)[0];
    return [
      plainWire(record.body, 'none'),
      twice === undefined
        ? attributes.map(({ key, value }) => [key!, plainWire(value, 'other')] as const).sort()
        : [['doubled', first!]],
    ];
  });
}

function plainWire(value: WireValue | undefined, none: string): string {
  if (value === undefined || Object.keys(value).length === 0) return none;
  if (value.stringValue !== undefined) return `text ${value.stringValue}`;
  return value.intValue === undefined ? 'other' : `int ${value.intValue}`;
}

function randomValue(chance: Random, flat: boolean): object {
  const nested = [
    () => ({ arrayValue: { values: [{ intValue: '1' }] } }),
    () => ({ kvlistValue: { values: [{ key: 'asz.file', value: { stringValue: 'x' } }] } }),
  ];
  return chance.pick([
    ...(flat ? [] : nested),
    () => ({ stringValue: chance.pick(['', 'a', 'é😀', 'x'.repeat(chance(200))]) }),
    () => ({
      intValue: chance.pick(['0', '-1', '9223372036854775807', '-9223372036854775808', String(chance(1000))]),
    }),
    () => ({ boolValue: chance(2) === 1 }),
    () => ({ doubleValue: chance(100) / 3 }),
    () => ({ bytesValue: 'AAEC' }),
    () => ({}),
  ])();
}

/** `flat`: without what we pass over and the official reader looks into. */
function randomRequest(chance: Random, flat = false): WireRequest {
  const list = <T>(limit: number, make: () => T) => Array.from({ length: chance(limit) }, make);
  const attribute = () => ({
    key: chance.pick([...NAMES, 'other', '', 'asz.file.digest.more']),
    value: randomValue(chance, flat),
  });
  const logRecord = () =>
    ({
      timeUnixNano: String(chance(1000)),
      severityText: chance.pick(['', 'INFO']),
      flags: chance(3),
      traceId: chance.pick(['', 'AAECAwQFBgcICQoLDA0ODw==']),
      ...(chance(4) === 0 ? {} : { body: randomValue(chance, flat) }),
      attributes: list(6, attribute),
    }) as WireRecord;
  return {
    resourceLogs: list(3, () => ({
      ...(flat ? {} : { resource: { attributes: list(2, attribute) } }),
      scopeLogs: list(3, () => ({
        ...(flat ? {} : { scope: { name: 'n' } }),
        logRecords: list(4, logRecord),
      })),
    })),
  } as WireRequest;
}

test('random requests are read as the official definitions read them', () => {
  const chance = randomFrom(SEED);
  let records = 0;
  for (let i = 0; i < 2000; i++) {
    const bytes = encodeOfficially(randomRequest(chance));
    const got = ours(bytes);
    assert.deepEqual(got, official(decodeRequest(bytes)), `request ${i} of seed ${SEED}`);
    records += got.length;
  }
  assert.ok(records > 2000, `${records} records`);
});

test('the same request with its fields in any order, and with unknown ones, is read alike', () => {
  const chance = randomFrom(SEED + 1);
  for (let i = 0; i < 1000; i++) {
    const bytes = respelled(encodeOfficially(randomRequest(chance)), 'request', chance);
    assert.deepEqual(ours(bytes), official(decodeRequest(bytes)), `request ${i} of seed ${SEED}`);
  }
});

/** Which fields of a message are messages that are looked into, and of which kind. */
const WITHIN: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  request: { 1: 'resourceLogs' },
  resourceLogs: { 2: 'scopeLogs' },
  scopeLogs: { 2: 'logRecord' },
  logRecord: { 5: 'anyValue', 6: 'keyValue' },
  keyValue: { 2: 'anyValue' },
  anyValue: {},
};

/** A message with its fields shuffled, those of one number in their order, and unknown fields among them. */
function respelled(message: Buffer, kind: string, chance: Random): Buffer {
  const fields: { number: number; bytes: Buffer }[] = [];
  for (let at = 0; at < message.length; ) {
    const [key, afterKey] = varint(message, at);
    const [number, type] = [key >> 3, key & 7];
    const [value, afterValue] = type === 0 || type === 2 ? varint(message, afterKey) : [0, afterKey];
    const end =
      type === 2 ? afterValue + value : type === 1 ? afterKey + 8 : type === 5 ? afterKey + 4 : afterValue;
    const inner = WITHIN[kind]![number];
    const bytes =
      type === 2 && inner !== undefined
        ? lengthDelimited(number, respelled(message.subarray(afterValue, end), inner, chance))
        : message.subarray(at, end);
    fields.push({ number, bytes });
    at = end;
  }
  const unknown = () =>
    chance.pick(['d00f7b', 'd20f026869', 'd10f0102030405060708', 'd50f01020304', 'd30f087bd40f']);
  while (chance(3) === 0) fields.push({ number: 1000 + fields.length, bytes: Buffer.from(unknown(), 'hex') });
  const order = fields.map(({ number }) => ({ number, at: chance(1000) }));
  const rank = new Map(order.map(({ number, at }) => [number, at]));
  fields.sort((a, b) => rank.get(a.number)! - rank.get(b.number)!);
  return Buffer.concat(fields.map(({ bytes }) => bytes));
}

function lengthDelimited(number: number, bytes: Buffer): Buffer {
  const writer = new ProtobufWriter();
  writer.bytes(number, bytes);
  return writer.written;
}

/** A varint that is known to be small, or whose value is not asked for; and where it ends. */
function varint(bytes: Buffer, from: number): [value: number, end: number] {
  let [value, at, shift] = [0, from, 0];
  for (; bytes[at]! >= 0x80; shift += 7) value |= (bytes[at++]! & 0x7f) << shift;
  return [value | (bytes[at]! << shift), at + 1];
}

test('requests with a byte changed, lost or added are read alike where both are sure of them', () => {
  const chance = randomFrom(SEED + 2);
  let [alike, refused] = [0, 0];
  for (let i = 0; i < 20_000; i++) {
    const bytes = mutated(encodeOfficially(randomRequest(chance, true)), chance);
    const got = attempt(() => ours(bytes));
    // The library lets a message reach past the end of the one it is in, and takes one wire type for another. So it
    // counts only when it says the same bytes again.
    const theirs = attempt(() =>
      sayAgain(bytes).equals(bytes) ? official(decodeRequest(bytes)) : undefined,
    );
    if (got === undefined) refused++;
    else if (theirs !== undefined) {
      alike++;
      assert.deepEqual(got, theirs, `request ${i} of seed ${SEED}: ${bytes.toString('hex')}`);
    }
  }
  assert.ok(alike > 2000 && refused > 2000, `${alike} alike, ${refused} refused`);
});

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function mutated(bytes: Buffer, chance: Random): Buffer {
  const at = chance(bytes.length + 1);
  const before = bytes.subarray(0, at);
  switch (chance(4)) {
    case 0:
      return Buffer.from(before);
    case 1:
      return Buffer.concat([before, Buffer.from([chance(256)]), bytes.subarray(at)]);
    case 2:
      return Buffer.concat([before, bytes.subarray(at + 1)]);
    default:
      return Buffer.concat([before, Buffer.from([chance(256)]), bytes.subarray(at + 1)]);
  }
}

test('fields in any order, twice, unknown, empty and in groups', () => {
  const attribute = (...fields: readonly ((writer: ProtobufWriter) => void)[]) =>
    ours(request((writer) => writer.message(6, () => fields.forEach((write) => void write(writer)))))[0]![1];
  const key = (text: string) => (writer: ProtobufWriter) => writer.text(1, text);
  const value = (text: string) => (writer: ProtobufWriter) => writer.message(2, () => writer.text(1, text));
  const nothing = (writer: ProtobufWriter) => writer.message(2, () => {});
  // Written from the last to the first.
  assert.deepEqual(attribute(key('asz.file'), value('a')), [['asz.file', 'text a']]);
  assert.deepEqual(attribute(value('b'), value('a'), key('asz.file'), key('asz.seq')), [
    ['asz.file', 'text b'],
  ]);
  assert.deepEqual(attribute(nothing, value('a'), key('asz.file')), [['asz.file', 'text a']]);
  assert.deepEqual(attribute(key('asz.file')), [['asz.file', 'other']]);
  // A group with a group in it, as protobuf once had them: 0x9b06 begins field 99, 0x9c06 ends it.
  const group = Buffer.from('9b069b0608059c069c06', 'hex');
  assert.deepEqual(ours(Buffer.concat([group, request(() => {})])), [['none', []]]);
  for (const hex of [
    '9b06',
    '9b069b069c06',
    '9c06',
    '9b06a406',
    '0a',
    '0aff',
    '00',
    '0f',
    '08ffffffffffffffffffff01',
    '0affffffffffffffffff01',
    '0aff7f',
    'ffffffffff7f00',
  ])
    assert.throws(() => allOf(Buffer.from(hex, 'hex')), { code: 'FORMAT', message: /^protobuf: / }, hex);
  const deep = Buffer.concat(Array(5_000_000).fill(Buffer.from('9b06', 'hex')));
  assert.throws(() => allOf(deep), /nested too deep|no end/);
});

function request(write: (writer: ProtobufWriter) => void): Buffer {
  const writer = new ProtobufWriter();
  writer.message(1, () => writer.message(2, () => writer.message(2, () => write(writer))));
  return writer.written;
}

test('a request of nothing but empty records, or attributes, is refused before it takes long', () => {
  const empty = Buffer.alloc(60_000_000);
  for (const fill of [
    (bytes: Buffer) => (writer: ProtobufWriter) => writer.bytes(2, bytes),
    (bytes: Buffer) => (writer: ProtobufWriter) =>
      writer.message(2, () => writer.message(2, () => writer.bytes(6, bytes))),
  ]) {
    for (let at = 0; at < empty.length; at += 2) empty[at] = 0x12;
    const writer = new ProtobufWriter();
    writer.message(1, () => fill(empty)(writer));
    assert.throws(() => allOf(writer.written), /more than 4000000 messages/);
  }
});
