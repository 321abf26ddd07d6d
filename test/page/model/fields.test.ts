import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fieldsOf, indented, wordsOfJson } from '../../../src/page/model/fields.js';
import { spokenText } from '../../../src/page/model/spoken-text.js';

const pairs = (text: string) => fieldsOf(text)?.map(({ name, value }) => [name, value]);

for (const [what, text, expected] of [
  [
    'strings as they read',
    '{"a":"x\\n\\u00e9\\"","b":""}',
    [
      ['a', 'x\né"'],
      ['b', ''],
    ],
  ],
  [
    'numbers as they are spelled',
    '{ "a" : 1.50 , "b":9007199254740993}',
    [
      ['a', '1.50'],
      ['b', '9007199254740993'],
    ],
  ],
  [
    'objects as they are spelled',
    '{"a":{"b":[1,"}"]},"c":true}',
    [
      ['a', '{"b":[1,"}"]}'],
      ['c', 'true'],
    ],
  ],
  [
    'a text that is cut, as far as it goes',
    '{"a":"x","b":"long te',
    [
      ['a', 'x'],
      ['b', 'long te'],
    ],
  ],
  ['one that is cut inside an escape', '{"a":"x\\u00', [['a', 'x']]],
  ['one that is cut behind a backslash', '{"a":"x\\', [['a', 'x']]],
  [
    'names that objects have by themselves',
    '{"__proto__":"p","constructor":1}',
    [
      ['__proto__', 'p'],
      ['constructor', '1'],
    ],
  ],
  ['an empty object', ' {} ', []],
  ['what is no object', '[1]', undefined],
  ['what only begins like one', '{ never mind }', undefined],
  ['words', 'hello', undefined],
] as const)
  test(`fields: ${what}`, () => assert.deepEqual(pairs(text), expected));

test('of any object: the fields that JSON.parse finds, and indenting changes no token', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const text = JSON.stringify(object);
      const again = Object.fromEntries(
        fieldsOf(text)!.map(({ name, value, isText }) => [name, isText ? value : JSON.parse(value)]),
      );
      assert.deepEqual(again, JSON.parse(text));
      assert.deepEqual(JSON.parse(indented(text)), JSON.parse(text));
    }),
  );
});

test('any beginning of an object is read without an error', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(200), (object, end) => {
      const text = JSON.stringify(object).slice(0, end);
      fieldsOf(text);
      wordsOfJson(text);
      indented(text);
    }),
  );
});

test('a string of megabytes is read', () => {
  const long = 'a"'.repeat(1_000_000);
  assert.equal(fieldsOf(JSON.stringify({ long }))![0]!.value, long);
  assert.ok(wordsOfJson(JSON.stringify({ long })).includes(long));
});

test('a message sent while the agent worked is its words, also when it is cut; others are as they are', () => {
  assert.equal(spokenText('{"type":"queued_command","prompt":"go\\non","x":1}'), 'go\non');
  assert.equal(spokenText('{"type":"queued_command","prompt":"go o'), 'go o');
  assert.equal(
    spokenText('{"type":"queued_command","prompt":[{"text":"a"}]}'),
    '{"type":"queued_command","prompt":[{"text":"a"}]}',
  );
  assert.equal(
    spokenText('a {"type":"queued_command","prompt":"b"}'),
    'a {"type":"queued_command","prompt":"b"}',
  );
});
