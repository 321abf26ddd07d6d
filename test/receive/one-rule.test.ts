/** A name that one side of the wire takes, the other takes as well: what was received can be sent on, and back. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { push } from '../push/pushing.js';
import { temporaryFolder } from '../shared.js';
import { BODY, bytesOf, landedRecord, receiving, roundOf, roundRecord, tell } from './receiving.js';

const NAME = 'transcript-20260101T000000.000000000Z-000001.sd';
const DIGEST = 'abcdef012345';
const IDS = [
  ...['s', 'é', '日本', '.s', 's.t', '-', 'x'.repeat(200)],
  ...['a b', ' a', 'a ', 'a\u00a0b', 'a\u2028b', 'a\u3000b', 'a\ufeffb', 'a\tb', 'a\nb', 'a\u0085b'],
  ...['a.', 'a:b', 'con', 'a\\b', 'a"b', '_a', 'x'.repeat(201)],
];

/** Whether a push sends the one file of a root, once it stands there. */
async function isSent(file: string, bytes: string): Promise<boolean> {
  const root = temporaryFolder();
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), bytes);
  const { endpoint } = await receiving(temporaryFolder());
  try {
    const { files, rejected } = await push(root, { endpoint });
    return files === 1 && rejected === 0;
  } catch {
    return false; // A root with such a directory is listed by nobody.
  }
}

for (const [what, fileOf] of [
  ['session', (id: string) => `${id}/streams/main/${NAME}`],
  ['stream', (id: string) => `s/streams/${id}/${NAME}`],
  ['run', (id: string) => `s/runs/${id}/${NAME}`],
] as const)
  test(`a ${what} is called alike on both sides`, async () => {
    for (const id of IDS) {
      const file = fileOf(id);
      const receiver = await receiving(temporaryFolder());
      await tell(receiver, bytesOf(landedRecord(file, BODY)));
      const isTaken = receiver.got[0]!.files === 1;
      assert.equal(isTaken, await isSent(file, BODY), JSON.stringify(id));
    }
  });

test('a conversation is called alike on both sides', async () => {
  for (const id of IDS) {
    const file = `_conversations/${id}/rounds/r000001-${DIGEST}.sf`;
    const bytes = roundOf(JSON.stringify(id).slice(1, -1), 1, DIGEST);
    const receiver = await receiving(temporaryFolder());
    await tell(receiver, bytesOf(roundRecord(file, bytes)));
    assert.equal(receiver.got[0]!.files === 1, await isSent(file, bytes), JSON.stringify(id));
  }
});

test('a round under another name is sent unchecked, and refused by its name in one line', async () => {
  const root = temporaryFolder();
  const into = temporaryFolder();
  const folder = join(root, '_conversations/s/rounds');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'draft.sf'), roundOf('s', 1, DIGEST));
  const receiver = await receiving(into);
  const { files, rejected } = await push(root, { endpoint: receiver.endpoint });
  assert.deepEqual([files, rejected], [1, 1]);
  assert.deepEqual(receiver.got[0]!.reasons, [
    '_conversations/s/rounds/draft.sf: the name is no rNUMBER-DIGEST.sf',
  ]);
});
