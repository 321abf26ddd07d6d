/** The conversation page in a browser: what a reader does on it. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { listRounds } from '../../src/io/chain-directory.js';
import { roundsFolder, sessionFolder } from '../../src/io/storage-root.js';
import { aSession } from '../builders.js';
import { rewrite, Workplace } from '../e2e/run-asz.js';
import type { SessionBuilder } from '../session-builder.js';
import { needsShared, REPOSITORY, sharedData, temporaryFolder } from '../shared.js';
import { browsing, needsBrowser } from './browser.js';

const SAMPLES = join(REPOSITORY, 'test/golden/samples');
const WEATHER = '/c/5d0c3a7e-2f41-4c8e-9b16-7a2e94d1c0f3';
const needsBoth = { ...needsShared, ...needsBrowser };

const transcript = (page: Page) => page.getByRole('region', { name: 'Transcript' });
const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' });
const selected = (page: Page) => page.locator('article[aria-current="true"]');
const openFolds = (page: Page) => page.getByRole('button', { name: 'expand all' }).click();
/** Turns the wheel over the transcript until something is drawn. */
async function scrolledTo(page: Page, wanted: Locator): Promise<Locator> {
  for (let turns = 0; turns < 100 && (await wanted.count()) === 0; turns++) {
    await transcript(page).evaluate((element) => {
      element.scrollTop += 200;
    });
    await page.waitForTimeout(30);
  }
  return wanted;
}
const isInView = (found: Locator) =>
  found.evaluate((element) => {
    const view = element.closest('.virtual-rows')!.getBoundingClientRect();
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > view.top && top < view.bottom;
  });

/** Where something is when it moves no more: rows are measured as they are drawn, and move what is below them. */
async function restingAt(found: Locator): Promise<number> {
  await found.waitFor();
  const top = async () => Math.round((await found.boundingBox())?.y ?? Number.NaN);
  let [was, rests] = [await top(), 0];
  for (const deadline = Date.now() + 10_000; rests < RESTS; ) {
    assert.ok(Date.now() < deadline, 'it never came to rest');
    await found.page().waitForTimeout(30);
    const now = await top();
    rests = now === was ? rests + 1 : 0;
    was = now;
  }
  return was;
}
/** So many looks in a row find it at one place. */
const RESTS = 4;

/** Rows are measured as they are drawn, and a list that was sent somewhere gets there in a few frames. */
async function comesIntoView(found: Locator): Promise<void> {
  await found.waitFor();
  const deadline = Date.now() + 10_000;
  while (!(await isInView(found))) assert.ok(Date.now() < deadline, 'it never came into view');
}

test(
  'at first sight: the proof, what was asked and answered, and why the context was reset',
  needsBrowser,
  async (t) => {
    const { page, open, picture } = await browsing(t, SAMPLES);
    await open(WEATHER);
    await page.getByRole('heading', { level: 1, name: 'Fix the wind test, add one for heat' }).waitFor();
    assert.equal(await page.title(), 'Fix the wind test, add one for heat');
    assert.match(await page.locator('#integrity').innerText(), /^verified\s+1\/1 rounds verified · 6 files$/);
    const words = await transcript(page).innerText();
    assert.match(words, /The wind test is red since this morning/);
    assert.match(words, /25 steps · 2 runs · 7 tools · 48 s\s+2 failed/);
    assert.match(words, /Context reset[\s\S]*trigger: auto · 20\.5k tokens before/);
    assert.match(words, /44 min quiet/);
    assert.equal(await page.locator('.step').count(), 0);
    await picture('conversation');
  },
);

test(
  'find looks through the document: behind folds, in other streams, round and round',
  needsBrowser,
  async (t) => {
    const { page, open, picture } = await browsing(t, SAMPLES);
    await open(WEATHER);
    await transcript(page).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('REPORT.JS');
    await page.getByText(/^\d+ places · \d+ matches$/).waitFor();
    await page.keyboard.press('Enter');
    await selected(page).locator('mark').first().waitFor();
    assert.equal((await selected(page).locator('mark').first().innerText()).toLowerCase(), 'report.js');
    const places = Number(/of (\d+) places/.exec(await page.locator('#found').innerText())![1]);
    assert.ok(places > 2);
    const streams = new Set<string | null>();
    for (let i = 0; i < places; i++) {
      streams.add(await page.locator('.stream-item[aria-current="true"] .stream-name').innerText());
      await comesIntoView(selected(page));
      await page.keyboard.press('Enter');
      await page.getByText(new RegExp(`^${((i + 1) % places) + 1} of ${places} places`)).waitFor();
    }
    assert.ok(streams.size > 1, 'hits in one stream only');
    await picture('conversation-find');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('mark').count(), 0);
  },
);

