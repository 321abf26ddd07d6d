/** The list page in a browser: what a reader does on it. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { roundsFolder } from '../../src/io/storage-root.js';
import { aSession } from '../builders.js';
import { rewrite } from '../e2e/run-asz.js';
import { GOLDEN_ROOTS } from '../golden-roots.js';
import type { SessionBuilder } from '../session-builder.js';
import { REPOSITORY, temporaryFolder } from '../shared.js';
import { browsing, needsBrowser } from './browser.js';
import { HOSTILE_IDS, hostileRoot } from './hostile-root.js';

const GOLDEN = join(REPOSITORY, 'test/golden');
const WEATHER = '5d0c3a7e-2f41-4c8e-9b16-7a2e94d1c0f3';

/** The golden sessions side by side. */
function goldenRoot(): string {
  const root = temporaryFolder();
  for (const name of ['samples', ...GOLDEN_ROOTS.map(({ name }) => name)])
    cpSync(join(GOLDEN, name), root, { recursive: true });
  return root;
}

const titles = (page: Page) => page.locator('a.title').allTextContents();

/** Waits until something is so; says what it was instead when it never is. */
async function until<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const now = await read();
    if (JSON.stringify(now) === JSON.stringify(wanted) || Date.now() > deadline) {
      assert.deepEqual(now, wanted);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('rows say what the rounds say, newest first', needsBrowser, async (t) => {
  const { page, open, picture } = await browsing(t, goldenRoot());
  await open('/');
  await page.locator('tbody tr').first().waitFor();
  assert.equal(await page.title(), 'Conversations');
  const weather = page.locator('tbody tr', { hasText: WEATHER });
  assert.deepEqual(await weather.locator('td, th').allInnerTexts(), [
    `Fix the wind test, add one for heat\n${WEATHER}`,
    ...['not checked', '4', '13', '2', '3', '2 +7 −1', '0', '45 min', 'Mar 2, 2026, 10:59'],
  ]);
  const time = weather.locator('time');
  assert.match((await time.getAttribute('title'))!, /^2026-03-02 09:59:\d\d\.\d{3} UTC$/);
  const all: string[] = await page.evaluate(
    '[...document.querySelectorAll("tbody time")].map((at) => at.dateTime)',
  );
  assert.deepEqual(all, all.toSorted().reverse());
  assert.match(await page.locator('.totals').innerText(), /^9 conversations · \d+ talks · \d+ steps$/);
  await picture('list-golden');
});

test('filter and order, kept in the address', needsBrowser, async (t) => {
  const { page, open, url } = await browsing(t, goldenRoot());
  await open('/');
  await page.keyboard.press('/');
  await page.keyboard.type('WIND');
  await until(() => titles(page), ['Fix the wind test, add one for heat']);
  assert.equal(await page.getByRole('status').innerText(), '1 of 9');
  assert.equal(await page.locator('.title mark').innerText(), 'wind');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Name' }).click();
  await page.waitForURL(`${url}/?sort=name`);
  const byName = await titles(page);
  assert.deepEqual(byName, byName.toSorted(new Intl.Collator('en', { numeric: true }).compare));
  await page.getByRole('button', { name: 'Largest' }).click();
  await page.waitForURL(`${url}/?sort=largest`);
  const counts = (await page.locator('td.talks .number').allInnerTexts()).map(Number);
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
  );
  await page.getByRole('searchbox').fill('no such thing');
  await page.waitForURL(`${url}/?filter=no+such+thing&sort=largest`);
  await page.reload();
  await page.getByText('No conversation matches that filter.').waitFor();
  assert.equal(await page.getByRole('searchbox').inputValue(), 'no such thing');
});

test('the address has the filter before anything can be clicked', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, goldenRoot());
  await open('/');
  await page.locator('a.title').first().waitFor();
  const search = await page.evaluate(`(async () => {
    const field = document.querySelector('input');
    field.value = 'wind';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await null;
    await null;
    return location.search;
  })()`);
  assert.equal(search, '?filter=wind');
});

