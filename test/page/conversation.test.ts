/** The conversation page in a browser: what a reader does on it. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Workplace } from '../e2e/run-asz.js';
import { needsShared, sharedData, temporaryFolder } from '../shared.js';
import { browsing, needsBrowser } from './browser.js';
import {
  comesIntoView,
  inspector,
  openFolds,
  restingAt,
  SAMPLES,
  scrolledTo,
  selected,
  transcript,
  WEATHER,
} from './reading.js';

const needsBoth = { ...needsShared, ...needsBrowser };

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
