import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPathSegment } from '../../src/io/path-segment.js';

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['', /id "" cannot name a directory: it is empty/],
  ['.', /another directory/],
  ['..', /another directory/],
  ['_conversations', /reserved/],
  ['a/b', /separator/],
  ['../x', /separator/],
  ['a\\b', /separator/],
  ['a\0b', /control character/],
  ['a\nb', /id "a\\nb" .*control character/],
  ['a\u009bb', /control character/],
  ['a\ud800', /well-formed/],
  ['é'.repeat(101), /longer than 200 bytes/],
  ...[...'<>:"|?*'].map((c): [string, RegExp] => [`a${c}b`, /a character that Windows refuses/]),
  ['con', /Windows/],
  ['CONIN$', /device on Windows/],
  ['conout$', /device on Windows/],
  ['NUL.txt', /Windows/],
  ['Com7', /Windows/],
  ['lpt1.', /Windows/],
  ['a.', /dot or a space/],
  ['a ', /dot or a space/],
];

for (const [id, message] of REFUSED)
  test(`${JSON.stringify(id.slice(0, 20))} is refused`, () => {
    assert.throws(() => checkPathSegment(id), { code: 'STORAGE', message });
  });

for (const id of ['s1', 'main', 'a_b', '.hidden', '...x', 'com10', 'console', 'é'.repeat(100), 'a b', '😀'])
  test(`${JSON.stringify(id.slice(0, 20))} is taken as it is`, () => assert.equal(checkPathSegment(id), id));
