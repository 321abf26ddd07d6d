import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOutline } from '../../src/format/record-outline.js';
import { readRecord } from '../../src/format/session-data.js';
import { entryOf, type IndexableRecord } from '../../src/format/session-index.js';
import { changedAtRandom, WRONG_VALUES, withMember } from './damaged-lines.js';

type Read = IndexableRecord & { readonly ord: number; readonly off: number; readonly bytes: number };

/** What the index and verification take of a record, or the words it is refused with. */
function taken(read: () => Read): unknown {
  try {
    const record = read();
    const entry = entryOf(record, 1, { fileKind: 'transcript', stream: 's', batch: '' });
    const { ord, off, bytes, from, time, trigger, flags, parts } = record;
    const words = parts.map(({ k, id, of, name, server, server_tool }) => [
      ...[k, id, of, name, server, server_tool],
    ]);
    return { entry, ord, off, bytes, from, time, trigger, flags, words };
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'FORMAT');
    return (error as Error).message;
  }
}

function assertSame(line: Buffer, words: string): void {
  const full = taken(() => readRecord(line.toString('utf8')));
  assert.deepEqual(
    taken(() => readOutline(line)),
    full,
    words,
  );
}

const change = (more: string) => `{"parts":[{"k":"data","data":{"schema":"changes/1",${more}}}]}`;

const LINES: Readonly<Record<string, string | Buffer>> = {
  'a whole record':
    '{"ord":3,"off":7,"sha":"428b4ad985d6","bytes":9,"id":"i","parent":"p","call":"c","run":"r","continues":"o","tool":"t","child":"h","batch":"b","label":"l","started_by":"y","from":"agent","time":"2026-01-01T00:00:00Z","trigger":"external","flags":["finished"],"usage":{"in":1},"model":"m","parts":[{"k":"call","id":"t1","name":"Read","server":"s","server_tool":"q"},{"k":"result","of":"t0","failed":false}],"dropped":[{"what":"w","bytes":2,"why":"y"}]}',
  'content past ASCII': '{"ord":1,"id":"a","parts":[{"k":"text","text":"é…😀"}]}',
  'an id past ASCII': '{"id":"é","parent":"…","label":"😀"}',
  'an id past ASCII, escaped': '{"id":"\\u00e9","label":"Ã\\u00a9"}',
  'an id of ASCII, escaped': '{"id":"\\u0061","label":"é","\\u006frd":4}',
  'ids that are one text in Latin-1 and another in UTF-8': '{"id":"\\u00c3\\u00a9","parent":"é"}',
  'a lone surrogate': '{"id":"\\ud800","label":"\\udc00"}',
  'a flag past ASCII': '{"flags":["é","error"]}',
  'a name past ASCII': '{"parts":[{"k":"call","id":"t","name":"é"}]}',
  'a kind of part past ASCII': '{"parts":[{"k":"é"}]}',
  'a change': change('"id":"i","captured_by":"x","changes":[{"path":"é","additions":2,"deletions":1}]'),
  'a change with an id past ASCII': change('"id":"é","captured_by":"x"'),
  'a change captured by a number': change('"id":"i","captured_by":1'),
  'a change of another shape': change('"id":"i","captured_by":"é","changes":{}'),
  'data that is a list': '{"parts":[{"k":"data","data":["é"]}]}',
  'nothing but an object': '{}',
  null: 'null',
  nulls: '{"id":null,"ord":null,"flags":[null],"parts":[null],"dropped":[null],"usage":null}',
  'a key twice': '{"id":"a","id":"b","é":1,"é":2}',
  'a prototype': '{"__proto__":{"id":"x"},"id":"b","parts":[{"__proto__":[1]}]}',
  'numbers past exactness':
    '{"ord":9007199254740993,"off":18446744073709550000,"bytes":-9223372036854775808}',
  'a byte order mark': '\ufeff{"id":"a"}',
  'a space that is none of JSON': '{"id":\u00a0"a"}',
  'bytes that are no UTF-8': Buffer.from('{"id":"a","label":"\xff\xc3","model":"\xe2\x82"}', 'latin1'),
  'an id that is no UTF-8': Buffer.from('{"id":"a\xc3"}', 'latin1'),
  'a sequence cut by an escape': Buffer.from('{"label":"\xe2\x82\\n\xac"}', 'latin1'),
  'bytes between values': Buffer.from('{"id":"a"\xe9}', 'latin1'),
};
for (const [what, line] of Object.entries(LINES))
  test(`the outline of ${what} is that of the record`, () => assertSame(Buffer.from(line), what));

for (const value of WRONG_VALUES)
  test(`a member that is ${value} is refused in the same words, or taken the same`, () => {
    for (const [line, words] of withMember(value)) assertSame(line, words);
  });

test('lines with random bytes changed give the same outline or the same refusal', () => {
  for (const [line, words] of changedAtRandom(Object.values(LINES))) assertSame(line, words);
});
