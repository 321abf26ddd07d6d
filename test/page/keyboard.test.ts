/** The keyboard alone: where the focus is, where it goes back to, and which keys act there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { browsing, needsBrowser, until } from './browser.js';
import { SAMPLES, selected, WEATHER } from './reading.js';

const focused = (page: Page) =>
  page.evaluate(
    `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()`,
  );

test('Tab, find and help: the focus goes there and comes back', needsBrowser, async (t) => {
  const { page, open, picture } = await browsing(t, SAMPLES);
  await open(WEATHER);
  await page.getByRole('region', { name: 'Transcript' }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'To the transcript');
  await picture('keyboard-skip');
  await page.keyboard.press('Enter');
  await until(page, `document.activeElement.matches('.transcript')`);

  await page.keyboard.press('/');
  await page.locator('#find:focus').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await focused(page), 'Transcript');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.locator('#find:focus').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await focused(page), 'Find');

  await page.locator('.transcript').focus();
  await page.keyboard.press('j');
  await selected(page).first().waitFor();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys' });
  await help.waitFor();
  assert.equal(await page.evaluate(`document.activeElement.closest('dialog') !== null`), true);
  assert.match(await help.innerText(), /On the timeline/);
  await picture('keyboard-help');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });
  assert.equal(await focused(page), 'Transcript');
  assert.ok((await selected(page).count()) > 0, 'closing help cleared the selection too');

  await open('/');
  await page.locator('a.title').first().waitFor();
  await page.keyboard.press('?');
  await help.waitFor();
  assert.match(await help.innerText(), /search the texts/);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });
});

test('Enter is for what has the focus; `[` leads back out of a child', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  await open(`${WEATHER}?step=output%2Fa0c300c496fcb90c4`);
  await selected(page).first().waitFor();
  await page.keyboard.press(']');
  const banner = page.getByRole('region', { name: 'Where this stream comes from' });
  await banner.waitFor({ state: 'detached' });
  const call = selected(page).first();
  await call.getByText('agent.call').waitFor();
  const before = await call.getAttribute('aria-label');
  await page.getByRole('tab', { name: 'Context fill' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Context fill', selected: true }).waitFor();
  assert.equal(await banner.count(), 0, 'Enter on a tab went into the child as well');

  await call.locator('button.kind').focus();
  await page.keyboard.press('Enter');
  await banner.waitFor();
  await page.keyboard.press('[');
  await selected(page).first().waitFor();
  assert.equal(await selected(page).first().getAttribute('aria-label'), before);
});

test('what is typed before the next picture is drawn stays in the field', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  await open(WEATHER);
  await page.getByRole('region', { name: 'Transcript' }).waitFor();
  const press = `dispatchEvent(new KeyboardEvent('keydown', { key: '/', cancelable: true }));
    await null;
    await null;`;
  const typed = await page.evaluate(`(async () => {
    ${press}
    const field = document.activeElement;
    document.execCommand('insertText', false, 'r');
    for (const frame of [1, 2]) await new Promise(requestAnimationFrame);
    return [field.id, field.value, field.selectionStart, field.selectionEnd];
  })()`);
  assert.deepEqual(typed, ['find', 'r', 1, 1]);
  const again = await page.evaluate(`(async () => {
    document.querySelector('.transcript').focus();
    ${press}
    const field = document.activeElement;
    return [field.id, field.selectionStart, field.selectionEnd];
  })()`);
  assert.deepEqual(again, ['find', 0, 1], 'the words are there to be replaced');
});

for (const path of ['/', WEATHER])
  test(`a key that is pressed as soon as ${path} shows something is not lost`, needsBrowser, async (t) => {
    const { page, open } = await browsing(t, SAMPLES);
    await page.addInitScript(`new MutationObserver((_, observer) => {
      if (document.querySelector('h1') === null) return;
      observer.disconnect();
      document.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true, cancelable: true }));
    }).observe(document, { childList: true, subtree: true })`);
    await open(path);
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  });

test('back leads to what was selected last, however fast the reader went on', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  await open(`${WEATHER}?stream=main`);
  await selected(page).first().waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Transcript' }).waitFor();
  await page.evaluate(`(async () => {
    const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    while (document.querySelector('.inspector .kind-word')?.textContent !== 'agent.call') {
      press('j');
      await null;
      await null;
    }
    press('Enter');
  })()`);
  const banner = page.getByRole('region', { name: 'Where this stream comes from' });
  await banner.waitFor();
  await page.goBack();
  await banner.waitFor({ state: 'detached' });
  await selected(page).first().getByText('agent.call').waitFor();
});

test('times go to UTC and back by a key, on both pages, and stay so', needsBrowser, async (t) => {
  const { page, open } = await browsing(t, SAMPLES);
  await open(`${WEATHER}?step=tool%2Ftoolu_01ALPU5mVxYrtG6oBXwNUWc2`);
  await selected(page).first().waitFor();
  const times = async () => ({
    step: await selected(page).first().locator('time').innerText(),
    hint: await selected(page).first().locator('time').getAttribute('title'),
    tick: await page.locator('.tick-label').first().textContent(),
    observed: await page.locator('.fact', { hasText: 'observed' }).locator('dd').innerText(),
    clip: (await page.locator('.clip.selected').getAttribute('aria-label'))!.match(/[\d:]{8} \(/)![0],
  });
  const local = await times();
  const press = async () => {
    await page.getByRole('button', { name: /^Times: / }).focus();
    await page.keyboard.press('Enter');
  };
  await press();
  const utc = await times();
  assert.equal(local.step.replace(/^10/, '09'), utc.step);
  assert.match(utc.hint!, /^Mar 2, 2026, 10:14:\d\d in your zone$/);
  assert.equal(local.tick!.replace(/^10/, '09'), utc.tick);
  assert.equal(local.observed.replace(', 10', ', 09'), utc.observed);
  assert.equal(local.clip.replace(/^10/, '09'), utc.clip);
  await open('/');
  const row = page.locator('tbody tr', { hasText: WEATHER.slice('/c/'.length) });
  assert.equal(await row.locator('time').innerText(), 'Mar 2, 2026, 09:59');
  await press();
  assert.equal(await row.locator('time').innerText(), 'Mar 2, 2026, 10:59');
  assert.equal(await page.evaluate(`localStorage.getItem('asz.clock')`), null);
});
