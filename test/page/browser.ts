/**
 * A real browser on a real `asz view`. Whatever a page does that a reader would not see fails its test: an error in
 * the console, which is also where a broken policy shows, an uncaught error, a request to anywhere but the server.
 * Pictures are kept in `dist/page-pictures`, to be looked at.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { ended, Workplace } from '../e2e/run-asz.js';
import { REPOSITORY } from '../shared.js';
import { CHROMIUM, isThere, launch, SAME_EVERYWHERE } from './chromium.js';

/** Options for a test that needs a browser: skipped, and said so, where there is none. In CI it fails instead. */
export const needsBrowser =
  isThere || process.env.CI ? {} : { skip: `skipped: no browser at ${CHROMIUM}; $ASZ_CHROMIUM names one` };

let running: Promise<Browser> | undefined;
after(async () => (await running)?.close());

/** One browser for a test file. */
function theBrowser(): Promise<Browser> {
  running ??= launch();
  return running;
}

export interface Browsing {
  readonly page: Page;
  /** Of the server, without a slash at its end. */
  readonly url: string;
  /** Goes to a path of the server. */
  open(path: string): Promise<void>;
  /** Keeps a picture of what is in the window. */
  picture(name: string): Promise<void>;
}

export interface BrowsingOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** Patterns of console errors that the test is about. */
  readonly expected?: readonly RegExp[];
}

/** A window on the root, served for as long as the test runs. At its end the test fails for what went wrong unseen. */
export async function browsing(
  t: TestContext,
  root: string,
  options: BrowsingOptions = {},
): Promise<Browsing> {
  // What is begun first is ended first: no window is open when its server goes. A test says last what went wrong,
  // because what is to be ended after a failure is not ended any more.
  let url = '';
  const { page, sayWrong } = await window(t, (request) => new URL(request).origin === url, options);
  url = await viewing(t, root);
  t.after(sayWrong);
  return {
    page,
    url,
    open: async (path) => {
      await page.goto(`${url}${path}`);
    },
    picture: (name) => picture(page, name),
  };
}

/** A window on a file, with the network off. */
export async function browsingFile(
  t: TestContext,
  path: string,
  options: BrowsingOptions = {},
): Promise<Omit<Browsing, 'url' | 'open'>> {
  const file = `file://${path}`;
  const { page, sayWrong } = await window(t, (request) => request.split(/[?#]/, 1)[0] === file, options);
  t.after(sayWrong);
  await page.context().setOffline(true);
  await page.goto(file);
  return { page, picture: (name) => picture(page, name) };
}

async function window(
  t: TestContext,
  mayAskFor: (url: string) => boolean,
  { width = 1280, height = 800, dark = false, expected = [] }: BrowsingOptions,
): Promise<{ readonly page: Page; readonly sayWrong: () => void }> {
  const browser = await theBrowser();
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    ...SAME_EVERYWHERE,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const wrong: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => wrong.push(`uncaught: ${error.stack ?? error.message}`));
  page.on('dialog', (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('data:') && !mayAskFor(url)) wrong.push(`request: ${url}`);
  });
  t.after(() => context.close());
  const sayWrong = () =>
    assert.deepEqual(
      wrong.filter((text) => !expected.some((pattern) => pattern.test(text))),
      [],
      'what went wrong unseen',
    );
  return { page, sayWrong };
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = join(REPOSITORY, 'dist/page-pictures');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** Starts `asz view` on a free port and gives where it listens. */
async function viewing(t: TestContext, root: string): Promise<string> {
  const child = new Workplace({ root }).start(['view', '127.0.0.1:0']);
  const ran = ended(child);
  t.after(async () => {
    child.kill('SIGINT');
    assert.deepEqual((await ran).stderr, 'ctrl-c to stop\n');
  });
  return new Promise((resolve, reject) => {
    let heard = '';
    child.stdout!.on('data', (piece) => {
      heard += piece;
      const url = /http:\/\/\S+/.exec(heard)?.[0];
      if (url !== undefined) resolve(url);
    });
    void ran.then(({ stderr }) => reject(new Error(`asz view ended: ${stderr}`)));
  });
}

/**
 * Waits until an expression holds on a page. Playwright's own way evaluates it again from inside the page, which the
 * page's policy forbids.
 */
export async function until(page: Page, expression: string): Promise<void> {
  const deadline = performance.now() + UNTIL_MS;
  while (!(await page.evaluate(expression))) {
    if (performance.now() > deadline) throw new Error(`not within ${UNTIL_MS} ms: ${expression}`);
    await setTimeout(LOOK_MS);
  }
}

const UNTIL_MS = 15_000;
const LOOK_MS = 20;