test('into a child, back by what it returned, and back by the browser', needsBrowser, async (t) => {
  const { page, open, url, picture } = await browsing(t, SAMPLES);
  await open(WEATHER);
  await page.getByRole('button', { name: 'show what the agent did' }).first().click();
  await (
    await scrolledTo(page, page.getByRole('button', { name: 'Open Find callers of knotsToKmh' }))
  ).click();
  const banner = page.getByRole('region', { name: 'Where this stream comes from' });
  await transcript(page)
    .getByText('Who calls knotsToKmh, and would one decimal break any of them?')
    .waitFor();
  assert.match(await banner.innerText(), /exact_unique/);
  await picture('conversation-child');
  await (
    await scrolledTo(page, page.getByRole('button', { name: 'Back to the call that received this' }))
  ).click();
  await selected(page).getByText('Find callers of knotsToKmh').first().waitFor();
  await comesIntoView(selected(page));
  assert.match(page.url(), /stream=main&talk=talk%2Fmain.*&step=tool%2F/);
  await page.goBack();
  await banner.waitFor();
  await banner.getByRole('button', { name: 'Opened by Agent in main' }).click();
  await page.keyboard.press('Enter');
  await banner.waitFor();
  assert.equal(await page.evaluate('location.origin'), url);
});

test('failures: counted where they happened, shown alone, and gone through', needsBrowser, async (t) => {
  const { page, open, picture } = await browsing(t, SAMPLES);
  await open(WEATHER);
  await page.getByRole('navigation', { name: 'Talks and streams' }).getByText('2 failed').waitFor();
  await page.getByRole('button', { name: /^Failures/ }).click();
  await page.locator('.step').first().waitFor();
  assert.deepEqual(await page.locator('.step .kind-word').allInnerTexts(), ['tool', 'error.api']);
  await picture('conversation-failures');
  await page.keyboard.press('f');
  assert.match(await selected(page).innerText(), /Exit code 1/);
  await page.keyboard.press('f');
  assert.match(await selected(page).innerText(), /error\.api/);
  await page.keyboard.press('F');
  assert.match(await selected(page).innerText(), /Exit code 1/);
});

test('only what the person typed; without tools, the words beside them stay', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  await open(WEATHER);
  await page.getByRole('button', { name: 'Only what the person typed' }).click();
  await transcript(page).getByText('Shall I add one?').waitFor({ state: 'detached' });
  assert.equal(await page.locator('.input, .step:has(.kind-word:text-is("message.external"))').count(), 2);
  await page.getByRole('button', { name: 'Hide tools' }).click();
  await openFolds(page);
  await scrolledTo(page, page.getByText('I read the test and the code behind it'));
  assert.equal(await page.locator('.kind-word:text-is("tool")').count(), 0);
  await page.locator('.kinds-menu summary').click();
  await page.getByRole('checkbox', { name: /^thinking/ }).uncheck();
  await page.locator('.kinds-menu summary', { hasText: 'Kinds: some' }).waitFor();
  assert.equal(await page.locator('.kind-word:text-is("thinking")').count(), 0);
});

test('by keys alone: steps, inputs, relations, help, clear', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  await open(WEATHER);
  await transcript(page).waitFor();
  const kind = () => inspector(page).locator('.kind-word').first().innerText();
  await page.keyboard.press('j');
  assert.equal(await kind(), 'message.external');
  await page.keyboard.press('j');
  assert.equal(await kind(), 'context.injection');
  await page.keyboard.press('J');
  assert.match(await selected(page).innerText(), /Yes, please add one/);
  await page.keyboard.press('K');
  assert.match(await selected(page).innerText(), /wind test is red/);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await open(`${WEATHER}?step=output%2Fa0c300c496fcb90c4`);
  await selected(page).waitFor();
  assert.equal(await kind(), 'agent.output');
  await page.keyboard.press(']');
  assert.equal(await kind(), 'agent.call');
  await page.keyboard.press('[');
  assert.equal(await kind(), 'agent.output');
  await page.keyboard.press('Escape');
  await selected(page).waitFor({ state: 'detached' });
  await page.waitForURL((at) => !at.searchParams.has('step'));
});

