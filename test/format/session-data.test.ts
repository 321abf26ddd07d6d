import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isClosing,
  readClosing,
  readHeader,
  readRecord,
  type SdHeader,
  type SdRecord,
  writeClosing,
  writeHeader,
  writeRecord,
} from '../../src/format/session-data.js';

const HEADER: SdHeader = {
  seq: 7,
  at: '2026-01-02T03:05:00.5Z',
  kind: 'transcript',
  adapter: 'x/1',
  dialect: 'x/2',
  src: 'p/s.jsonl',
  session: 's',
  stream: 'main',
  batch: 'b',
};
const HEADER_LINE =
  '{"h":1,"schema":"sd/1","seq":7,"at":"2026-01-02T03:05:00.5Z","kind":"transcript","adapter":"x/1","dialect":"x/2","src":"p/s.jsonl","session":"s","stream":"main","batch":"b"}';

test('a header is written with its keys in order, and comes back', () => {
  assert.equal(writeHeader(HEADER), HEADER_LINE);
  assert.deepEqual(readHeader(HEADER_LINE), { h: 1, schema: 'sd/1', ...HEADER });
});

test('a header names no stream and no batch when they are empty', () => {
  const { stream: _, batch: __, ...rest } = HEADER;
  assert.ok(writeHeader(rest).endsWith('"session":"s"}'));
  assert.equal(writeHeader({ ...rest, stream: '', batch: '' }), writeHeader(rest));
  assert.equal(readHeader(writeHeader(rest)).stream, '');
});

const RECORD: Required<SdRecord> = {
  ord: 3,
  off: 0,
  sha: '428b4ad985d6',
  bytes: 0,
  id: 'i',
  parent: 'p',
  call: 'c',
  run: 'r',
  continues: 'o',
  tool: 't',
  child: 'h',
  batch: 'b',
  label: 'l',
  started_by: 'y',
  from: 'agent',
  time: 'whenever <&>\u2028',
  trigger: 'external',
  flags: ['finished', 'notice'],
  usage: { in: 1, out: 2, cache_read: 3, cache_write: 4 },
  model: 'm',
  parts: [
    {
      k: 'result',
      text: 'x\n',
      data: '{"10":1,"2":1.0,"2":[1e3]}',
      id: 'i',
      of: 'o',
      name: 'n',
      server: 's',
      server_tool: 'q',
      failed: false,
      media: 'image/png',
      encoding: 'base64',
      state: 'available',
      bytes: 5,
    },
    { k: 'text' },
  ],
  dropped: [
    { what: 'w', bytes: 0, why: 'y' },
    { what: 'w', bytes: 2 },
  ],
};
const RECORD_LINE =
  '{"ord":3,"off":0,"sha":"428b4ad985d6","bytes":0,"id":"i","parent":"p","call":"c","run":"r","continues":"o","tool":"t","child":"h","batch":"b","label":"l","started_by":"y","from":"agent","time":"whenever <&>\\u2028","trigger":"external","flags":["finished","notice"],"usage":{"in":1,"out":2,"cache_read":3,"cache_write":4},"model":"m","parts":[{"k":"result","text":"x\\n","data":{"10":1,"2":1.0,"2":[1e3]},"id":"i","of":"o","name":"n","server":"s","server_tool":"q","failed":false,"media":"image/png","encoding":"base64","state":"available","bytes":5},{"k":"text"}],"dropped":[{"what":"w","bytes":0,"why":"y"},{"what":"w","bytes":2}]}';

test('a record is written with its keys in order, raw data as it stands', () =>
  assert.equal(writeRecord(RECORD), RECORD_LINE));

test('a record comes back, what a writer leaves out as empty values', () => {
  const { parts, dropped, ...rest } = readRecord(RECORD_LINE);
  const { parts: written, dropped: left, ...want } = RECORD;
  assert.deepEqual(rest, want);
  assert.deepEqual(parts[0], { ...written[0], data: { 10: 1, 2: [1000] } });
  assert.deepEqual(parts[1], {
    ...{ k: 'text', text: '', data: undefined, id: '', of: '', name: '', server: '', server_tool: '' },
    ...{ failed: undefined, media: '', encoding: '', state: '', bytes: 0 },
  });
  assert.deepEqual(dropped, [left[0], { ...left[1], why: '' }]);
});

test('empty values are left out; zero usage is {}, absent usage is absent', () => {
  const bare = '{"ord":1,"off":0,"sha":"x","bytes":0';
  const record: SdRecord = { ord: 1, off: 0, sha: 'x', bytes: 0 };
  assert.equal(writeRecord({ ...record, id: '', flags: [], parts: [], dropped: [] }), `${bare}}`);
  assert.equal(writeRecord({ ...record, usage: { in: 0 } }), `${bare},"usage":{}}`);
  assert.equal(writeRecord({ ...record, usage: { out: 2 } }), `${bare},"usage":{"out":2}}`);
  assert.equal(readRecord(`${bare}}`).usage, undefined);
  assert.deepEqual(readRecord(`${bare},"usage":{}}`).usage, { in: 0, out: 0, cache_read: 0, cache_write: 0 });
});

test('null and absence mean the empty value, as a line and in a list too', () => {
  const empty = readRecord('{}');
  const nulls = Object.keys(RECORD).map((key) => `"${key}":null`);
  assert.deepEqual(readRecord(`{${nulls.join(',')}}`), empty);
  assert.deepEqual(readRecord('null'), empty);
  const { flags, parts, dropped } = readRecord('{"flags":[null],"parts":[null],"dropped":[null]}');
  assert.deepEqual(flags, ['']);
  assert.equal(parts[0]?.k, '');
  assert.deepEqual(dropped, [{ what: '', bytes: 0, why: '' }]);
});

