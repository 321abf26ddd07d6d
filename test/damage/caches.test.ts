import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { randomFrom, SEED } from '../random.js';
import { temporaryFolder } from '../shared.js';
import { believed, CACHES, CacheRoot, mended } from './caches.js';

const whole = await new CacheRoot(join(temporaryFolder(), 'w')).make();
const random = randomFrom();

for (const file of Object.keys(CACHES)) {
  test(`${file}: flipped and cut anywhere, it says what was written or nothing`, () => {
    const place = whole.copyTo(join(temporaryFolder(), 'c'));
    const { wrong } = believed(place, file, () => [random(8)]);
    assert.deepEqual(wrong, [], `seed ${SEED}`);
  });

  for (const grows of [false, true])
    test(`${file}: damaged, it is written again by a pass over a source that ${grows ? 'grew' : 'rests'}`, async () => {
      const bytes = whole.bytes(file);
      const digit = bytes.findLastIndex((byte, at) => byte >= 0x30 && byte <= 0x39 && at < bytes.length - 30);
      const flipped = Buffer.from(bytes);
      flipped[digit]! ^= 1;
      const damages = [
        flipped,
        bytes.subarray(0, bytes.length / 2),
        Buffer.alloc(0),
        Buffer.alloc(bytes.length),
      ];
      for (const damage of damages)
        assert.deepEqual(await mended(whole.copyTo(join(temporaryFolder(), 'c')), file, damage, grows), []);
    });
}

const CURSOR = Object.keys(CACHES)[0]!;

test('a damaged cursor over a source that was rewritten is a conflict, for the records say so', async () => {
  const place = whole.copyTo(join(temporaryFolder(), 'c'));
  place.put(CURSOR, Buffer.from('nothing'));
  const main = join(place.sources, '-w/0a0a0a0a-0000-4000-8000-000000000001.jsonl');
  writeFileSync(main, '{"type":"user","uuid":"other"}\n'.repeat(40));
  const { errors, conflicts, records } = await place.pass();
  assert.deepEqual([conflicts, records], [1, 0]);
  assert.match(
    errors[0]!.message,
    /the last landed records are not in it \(source rewritten behind a damaged cursor\)$/,
  );
});

test('a damaged cursor whose source is gone waits for it, and goes on when it comes back', async () => {
  const place = whole.copyTo(join(temporaryFolder(), 'c'));
  const main = join(place.sources, '-w/0a0a0a0a-0000-4000-8000-000000000001.jsonl');
  const meta = join(
    place.sources,
    '-w/0a0a0a0a-0000-4000-8000-000000000001/subagents/agent-a0123456789abcdef.meta.json',
  );
  const away = whole.copyTo(join(temporaryFolder(), 'away')).sources;
  for (const file of Object.keys(CACHES).filter((name) => name.endsWith('.cursor')))
    place.put(file, Buffer.from('offset 7\n'));
  assert.equal(place.findings().length, 3);
  for (const path of [main, meta]) rmSync(path);
  assert.equal((await place.pass()).gone, 2);
  assert.deepEqual(place.findings(), []);
  for (const path of [main, meta])
    writeFileSync(path, new CacheRoot(join(away, '..')).source(path.slice(place.sources.length)));
  place.grow();
  const { records, conflicts, errors } = await place.pass();
  assert.deepEqual([records, conflicts, errors], [1, 0, []]);
  assert.deepEqual(place.findings(), []);
});

test('a damaged cursor beside a damaged landed file lands its source again', async () => {
  const place = whole.copyTo(join(temporaryFolder(), 'c'));
  place.put(CURSOR, Buffer.from('nothing'));
  const landed = place.landed('main');
  place.put(landed, place.bytes(landed).subarray(0, 400));
  const { records, conflicts } = await place.collect();
  assert.deepEqual([records, conflicts], [2, 0]);
});