test(
  'the inspector: what is known, what it is related to, and the records behind it',
  needsBrowser,
  async (t) => {
    const { page, open, picture } = await browsing(t, SAMPLES);
    await open(WEATHER);
    await openFolds(page);
    await page.getByRole('button', { name: 'Bash', exact: true }).first().click();
    const facts = await inspector(page).innerText();
    assert.match(facts, /failed\s+yes/);
    assert.match(facts, /not the time the tool itself took/);
    assert.match(facts, /the runtime does not report how long this ran/);
    await inspector(page).getByRole('tab', { name: 'Evidence' }).click();
    await inspector(page).getByRole('button', { name: 'Load the landed record 1:7' }).click();
    await inspector(page).getByText('"command":', { exact: false }).first().waitFor();
    await inspector(page).getByRole('button', { name: 'What is parts?' }).click();
    await inspector(page).getByText('the content, piece by piece').waitFor();
    await picture('conversation-record');
    await open(`${WEATHER}?step=input%2F1%2F1`);
    await inspector(page).getByRole('tab', { name: 'Evidence' }).click();
    await inspector(page).getByRole('button', { name: 'Load the landed record 1:1' }).click();
    const image = inspector(page).getByRole('img', { name: /image\/png/ });
    await image.waitFor();
    // Rejects for what is no picture.
    await page.evaluate(`document.querySelector('.record-image').decode()`);
    await picture('conversation-image');
  },
);

test('the rest of the document has its place', needsBrowser, async (t) => {
  const { page, open, picture } = await browsing(t, SAMPLES, { dark: true });
  await open(WEATHER);
  for (const [tab, words] of [
    ['Overview', /all calls, each once/],
    ['Changes 2', /src\/wind\.js[\s\S]*Math\.round/],
    ['Unresolved 0', /Nothing was left unresolved/],
    ['Relations 12', /result_of/],
    ['Rounds and files', /transcript-20260302T180000/],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    assert.match(await page.locator('#view').innerText(), words);
    await picture(`conversation-${tab.split(' ')[0]!.toLowerCase()}`);
  }
});

test('the head, the lists and the overview count the same', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  await open(WEATHER);
  await page.locator('.list-head').getByText('2 talks').waitFor();
  const head = await page.locator('.strip-facts').innerText();
  for (const words of ['2 talks', '48 steps', '2 child agents']) assert.ok(head.includes(words), words);
  await page.getByRole('tab', { name: 'Overview' }).click();
  const numbers = await page.locator('.numbers').innerText();
  for (const words of [
    /talks\s+2\s+2 more of child agents/,
    /tools\s+\d+\s+2 of them to start a child agent/,
    /failures\s+2/,
    /child agents\s+2/,
  ])
    assert.match(numbers, words);
});

test('what was read is still there after a look at something else', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  await open(WEATHER);
  await openFolds(page);
  const wanted = await scrolledTo(page, page.locator('.step', { hasText: 'Exit code 1' }));
  const before = await restingAt(wanted);
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.equal(await wanted.isVisible(), false);
  await page.getByRole('tab', { name: 'Transcript' }).click();
  assert.equal(await restingAt(wanted), before);
});

test('on a narrow screen nothing is cut off, and the words have the room', needsBrowser, async (t) => {
  const { page, open, picture } = await browsing(t, SAMPLES, { width: 480, height: 900 });
  await open(WEATHER);
  await transcript(page).waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 480);
  assert.ok((await transcript(page).boundingBox())!.height > 350);
  await picture('conversation-narrow');
});

test('a link to a step opens it where it is; one to nowhere opens the beginning', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  await open(`${WEATHER}?step=tool%2Ftoolu_01vcHz74pz55pv8&stream=main`);
  await transcript(page).waitFor();
  assert.equal(await selected(page).count(), 0);
  const lost = page.getByText('The address names a step that is not here: tool/toolu_01vcHz74pz55pv8');
  await lost.waitFor();
  await page.getByRole('button', { name: 'Close' }).first().click();
  await lost.waitFor({ state: 'detached' });
  const id = 'output/a958e604250d7b3ab';
  await open(`${WEATHER}?step=${encodeURIComponent(id)}`);
  await selected(page).waitFor();
  assert.equal(await selected(page).getAttribute('data-step'), id);
  await comesIntoView(selected(page));
});

