/**
 * For each rule of building and ordering, the obvious wrong choice is put into a copy of the built modules, and some
 * case or vector must notice. A rule nobody would miss is a rule nobody tests.
 */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../shared.js';
import type { Viewed } from './case.js';
import { CASES } from './cases.js';
import { WRONG_CHOICES, type WrongChoice } from './wrong-choices.js';

const BUILT = join(import.meta.dirname, '../../src');

async function mutated({ file, right, wrong }: WrongChoice): Promise<Viewed> {
  const copy = temporaryFolder();
  for (const room of readdirSync(BUILT).filter((name) =>
    ['format', 'io', 'stages', 'rounds', 'view'].includes(name),
  ))
    cpSync(join(BUILT, room), join(copy, room), {
      recursive: true,
      filter: (path) => !/\.(?:map|d\.ts)$/.test(path),
    });
  writeFileSync(join(copy, 'package.json'), '{"type":"module"}');
  const path = join(copy, 'view', `${file}.js`);
  const text = readFileSync(path, 'utf8');
  assert.equal(text.split(right).length, 2, `${file}.js holds once: ${right}`);
  writeFileSync(
    path,
    text.replace(right, () => wrong),
  );
  const { buildView } = await import(pathToFileURL(join(copy, 'view/view.js')).href);
  const { documentBytes } = await import(pathToFileURL(join(copy, 'view/document.js')).href);
  return (root, conversation, hide = []) =>
    JSON.parse(Buffer.concat([...documentBytes(buildView(root, conversation, hide))]).toString());
}

for (const wrong of WRONG_CHOICES)
  test(`a test fails when ${wrong.choice}`, async () => {
    const viewed = await mutated(wrong);
    const noticed = CASES.filter(({ holds }) => {
      try {
        holds(viewed);
        return false;
      } catch {
        return true;
      }
    });
    assert.ok(noticed.length > 0, 'no case notices');
    assert.ok(noticed.length < CASES.length, 'the copy still works');
  });
