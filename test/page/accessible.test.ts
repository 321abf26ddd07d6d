/** For those who do not see the page, see it poorly, or do not use a mouse: held to what a browser knows of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Browsing, browsing, needsBrowser } from './browser.js';
import { SAMPLES, WEATHER } from './reading.js';

const FAILED = 'step=tool%2Ftoolu_01ALPU5mVxYrtG6oBXwNUWc2';
const PANELS = ['overview', 'changes', 'unresolved', 'relations', 'proof'];

/** Everything there is to look at, each as a reader may meet it. */
const SIGHTS: readonly (readonly [name: string, path: string, act?: (page: Page) => Promise<void>])[] = [
  ['the list', '/'],
  ['a search', '/?search=wind', (page) => page.locator('a.hit').first().waitFor()],
  ['a step', `${WEATHER}?${FAILED}`],
  ['its relations', `${WEATHER}?step=output%2Fa958e604250d7b3ab&tab=relations`],
  ['its evidence', `${WEATHER}?${FAILED}&tab=evidence&dock=context`, loadRecord],
  ['find', `${WEATHER}?${FAILED}`, find],
  ['a marked part of the timeline', WEATHER, sumUp],
  ...PANELS.map((panel) => [`the ${panel} panel`, `${WEATHER}?panel=${panel}`] as const),
];

async function loadRecord(page: Page): Promise<void> {
  await page.getByRole('complementary').getByRole('button', { name: /^Load/ }).first().click();
  await page.locator('.json-line').first().waitFor();
}

async function find(page: Page): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type('wind');
  await page.keyboard.press('Enter');
  await page.locator('.step mark, article mark').first().waitFor();
}

async function sumUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'expand all' }).click();
  await page.getByRole('button', { name: 'Sum up the view' }).click();
  await page.getByRole('region', { name: 'What is marked' }).waitFor();
}

async function lookAt({ page, open }: Browsing, [, path, act]: (typeof SIGHTS)[number]): Promise<void> {
  await open(path);
  await page.locator('a.title, a.hit, .strip h1').first().waitFor();
  await act?.(page);
}

interface AXNode {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value: unknown } }[];
}

test('whatever can have the focus has a name', needsBrowser, async (t) => {
  const browser = await browsing(t, SAMPLES);
  const session = await browser.page.context().newCDPSession(browser.page);
  for (const sight of SIGHTS) {
    await lookAt(browser, sight);
    const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: readonly AXNode[] };
    const focusable = nodes.filter(
      ({ ignored, properties = [] }) =>
        !ignored && properties.some(({ name, value }) => name === 'focusable' && value.value === true),
    );
    assert.ok(focusable.length >= 10, `${sight[0]}: ${focusable.length}`);
    const nameless = focusable.filter(({ name }) => !name?.value.trim()).map(({ role }) => role?.value);
    assert.deepEqual(nameless, [], sight[0]);
  }
});

test('of a long list it is told which of how many an item is', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  await open(WEATHER);
  for (const [name, panel] of [
    ['Transcript', 'transcript'],
    ['Talks', 'transcript'],
    ['Relations', 'relations'],
  ] as const) {
    await open(`${WEATHER}?panel=${panel}`);
    const items = page.getByRole('region', { name, exact: true }).getByRole('listitem');
    await items.first().waitFor();
    const told = await items.evaluateAll((all) => all.map(({ ariaPosInSet }) => ariaPosInSet));
    assert.deepEqual(
      told,
      told.map((_, i) => `${i + 1}`),
      name,
    );
    assert.ok(Number(await items.first().getAttribute('aria-setsize')) >= told.length, name);
  }
  await open(`${WEATHER}?${FAILED}`);
  const lane = page.getByRole('listbox').getByRole('group', { name: 'Tools' });
  const clips = lane.getByRole('option');
  await clips.first().waitFor();
  const places = await clips.evaluateAll((all) => all.map(({ ariaPosInSet }) => Number(ariaPosInSet)));
  assert.deepEqual(
    places,
    places.map((_, i) => i + 1),
  );
  const size = Number(await clips.first().getAttribute('aria-setsize'));
  assert.equal(size, Number(await lane.locator('.lane-count').textContent()));
});

