/** The timeline and the context fill in a browser, on the samples and on documents that no project would make. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browsing, type BrowsingOptions, browsing, needsBrowser, until } from './browser.js';
import { starts, stream, wholeDocument } from './model/made-document.js';
import { SAMPLES, WEATHER } from './reading.js';

const T = 1_772_442_842_310;

async function onSamples(t: TestContext, options?: BrowsingOptions): Promise<Browsing> {
  const browser = await browsing(t, SAMPLES, options);
  await browser.open(WEATHER);
  await browser.page.getByRole('listbox').waitFor();
  return browser;
}

/** The page on a document that the server does not have, and on those that come in its place. */
async function onMade(t: TestContext, document: object, retryMs = 60_000) {
  const browser = await browsing(t, SAMPLES);
  let text = '';
  const give = (document: object) => {
    text = JSON.stringify(document).replaceAll('"at":"endless"', '"at":1e999');
  };
  give(document);
  await browser.page.route('**/api/c/*/view*', (route) =>
    route.fulfill({ contentType: 'application/json', body: text }),
  );
  // A stream that ends at once: the page asks again, and then for the document, because it may have missed something.
  await browser.page.route('**/api/events', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: `retry: ${retryMs}\n\n` }),
  );
  await browser.open(WEATHER);
  await browser.page.getByRole('listbox').waitFor();
  return { ...browser, give };
}

const scroller = (page: Page) => page.locator('.timeline-scroller');
const lanes = (page: Page) => page.getByRole('listbox').getByRole('group');
const clip = (page: Page, lane: string, nth = 0) =>
  page.getByRole('group', { name: lane }).getByRole('option').nth(nth);
const left = (page: Page) => scroller(page).evaluate(({ scrollLeft }) => scrollLeft);
const width = (page: Page) => page.locator('.timeline-canvas').evaluate(({ clientWidth }) => clientWidth);
/** Drags from one part of an element to another, each from 0 to 1. */
async function drag(page: Page, selector: string, from: number, to: number) {
  const box = (await page.locator(selector).first().boundingBox())!;
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + from * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + ((from + to) / 2) * box.width, y);
  await page.mouse.move(box.x + to * box.width, y);
  await page.mouse.up();
}

for (const dark of [false, true])
  test(
    `the lanes that are used, in their order, under segments and local times, ${dark ? 'dark' : 'light'}`,
    needsBrowser,
    async (t) => {
      const { page, picture } = await onSamples(t, { dark });
      assert.deepEqual(await lanes(page).evaluateAll((all) => all.map((lane) => lane.ariaLabel)), [
        ...['External input', 'Responses', 'Context put in', 'Model calls', 'Tools', 'Agent activity'],
        ...['Child agents', 'Runtime notices'],
      ]);
      const time = page.locator('.tick-label').first();
      assert.equal(await time.textContent(), '10:14:02Mar 2, 2026');
      assert.equal(await time.getAttribute('title'), '2026-03-02 09:14:02.310 UTC');
      assert.match((await page.locator('.segment-cell').first().textContent())!, /^Segment 1 · 1 talk$/);
      await clip(page, 'Agent activity').click();
      await picture(`timeline-${dark ? 'dark' : 'light'}`);
      await page.getByRole('tab', { name: 'Context fill' }).click();
      await picture(`context-fill-${dark ? 'dark' : 'light'}`);
    },
  );

test('a stream that has no use for a lane does not show it', needsBrowser, async (t) => {
  const { page } = await onMade(
    t,
    wholeDocument([
      { kind: 'tool', at: T },
      { kind: 'something.new', at: T + 1000 },
    ]),
  );
  assert.deepEqual(await lanes(page).evaluateAll((all) => all.map((lane) => lane.ariaLabel)), [
    'Tools',
    'Runtime notices',
  ]);
  assert.match((await clip(page, 'Runtime notices').getAttribute('aria-label'))!, /^something\.new/);
});