test('by keys alone: to a row, into it, and back to where one was', needsBrowser, async (t) => {
  const { page, open, url } = await browsing(t, goldenRoot());
  await open('/?filter=f');
  await page.locator('a.title').first().waitFor();
  const inFocus = () => page.evaluate('document.activeElement.textContent');
  const all = await titles(page);
  await page.keyboard.press('j');
  assert.equal(await inFocus(), all[0]);
  await page.keyboard.press('ArrowUp');
  assert.equal(await inFocus(), all[0]);
  await page.keyboard.press('End');
  assert.equal(await inFocus(), all.at(-1));
  const link = await page.locator('a.title').last().getAttribute('href');
  await page.keyboard.press(' ');
  await page.waitForURL(`${url}${link}`);
  await page.goBack();
  await page.waitForURL(`${url}/?filter=f`);
  await until(() => titles(page), all);
});

test('a click on a row opens it, and what was opened is checked from then on', needsBrowser, async (t) => {
  const { page, open, url } = await browsing(t, goldenRoot());
  await open('/');
  const row = page.locator('tbody tr', { hasText: WEATHER });
  await row.locator('td.talks').click();
  await page.waitForURL(`${url}/c/${WEATHER}`);
  await page.getByText('Fix the wind test, add one for heat').first().waitFor();
  await page.goBack();
  await row.getByText('verified', { exact: true }).waitFor();
});

test('search in the texts: snippets that lead to their step', needsBrowser, async (t) => {
  const { page, open, url, picture } = await browsing(t, goldenRoot());
  await open('/');
  await page.getByRole('searchbox').fill('wind');
  await page.keyboard.press('Enter');
  await page.locator('a.hit').first().waitFor();
  assert.match(
    await page.locator('section').getByRole('status').innerText(),
    /^\d+ hits in \d+ conversations; text past 2000 bytes is not searched\.$/,
  );
  for (const mark of await page.locator('.snippet mark').allInnerTexts())
    assert.equal(mark.toLowerCase(), 'wind');
  await picture('list-search');
  const hit = page.locator('a.hit', { hasText: 'text' }).first();
  const href = await hit.getAttribute('href');
  assert.match(href!, /^\/c\/[^?]+\?stream=[^&]+&talk=[^&]+&step=[^&]+$/);
  await hit.click();
  await page.waitForURL((at) => at.href.startsWith(`${url}/c/`) && at.searchParams.has('step'));
  await page.goBack();
  await page.locator('a.hit').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  assert.equal(
    await page.evaluate('[...document.querySelectorAll("a.hit")].indexOf(document.activeElement)'),
    1,
  );
  await page.keyboard.press('Escape');
  await page.locator('a.title').first().waitFor();
  await page.getByRole('searchbox').fill('nothing has this in it');
  await page.getByRole('button', { name: 'Search the texts' }).click();
  await page.getByText('Nothing found; text past 2000 bytes is not searched.').waitFor();
});

test('it moves with the root, and the row in focus stays in focus', needsBrowser, async (t) => {
  const first = await aParsed(aSession({ session: 'first' }));
  const { page, open } = await browsing(t, first.root);
  await open('/');
  await page.keyboard.press('/');
  await page.locator('a.title').focus();
  await aParsed(aSession({ session: 'second', root: first.root, begins: '2026-01-03T00:00:00Z' }));
  await until(() => titles(page), ['about second', 'about first']);
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'about first');
  const talks = () => page.locator('tr', { hasText: 'about first' }).locator('td.talks').innerText();
  assert.equal(await talks(), '1');
  await aParsed(first);
  await until(talks, '2');
});

