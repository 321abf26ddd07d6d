/** A document of 20 MB in a browser: how soon it is there, how it scrolls, how soon a word is found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browsing, needsBrowser } from './browser.js';
import { largeDocument } from './large-document.js';
import { SAMPLES } from './reading.js';

const BYTES = 20_000_000;

/** A frame was drawn: what was asked for before it is on the screen. */
const DRAWN = `await new Promise((done) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = done;
  port2.postMessage(0);
}));`;

test(
  '20 MB: drawn, scrolled and searched, and only what is in sight is in the page',
  needsBrowser,
  async (t) => {
    const { page, open } = await browsing(t, SAMPLES);
    const { text, document } = largeDocument(BYTES);
    assert.ok(text.length >= BYTES);
    await page.route('**/api/c/large/view', (route) =>
      route.fulfill({ contentType: 'application/json', body: text }),
    );
    await page.addInitScript(`new MutationObserver((_, observer) => {
    if (document.querySelector('.transcript .virtual-row') === null) return;
    globalThis.rowsAt = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true })`);
    await open('/c/large');
    await page.locator('.transcript .virtual-row').first().waitFor();
    const rowsMs: number = await page.evaluate(
      `rowsAt - performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/api/c/large/view')).responseEnd`,
    );

    await page.getByRole('button', { name: 'expand all' }).click();
    const steps: number[] = await page.evaluate(`(async () => {
    const list = document.querySelector('.transcript');
    const times = [];
    for (let i = 0; i < 200; i++) {
      const began = performance.now();
      list.scrollTop += 120;
      ${DRAWN}
      times.push(performance.now() - began);
    }
    return times.sort((a, b) => a - b);
  })()`);
    assert.ok((await page.locator('.transcript .virtual-row').count()) < 100);

    await page.keyboard.press('/');
    await page.locator('#find').waitFor();
    const findMs: number = await page.evaluate(`(async () => {
    const field = document.getElementById('find');
    const began = performance.now();
    field.value = 'once more';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    ${DRAWN}
    return performance.now() - began;
  })()`);
    await page.getByText(/^[\d,]+ places · [\d,]+ matches$/).waitFor();

    const rounded = (ms: number) => `${ms.toFixed(0)} ms`;
    t.diagnostic(`${(text.length / 1e6).toFixed(1)} MB, ${document.summary.steps} steps`);
    t.diagnostic(`first rows ${rounded(rowsMs)} after the last byte`);
    t.diagnostic(`scroll step: median ${rounded(steps[100]!)}, 95th percentile ${rounded(steps[190]!)}`);
    t.diagnostic(`find ${rounded(findMs)}`);
  },
);
