/** Which conversations are shown, and in which order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  filtered,
  type ListedConversation,
  ordered,
  totalsOf,
} from '../../../src/page/model/conversations.js';

function row(id: string, more: Partial<ListedConversation> = {}): ListedConversation {
  return {
    ...{ id, title: id, rounds: 1, from: null, to: null, talks: null, steps: null, unresolved: null },
    ...{ changes: null, lines_added: null, lines_removed: null, llm_calls: null, subagents: null },
    ...{ bash_runs: null, state: 'not_checked', problem: '', ...more },
  };
}

const ids = (rows: readonly ListedConversation[]) => rows.map(({ id }) => id).join(' ');

test('the filter looks into titles and ids, in any case, for words as they are', () => {
  const rows = [row('a-1', { title: 'Weather (wind)' }), row('B-2', { title: 'notes' })];
  assert.equal(ids(filtered(rows, 'WIND')), 'a-1');
  assert.equal(ids(filtered(rows, ' b-2 ')), 'B-2');
  assert.equal(ids(filtered(rows, '(wind)')), 'a-1');
  assert.equal(ids(filtered(rows, '.')), '');
  assert.equal(ids(filtered(rows, ' ')), 'a-1 B-2');
});

test('what nobody knows comes last in every order, and equals by id', () => {
  const rows = [
    row('c', { to: 0, talks: 0, title: 'Talk 10' }),
    row('b', { title: 'talk 9' }),
    row('a', { title: 'zebra' }),
    row('d', { to: 5, talks: 7, title: 'Talk 10' }),
  ];
  assert.equal(ids(ordered(rows, 'recent')), 'd c a b');
  assert.equal(ids(ordered(rows, 'largest')), 'd c a b');
  assert.equal(ids(ordered(rows, 'name')), 'b c d a');
});

test('totals say when they are only what is known', () => {
  const rows = [row('a', { talks: 2, steps: 10 }), row('b', { talks: 1, steps: 5 })];
  assert.deepEqual(totalsOf(rows), { conversations: 2, talks: 3, steps: 15, isAtLeast: false });
  assert.equal(totalsOf([...rows, row('c')]).isAtLeast, true);
  assert.deepEqual(totalsOf([]), { conversations: 0, talks: 0, steps: 0, isAtLeast: false });
});
