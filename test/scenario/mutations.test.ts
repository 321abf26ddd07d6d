/** Swaps each rule for the obvious choice in a copy of the built code, and shows which scenario fails. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { REPOSITORY } from '../shared.js';
import { FAST_FOLDER } from './checking.js';
import { MUTATIONS } from './mutations.js';

const BUILT = resolve(import.meta.dirname, '../../src');

/** A copy of the program that may be changed: its dependencies are the repository's own. */
const copy = mkdtempSync(join(FAST_FOLDER, 'asz-mutant-'));
after(() => rmSync(copy, { recursive: true, force: true }));
cpSync(BUILT, join(copy, 'src'), { recursive: true });
symlinkSync(join(REPOSITORY, 'node_modules'), join(copy, 'node_modules'), 'dir');
writeFileSync(join(copy, 'package.json'), '{"type":"module"}');

function check(scenario: string): { status: number | null; stdout: string; stderr: string } {
  const asz = join(copy, 'src/cli/asz.js');
  const file = join(REPOSITORY, 'test/scenarios', `${scenario}.yaml`);
  const out = mkdtempSync(join(copy, 'out-'));
  return spawnSync(process.execPath, [asz, 'scenario', 'check', file, '--out', out], { encoding: 'utf8' });
}

test('the copy, unchanged, holds every scenario of the table', () => {
  for (const scenario of new Set(MUTATIONS.map(({ scenario }) => scenario))) {
    const { status, stdout, stderr } = check(scenario);
    assert.equal(status, 0, `${scenario}\n${stdout}${stderr}`);
  }
});

for (const { rule, obvious, file, find, replace, scenario } of MUTATIONS)
  test(`${rule}: were it that ${obvious}, ${scenario} would fail`, () => {
    const path = join(copy, 'src', file);
    const original = readFileSync(path, 'utf8');
    assert.equal(original.split(find).length - 1, 1, `${file} must hold this once: ${find}`);
    writeFileSync(
      path,
      original.replace(find, () => replace),
    );
    try {
      const { status, stdout, stderr } = check(scenario);
      assert.equal(stderr, '', 'the changed rule works, it only gives something else');
      assert.equal(status, 1, stdout);
      assert.match(stdout, /^FAILED: /m);
      console.log(
        `  ${stdout
          .split('\n')
          .find((line) => /^ {2}\S/.test(line))
          ?.trim()}`,
      );
    } finally {
      writeFileSync(path, original);
    }
  });
