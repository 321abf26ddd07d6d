/** A conversation as one file, opened without a server and without a network. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pageBytes } from '../../src/cli/write-page.js';
import { readPageFiles } from '../../src/server/page.js';
import { assertDone, assertRefused, rewrite, Workplace } from '../e2e/run-asz.js';
import { madeRoot, said, step, talkNode } from '../view/made-root.js';
import { viewed } from '../view/viewing.js';
import { browsingFile, needsBrowser } from './browser.js';
import { HOSTILE_IDS, hostileRoot } from './hostile-root.js';
import { SAMPLES } from './reading.js';

const WEATHER = '5d0c3a7e-2f41-4c8e-9b16-7a2e94d1c0f3';

/** The document a file carries, and the rest of the file. */
function taken(html: string): { readonly document: string; readonly rest: string } {
  const match = /(<script type="application\/json" id="asz-document">)([^<]*)(<\/script>)/.exec(html)!;
  return { document: match[2]!, rest: html.replace(match[2]!, '') };
}

test('the file holds the page and the document, and its policy lets only these two run', async () => {
  const place = new Workplace({ root: SAMPLES });
  const said = assertDone(await place.asz(['conversation', WEATHER, '--html', 'weather.html']));
  assert.match(
    said,
    /^wrote weather\.html: \d+\.\dKB; texts end at 2,000 bytes, and the landed records are not in it\n$/,
  );
  const path = join(place.folder, 'weather.html');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(place.folder).sort(), ['asz.yaml', 'weather.html']);
  const { document, rest } = taken(readFileSync(path, 'utf8'));
  assert.deepEqual(JSON.parse(document), viewed(SAMPLES, WEATHER));
  const scripts = [...rest.matchAll(/<script>([\s\S]*?)<\/script>/g)];
  const styles = [...rest.matchAll(/<style>([\s\S]*?)<\/style>/g)];
  assert.deepEqual([scripts.length, styles.length], [1, 1]);
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(rest)![1]!;
  assert.deepEqual(policy.split('; '), [
    "default-src 'none'",
    `script-src ${hash(scripts[0]![1]!)}`,
    `style-src ${hash(styles[0]![1]!)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  assert.ok(rest.indexOf('Content-Security-Policy') < rest.indexOf('<style>'));
});

test('no tag and no line end is left in the data, wherever its pieces are cut', () => {
  const words = '</script><!-- \u2028\u2029 é 😀';
  const json = Buffer.from(JSON.stringify({ words }));
  for (let at = 0; at <= json.length; at++) {
    const pieces = pageBytes(readPageFiles(), [json.subarray(0, at), json.subarray(at)]);
    const { document } = taken(Buffer.concat([...pieces]).toString());
    assert.doesNotMatch(document, /[<\u2028\u2029]/);
    assert.deepEqual(JSON.parse(document), { words });
  }
});

test('a file that is there is not replaced unless one says so, and never what is no file', async () => {
  const place = new Workplace({ root: SAMPLES });
  const path = join(place.folder, 'x.html');
  writeFileSync(path, 'mine');
  chmodSync(path, 0o644);
  const refused = await place.asz(['conversation', WEATHER, '--html', 'x.html']);
  assertRefused(refused, /^asz: x\.html is there already; --force replaces it$/m);
  assert.equal(readFileSync(path, 'utf8'), 'mine');
  assertDone(await place.asz(['conversation', WEATHER, '--html', 'x.html', '--force']));
  assert.match(readFileSync(path, 'utf8'), /^<!doctype html>/);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  mkdirSync(join(place.folder, 'folder'));
  symlinkSync(path, join(place.folder, 'link'));
  for (const name of ['folder', 'link'])
    assertRefused(
      await place.asz(['conversation', WEATHER, '--html', name, '--force']),
      /: it is no regular file, so it is not replaced$/m,
    );
  assert.deepEqual(readdirSync(place.folder).sort(), ['asz.yaml', 'folder', 'link', 'x.html']);
});

test('an unusable chain, and words that do not go together, write nothing', async () => {
  const place = new Workplace({ root: SAMPLES });
  const nobody = await place.asz(['conversation', 'nobody', '--html', 'x.html']);
  assertRefused(nobody, /^asz: view: no rounds for nobody; run asz parse/);
  for (const words of [
    ['--html', 'x.html', '--json'],
    ['--html', 'x.html', '--yaml'],
    ['--html', 'x.html', '--hide', 'x'],
    ['--force'],
  ])
    assert.equal((await place.asz(['conversation', WEATHER, ...words])).status, 2, words.join(' '));
  assert.deepEqual(readdirSync(place.folder), ['asz.yaml']);
});

test('what is withheld from the page is withheld from the file', async () => {
  const flagged = (text: string, flag: string) => said(text, 1, { flags: [flag] });
  const records = [flagged('PROMPT', 'system_prompt'), flagged('SCHEMAS', 'tool_schemas')];
  const root = madeRoot({ files: [{ records }], nodes: [talkNode(), step('a', 1), step('b', 2)] });
  const place = new Workplace({ root });
  const config = { storage: { root }, view: { hide: ['system_prompt'] } };
  rewrite(join(place.folder, 'asz.yaml'), JSON.stringify(config));
  assertDone(await place.asz(['conversation', 's', '--html', 'a.html']));
  assertDone(await place.asz(['conversation', 's', '--html', 'b.html', '--hide', 'tool_schemas']));
  const words = (name: string) => {
    const html = readFileSync(join(place.folder, name), 'utf8');
    return ['PROMPT', 'SCHEMAS'].filter((word) => html.includes(word));
  };
  assert.deepEqual([words('a.html'), words('b.html')], [['SCHEMAS'], []]);
});

test('it opens with the network off, and says what is not in it', needsBrowser, async (t) => {
  const place = new Workplace({ root: SAMPLES });
  assertDone(await place.asz(['conversation', WEATHER, '--html', 'weather.html']));
  const { page, picture } = await browsingFile(t, join(place.folder, 'weather.html'));
  await page.getByText('Fix the wind test, add one for heat').first().waitFor();
  const note = page.getByRole('note').getByText(/text ends at 2,000 bytes, and the landed records/);
  await note.waitFor();
  await picture('export');
  // What keys do, they do without a server behind them.
  for (const key of ['j', 'j', 'Shift+J', 'f', ']', 'Escape', '?', 'Escape']) await page.keyboard.press(key);
});

test('hostile words are words in a file too', needsBrowser, async (t) => {
  const root = await hostileRoot();
  const place = new Workplace({ root });
  for (const [i, id] of HOSTILE_IDS.entries()) {
    assertDone(await place.asz(['conversation', id, '--html', `${i}.html`]));
    const path = join(place.folder, `${i}.html`);
    assert.deepEqual(JSON.parse(taken(readFileSync(path, 'utf8')).document), viewed(root, id));
    const { page, picture } = await browsingFile(t, path);
    await page.getByText('</script><script>alert(2)</script>').first().waitFor();
    if (i === 0) await picture('export-hostile');
  }
});

test('an export of another version is refused by its name', needsBrowser, async (t) => {
  const place = new Workplace({ root: SAMPLES });
  assertDone(await place.asz(['conversation', WEATHER, '--html', 'x.html']));
  const path = join(place.folder, 'x.html');
  const html = readFileSync(path, 'utf8');
  writeFileSync(path, html.replace('"version":"1.0"', '"version":"2.0"'));
  const { page } = await browsingFile(t, path);
  await page
    .getByRole('alert')
    .getByText('format "asz.view", version "2.0"; this page reads asz.view 1.0')
    .waitFor();
});
