/** The harness notices what a reader would not see. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { browsing, needsBrowser } from './browser.js';
import { SAMPLES } from './reading.js';

/** A test whose end is called by hand. */
function aTest() {
  const hooks: (() => void | Promise<void>)[] = [];
  const t = { after: (hook: () => void | Promise<void>) => hooks.push(hook) } as unknown as TestContext;
  return {
    t,
    async end(): Promise<unknown> {
      const errors: unknown[] = [];
      for (const hook of hooks) await (async () => hook())().catch((error) => errors.push(error));
      return errors[0];
    },
  };
}

for (const [what, script, fault] of [
  ['an error in the console', 'console.error("oh")', /console: oh/],
  ['an uncaught error', 'setTimeout(() => { throw new Error("thrown") })', /uncaught: Error: thrown/],
  [
    'a request to elsewhere',
    'fetch("http://127.0.0.2:9/x").catch(() => {})',
    /request: http:\/\/127|violates/,
  ],
  [
    'a script in the page',
    'document.body.append(Object.assign(document.createElement("script"), { text: "1" }))',
    /violates/,
  ],
  ['a dialog', 'setTimeout(() => alert(1))', /dialog: 1/],
] as const)
  test(`a test fails for ${what}`, needsBrowser, async () => {
    const { t, end } = aTest();
    const { page, open } = await browsing(t, SAMPLES);
    await open('/');
    const heard = Promise.race(
      (['console', 'pageerror', 'requestfailed', 'dialog'] as const).map((event) =>
        page.waitForEvent(event as 'console'),
      ),
    );
    await page.evaluate(script);
    await heard;
    assert.match(String(await end()), fault);
  });

test('and for nothing else', needsBrowser, async () => {
  const { t, end } = aTest();
  const { page, open } = await browsing(t, SAMPLES);
  await open('/');
  await page.waitForTimeout(50);
  assert.equal(await end(), undefined);
});
