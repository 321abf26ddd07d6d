/**
 * No stage searches all entries for each entry: the looks at the index per entry are the same for a session and
 * for one four times as large. Counted, not timed, so that nothing jitters.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLOCK_COLUMNS, ENTRY_COLUMNS, type SessionIndex } from '../../src/format/session-index.js';
import {
  type AFile,
  agent,
  anIndex,
  assembledIndex,
  call,
  child,
  journal,
  main,
  result,
  results,
  sidecar,
  text,
  user,
} from './index-builder.js';

const many = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const opening = user('u', 'p');

const shapes: Record<string, (n: number) => AFile[]> = {
  'turns with tools': (n) => [
    main(
      ...many(n, (i) => [
        user(`u${i}`, `p${i}`),
        { ...agent(`a${i}`, `m${i}`, text(), call(`t${i}`)), parent: `u${i}` },
        results(`r${i}`, result(`t${i}`)),
      ]).flat(),
    ),
  ],
  'fragments of one call': (n) => [main(opening, ...many(n, (i) => agent(`a${i}`, 'm', text())))],
  'results of one tool': (n) => [
    main(opening, agent('a', 'm', call('t')), ...many(n, (i) => results(`r${i}`, result('t')))),
  ],
  'repeated records': (n) => [main(opening), main(...many(n, () => opening))],
  'resets with summaries': (n) => [
    main(
      ...many(n, (i) => [
        { id: `b${i}`, from: 'runtime', flags: ['context_reset'], continues: 'x' },
        { id: `s${i}`, parent: `b${i}`, from: 'external', flags: ['reset_summary'] },
      ]).flat(),
    ),
  ],
  'children of one call': (n) => [
    main(opening, agent('a', 'm', call('t')), results('r', result('t'))),
    ...many(n, (i) => [
      child(`kid${i}`, user(`k${i}`, 'q'), agent(`l${i}`, `n${i}`, text())),
      sidecar(`kid${i}`, { tool: 't' }),
    ]).flat(),
  ],
  'children of one batch': (n) => [
    main(opening, agent('a', 'm', call('t')), { ...results('r', result('t')), batch: 'b' }),
    journal('b', ...many(n, (i) => ({ child: `kid${i}`, flags: ['child_result'] }))),
    ...many(n, (i) => child(`kid${i}`, user(`k${i}`, 'q'))),
  ],
  'announcements of one child': (n) => [
    main(opening, ...many(n, (i) => ({ id: `x${i}`, from: 'external', child: 'kid', tool: `t${i}` }))),
    child('kid', user('k', 'q')),
  ],
  'notifications of one child': (n) => [
    main(
      opening,
      ...many(n, (i) => ({ id: `x${i}`, from: 'external', trigger: 'notification', child: 'kid' })),
    ),
    child('kid', user('k', 'q'), ...many(n, () => ({ from: 'runtime' }))),
  ],
};

for (const [what, shape] of Object.entries(shapes))
  test(`${what}: a session four times as large costs four times the looks`, async () => {
    const looksPerEntry = async (n: number): Promise<number> => {
      const { index, looks } = counting(anIndex(...shape(n)));
      await assembledIndex(index);
      return looks() / index.entries;
    };
    const [small, large] = [await looksPerEntry(150), await looksPerEntry(600)];
    assert.ok(large < small * 1.25, `${small} looks per entry, then ${large}`);
  });

/** The index with every column counting how often an element is looked at. */
function counting(index: SessionIndex): { index: SessionIndex; looks: () => number } {
  let looks = 0;
  const watched: Record<string, unknown> = {};
  for (const column of Object.keys({ ...ENTRY_COLUMNS, ...BLOCK_COLUMNS }) as (keyof SessionIndex)[])
    watched[column] = new Proxy(index[column] as Uint32Array, {
      get(target, key) {
        looks++;
        return Reflect.get(target, key) as unknown;
      },
    });
  return { index: { ...index, ...watched }, looks: () => looks };
}