test('the address opens the panels that were open', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  await open(`${WEATHER}?step=tool%2Ftoolu_01ALPU5mVxYrtG6oBXwNUWc2`);
  await selected(page).waitFor();
  const entries = await page.evaluate('history.length');
  await page.getByRole('tab', { name: 'Evidence' }).click();
  await page.getByRole('tab', { name: 'Context fill' }).click();
  await page.getByRole('tab', { name: 'Changes 2' }).click();
  const query = (at: URL) => ['panel', 'dock', 'tab'].map((name) => at.searchParams.get(name)).join();
  await page.waitForURL((at) => query(at) === 'changes,context,evidence');
  assert.equal(await page.evaluate('history.length'), entries);
  await page.reload();
  await page.getByRole('heading', { name: 'Workspace changes' }).waitFor();
  await inspector(page).getByRole('tab', { name: 'Evidence', selected: true }).waitFor();
  await page.getByRole('tab', { name: 'Transcript' }).click();
  await page.getByRole('tab', { name: 'Context fill', selected: true }).click();
  await inspector(page).getByRole('tab', { name: 'Details' }).click();
  await page.waitForURL((at) => query(at) === ',closed,');
  await selected(page).waitFor();
});

test('bars move by keys and stay where they were put', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  await open(WEATHER);
  const bar = page.getByRole('separator', { name: 'Width of the inspector' });
  const width = async () => Math.round((await inspector(page).boundingBox())!.width);
  await bar.focus();
  assert.equal(await width(), 350);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  assert.equal(await width(), 410);
  await page.reload();
  await bar.focus();
  assert.equal(await width(), 410);
  await page.keyboard.press('Home');
  assert.equal(await width(), 350);
});

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
  let broken = 0;
  await page.route('**/api/c/s1/view', async (route) => {
    const response = await route.fetch();
    if (response.status() === 200 && broken++ === 0)
      await route.fulfill({ response, body: (await response.text()).slice(0, 100) });
    else await route.fulfill({ response });
  });
  oneTalk(session, 'two');
  await grown(session);
  await page.getByText('not live').waitFor();
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

test(
  'real sessions without talks: steps in reading order, and records that are no step',
  needsBoth,
  async (t) => {
    const root = temporaryFolder();
    cpSync(join(sharedData()!, 'real/spotter/root-default'), root, { recursive: true });
    const { page, open, picture } = await browsing(t, root);
    for (const id of readdirSync(join(root, '_conversations'))) {
      await open(`/c/${id}`);
      await page.getByRole('heading', { name: 'No talks' }).waitFor();
      assert.ok((await page.locator('.step').count()) > 3);
      await page.getByText(/[\d,]+ records of this stream are no step/).click();
      await page
        .getByRole('button', { name: /^Load the landed record/ })
        .first()
        .click();
      await page.locator('.json-line').first().waitFor();
      await page.keyboard.press('j');
      await selected(page).waitFor();
    }
    await picture('conversation-spotter');
  },
);

test(
  'a session of an old client: its steps, its tokens as unknown, what is no step',
  needsBoth,
  async (t) => {
    const place = new Workplace({ projects: join(sharedData()!, 'cases/old-2.1.37-style/projects') });
    assert.equal((await place.asz(['collect', '--once'])).status, 0);
    const { page, open, picture } = await browsing(t, place.root);
    await open('/c/11111111-2222-4333-8444-555555555555');
    await page.getByRole('heading', { name: 'No talks' }).waitFor();
    assert.match(await transcript(page).innerText(), /its 9 steps stand here .* tokens unknown/);
    await page.getByText('3 records of this stream are no step').click();
    await page.getByText('rows 1–2, 9').waitFor();
    await picture('conversation-old');
    await page.getByRole('tab', { name: 'Overview' }).click();
    const total = page.locator('tr', { hasText: 'all calls, each once' });
    assert.match(await total.innerText(), /once\s+—\s+—\s+—\s+—\s+(\d+)\s+\1$/);
  },
);

function oneTalk({ main }: SessionBuilder, name: string): void {
  main
    .input(`question ${name}`)
    .says(`I look at ${name}`)
    .tool(`t${name}`, 'Bash', { command: `make ${name}` })
    .result(`t${name}`, { text: `made ${name}` })
    .says(`answer ${name}`);
}

async function grown(session: SessionBuilder): Promise<void> {
  session.land();
  await session.parse();
}
