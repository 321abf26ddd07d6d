/** How a conversation arrives at its page, and what is said when it does not. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { roundsFolder } from '../../src/io/storage-root.js';
import { aLandedSession } from '../builders.js';
import { rewrite } from '../e2e/run-asz.js';
import { browsing, needsBrowser } from './browser.js';
import { SAMPLES } from './reading.js';

const WEATHER = '5d0c3a7e-2f41-4c8e-9b16-7a2e94d1c0f3';

test('while it arrives the page says so', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/api/c/*/view', async (route) => {
    await held;
    await route.continue();
  });
  await open(`/c/${WEATHER}`);
  await page.getByRole('status').getByText('Receiving the conversation…').waitFor();
  assert.equal(await page.getByRole('progressbar', { name: 'Received' }).count(), 1);
  arrive();
  await page.getByRole('heading', { level: 1, name: 'Fix the wind test' }).waitFor();
});

test('what the server says is shown, and the way back', needsBrowser, async (t) => {
  const session = aLandedSession();
  await session.parse();
  const folder = roundsFolder(session.root, 's1');
  rewrite(join(folder, readdirSync(folder)[0]!), 'not a round\n');
  const { page, open, url } = await browsing(t, session.root, { expected: [/status of 404/] });
  for (const [id, why] of [
    ['nobody', 'view: no such conversation'],
    ['..%2F..', 'view: no such conversation'],
    ['s1', /^view: s1: round 1 does not read: /],
  ] as const) {
    await open(`/c/${id}`);
    await page.getByRole('heading', { name: 'This conversation could not be shown' }).waitFor();
    await page.getByRole('alert').getByText(why).waitFor();
  }
  await page.getByRole('link', { name: 'All conversations' }).click();
  await page.waitForURL(`${url}/`);
});

test(
  'a document of another format is refused by its name, and so is no document at all',
  needsBrowser,
  async (t) => {
    const { page, open } = await browsing(t, SAMPLES);
    for (const [json, why] of [
      [
        { format: 'other.view', version: '1.0' },
        'format "other.view", version "1.0"; this page reads asz.view 1.0',
      ],
      [
        { format: 'asz.view', version: '1.1' },
        'format "asz.view", version "1.1"; this page reads asz.view 1.0',
      ],
      [null, 'format undefined, version undefined; this page reads asz.view 1.0'],
    ] as const) {
      await page.route('**/api/c/*/view', (route) => route.fulfill({ json }));
      await open(`/c/${WEATHER}`);
      await page.getByRole('alert').getByText(why).waitFor();
    }
  },
);

test('a server that is gone is named', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES, { expected: [/ERR_FAILED/] });
  await page.route('**/api/c/*/view', (route) => route.abort());
  await open(`/c/${WEATHER}`);
  await page.getByRole('alert').getByText('the server does not answer').waitFor();
});
