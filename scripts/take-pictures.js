// Takes the pictures of docs/page.md: the page as it shows the bundled samples, in a browser. Run it after
// `npm run build`, and look at what changed.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { launch, SAME_EVERYWHERE } from '../dist/test/page/chromium.js';

const REPOSITORY = resolve(import.meta.dirname, '..');
const PICTURES = join(REPOSITORY, 'docs/pictures');
/** What collecting and parsing the samples gives. */
const ROOT = join(REPOSITORY, 'test/golden/samples');
const WEATHER = '5d0c3a7e-2f41-4c8e-9b16-7a2e94d1c0f3';

/** The test that failed, and a child agent. */
const FAILED = '?stream=main&step=tool%2Ftoolu_01ALPU5mVxYrtG6oBXwNUWc2';
const CHILD = '?stream=a958e604250d7b3ab';

/** Each: what is opened, and what is done until there is something to see. `of`: a part of the page alone. */
const WANTED = [
  { name: 'list', path: '/', height: 320, act: (page) => page.locator('a.title').first().waitFor() },
  {
    name: 'search',
    path: '/?filter=wind&search=wind',
    height: 480,
    act: (page) => page.locator('a.hit').first().waitFor(),
  },
  { name: 'conversation', path: `/c/${WEATHER}${FAILED}`, height: 900, act: settled },
  { name: 'child', path: `/c/${WEATHER}${CHILD}`, height: 860, dark: true, act: settled },
  {
    name: 'proof',
    path: `/c/${WEATHER}`,
    height: 640,
    act: async (page) => {
      await press(page, 'Timeline'); // Pressed once more, it gives its place to the rest.
      await press(page, 'Rounds and files');
    },
  },
  {
    name: 'context-fill',
    path: `/c/${WEATHER}`,
    height: 800,
    of: '.dock',
    act: (page) => press(page, 'Context fill'),
  },
];

async function settled(page) {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(300); // What scrolls into view has done so.
}

async function press(page, tab) {
  await page.getByRole('tab', { name: tab }).click();
  await settled(page);
}

const scene = mkdtempSync(join(tmpdir(), 'asz-pictures-'));
writeFileSync(join(scene, 'asz.yaml'), JSON.stringify({ storage: { root: ROOT } }));
const server = spawn(process.execPath, [join(REPOSITORY, 'dist/src/cli/asz.js'), 'view', '127.0.0.1:0'], {
  cwd: scene,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await launch();
try {
  const url = await addressOf(server);
  mkdirSync(PICTURES, { recursive: true });
  for (const { name, path, height, dark = false, of, act } of WANTED) {
    const context = await browser.newContext({
      viewport: { width: 1280, height },
      colorScheme: dark ? 'dark' : 'light',
      ...SAME_EVERYWHERE,
    });
    const page = await context.newPage();
    await page.goto(`${url}${path}`);
    await act(page);
    await (of === undefined ? page : page.locator(of)).screenshot({ path: join(PICTURES, `${name}.png`) });
    await context.close();
    console.log(`docs/pictures/${name}.png`);
  }
} finally {
  await browser.close();
  server.kill();
  rmSync(scene, { recursive: true });
}

async function addressOf(server) {
  let heard = '';
  for await (const piece of server.stdout) {
    heard += piece;
    const url = /http:\/\/\S+/.exec(heard)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error('take-pictures: asz view ended');
}
