/** Receivers on one root that get the same files at the same time, as two processes. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Workplace } from '../e2e/run-asz.js';
import { filesBelow } from '../landing/collecting.js';
import { push, sendable } from '../push/pushing.js';
import { goldenCopy } from '../push/root-copies.js';

interface Listening {
  readonly child: ChildProcess;
  readonly endpoint: string;
  said(): string;
}

async function listening(work: Workplace, into: string): Promise<Listening> {
  const child = work.start(['receive', '127.0.0.1:0', '--into', into]);
  let said = '';
  const endpoint = await new Promise<string>((resolve) => {
    child.stdout!.on('data', (piece) => {
      said += piece;
      const found = /^listening {3}: (http:\S+)\/v1\/logs$/m.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { child, endpoint, said: () => said };
}

const summed = (words: string, key: string) =>
  [...words.matchAll(new RegExp(`${key}=(\\d+)`, 'g'))].reduce((sum, [, count]) => sum + Number(count), 0);

test('two receivers on one root lose, double and tear nothing', async () => {
  const work = new Workplace();
  const into = join(work.folder, 'into');
  const receivers = await Promise.all([1, 2].map(() => listening(work, into)));
  // A file a request: the two take turns at the locks of the same sessions and chains.
  const roots = receivers.map(() => goldenCopy('workflow'));
  const reports = await Promise.all(
    receivers.map(({ endpoint }, i) => push(roots[i]!, { endpoint, batchBytes: 1 })),
  );
  const ends = receivers.map(({ child }) => once(child, 'close'));
  for (const { child } of receivers) child.kill('SIGTERM');
  await Promise.all(ends);
  const files = sendable(roots[0]!);
  for (const { errors, rejected, files: sent } of reports)
    assert.deepEqual([errors, rejected, sent], [[], 0, files.length]);
  const said = receivers.map((receiver) => receiver.said()).join('');
  assert.deepEqual(
    ['files', 'repeats', 'rejected'].map((key) => summed(said, key)),
    [files.length, files.length, 0],
  );
  assert.deepEqual(
    filesBelow(into).filter((path) => !path.endsWith('.lock')),
    files,
  );
  for (const file of files)
    assert.ok(readFileSync(join(into, file)).equals(readFileSync(join(roots[0]!, file))), file);
});
