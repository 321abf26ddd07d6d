import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  EVERYTHING,
  isFailure,
  PRESETS,
  picksOut,
  presetOf,
  shows,
  withKind,
} from '../../../src/page/model/filters.js';
import { step } from './made-document.js';

test('what nobody said failed did not; an error of the provider did', () => {
  const failures = [{ failed: true }, { failed: false }, {}].map((rest) =>
    isFailure(step('tool', 0, { ...rest })),
  );
  assert.deepEqual(failures, [true, false, false]);
  assert.ok(isFailure(step('error.api', 0)));
});

test('a kind is hidden and shown again, in a filter that leaves out and in one that picks', () => {
  const hidden = withKind(EVERYTHING, 'tool', false);
  assert.ok(!shows(hidden, step('tool', 0)));
  assert.ok(shows(hidden, step('toString', 0)));
  assert.equal(presetOf(withKind(hidden, 'tool', true)), 'everything');
  const picked = { ...EVERYTHING, only: new Set(['tool']) };
  assert.ok(shows(withKind(picked, 'thinking', true), step('thinking', 0)));
  assert.ok(!shows(withKind(picked, 'tool', false), step('tool', 0)));
});

test('each preset knows itself, and two of them lay talks open', () => {
  for (const { name, filter } of PRESETS)
    assert.equal(presetOf({ ...filter, without: new Set(filter.without) }), name);
  assert.deepEqual(
    PRESETS.filter(({ filter }) => picksOut(filter)).map(({ name }) => name),
    ['typed', 'failures'],
  );
  assert.equal(presetOf(withKind(EVERYTHING, 'thinking', false)), undefined);
});
