/** Words that try to be programs, and documents that nobody of ours made: nothing runs, nothing breaks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ViewDocument } from '../../src/format/view-document.js';
import { browsing, needsBrowser } from './browser.js';
import { HOSTILE, HOSTILE_IDS, hostileRoot } from './hostile-root.js';
import { step, stream, talk } from './model/made-document.js';
import { SAMPLES } from './reading.js';

/** What markup in a text would become if it were taken for markup. */
const MADE_BY_WORDS =
  '#page :is(script, img, iframe, style, object, embed, form, base, link), #page svg:not(.icon, .timeline svg)';

async function goThrough(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'expand all' }).click();
  for (let i = 0; i < 25; i++) await page.keyboard.press('j');
  for (const tab of ['Relations', 'Evidence']) {
    const found = page.getByRole('complementary').getByRole('tab', { name: tab });
    if ((await found.count()) > 0) await found.click();
  }
  for (const view of await page.getByRole('tablist', { name: 'Views' }).getByRole('tab').all())
    await view.click();
  await page.getByRole('tab', { name: 'Transcript' }).click();
  await page.getByRole('tab', { name: 'Context fill' }).click();
}

test('hostile words are words, wherever they stand', needsBrowser, async (t) => {
  const { page, open, url, picture } = await browsing(t, await hostileRoot());
  for (const id of HOSTILE_IDS) {
    await open(`/c/${encodeURIComponent(id)}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.ok((await page.getByRole('heading', { level: 1 }).innerText()).startsWith(HOSTILE[1]));
    await goThrough(page);
    assert.equal(
      await page.locator('#page script, #page img, #page iframe, #page style, #page form').count(),
      0,
    );
    const addresses: string[] = await page.evaluate(
      '[...document.links].filter((link) => link.getAttribute("href") !== "#view").map((link) => link.href)',
    );
    assert.deepEqual(addresses, [`${url}/`]);
  }
  await page.keyboard.press('/');
  await page.keyboard.type('<script>');
  await page.keyboard.press('Enter');
  await page.locator('article mark').first().waitFor();
  await picture('conversation-hostile');
});

test(
  'a line of megabytes is its beginning, and its record is shown piece by piece',
  needsBrowser,
  async (t) => {
    const { page, open } = await browsing(t, await hostileRoot());
    await open(`/c/${encodeURIComponent(HOSTILE_IDS[0])}`);
    await page
      .getByText(/clipped: [\d,]+ of [\d,]+ bytes/)
      .first()
      .waitFor();
    await page
      .locator('.input', { hasText: 'long <b>line</b>' })
      .getByRole('button', { name: /^Load the landed record/ })
      .click();
    await page
      .locator('.json-line', { hasText: 'long <b>line</b>' })
      .getByRole('button', { name: /^… show all/ })
      .waitFor();
    assert.ok((await page.locator('.json-text').first().innerText()).length < 10_000);
  },
);

/** Shows a document as the server would give it. */
async function given(page: Page, open: (path: string) => Promise<void>, document: unknown): Promise<void> {
  await page.route('**/api/c/made/view', (route) => route.fulfill({ json: document }));
  await open('/c/made');
}

const KEYS = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];

test('kinds, states and names that nobody knows are shown as they are', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  const odd = KEYS.map((kind, i) =>
    step(kind, i, {
      id: kind,
      name: kind,
      state: kind,
      text: `{"${kind}":"${kind}"}`,
      flags: KEYS,
      attrs: { [kind]: kind },
    }),
  );
  const trees = [
    talk(odd, { label: 'odd', state: 'x' }),
    talk([step('tool', 0)], { stream: '__proto__', child: true }),
  ];
  const summary = {
    title: '',
    state: 'constructor',
    problems: ['<b>round</b> 1'],
    steps: 5,
    kinds: JSON.parse('{"__proto__":3,"constructor":1}'),
  };
  await given(page, open, {
    ...{ format: 'asz.view', version: '1.0', summary, talks: trees, later: [1] },
    streams: [stream('main', [], 'main'), stream('__proto__', [odd[0]!], 'toString')],
    relations: [
      { id: 'r', type: 'valueOf', from: '__proto__', to: 'stream/__proto__', quality: 'constructor' },
    ],
    unresolved: [{ id: 'u', kind: 'constructor', ref: '__proto__', reason: 'x', state: '__proto__' }],
  } as unknown as ViewDocument);
  await page.locator('#integrity').getByText('constructor').waitFor();
  await goThrough(page);
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.locator('.counts', { hasText: '__proto__' }).first().waitFor();
  assert.equal(await page.locator(MADE_BY_WORDS).count(), 0);
});

test('streams that opened each other in a circle can be gone round in', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  const [a, b] = [step('agent.call', 1, { stream: 'a' }), step('agent.call', 2, { stream: 'b' })];
  const circle = [
    { ...stream('a', [b]), parent: 'b' },
    { ...stream('b', [a]), parent: 'a' },
  ];
  await given(page, open, { format: 'asz.view', version: '1.0', streams: circle, loose: [a, b] });
  for (let i = 0; i < 3; i++) {
    await page.locator('.stream-item', { hasText: i % 2 === 0 ? 'b' : 'a' }).click();
    await page.getByRole('region', { name: 'Where this stream comes from' }).waitFor();
  }
});

test(
  'a document with hardly anything in it is shown; one of another version is refused by name',
  needsBrowser,
  async (t) => {
    const { page, open } = await browsing(t, SAMPLES);
    await given(page, open, { format: 'asz.view', version: '1.0' });
    await page.getByText('This stream holds no step.').waitFor();
    await goThrough(page);
    await given(page, open, { format: 'asz.view', version: '2.0' });
    await page
      .getByRole('alert')
      .getByText(/version "2.0"/)
      .waitFor();
  },
);

test('when nothing could be put together the problems are there by themselves', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  const summary = { state: 'mismatch', problems: ['round 1 does not read: no commit'] };
  await given(page, open, { format: 'asz.view', version: '1.0', summary });
  await page.getByRole('alert').getByText('round 1 does not read: no commit').waitFor();
  await page.getByText('Nothing of this conversation could be put together').waitFor();
});
