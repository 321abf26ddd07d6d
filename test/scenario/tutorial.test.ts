/** The tutorial in docs/scenarios.md is run as it stands: its files written, its commands called, their output compared. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ASZ } from '../e2e/run-asz.js';
import { REPOSITORY, temporaryFolder } from '../shared.js';

const page = readFileSync(join(REPOSITORY, 'docs/scenarios.md'), 'utf8');
const BLOCK = /<!-- (\S+\.yaml) -->\n```yaml\n([\s\S]*?)```|```console\n\$ asz (.+)\n([\s\S]*?)```/g;

test('the tutorial does what it says', () => {
  const folder = realpathSync(temporaryFolder());
  let [files, commands] = [0, 0];
  for (const [, name, yaml, words, output] of page.matchAll(BLOCK)) {
    if (name !== undefined) {
      writeFileSync(join(folder, name), yaml!);
      files++;
      continue;
    }
    const { stdout, stderr } = spawnSync(process.execPath, [ASZ, ...words!.split(' ')], {
      cwd: folder,
      encoding: 'utf8',
    });
    const got = (stdout + stderr).replaceAll(folder, 'DIR');
    assert.match(got, patternOf(output!), `$ asz ${words}\n${got}`);
    commands++;
  }
  assert.deepEqual([files, commands], [10, 7]);
});

/** A line `…` is any number of lines; at the end of a line it is the rest of that line. */
function patternOf(output: string): RegExp {
  const lines = output.trimEnd().split('\n');
  const patterns = lines.map((line) => {
    if (line === '…') return '(?:.*\n)*?';
    const literal = line.replace(/…$/, '').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return `${literal}${line.endsWith('…') ? '.*' : ''}\n`;
  });
  return new RegExp(`^${patterns.join('')}$`);
}
