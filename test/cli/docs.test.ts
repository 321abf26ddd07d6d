import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseDocument } from 'yaml';
import { COMMANDS } from '../../src/cli/commands.js';
import { helpLines, usageLines } from '../../src/cli/help.js';
import { defaultConfig } from '../../src/config/config.js';
import { readConfig } from '../../src/config/read-config.js';
import { REPOSITORY } from '../shared.js';

const page = readFileSync(join(REPOSITORY, 'docs/cli.md'), 'utf8');

const block = (words: string, lines: readonly string[]) =>
  `<!-- asz ${words} -->\n\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`;

const REMEDY = 'run npm run build && node scripts/update-cli-docs.js';

test('the page lists the commands as asz help does', () => {
  assert.ok(page.includes(block('help', usageLines())), REMEDY);
});

for (const command of COMMANDS)
  test(`the page shows the help of ${command.name} as it is printed`, () => {
    assert.ok(page.includes(block(`${command.name} --help`, helpLines(command))), REMEDY);
  });

test('the page shows no command that is gone', () => {
  assert.equal(page.match(/<!-- asz .+ -->/g)?.length, COMMANDS.length + 1);
});

test('the configuration on the page is the default one', () => {
  const yaml = /```yaml\n([\s\S]*?)```/.exec(page)![1]!;
  assert.deepEqual(readConfig('page', yaml), defaultConfig());
  assert.deepEqual(Object.keys(parseDocument(yaml).toJS()), [
    'storage',
    'adapters',
    'parse',
    'metrics',
    'export',
    'view',
  ]);
});
