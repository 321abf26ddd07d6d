/** Through a real OpenTelemetry Collector, in both of its spellings, into a receiver. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { receiving } from '../receive/receiving.js';
import { temporaryFolder } from '../shared.js';
import { Collector, needsCollector } from './collector.js';
import { answering, Misbehaving } from './misbehaving.js';
import { push, sendable } from './pushing.js';
import { goldenCopy } from './root-copies.js';

const MIB = 1024 * 1024;
const TEXT = 'weather: clear, wind: calm 天気は晴れ 😀 \u2028 \\u0000 \\ud800 ';

/** A root with bodies of 112 bytes and more, 2 MiB and 4.5 MiB, and the samples. */
function rootOfLargeFiles(): string {
  const root = goldenCopy('samples');
  const folder = join(root, 'large/streams/main');
  mkdirSync(folder, { recursive: true });
  for (const [i, bytes] of [100, 2 * MIB, 4.5 * MIB, 2 * MIB].entries()) {
    const header = `{"h":1,"schema":"sd/1","seq":${i + 1},"at":"2026-01-01T00:00:00Z","kind":"transcript","adapter":"mock/0","dialect":"mock/1","src":"s","session":"large","stream":"main"}`;
    const line = `{"ord":1,"text":${JSON.stringify(TEXT)}}`;
    const lines = Math.ceil((bytes - header.length) / Buffer.byteLength(line));
    const name = `transcript-20260101T000000.000000000Z-00000${i + 1}.sd`;
    writeFileSync(join(folder, name), `${header}\n${`${line}\n`.repeat(Math.max(0, lines))}`);
  }
  return root;
}

function arrived(root: string, into: string): void {
  const files = sendable(root);
  assert.deepEqual(sendable(into), files);
  for (const file of files)
    assert.ok(readFileSync(join(into, file)).equals(readFileSync(join(root, file))), file);
}

for (const compression of [undefined, 'none'] as const)
  test(
    `bodies of 2 and 4.5 MiB arrive with their digests, compression ${compression ?? 'gzip'}`,
    needsCollector,
    async () => {
      const [root, into] = [rootOfLargeFiles(), temporaryFolder()];
      const receiver = await receiving(into);
      const collector = await Collector.to(receiver.endpoint, compression);
      const report = await push(root, { endpoint: collector.endpoint });
      await collector.stop();
      assert.deepEqual([report.errors, report.rejected, report.files], [[], 0, sendable(root).length]);
      assert.deepEqual(receiver.refused, []);
      arrived(root, into);
    },
  );

test('stopped in the middle of a push and started again, everything arrives', needsCollector, async () => {
  const [root, into] = [rootOfLargeFiles(), temporaryFolder()];
  const receiver = await receiving(into);
  const collector = await Collector.to(receiver.endpoint, undefined);
  const pushing = push(root, { endpoint: collector.endpoint, batchBytes: 1 });
  while (receiver.got.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  await collector.stop();
  const cut = await pushing;
  assert.ok(cut.errors.length > 0 && cut.files > 0, JSON.stringify(cut));
  await collector.start();
  const rest = await push(root, { endpoint: collector.endpoint, batchBytes: 1 });
  await collector.stop();
  assert.deepEqual([rest.errors, rest.files], [[], sendable(root).length - cut.files]);
  arrived(root, into);
});

test('what its next hop refuses is refused to us, and its words are read', needsCollector, async () => {
  const hop = await Misbehaving.start();
  const collector = await Collector.to(hop.endpoint, 'none');
  const root = goldenCopy('workflow');
  hop.otherwise = answering(400, 'not like this');
  const refused = await push(root, { endpoint: collector.endpoint, batchBytes: 1 });
  assert.deepEqual([refused.files, refused.errors.length], [0, sendable(root).length]);
  assert.match(refused.errors[0]!, /answered 400 Bad Request: .*400/);
  assert.doesNotMatch(refused.errors[0]!, /[\u0000-\u001f]/);
  hop.otherwise = answering(429, 'slow down', { 'Retry-After': '3' });
  const throttled = await push(root, { endpoint: collector.endpoint });
  assert.equal(throttled.throttledMs, 0, 'it does not hand on how long');
  hop.otherwise = answering(200);
  hop.forget();
  const taken = await push(root, { endpoint: collector.endpoint });
  await collector.stop();
  assert.deepEqual([taken.errors, taken.files], [[], sendable(root).length]);
  assert.deepEqual(hop.files.toSorted(), sendable(root));
  rmSync(root, { recursive: true });
});