test('unknown keys are ignored, and of two equal keys the last counts', () =>
  assert.equal(readRecord('{"more":[1],"id":"a","__proto__":{"id":"x"},"id":"b"}').id, 'b'));

test('data may be any JSON value, null and false included', () => {
  for (const data of ['null', 'false', '0', '""', '[]', '{"a":[{}]}'])
    assert.deepEqual(readRecord(`{"parts":[{"k":"data","data":${data}}]}`).parts[0]?.data, JSON.parse(data));
});

test('a lone surrogate in a text is U+FFFD', () => {
  assert.equal(readRecord('{"id":"a\\ud800"}').id, 'a\ufffd');
  assert.deepEqual(readRecord('{"flags":["\\udc00"]}').flags, ['\ufffd']);
});

for (const [what, line] of [
  ['text that is no JSON', '{"id":'],
  ['nothing', ''],
  ['a list', '[]'],
  ['a number', '7'],
  ['an id that is a number', '{"id":1}'],
  ['an ord that is text', '{"ord":"1"}'],
  ['a negative ord', '{"ord":-1}'],
  ['an ord with a fraction', '{"ord":1.5}'],
  ['an ord past 64 bit', '{"ord":18446744073709551616}'],
  ['an off that is negative', '{"off":-1}'],
  ['bytes past signed 64 bit', '{"bytes":9223372036854775808}'],
  ['bytes that are true', '{"bytes":true}'],
  ['flags that are text', '{"flags":"error"}'],
  ['flags with a number', '{"flags":[1]}'],
  ['usage that is a list', '{"usage":[]}'],
  ['usage with a fraction', '{"usage":{"in":0.5}}'],
  ['parts that are an object', '{"parts":{}}'],
  ['a part that is text', '{"parts":["x"]}'],
  ['a part kind that is a number', '{"parts":[{"k":1}]}'],
  ['failed that is text', '{"parts":[{"failed":"no"}]}'],
  ['part bytes that are text', '{"parts":[{"bytes":"1"}]}'],
  ['dropped that is text', '{"dropped":"x"}'],
  ['dropped without an object', '{"dropped":[1]}'],
  ['a started_by that is an object', '{"started_by":{}}'],
] as const)
  test(`a record does not decode: ${what}`, () =>
    assert.throws(() => readRecord(line), { code: 'FORMAT', message: /^sessiondata: decode record: ./ }));

for (const [what, header, message] of [
  ['no JSON', 'x', /^sessiondata: decode header: ./],
  ['a list', '[]', /^sessiondata: decode header: ./],
  ['a seq that is text', '{"seq":"1"}', /^sessiondata: decode header: ./],
  ['another envelope', { h: 2 }, 'sessiondata: unsupported envelope version 2'],
  ['no envelope', { h: undefined }, 'sessiondata: unsupported envelope version 0'],
  ['another schema', { schema: 'sd/2' }, 'sessiondata: unsupported schema "sd/2", want "sd/1"'],
  ['no schema', { schema: undefined }, 'sessiondata: unsupported schema "", want "sd/1"'],
  ['no kind', { kind: undefined, session: '', src: '' }, 'sessiondata: header missing kind'],
  ['no session', { session: '', src: '', dialect: '' }, 'sessiondata: header missing session'],
  ['no src', { src: null, dialect: '' }, 'sessiondata: header missing src'],
  ['no dialect', { dialect: '' }, 'sessiondata: header missing dialect'],
] as const)
  test(`a header is refused: ${what}`, () => {
    const line =
      typeof header === 'string' ? header : JSON.stringify({ ...JSON.parse(HEADER_LINE), ...header });
    assert.throws(() => readHeader(line), { code: 'FORMAT', message });
  });

test('adapter, time and sequence of a header are not checked', () => {
  const line = JSON.stringify({ ...JSON.parse(HEADER_LINE), adapter: undefined, at: '', seq: null });
  assert.deepEqual([readHeader(line).adapter, readHeader(line).at, readHeader(line).seq], ['', '', 0]);
});

test('a writer refuses the header a reader would refuse', () =>
  assert.throws(() => writeHeader({ ...HEADER, src: '' }), {
    message: 'sessiondata: header missing src',
  }));

test('a closing line is told by its first nine bytes, and comes back', () => {
  const digest = 'ab'.repeat(32);
  assert.equal(writeClosing(2, digest), `{"t":"end","records":2,"digest":"${digest}"}`);
  assert.deepEqual(readClosing(writeClosing(2, digest)), { records: 2, digest });
  assert.ok(isClosing('{"t":"end'));
  assert.ok(!isClosing('{"t": "end"}'));
  assert.ok(!isClosing('{"t":"en'));
  assert.throws(() => readClosing('{"t":"end'), { message: /^sessiondata: decode closing line: ./ });
  assert.throws(() => readClosing('{"t":"end","records":"2"}'), {
    message: /^sessiondata: decode closing line: ./,
  });
});

test('a record nested 40,000 deep is read or refused, and never overflows the stack', () => {
  const line = `{"parts":[{"k":"data","data":${'['.repeat(40_000)}${']'.repeat(40_000)}}]}`;
  try {
    assert.ok(Array.isArray(readRecord(line).parts[0]?.data));
  } catch (cause) {
    assert.match(String(cause), /sessiondata: decode record: /);
  }
});
