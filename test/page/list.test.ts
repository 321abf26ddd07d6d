/** The list page in a browser. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { REPOSITORY } from '../shared.js';
import { browsing, needsBrowser } from './browser.js';

const SAMPLES = join(REPOSITORY, 'test/golden/samples');

test('the list opens', needsBrowser, async (t) => {
  const { page, open, picture } = await browsing(t, SAMPLES);
  await open('/');
  assert.equal(await page.title(), 'Conversations');
  await picture('list');
});
