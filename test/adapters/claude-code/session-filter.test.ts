import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionFilter } from '../../../src/adapters/claude-code/session-filter.js';

const matches: [pattern: string, directory: string, does: boolean][] = [
  ['/private/tmp/**', '-private-tmp', true],
  ['/private/tmp/**', '-private-tmp-x', true],
  ['/private/tmp/**', '-private-tmpfoo', false],
  ['/private/tmp', '-private-tmp', true],
  ['/private/tmp', '-private-tmp-x', false],
  [' /home/me/my app.js ', '-home-me-my-app-js', true],
  ['-home-*', '-home-me', true],
  ['-home-*', 'x-home-me', false],
  ['-home-?', '-home-m', true],
  ['-home-?', '-home-me', false],
  ['[a-c]x', 'bx', true],
  ['[^a-c]x', 'bx', false],
  ['[^a-c]x', 'dx', true],
  ['[]x', 'ax', false],
  ['[x', '[x', true],
  ['[x', 'x', false],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'axb', false],
  ['a.b', 'axb', false],
  ['{a,b}', 'a', false],
  ['{a,b}', '{a,b}', true],
  ['**', '-any', true],
  ['/**', '-any', true],
  ['-w-demo/**', '-w-demo-sub', true],
  ['D--*', 'd--x', false],
  ['', '-any', false],
  ['(a+)+$', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', false],
];
for (const [pattern, directory, does] of matches)
  test(`${JSON.stringify(pattern)} ${does ? 'matches' : 'does not match'} ${directory}`, () => {
    const excluding = sessionFilter({ include: [], exclude: [pattern] });
    assert.equal(excluding({ primary: directory, directories: [] }), !does);
    if (pattern.trim() === '') return; // a blank include is no include
    const including = sessionFilter({ include: [pattern], exclude: [] });
    assert.equal(including({ primary: directory, directories: [] }), does);
  });

test('exclusion comes first, and the primary directory decides alone', () => {
  const filter = sessionFilter({ include: ['a*'], exclude: ['ab'] });
  assert.equal(filter({ primary: 'ab', directories: ['aa', 'ab'] }), false);
  assert.equal(filter({ primary: 'aa', directories: ['aa', 'ab'] }), true);
  assert.equal(filter({ primary: 'b', directories: ['aa', 'b'] }), false);
});

test('without a primary a session is excluded only if every directory is, and included if any is', () => {
  const filter = sessionFilter({ include: ['a*'], exclude: ['x*'] });
  assert.equal(filter({ primary: '', directories: ['x1', 'x2'] }), false);
  assert.equal(filter({ primary: '', directories: ['x1', 'a1'] }), true);
  assert.equal(filter({ primary: '', directories: ['x1', 'b1'] }), false);
});
