import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, headOf, printableBytes, textOf } from '../../src/format/byte-text.js';
import { printableJson } from '../../src/format/json-text.js';
import { readGlance } from '../../src/format/record-glance.js';
import { dataSlices, readRecord } from '../../src/format/session-data.js';
import { changedAtRandom, WRONG_VALUES, withMember } from './damaged-lines.js';

const HEADS = [0, 1, 2, 3, 4, 5, 6, 7, 100];

/** What is shown of a record, by a full reading. */
function inFull(line: string): unknown {
  const { time, child, label, flags, usage, dropped, parts } = readRecord(line);
  const data = dataSlices(line);
  return {
    ...{ time, child, label, flags, usage, dropped },
    parts: parts.map(({ k, id, name, state, bytes, failed, text, data: value }, i) => ({
      ...{ k, id, name, state, bytes, failed, text, data: value },
      heads: HEADS.map((bytes) => headInFull(text, bytes)),
      rawData: value === undefined ? '' : (data[i] ?? '').toWellFormed(),
    })),
  };
}

/** The longest beginning within so many bytes, character by character. */
function headInFull(text: string, maxBytes: number): string {
  let head = '';
  for (const character of text) {
    if (Buffer.byteLength(head + character) > maxBytes) break;
    head += character;
  }
  return head;
}

function atAGlance(line: Buffer): unknown {
  const { time, child, label, flags, usage, dropped, parts } = readGlance(line);
  return {
    ...{ time, child, label, flags, usage, dropped },
    parts: parts.map((part) => {
      const { k, id, name, state, bytes, failed, text } = part;
      return {
        ...{ k, id, name, state, bytes, failed, text, data: part.dataWith('') },
        heads: HEADS.map((bytes) => JSON.parse(textOf(part.textJson(bytes)) || '""')),
        rawData: textOf(part.rawData),
      };
    }),
  };
}

function valueOrWords(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'FORMAT');
    return (error as Error).message;
  }
}

function assertSame(line: Buffer, words: string): void {
  assert.deepEqual(
    valueOrWords(() => atAGlance(line)),
    valueOrWords(() => inFull(line.toString('utf8'))),
    words,
  );
}

