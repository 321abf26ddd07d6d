/** Windows of many sizes: what is read keeps its room, and nothing lies over anything else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { browsing, needsBrowser } from './browser.js';
import { SAMPLES, WEATHER } from './reading.js';

/** The test that failed. */
const STEP = `${WEATHER}?stream=main&step=tool%2Ftoolu_01ALPU5mVxYrtG6oBXwNUWc2`;

/** A phone, a window beside another, a screen at 200 and at 400 %, a low one, and a desk. */
const WINDOWS = [
  [375, 667],
  [900, 800],
  [640, 400],
  [320, 256],
  [1280, 500],
  [1024, 660],
  [1280, 800],
] as const;

const PARTS = ['.strip', '.panel-head', '.filter-bar', '.view', '.dock', '.inspector', '.lists'];

const boxesOf = async (page: Page, parts: readonly string[]) => {
  const boxes = [];
  for (const part of parts) boxes.push({ part, ...(await page.locator(part).boundingBox())! });
  return boxes;
};

test('in every window the words keep their room, and nothing lies over them', needsBrowser, async (t) => {
  const { page, open, picture } = await browsing(t, SAMPLES);
  for (const [width, height] of WINDOWS) {
    await page.setViewportSize({ width, height });
    await open(STEP);
    await page.getByRole('region', { name: 'Transcript' }).waitFor();
    await picture(`shape-${width}x${height}-first`);
    const timeline = page.getByRole('tab', { name: 'Timeline' });
    if ((await timeline.getAttribute('aria-selected')) !== 'true') await timeline.click();
    await page.locator('.docked').waitFor();
    await isSound(page, width, height);
    // From anywhere on the page, what is gone to comes into the window.
    await page.locator('.talk-item').last().click();
    const inView = `{ const { top, bottom } = document.querySelector('.view').getBoundingClientRect();
      top < innerHeight && bottom > 0 }`;
    for (let i = 0; i < 100 && !(await page.evaluate(inView)); i++) await page.waitForTimeout(30);
    assert.ok(await page.evaluate(inView), `${width}×${height}: the transcript is out of the window`);
    await picture(`shape-${width}x${height}`);
  }
});

async function isSound(page: Page, width: number, height: number): Promise<void> {
  const at = `${width}×${height}:`;
  const boxes = await boxesOf(page, PARTS);
  for (const [i, one] of boxes.entries()) {
    assert.ok(one.x >= 0 && one.x + one.width <= width, `${at} ${one.part} is cut off at the side`);
    for (const other of boxes.slice(i + 1)) {
      const isBeside = one.x + one.width <= other.x + 1 || other.x + other.width <= one.x + 1;
      const isBelow = one.y + one.height <= other.y + 1 || other.y + other.height <= one.y + 1;
      assert.ok(isBeside || isBelow, `${at} ${one.part} lies over ${other.part}`);
    }
  }
  const [words, talks, facts] = await boxesOf(page, ['.transcript', '.talk-list', '.inspected']);
  assert.ok(words!.height >= 240, `${at} the transcript is ${words!.height} px high`);
  assert.ok(talks!.height >= 180, `${at} the list of talks is ${talks!.height} px high`);
  assert.ok(facts!.height >= 180, `${at} the inspector is ${facts!.height} px high`);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${at} too wide`);
  assert.ok(await page.locator('.integrity-detail').isVisible());
  assert.match(await page.locator('.integrity').innerText(), /1\/1 rounds verified/);
}

test('the list fits the narrowest window', needsBrowser, async (t) => {
  const { page, open, picture } = await browsing(t, SAMPLES, { width: 320, height: 480 });
  await open('/?filter=wind');
  const button = (await page.getByRole('button', { name: 'Search the texts' }).boundingBox())!;
  assert.ok(button.x + button.width <= 320);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
  await picture('shape-list-320');
});

test(
  'at 1280 px: one line of filters, whole tables, and a header that a long title leaves its room',
  needsBrowser,
  async (t) => {
    const { page, open, picture } = await browsing(t, SAMPLES);
    await open(WEATHER);
    await page.getByRole('button', { name: 'collapse all' }).waitFor();
    const tops = (await page.locator('.filter-bar button:visible').all()).map((button) =>
      button.boundingBox(),
    );
    const places = (await Promise.all(tops)).map((box) => box!.y);
    assert.ok(Math.max(...places) - Math.min(...places) < 10, 'the filters stand on two lines');
    await page.getByRole('tab', { name: 'Rounds and files' }).click();
    await picture('shape-proof');
    const over = `{ const { scrollWidth, clientWidth } = document.querySelector('.panel-page'); scrollWidth - clientWidth }`;
    assert.equal(await page.evaluate(over), 0, 'columns are cut off');
    for (const path of await page.locator('.file-path').all())
      assert.ok((await path.boundingBox())!.height < 45, 'the name of a file takes more than two lines');
    const facts = page.locator('.strip-facts');
    await page.evaluate(`document.querySelector('h1').textContent = 'a long title '.repeat(40)`);
    assert.ok((await facts.boundingBox())!.width >= 384);
    assert.ok((await facts.boundingBox())!.height < 70);
    await picture('shape-title');
  },
);
