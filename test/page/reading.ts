/** What tests of the conversation page have in common: its parts, ways to wait for them, sessions that grow. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { SessionBuilder } from '../session-builder.js';
import { REPOSITORY } from '../shared.js';

export const SAMPLES = join(REPOSITORY, 'test/golden/samples');
/** The larger of the two samples, as the page has it. */
export const WEATHER = '/c/5d0c3a7e-2f41-4c8e-9b16-7a2e94d1c0f3';

export const transcript = (page: Page) => page.getByRole('region', { name: 'Transcript' });
export const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' });
export const selected = (page: Page) => page.locator('article[aria-current="true"]');
export const openFolds = (page: Page) => page.getByRole('button', { name: 'expand all' }).click();

/** Turns the wheel over the transcript until something is drawn. */
export async function scrolledTo(page: Page, wanted: Locator): Promise<Locator> {
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
export async function restingAt(found: Locator): Promise<number> {
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
export async function comesIntoView(found: Locator): Promise<void> {
  await found.waitFor();
  const deadline = Date.now() + 10_000;
  while (!(await isInView(found))) assert.ok(Date.now() < deadline, 'it never came into view');
}

export function oneTalk({ main }: SessionBuilder, name: string): void {
  main
    .input(`question ${name}`)
    .says(`I look at ${name}`)
    .tool(`t${name}`, 'Bash', { command: `make ${name}` })
    .result(`t${name}`, { text: `made ${name}` })
    .says(`answer ${name}`);
}

export async function grown(session: SessionBuilder): Promise<void> {
  session.land();
  await session.parse();
}
