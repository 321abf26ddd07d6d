/** Holds the lists of docs/scenarios.md to the tables of the code: every name is on the page, and no other. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FLAGS } from '../../src/format/index-entry.js';
import {
  CAPTURERS,
  NODE_KINDS,
  RELATION_TYPES,
  UNRESOLVED_KINDS,
  UNRESOLVED_WORDS,
  VIEW_STATES,
} from '../../src/scenario/check/expectation.js';
import { PROPERTY_NAMES } from '../../src/scenario/check/properties.js';
import {
  BLOCK_KEYS,
  FILE_PREFIXES,
  NODE_KEYS,
  VIEW_KEYS,
  VIEW_NOT_YET,
} from '../../src/scenario/check/read-expectation.js';
import { FINAL } from '../../src/scenario/scenario.js';
import { WITHHOLDABLE } from '../../src/view/withheld.js';
import { REPOSITORY } from '../shared.js';

const page = readFileSync(join(REPOSITORY, 'docs/scenarios.md'), 'utf8');

const inCode = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);

/** The words of a row of the table of names. */
function namesOf(what: string): string[] {
  const row = new RegExp(`^\\| ${what} \\| (.*) \\|$`, 'm').exec(page);
  assert.ok(row !== null, `no row for ${what}`);
  return inCode(row[1]!);
}

/** The words in the first column of the table under a head; what stands behind a colon is a value. */
function firstColumn(head: string): string[] {
  const [, table] = page.split(`\n${head}\n`);
  assert.ok(table !== undefined, `no table ${head}`);
  const rows = table.split('\n\n')[0]!.split('\n').slice(1);
  return rows.flatMap((row) => inCode(row.split('|')[1]!)).map((word) => word.split(':')[0]!);
}

const lists: ReadonlyArray<readonly [what: string, known: readonly string[]]> = [
  ['checkpoints', [FINAL]],
  ['kinds of node', NODE_KINDS],
  ['types of relation', RELATION_TYPES],
  ['kinds of unresolved entry', UNRESOLVED_KINDS],
  ['what is said of such a kind', UNRESOLVED_WORDS],
  ['kinds of a lost file', FILE_PREFIXES],
  ['states of a document', VIEW_STATES],
  ['capturers', CAPTURERS],
  ['flags', FLAGS],
  ['flags that can be hidden', WITHHOLDABLE],
];

for (const [what, known] of lists)
  test(`the page lists the ${what} there are`, () => assert.deepEqual(namesOf(what), known));

const tables: ReadonlyArray<readonly [head: string, known: readonly string[]]> = [
  ['| Property | Must hold |', PROPERTY_NAMES],
  ['| Key | Holds when |', BLOCK_KEYS],
  ['| Key of a node | Holds when |', NODE_KEYS],
  ['| Key of `view` | Holds when the document of the conversation has |', VIEW_KEYS],
];

for (const [head, known] of tables)
  test(`the page has a row for each: ${head}`, () =>
    assert.deepEqual(firstColumn(head).toSorted(), [...known].toSorted()));

test('the page names what is refused of the document until it is built', () => {
  const [sentence] = /`executions`[^.]* are refused by name/.exec(page) ?? [];
  assert.deepEqual(inCode(sentence ?? ''), VIEW_NOT_YET);
});
