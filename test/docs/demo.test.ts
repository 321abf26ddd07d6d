import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { REPOSITORY, temporaryFolder } from '../shared.js';

test("the README's first command, in an empty home: it explains what it prints, and writes nothing there", () => {
  const home = temporaryFolder();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(REPOSITORY, 'scripts/demo.js'), '--as-built'],
    {
      cwd: REPOSITORY,
      encoding: 'utf8',
      timeout: 60_000,
      env: { PATH: process.env.PATH, HOME: home },
    },
  );
  assert.equal(stderr, '');
  assert.equal(status, 0);
  for (const heading of ['1. Collect', '2. Parse', '3. Conversation', '4. Verify'])
    assert.ok(stdout.includes(`\n${heading}`), heading);
  for (const word of ['talk', 'run', 'stream', 'epoch', 'round'])
    assert.match(stdout, new RegExp(`^${word} {2,}\\S`, 'm'), `${word} is explained`);
  assert.match(stdout, /asked: “The wind test is red/);
  assert.match(stdout, /^all landed data is contiguous and matches its digests$/m);
  assert.doesNotMatch(
    stdout,
    /npx asz|npm install (--global |-g )?asz/,
    'the name is not ours in a registry',
  );
  assert.deepEqual(readdirSync(home), []);
});