test('a selected call draws what it touches, and its child is dived into', needsBrowser, async (t) => {
  const { page } = await onSamples(t);
  await clip(page, 'Child agents').click();
  const call = clip(page, 'Agent activity');
  assert.equal(await call.getAttribute('aria-selected'), 'true');
  assert.deepEqual(
    (await page.locator('.edge').evaluateAll((all) => all.map((edge) => edge.classList[1]))).sort(),
    ['faint', 'solid'],
  );
  const faded = () => page.locator('.clip.faded').count();
  assert.equal(await faded(), 0);
  const fade = page.getByRole('button', { name: 'Fade unrelated' });
  await fade.click();
  assert.ok((await faded()) > 0);
  assert.equal(await page.locator('.clip:not(.faded)').count(), 3);
  await page.getByRole('button', { name: /^Dive in/ }).click();
  await page.getByRole('region', { name: 'Timeline of a958e604250d7b3ab' }).waitFor();
  assert.equal(await page.locator('.lane-nested').count(), 0);
});

test('nothing fades before something is picked', needsBrowser, async (t) => {
  const { page } = await onSamples(t);
  await page.getByRole('button', { name: 'Fade unrelated' }).click();
  assert.equal(await page.locator('.clip.faded').count(), 0);
});

test('a pause is opened to its length, and closed again', needsBrowser, async (t) => {
  const { page } = await onSamples(t);
  await page.getByRole('listbox').focus();
  const before = await width(page);
  await scroller(page).evaluate((element) => element.scrollTo(1500, 0));
  const gap = page.locator('.gap-button');
  assert.equal(await gap.textContent(), '44 min');
  const place = async () => (await gap.boundingBox())!.x;
  const was = await place();
  await gap.click();
  await page.locator('.gap-button[aria-expanded=true]').waitFor();
  assert.equal((await width(page)) > before + 3000, true);
  assert.ok(Math.abs((await place()) - was) < 2, 'the gap stays where it was pressed');
  await gap.click();
  await page.locator('.gap-button[aria-expanded=false]').waitFor();
  assert.equal(await width(page), before);
});

test('dragging over the lanes sums up what is there, and Escape forgets it', needsBrowser, async (t) => {
  const { page } = await onSamples(t);
  await drag(page, '.lane-tools .lane-track', 0, 0.11);
  const card = page.getByRole('region', { name: 'What is marked' });
  assert.match((await card.textContent())!, /steps? marked/);
  assert.equal(await page.locator('[aria-selected=true][role=option]').count(), 0, 'a drag selects nothing');
  await card.getByRole('button', { name: 'Unmark' }).click();
  assert.equal(await card.count(), 0);
  await page.getByRole('button', { name: 'Zoom out', exact: true }).focus();
  for (let i = 0; i < 11; i++) await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sum up the view' }).click();
  const text = (await card.textContent())!;
  assert.match(text, /2 failed/);
  assert.match(text, /Bash\d/);
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Escape');
  assert.equal(await card.count(), 0);
});

test('a segment that is pressed is summed up', needsBrowser, async (t) => {
  const { page } = await onSamples(t);
  await page.locator('.segment-cell').first().click();
  assert.match(
    (await page.getByRole('region', { name: 'What is marked' }).textContent())!,
    /^25 steps marked, 2 failed10:14:02 to 10:14:50, 48 s/,
  );
});

test('keys go from step to step, along time, and zoom', needsBrowser, async (t) => {
  const { page } = await onSamples(t);
  const list = page.getByRole('listbox');
  await list.focus();
  const active = async () => {
    const id = (await list.getAttribute('aria-activedescendant'))!;
    const option = page.locator(`[id="${id}"]`);
    assert.equal(await option.getAttribute('aria-selected'), 'true');
    return (await option.getAttribute('aria-label'))!;
  };
  await page.keyboard.press('ArrowRight');
  assert.match(await active(), /^Input · The wind test is red/);
  await page.keyboard.press('ArrowRight');
  assert.match(await active(), /^Put into context/);
  await page.keyboard.press('ArrowDown');
  assert.match(await active(), /^Model call .* tokens in context/);
  await page.keyboard.press('End');
  assert.ok((await left(page)) > 2000);
  await page.keyboard.press('Home');
  assert.equal(await left(page), 0);
  await page.keyboard.press('Shift+ArrowRight');
  const panned = await left(page);
  assert.ok(panned > 0);
  await page.keyboard.press('PageDown');
  assert.ok((await left(page)) > panned);
  const before = await width(page);
  await page.keyboard.press('+');
  assert.ok((await width(page)) > before);
  await page.keyboard.press('0');
  assert.equal(await width(page), before);
  await page.keyboard.press('-');
  assert.ok((await width(page)) < before);
});

