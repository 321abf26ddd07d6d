/** Holds docs/verify.md to the kinds of findings there are. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FINDINGS } from '../../src/rounds/finding.js';
import { REPOSITORY } from '../shared.js';

test('docs/verify.md has every id of a finding in one row, and no other', () => {
  const page = readFileSync(join(REPOSITORY, 'docs/verify.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, ids]) => ids!.match(/[a-z-]+/g)!);
  assert.deepEqual(rows.sort(), Object.keys(FINDINGS).sort());
});