/**
 * Words with less contrast to what is behind them than WCAG 2 asks for, as the browser draws them. A ground is every
 * colour from the page up to the words, each over the one before; what is a picture or a pattern is passed over.
 */
const FAINT = `(() => {
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
    .getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = new Map();
  let looked = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === '' || element.closest('script, style, :disabled, .unseen, title') !== null) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    let ground = [255, 255, 255];
    let opacity = 1;
    const above = [];
    for (let at = element; at !== null; at = at.parentElement) above.unshift(getComputedStyle(at));
    for (const style of above) {
      ground = over(rgba(style.backgroundColor), ground);
      opacity *= Number(style.opacity);
    }
    const style = above.at(-1);
    const isDrawing = element instanceof SVGElement;
    const [r, g, b, a] = rgba(isDrawing ? style.fill : style.color);
    const [one, other] = [luminance(over([r, g, b, a * opacity], ground)), luminance(ground)];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    looked++;
    if (contrast < 4.5)
      faint.set(element.className?.baseVal ?? (element.className || element.tagName), contrast.toFixed(2) + ' ' + node.data.trim().slice(0, 40));
  }
  return { looked, faint: [...faint].map(([what, words]) => what + ': ' + words) };
})()`;

for (const dark of [false, true])
  test(`words stand out from what is behind them, ${dark ? 'dark' : 'light'}`, needsBrowser, async (t) => {
    const browser = await browsing(t, SAMPLES, { dark });
    for (const sight of SIGHTS) {
      await lookAt(browser, sight);
      const { looked, faint } = await browser.page.evaluate<{ looked: number; faint: string[] }>(FAINT);
      assert.ok(looked > 20, `${sight[0]}: ${looked}`);
      assert.deepEqual(faint, [], sight[0]);
    }
  });

/** Of the element in focus, or of the part around it that shows the focus in its place. */
const FOCUS = `(() => {
  const shown = (element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none';
  };
  const { activeElement: at } = document;
  const { width, height } = at.getBoundingClientRect();
  const words = at.getAttribute('aria-label') ?? at.textContent.trim().slice(0, 30);
  return {
    what: at.tagName + '.' + at.className + ' ' + words,
    isBody: at === document.body,
    isShown: shown(at) || shown(at.closest('.timeline-scroller') ?? at),
    hasRoom: width > 1 && height > 1,
  };
})()`;

test('the focus is seen wherever the Tab key leads, and it leads everywhere', needsBrowser, async (t) => {
  const browser = await browsing(t, SAMPLES);
  for (const [sight, stops] of [
    [SIGHTS[0]!, 9],
    [SIGHTS[2]!, 50],
  ] as const) {
    await lookAt(browser, sight);
    let count = 0;
    for (; count < 400; count++) {
      await browser.page.keyboard.press('Tab');
      const focus = await browser.page.evaluate<{
        what: string;
        isBody: boolean;
        isShown: boolean;
        hasRoom: boolean;
      }>(FOCUS);
      if (focus.isBody) break;
      assert.ok(focus.isShown && focus.hasRoom, `${sight[0]}: no one sees that ${focus.what} has the focus`);
    }
    assert.ok(count >= stops && count < 400, `${sight[0]}: ${count} stops`);
  }
});

const MOVING = `[...document.querySelectorAll('*')].filter((element) => {
  const { animationName, animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(element);
  const lasts = (durations) => durations.split(',').some((duration) => parseFloat(duration) > 0.001);
  return (animationName !== 'none' && lasts(animationDuration)) || lasts(transitionDuration) || scrollBehavior === 'smooth';
}).map(({ className, tagName }) => className || tagName)`;

test(
  'nothing moves for those who ask for less motion, and something does for others',
  needsBrowser,
  async (t) => {
    const browser = await browsing(t, SAMPLES);
    for (const sight of [SIGHTS[0]!, SIGHTS[2]!]) {
      await lookAt(browser, sight);
      assert.deepEqual(await browser.page.evaluate(MOVING), [], sight[0]);
    }
    await browser.page.emulateMedia({ reducedMotion: 'no-preference' });
    assert.notDeepEqual(await browser.page.evaluate(MOVING), []);
  },
);