test('the overview goes where it is pressed, and zooms to what is dragged', needsBrowser, async (t) => {
  const { page } = await onSamples(t);
  const map = page.getByRole('scrollbar', { name: /^Overview of the stream/ });
  await map.click();
  const middle = await left(page);
  assert.ok(middle > 800);
  assert.notEqual(await map.getAttribute('aria-valuenow'), '0');
  const before = await width(page);
  await drag(page, '.minimap', 0.5, 0.6);
  assert.ok((await width(page)) > before);
  await drag(page, '.minimap', 0, 1);
  assert.ok((await width(page)) < before);
  await map.focus();
  await page.keyboard.press('Home');
  assert.equal(await left(page), 0);
});

test('Ctrl and the wheel zoom at the pointer', needsBrowser, async (t) => {
  const { page } = await onSamples(t);
  const target = clip(page, 'Tools', 2);
  const { x, y } = (await target.boundingBox())!;
  await page.mouse.move(x + 1, y + 5);
  const before = await width(page);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -120);
  await page.keyboard.up('Control');
  await until(page, `document.querySelector('.timeline-canvas').clientWidth > ${before}`);
  assert.ok(Math.abs((await target.boundingBox())!.x - x) < 32);
});

test(
  'the context fill says its peak and why it was reset, and its calls are gone through by keys',
  needsBrowser,
  async (t) => {
    const { page } = await onSamples(t);
    await page.getByRole('tab', { name: 'Context fill' }).click();
    const words = page.locator('.curve-words');
    assert.equal(await words.textContent(), 'Peak 20,494 tokens · 9 calls · 1 reset (auto at 20,490 tokens)');
    const calls = page.getByRole('slider', { name: 'Calls by time' });
    assert.equal(await calls.getAttribute('aria-valuetext'), 'no call selected');
    await calls.focus();
    await page.keyboard.press('ArrowRight');
    assert.match(
      (await calls.getAttribute('aria-valuetext'))!,
      /^17,056 tokens: 6 in, 11,840 cache read, 5,210 cache write · 10:14:06/,
    );
    await page.keyboard.press('End');
    assert.equal(await calls.getAttribute('aria-valuenow'), '9');
  },
);

test('a call that started several children is one clip that says how many', needsBrowser, async (t) => {
  const call = { id: 'step/0', kind: 'agent.call', name: 'Agent', at: T };
  const children = ['a', 'b', 'c', 'd'].map((name) => stream(name, [call]));
  const edges = children.map(({ name }) => starts(name));
  const { page } = await onMade(t, wholeDocument([{ ...call, edges }], children));
  const nested = clip(page, 'Child agents');
  assert.equal(await nested.textContent(), '4 child agents');
  await nested.click();
  assert.match(
    (await page.locator('.timeline-dives').textContent())!,
    /^(Dive in: [abc] ){3}and 1 more, in the inspector$/,
  );
});

test('steps that arrive leave the reader where he is, unless he follows', needsBrowser, async (t) => {
  const first = Array.from({ length: 100 }, (_, i) => ({ kind: 'tool', at: T + i * 1000 }));
  const more = Array.from({ length: 100 }, (_, i) => ({ kind: 'tool', at: T + 100_000 + i * 100 }));
  const round = (steps: readonly object[], digest: string) => ({
    ...wholeDocument(steps),
    head: { round: 1, digest },
  });
  const { page, give } = await onMade(t, round(first, 'a'), 300);
  const steps = (count: number) =>
    page.locator('.timeline-head').getByText(`${count} steps`, { exact: true }).waitFor();
  await steps(100);
  // Once more than there is to zoom: what is held for a zoom is not held for what comes later.
  for (let press = 0; press < 5; press++) await page.getByRole('listbox').press('+');
  await scroller(page).evaluate((element) => element.scrollTo(3000, 0));
  await until(page, "[...document.querySelectorAll('.clip')].some((clip) => clip.offsetLeft > 3200)");
  const clipAtEdge = () =>
    scroller(page).evaluate((element) => {
      const edge = element.getBoundingClientRect().left + 164;
      const clips = [...element.querySelectorAll('.clip')];
      return clips.find((clip) => clip.getBoundingClientRect().left >= edge)!.ariaLabel;
    });
  const before = await clipAtEdge();
  give(round([...first, ...more], 'b'));
  await steps(200);
  assert.equal(await clipAtEdge(), before);
  await page.getByLabel('follow latest').check();
  const end = () =>
    scroller(page).evaluate((element) => element.scrollWidth - element.clientWidth - element.scrollLeft);
  assert.ok((await end()) < 300);
  give(round([...first, ...more, ...first.map(({ kind, at }) => ({ kind, at: at + 200_000 }))], 'c'));
  await steps(300);
  assert.ok((await end()) < 300);
});

