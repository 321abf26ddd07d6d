import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { listPassedOver } from '../../src/io/passed-over.js';
import {
  conversationLockFile,
  conversationStateFile,
  cursorFile,
  highestSequence,
  indexFolder,
  landedFolder,
  listConversations,
  listLandedFiles,
  listSessions,
  roundsFolder,
  sessionFolder,
  sessionLockFile,
  sessionStateFile,
} from '../../src/io/storage-root.js';
import { temporaryFolder } from '../shared.js';

const STAMP = '20260301T090000.000000000Z';

function touch(...segments: string[]): string {
  const path = join(...segments);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  return path;
}

test('everything has its place', () => {
  const paths = [
    sessionFolder('r', 's'),
    sessionLockFile('r', 's'),
    sessionStateFile('r', 's'),
    indexFolder('r', 's'),
    landedFolder('r', 's', 'agent_meta', 'a1'),
    landedFolder('r', 's', 'workflow_script', 'w1'),
    landedFolder('r', 's', 'provider_body', ''),
    cursorFile('r', 's', 'workflow_manifest', 'w1'),
    conversationLockFile('r', 'c'),
    conversationStateFile('r', 'c'),
    roundsFolder('r', 'c'),
  ];
  assert.deepEqual(
    paths.map((path) => path.replaceAll('\\', '/')),
    [
      'r/s',
      'r/s/.lock',
      'r/s/session.state',
      'r/s/index',
      'r/s/streams/a1',
      'r/s/runs/w1',
      'r/s/provider_body',
      'r/s/runs/w1/manifest.cursor',
      'r/_conversations/c/.lock',
      'r/_conversations/c/conversation.state',
      'r/_conversations/c/rounds',
    ],
  );
});

test('no id leads out of the root', () => {
  assert.throws(() => sessionFolder('r', '..'), { code: 'STORAGE' });
  assert.throws(() => landedFolder('r', 's', 'transcript', 'a/../../b'), { code: 'STORAGE' });
  assert.throws(() => landedFolder('r', 's', 'transcript', ''), { code: 'STORAGE' });
  assert.throws(() => roundsFolder('r', '_x'), { code: 'STORAGE' });
});

test('sessions are directories without "_", by code point; files and links are none', () => {
  const root = temporaryFolder();
  for (const name of ['b', 'a', '😀', '\uffee', '_conversations/c2', '_conversations/c1'])
    mkdirSync(join(root, name), { recursive: true });
  touch(root, 'file');
  symlinkSync(join(root, 'a'), join(root, 'link'));
  assert.deepEqual(listSessions(root), ['a', 'b', '\uffee', '😀']);
  assert.deepEqual(listConversations(root), ['c1', 'c2']);
  assert.deepEqual(listConversations(join(root, 'a')), []);
});

test('a root that does not exist is said so', () => {
  const root = join(temporaryFolder(), 'none');
  assert.throws(() => listSessions(root), {
    code: 'STORAGE',
    message: `open ${root}: no such file or directory`,
  });
});

test('landed files are found in their places and ordered by sequence, not by name', () => {
  const session = temporaryFolder();
  touch(session, `streams/main/transcript-${STAMP}-000010.sd`);
  touch(session, `streams/a1/meta-${STAMP}-000002.sd`);
  touch(session, `runs/w1/journal-${STAMP}-1000000.sd`);
  touch(session, `provider_body/provider_body-${STAMP}-000001.sd`);
  for (const ignored of [
    'streams/main/transcript.cursor',
    'streams/main/.tmp-0123',
    `streams/main/transcript-${STAMP}-00003.sd`,
    `streams/main/deep/transcript-${STAMP}-000099.sd`,
    `streams/transcript-${STAMP}-000098.sd`,
    `index/transcript-${STAMP}-000097.sd.tmp`,
  ])
    touch(session, ignored);
  mkdirSync(join(session, `streams/main/transcript-${STAMP}-000096.sd`));
  symlinkSync('x', join(session, `streams/main/transcript-${STAMP}-000095.sd`));
  const files = listLandedFiles(session);
  assert.deepEqual(
    files.map(({ seq, kindPrefix, stream, batch }) => [seq, kindPrefix, stream, batch]),
    [
      [1, 'provider_body', '', ''],
      [2, 'meta', 'a1', ''],
      [10, 'transcript', 'main', ''],
      [1000000, 'journal', '', 'w1'],
    ],
  );
  assert.equal(files[2]!.path, join(session, 'streams/main', files[2]!.name));
  symlinkSync('x', join(session, 'runs/w2'));
  assert.deepEqual(
    listPassedOver(session).map(({ path, why }) => [path.slice(session.length + 1), why.slice(0, 9)]),
    [
      ['runs/w2', 'it is not'],
      [`streams/main/deep/transcript-${STAMP}-000099.sd`, 'no landed'],
      [`streams/main/transcript-${STAMP}-00003.sd`, 'no landed'],
      [`streams/main/transcript-${STAMP}-000095.sd`, 'it is not'],
      [`streams/main/transcript-${STAMP}-000096.sd`, 'it is not'],
      [`streams/transcript-${STAMP}-000098.sd`, 'no landed'],
    ],
  );
  assert.deepEqual(listLandedFiles(join(session, 'missing')), []);
});

test('two files with one sequence are both named', () => {
  const session = temporaryFolder();
  const a = touch(session, `streams/main/transcript-${STAMP}-000003.sd`);
  const b = touch(session, `runs/w/journal-${STAMP}-000003.sd`);
  assert.throws(() => listLandedFiles(session), {
    code: 'STORAGE',
    message: `storage: ${b} and ${a} carry the same sequence 3`,
  });
});

test('a sequence that no number holds is an error that names the file', () => {
  const session = temporaryFolder();
  const name = `transcript-${STAMP}-9007199254740993.sd`;
  touch(session, 'streams/main', name);
  assert.throws(
    () => listLandedFiles(session),
    (error: Error) => error.message.includes(name),
  );
  assert.throws(() => highestSequence(session), { code: 'FORMAT' });
});

test('the highest sequence counts at any depth', () => {
  const session = temporaryFolder();
  assert.equal(highestSequence(session), 0);
  assert.equal(highestSequence(join(session, 'missing')), 0);
  touch(session, `streams/main/transcript-${STAMP}-000004.sd`);
  touch(session, `streams/main/old/deep/transcript-${STAMP}-000011.sd`);
  touch(session, `x-000007.sd`);
  assert.equal(highestSequence(session), 11);
});
