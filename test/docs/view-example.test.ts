/** The page of the document: its example is what the command prints, and its tables name the keys there are. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { jsonTokens, YamlPrinter } from '../../src/view/yaml.js';
import { REPOSITORY } from '../shared.js';
import { documentOf, viewed } from '../view/viewing.js';

const page = readFileSync(join(REPOSITORY, 'docs/format-view.md'), 'utf8');
const GOLDEN = join(REPOSITORY, 'test/golden');

test('docs/view-example.yaml is the document of the golden root replay', async () => {
  const json = Buffer.from(documentOf(join(GOLDEN, 'replay'), 'replay'));
  const yaml = await text(Readable.from([json]).pipe(jsonTokens()).pipe(new YamlPrinter()));
  assert.equal(
    readFileSync(join(REPOSITORY, 'docs/view-example.yaml'), 'utf8'),
    yaml,
    'node scripts/update-view-example.js',
  );
});

test('every key of a document is on the page', () => {
  const keys = new Set<string>();
  const visit = (value: unknown, key = ''): void => {
    // Attributes are the round's, and counts are by words of the model.
    if (
      ['attrs', 'kinds', 'relation_types', 'quality', 'withheld'].includes(key) &&
      typeof value === 'object'
    )
      return;
    if (Array.isArray(value)) for (const item of value) visit(item, key);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        if (key !== 'workspace_changes' && key !== 'changes') keys.add(name);
        visit(member, name);
      }
  };
  for (const name of ['every-kind', 'text', 'unresolved', 'workflow'])
    visit(viewed(join(GOLDEN, name), name));
  assert.ok(keys.size > 80, `${keys.size} keys`);
  for (const key of keys) assert.ok(page.includes(`\`${key}\``), `docs/format-view.md does not name ${key}`);
});