test('a scroll that is younger than the last picture counts', needsBrowser, async (t) => {
  const steps = Array.from({ length: 100 }, (_, i) => ({ kind: 'tool', at: T + i * 1000 }));
  const round = (digest: string) => ({ ...wholeDocument(steps), head: { round: 1, digest } });
  const { page, give } = await onMade(t, round('a'), 300);
  await page.getByRole('button', { name: 'expand all' }).click();
  await page.evaluate(`{
    const { json } = Response.prototype;
    Response.prototype.json = async function () {
      const value = await json.call(this);
      if (value.head.digest === 'b') {
        document.querySelector('.timeline-scroller').scrollLeft = 3000;
        document.querySelector('.transcript').scrollTop = 700;
        globalThis.came = true;
      }
      return value;
    };
  }`);
  give(round('b'));
  await until(page, 'globalThis.came');
  assert.equal(await left(page), 3000);
  assert.equal(await page.locator('.transcript').evaluate(({ scrollTop }) => scrollTop), 700);
  const moved: number = await page.evaluate(`{
    const scroller = document.querySelector('.timeline-scroller');
    scroller.scrollLeft = 4000;
    scroller
      .querySelector('.timeline-lanes')
      .dispatchEvent(new KeyboardEvent('keydown', { key: 'PageUp', bubbles: true, cancelable: true }));
    scroller.scrollLeft;
  }`);
  assert.ok(moved > 2000 && moved < 4000, `${moved}`);
});

const HOSTILE = {
  'at one instant': Array.from({ length: 20_000 }, () => ({ kind: 'tool', at: T })),
  'without any time': Array.from({ length: 2000 }, () => ({ kind: 'llm.call', at: 0, usage: { in: 5 } })),
  'backwards in time': Array.from({ length: 2000 }, (_, i) => ({ kind: 'tool', at: T - i * 3000 })),
  'each after a pause': Array.from({ length: 2000 }, (_, i) => ({ kind: 'tool', at: T + i * 600_000 })),
  'at times no clock shows': [
    ...[T, T + 1000, 253402300799000, -62135596800000, -1, 8.64e15, 8.65e15, 1e300, 'endless', null, '5'].map(
      (at) => ({
        kind: '<img src=x onerror=alert(1)>',
        name: '</script><script>alert(1)</script>',
        at,
      }),
    ),
  ],
};

for (const [what, steps] of Object.entries(HOSTILE))
  test(
    `steps ${what} are drawn with few elements, and every key and button works`,
    needsBrowser,
    async (t) => {
      const { page } = await onMade(t, wholeDocument(steps));
      const isBounded = async () => {
        const count = await page.locator('section.timeline *').count();
        assert.ok(count < 1500, `${count} elements`);
      };
      await isBounded();
      const list = page.getByRole('listbox');
      await list.focus();
      for (const key of [
        '-',
        '-',
        '-',
        '-',
        '-',
        '-',
        '-',
        '-',
        '-',
        '-',
        '-',
        'End',
        '0',
        '+',
        '+',
        '+',
        '+',
        'Home',
        'ArrowRight',
      ]) {
        await page.keyboard.press(key);
        await isBounded();
      }
      await page.getByRole('button', { name: 'Sum up the view' }).click();
      const gap = page.locator('.gap-button').first();
      // Opened and closed again: a pause of years would leave no room for anything else.
      for (let press = 0; press < 2 && (await gap.count()) > 0; press++) {
        await gap.click();
        await isBounded();
      }
      await page.getByRole('tab', { name: 'Context fill' }).click();
      await page.locator('.curve-words').waitFor();
    },
  );
