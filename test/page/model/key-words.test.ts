/** Holds the tables of keys in docs/page.md to those that the pages listen by, both ways. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  CONVERSATION_KEYS,
  type KeyWords,
  LIST_KEYS,
  TIMELINE_KEYS,
} from '../../../src/page/model/key-words.js';
import { REPOSITORY } from '../../shared.js';

const page = readFileSync(join(REPOSITORY, 'docs/page.md'), 'utf8');

const TABLES: readonly (readonly [string, readonly KeyWords[]])[] = [
  ['On the list', LIST_KEYS],
  ['On a conversation', CONVERSATION_KEYS],
  ['On the timeline', TIMELINE_KEYS],
];

for (const [title, keys] of TABLES) {
  test(`docs/page.md lists the keys: ${title}`, () => {
    const table = page.split(`| Key | ${title} |\n| --- | --- |\n`)[1]!.split('\n\n')[0]!;
    assert.deepEqual(
      table.split('\n'),
      keys.map(({ shown, does }) => `| ${shown} | ${does} |`),
    );
  });
}