test(
  'a page that is not seen does not listen, and catches up when it is seen again',
  needsBrowser,
  async (t) => {
    const first = await aParsed(aSession({ session: 'first' }));
    const { page, open } = await browsing(t, first.root);
    const listening: string[] = [];
    page.on('requestfinished', (request) => listening.push(`end ${new URL(request.url()).pathname}`));
    page.on('requestfailed', (request) => listening.push(`end ${new URL(request.url()).pathname}`));
    await open('/');
    await until(() => titles(page), ['about first']);
    const turn = (isHidden: boolean) =>
      page.evaluate(`
      Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    `);
    await turn(true);
    await until(async () => listening.includes('end /api/events'), true);
    await aParsed(aSession({ session: 'second', root: first.root, begins: '2026-01-03T00:00:00Z' }));
    await page.waitForTimeout(2500);
    assert.deepEqual(await titles(page), ['about first']);
    await turn(false);
    await until(() => titles(page), ['about second', 'about first']);
  },
);

test('where no more may listen, it asks instead', needsBrowser, async (t) => {
  const first = await aParsed(aSession({ session: 'first' }));
  const { page, open } = await browsing(t, first.root, { expected: [/status of 503/] });
  await page.route('**/api/events', (route) => route.fulfill({ status: 503, json: { error: 'many' } }));
  await open('/');
  await until(() => titles(page), ['about first']);
  await aParsed(aSession({ session: 'second', root: first.root, begins: '2026-01-03T00:00:00Z' }));
  await until(() => titles(page), ['about second', 'about first']);
});

test('a search waits for another one, and says why it failed', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, goldenRoot(), { expected: [/status of 50[03]/] });
  let status = 503;
  await page.route('**/api/search?*', (route) =>
    status === 200 ? route.continue() : route.fulfill({ status, json: { error: 'view: it is so' } }),
  );
  await open('/?search=wind');
  await page.getByText('Waiting for another search to end…').waitFor();
  status = 200;
  await page.locator('a.hit').first().waitFor();
  status = 500;
  await page.reload();
  await page.getByRole('alert').getByText('The search failed: view: it is so').waitFor();
});

test('of a thousand conversations the first are drawn, and all are filtered', needsBrowser, async (t) => {
  const root = temporaryFolder();
  for (let i = 0; i < 1000; i++) {
    const header = {
      t: 'header',
      schema: 'sf/1',
      conversation: `c${i}`,
      session: `c${i}`,
      round: 1,
      title: `no. ${i}`,
    };
    rewrite(join(roundsFolder(root, `c${i}`), 'r000001-000000000000.sf'), `${JSON.stringify(header)}\n`);
  }
  const { page, open } = await browsing(t, root);
  await open('/?sort=name');
  await until(async () => (await titles(page)).length, 200);
  await page.getByRole('searchbox').fill('no. 99');
  await until(() => titles(page), ['no. 99', ...Array.from({ length: 10 }, (_, i) => `no. 99${i}`)]);
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'Show 800 more conversations' }).click();
  await until(async () => (await titles(page)).length, 1000);
});

test('a chain that is damaged is listed with what is wrong', needsBrowser, async (t) => {
  const root = goldenRoot();
  const rounds = (id: string) => readdirSync(roundsFolder(root, id)).sort();
  const [broken, gapped] = ['text', 'tombstones'];
  rewrite(join(roundsFolder(root, broken), rounds(broken).at(-1)!), 'not a round\n');
  rmSync(join(roundsFolder(root, gapped), rounds(gapped)[0]!));
  const { page, open, picture } = await browsing(t, root);
  await open('/');
  await page.locator('tr', { hasText: broken }).getByText('unreadable', { exact: true }).waitFor();
  const row = page.locator('tr', { hasText: gapped });
  await row.getByText('gap', { exact: true }).waitFor();
  assert.match(await row.innerText(), /the rounds are not numbered one after the other from 1 on/);
  const unknown = page.locator('tr', { hasText: 'first line does not decode' }).locator('.unknown').first();
  assert.equal(await unknown.innerText(), '—');
  assert.equal(
    await unknown.getAttribute('title'),
    'Not reported by the Sessionizer version that wrote this round.',
  );
  assert.match(await page.locator('.totals').innerText(), /at least \d+ talks/);
  await picture('list-damaged');
});

test('a root that has nothing any more says what to do', needsBrowser, async (t) => {
  const session = await aParsed(aSession());
  const { page, open } = await browsing(t, session.root);
  rmSync(join(session.root, '_conversations'), { recursive: true });
  mkdirSync(join(session.root, '_conversations'));
  await open('/');
  await page.getByText('Nothing assembled yet. Run asz collect, then asz parse.').waitFor();
});

