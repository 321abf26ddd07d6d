/** Loads every module, so that one which no test reaches counts in the coverage, and none works by being loaded. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const BUILT = resolve(import.meta.dirname, '../../src');
/** The command itself: loading it is running it. */
const ENTRY = join('cli', 'asz.js');

const modules = readdirSync(BUILT, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js') && name !== ENTRY)
  .sort();

test('every module loads by itself', async () => {
  assert.ok(modules.length > 100, `${modules.length} modules under ${BUILT}`);
  for (const name of modules) await import(pathToFileURL(join(BUILT, name)).href);
});

test('the public entry gives what other programs need', async () => {
  const entry = await import('../../src/index.js');
  for (const name of [
    'readRecord',
    'readRound',
    'collectPass',
    'assemble',
    'parseSession',
    'verifyChain',
  ] as const)
    assert.equal(typeof entry[name], 'function', name);
});
