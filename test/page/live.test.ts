/** Rounds that arrive, chains that break and evidence that is altered, while somebody reads. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listRounds } from '../../src/io/chain-directory.js';
import { roundsFolder, sessionFolder } from '../../src/io/storage-root.js';
import { aSession } from '../builders.js';
import { rewrite } from '../e2e/run-asz.js';
import { browsing, needsBrowser } from './browser.js';
import {
  comesIntoView,
  grown,
  oneTalk,
  openFolds,
  restingAt,
  SAMPLES,
  selected,
  transcript,
  WEATHER,
} from './reading.js';

test('a round that arrives is shown, and the reader stays where he is', needsBrowser, async (t) => {
  const session = aSession();
  for (let i = 0; i < 30; i++) oneTalk(session, `${i}`);
  await grown(session);
  const { page, open, picture } = await browsing(t, session.root);
  await open('/c/s1');
  await page.getByRole('searchbox', { name: 'Filter talks by their words' }).fill('question 20');
  await page.getByRole('navigation').getByText('question 20').click();
  await page.locator('article.selected', { hasText: 'question 20' }).waitFor();
  const talk = page.locator('.virtual-row', { hasText: 'question 20' });
  await talk.locator('xpath=following-sibling::*').first().getByRole('button').click();
  const step = page.locator('.step', { hasText: 'make 20' });
  const before = await restingAt(step);
  oneTalk(session, 'new');
  await grown(session);
  await page.getByRole('button', { name: 'round 2' }).waitFor();
  await page.getByRole('navigation').getByText('1 of 31').waitFor();
  assert.equal(await restingAt(step), before);
  assert.match(await selected(page).innerText(), /question 20/);
  assert.equal(await transcript(page).getByText('answer new').count(), 0);
  await picture('conversation-live');
  await page.getByRole('checkbox', { name: 'follow latest' }).check();
  oneTalk(session, 'newest');
  await grown(session);
  await transcript(page).getByText('answer newest').waitFor();
  await comesIntoView(transcript(page).getByText('answer newest'));
});

test('what keeps a round from arriving is said, until one arrives', needsBrowser, async (t) => {
  const session = aSession();
  oneTalk(session, 'one');
  await grown(session);
  const { page, open } = await browsing(t, session.root, { expected: [/status of 500/] });
  const first = page.waitForResponse((response) => response.status() === 304);
  await open('/c/s1');
  await first;
  const live = page.locator('.live [role="status"]');
  await live.getByText('live', { exact: true }).waitFor();
  await page.route('**/api/c/s1/view', (route) => route.fulfill({ status: 500, json: { error: 'no disk' } }));
  oneTalk(session, 'two');
  await grown(session);
  await page.getByTitle('no disk').getByText('not live').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  oneTalk(session, 'three');
  await grown(session);
  await page.getByRole('button', { name: 'round 3' }).waitFor();
  await live.getByText('live', { exact: true }).waitFor();
});

test('a round that breaks off on its way is asked for again', needsBrowser, async (t) => {
  const session = aSession();
  oneTalk(session, 'one');
  await grown(session);
  const { page, open } = await browsing(t, session.root);
  await open('/c/s1');
  await page.getByText('live', { exact: true }).waitFor();
  let isBroken = true;
  await page.route('**/api/c/s1/view', async (route) => {
    const response = await route.fetch();
    if (response.status() === 200 && isBroken)
      await route.fulfill({ response, body: (await response.text()).slice(0, 100) });
    else await route.fulfill({ response });
  });
  oneTalk(session, 'two');
  await grown(session);
  await page.getByText('not live').waitFor();
  isBroken = false;
  await page.getByRole('button', { name: 'round 2' }).waitFor();
});

test('a document that did not change is not received twice', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  const answers: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/view')) answers.push(response.status());
  });
  const second = page.waitForResponse((response) => response.status() === 304);
  await open(WEATHER);
  await second;
  assert.deepEqual(answers, [200, 304]);
});

test('a broken chain says so on its face, line by line', needsBrowser, async (t) => {
  const session = aSession();
  oneTalk(session, 'one');
  await grown(session);
  oneTalk(session, 'two');
  await grown(session);
  const folder = join(sessionFolder(session.root, 's1'), 'streams/main');
  rmSync(join(folder, readdirSync(folder).sort()[0]!), { force: true });
  const { page, open, picture } = await browsing(t, session.root);
  await open('/c/s1');
  const badge = page.locator('#integrity');
  await badge.getByText('incomplete').waitFor();
  assert.match(await badge.innerText(), /1\/2 rounds verified · \d files · 1 problem/);
  assert.equal(await page.getByRole('alert').count(), 0);
  await badge.click();
  await page.getByRole('alert').getByText('round 1: landed file seq 1 is missing').waitFor();
  await transcript(page).getByText('What was said is gone: landed file 1 is missing.').waitFor();
  await picture('conversation-broken');
  await page.getByRole('tab', { name: 'Rounds and files' }).click();
  assert.deepEqual(await page.locator('table').first().locator('.badge').allInnerTexts(), [
    'not verified',
    'verified',
  ]);
});

test(
  'evidence that is altered or taken away while it is shown is noticed, and the reader stays',
  needsBrowser,
  async (t) => {
    const session = aSession();
    for (const name of ['one', 'two', 'three']) {
      oneTalk(session, name);
      await grown(session);
    }
    const { page, open } = await browsing(t, session.root, { expected: [/status of (404|503)/] });
    // Nobody announces anything: the page asks.
    await page.route('**/api/events', (route) => route.fulfill({ status: 503, json: { error: 'many' } }));
    await open('/c/s1');
    const badge = page.locator('#integrity');
    await badge.getByText('verified', { exact: true }).waitFor();
    await openFolds(page);
    await page.locator('.step', { hasText: 'make one' }).click();
    await selected(page).waitFor();
    const folder = join(sessionFolder(session.root, 's1'), 'streams/main');
    const landed = join(folder, readdirSync(folder).sort()[1]!);
    const bytes = readFileSync(landed);
    bytes[bytes.length - 3]! ^= 1;
    rewrite(landed, bytes);
    await badge.getByText('mismatch', { exact: true }).waitFor();
    assert.match(await selected(page).innerText(), /make one/);
    const rounds = roundsFolder(session.root, 's1');
    renameSync(rounds, `${rounds}-away`);
    await badge.getByText('not checked', { exact: true }).waitFor();
  },
);

test('a round that is gone: a row of its own, and the transcript ends with it', needsBrowser, async (t) => {
  const session = aSession();
  for (const name of ['one', 'two', 'three']) {
    oneTalk(session, name);
    await grown(session);
  }
  rmSync(listRounds(roundsFolder(session.root, 's1'))[1]!.path);
  const { page, open, picture } = await browsing(t, session.root);
  await open('/c/s1');
  const end = transcript(page).getByRole('region', { name: 'The chain stops here' });
  assert.match(await end.innerText(), /round 2 is missing; the chain stops at round 1/);
  await picture('conversation-stopped');
  await page.getByRole('tab', { name: 'Rounds and files' }).click();
  await page.locator('tr', { hasText: 'not there' }).getByText('2', { exact: true }).waitFor();
});

test('a conversation that is not there says what the server says', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES, { expected: [/status of 404/] });
  await open('/c/nobody');
  await page.getByRole('alert').getByText('view: no such conversation').waitFor();
});