const LINES: Readonly<Record<string, string | Buffer>> = {
  'a whole record':
    '{"ord":3,"off":7,"sha":"428b4ad985d6","bytes":9,"id":"i","child":"h","time":"2026-01-01T00:00:00Z","flags":["finished"],"usage":{"in":1},"model":"m","parts":[{"k":"call","id":"t1","name":"Read","data":{"a": 1.0}},{"k":"result","of":"t0","text":"xyz","failed":false}],"dropped":[{"what":"w","bytes":2,"why":"y"}]}',
  'a record in the one spelling':
    '{"ord":3,"off":7,"sha":"428b4ad985d6","bytes":9,"id":"i","child":"h","label":"é\\n","time":"2026-01-01T00:00:00Z","flags":["finished","é"],"usage":{"in":1,"cache_read":2},"model":"m","parts":[{"k":"text","text":"é…\\u2028\\n\\"\\u001b\\\\😀 and more"},{"k":"call","data":{"a":1.0,"…":"\\u00e9\\ud800"},"id":"t1","name":"Read","state":"omitted","bytes":3},{"k":"result","text":"xyz","of":"t0","failed":false},{"k":"data","data":null}],"dropped":[{"what":"w","bytes":2,"why":"y"},{"what":"é","bytes":0}]}',
  'text past ASCII': '{"parts":[{"k":"text","text":"é…😀 and more"},{"k":"text","text":"äöü"}]}',
  'text of ASCII beside text past it': '{"model":"é","parts":[{"k":"text","text":"plain"}]}',
  'text past ASCII, escaped': '{"parts":[{"k":"text","text":"\\u00e9\\u2026"}]}',
  'both spellings on a line':
    '{"parts":[{"k":"text","text":"é\\u00e9"},{"k":"text","text":"\\u00c3\\u00a9"}]}',
  'a control character beside text past ASCII': '{"parts":[{"k":"text","text":"é\\u001b[0m\\n"}]}',
  'a lone surrogate': '{"parts":[{"k":"text","text":"a\\ud800"},{"k":"text","text":"é\\udc00"}]}',
  'a lone surrogate, all ASCII': '{"parts":[{"k":"text","text":"a\\ud800b"}]}',
  'a pair that is escaped': '{"parts":[{"k":"text","text":"ab\\ud83d\\ude00"}]}',
  'data past ASCII': '{"parts":[{"k":"data","data":{"é": "…", "n" : 1e3, "n":2}}]}',
  'data with escapes': '{"parts":[{"k":"data","data":{"a":"\\u00e9","b":"é"}}]}',
  'data that is null': '{"parts":[{"data":null},{"data":"é"},{}]}',
  'parts twice': '{"parts":[{"k":"é"}],"parts":[{"k":"text","text":"é"}]}',
  'words past ASCII':
    '{"time":"é","child":"é","flags":["é"],"parts":[{"k":"é","id":"é","name":"é","state":"é"}],"dropped":[{"what":"é","why":"é"}]}',
  nulls: '{"time":null,"flags":[null],"parts":[null],"dropped":[null],"usage":null}',
  null: 'null',
  'a prototype': '{"__proto__":{"time":"x"},"parts":[{"__proto__":{"k":"x"}}]}',
  'numbers past exactness': '{"ord":9007199254740993,"parts":[{"bytes":-9223372036854775808}]}',
  'a byte order mark': '\ufeff{"ord":1}',
  'bytes that are no UTF-8': Buffer.from(
    '{"parts":[{"k":"text","text":"a\xff\xc3\x80\x80\xe2\x82"}]}',
    'latin1',
  ),
  'a sequence cut by an escape': Buffer.from('{"parts":[{"text":"\xe2\x82\\n\xac"}]}', 'latin1'),
  'bytes between values': Buffer.from('{"id":"a"\xe9}', 'latin1'),
};
for (const [what, line] of Object.entries(LINES))
  test(`a glance at ${what} shows what the record says`, () => assertSame(Buffer.from(line), what));

for (const value of WRONG_VALUES)
  test(`a member that is ${value} is refused in the same words, or shown the same`, () => {
    for (const [line, words] of withMember(value)) assertSame(line, words);
  });

test('lines with random bytes changed show the same, or are refused in the same words', () => {
  for (const [line, words] of changedAtRandom(Object.values(LINES))) assertSame(line, words);
});

test('data is decoded for every word that it may hold, however it is spelled', () => {
  const line = (data: string) =>
    Buffer.from(`{"ord":1,"off":2,"sha":"428b4ad985d6","bytes":9,"parts":[{"k":"data","data":${data}}]}`);
  const dataOf = (data: string, word: string) => readGlance(line(data)).parts[0]!.dataWith(word);
  assert.deepEqual(dataOf('{"type":"word"}', 'word'), { type: 'word' });
  assert.deepEqual(dataOf('{"word":[1,"é"]}', 'word'), { word: [1, 'é'] });
  assert.deepEqual(dataOf('{"type":"w\\u006frd"}', 'word'), { type: 'word' });
  assert.deepEqual(dataOf('{"type":"w\\u006Frd"}', 'word'), { type: 'word' });
  assert.equal(dataOf('{"type":"\\u001bother"}', 'word'), undefined);
});

test('text as bytes is the same text, and prints the same', () => {
  for (let code = 0; code < 0x11000; code++) {
    const text = `a${String.fromCodePoint(code)}b`.toWellFormed();
    assert.equal(textOf(bytesOf(text)), text);
    assert.equal(textOf(printableBytes(bytesOf(text))), printableJson(text), code.toString(16));
  }
});

test('the head of bytes ends where a character does', () => {
  const bytes = bytesOf('aé…😀');
  assert.deepEqual(
    Array.from({ length: 12 }, (_, max) => textOf(headOf(bytes, max))),
    ['', 'a', 'a', 'aé', 'aé', 'aé', 'aé…', 'aé…', 'aé…', 'aé…', 'aé…😀', 'aé…😀'],
  );
});