test('a list that cannot be read says why, and can be asked for again', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, goldenRoot(), { expected: [/status of 500/] });
  let [asked, isBroken] = [0, true];
  await page.route('**/api/conversations', (route) => {
    asked++;
    return isBroken
      ? route.fulfill({ status: 500, json: { error: 'storage: no such root' } })
      : route.continue();
  });
  await open('/');
  // It asks when it begins, and once more when changes are told from then on.
  await until(async () => asked, 2);
  await page.getByText('The list could not be read: storage: no such root').waitFor();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('a.title').first().waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
});

test('what the pipeline does is told while it does it', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, goldenRoot());
  const at = Date.now();
  let status: Record<string, unknown> = { mode: 'watch', refreshing: true, last_refresh: 0, next_refresh: 0 };
  await page.route('**/api/status', (route) => route.fulfill({ json: status }));
  await open('/');
  await page.getByText('Collecting…').waitFor();
  status = { mode: 'watch', refreshing: false, last_refresh: at, next_refresh: at + 3_600_000 };
  await page.getByText(/^Refreshed \d\d:\d\d:\d\d, again in 59 min$/).waitFor();
  status = { ...status, last_error: 'collect: no such folder' };
  await page.getByRole('alert').getByText('collect: no such folder').waitFor();
});

test('the colours follow the system, and the switch, and stay', needsBrowser, async (t) => {
  const { page, open, picture } = await browsing(t, goldenRoot(), { dark: true });
  await open('/');
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const dark = await ground();
  await page.locator('a.title').first().waitFor();
  await picture('list-dark');
  await page.getByRole('button', { name: 'Colours: as the system' }).click();
  assert.notEqual(await ground(), dark);
  await page.reload();
  await page.getByRole('button', { name: 'Colours: light' }).click();
  assert.equal(await ground(), dark);
  await page.getByRole('button', { name: 'Colours: dark' }).click();
  assert.equal(await page.evaluate('localStorage.getItem("asz.theme")'), null);
});

test('on a narrow screen nothing is cut off', needsBrowser, async (t) => {
  const { page, open, picture } = await browsing(t, goldenRoot(), { width: 400, height: 800 });
  await open('/');
  await page.locator('a.title').first().waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 400);
  await picture('list-narrow');
});

test('hostile words are words: in titles, ids, snippets and what is typed', needsBrowser, async (t) => {
  const root = await hostileRoot();
  const { page, open, url, picture } = await browsing(t, root);
  await open('/');
  await page.locator('a.title').first().waitFor();
  const ids = await page.locator('.id').allTextContents();
  assert.deepEqual(ids.toSorted(), [...HOSTILE_IDS].toSorted());
  for (const title of await titles(page)) assert.match(title, /^<\/script><script>alert\(2\)<\/script> /);
  await page.getByRole('searchbox').fill('<script>');
  await until(async () => (await titles(page)).length, HOSTILE_IDS.length);
  await page.keyboard.press('Enter');
  await page.locator('a.hit').first().waitFor();
  assert.ok((await page.locator('.snippet mark').allInnerTexts()).every((text) => text === '<script>'));
  await picture('list-hostile');
  assert.equal(
    await page.locator('main script, main img, main svg:not(.icon), main style, main iframe').count(),
    0,
  );
  const addresses: string[] = await page.evaluate('[...document.links].map((link) => link.href)');
  for (const address of addresses) assert.ok(address.startsWith(`${url}/c/`), address);
  for (const id of HOSTILE_IDS) {
    await open('/');
    await page.locator('tr', { hasText: id }).locator('a.title').click();
    await page.waitForURL(`${url}/c/${encodeURIComponent(id)}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
});

async function aParsed(session: SessionBuilder): Promise<SessionBuilder> {
  session.main.title(`about ${session.session}`).input('a question').says('an answer');
  session.land();
  await session.parse();
  return session;
}
