/** `asz receive` as a process: what it says, what it refuses, and how it ends. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Workplace } from '../e2e/run-asz.js';
import { push, sendable } from '../push/pushing.js';
import { goldenCopy } from '../push/root-copies.js';

test('it needs a root, an address, and one that only this machine reaches', async () => {
  const work = new Workplace();
  const cases = [
    [[], 1, /^asz: usage: asz receive \[ADDR\] --into ROOT\n$/],
    [
      ['0.0.0.0:4318', '--into', 'x'],
      2,
      /^asz: 0\.0\.0\.0:4318: other machines could reach it, and nobody is asked/,
    ],
    [['[::]:4318', '--into', 'x'], 2, /^asz: \[::\]:4318: other machines/],
    [['example.org:80', '--into', 'x'], 2, /other machines/],
    [['4318', '--into', 'x'], 2, /^asz: address "4318": want host:port, such as 127\.0\.0\.1:4318/],
  ] as const;
  for (const [argv, status, words] of cases) {
    const ran = await work.asz(['receive', ...argv]);
    assert.equal(ran.status, status, ran.stderr);
    assert.match(ran.stderr, words);
  }
});

test('it says where it listens and what comes, and ends when it is told, with exit code 0', async () => {
  const work = new Workplace();
  const into = join(work.folder, 'into');
  const child = work.start(['receive', '127.0.0.1:0', '--into', into]);
  const ended = once(child, 'close');
  let [said, warned] = ['', ''];
  child.stderr!.on('data', (piece) => {
    warned += piece;
  });
  const endpoint = await new Promise<string>((resolve) => {
    child.stdout!.on('data', (piece) => {
      said += piece;
      const found = /^listening {3}: (http:\S+)\/v1\/logs$/m.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const root = goldenCopy('workflow');
  await push(root, { endpoint });
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  const files = sendable(root);
  assert.match(
    said,
    new RegExp(
      `^storage root: ${into}\nlistening   : ${endpoint}/v1/logs\n\\[[\\d:]+\\] files=${files.length} repeats=0 rejected=0 foreign=0 bytes=[\\d.]+KB \\(\\S+\\)\n$`,
    ),
  );
  assert.equal(warned, 'ctrl-c to stop\n');
  for (const file of files) assert.ok(readFileSync(join(into, file)).equals(readFileSync(join(root, file))));
});
