/** A root that was pushed and received is the same root: every file, what verification says of it, and its chains. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listConversations, listSessions } from '../../src/io/storage-root.js';
import { parseSession } from '../../src/rounds/parse-session.js';
import { verifyChain } from '../../src/rounds/verify-chain.js';
import { verifyLanded } from '../../src/rounds/verify-landed.js';
import { push, sendable } from '../push/pushing.js';
import { copyOfRoot } from '../push/root-copies.js';
import { needsShared, REPOSITORY, sharedData, temporaryFolder } from '../shared.js';
import { OPTIONS } from '../vectors/landed-root.js';
import { receiving } from './receiving.js';

/** Cursors do not travel. */
const OF_CURSORS = ['end-gap', 'cursor-damaged'];

/** What verification finds in a root, whatever it is called. */
function findings(root: string): string[] {
  const landed = listSessions(root).map((session) => verifyLanded(root, session));
  const digests = new Map(landed.map((report) => [report.session, report.digests]));
  const chains = listConversations(root).map((id) =>
    verifyChain(root, id, (session) => digests.get(session)),
  );
  return [...landed, ...chains]
    .flatMap(({ problems }) => problems)
    .filter(({ id }) => !OF_CURSORS.includes(id))
    .map(({ id, file, line, words }) => `${id} ${file} ${line} ${words.replaceAll(root, 'ROOT')}`)
    .sort();
}

/** Pushes a root to a receiver, and holds the root that comes out of it against it. */
async function travels(from: string, batchBytes = 8 * 1024 * 1024): Promise<string> {
  const into = join(temporaryFolder(), 'into');
  const receiver = await receiving(into);
  const { files, errors, rejected } = await push(from, { endpoint: receiver.endpoint, batchBytes });
  await receiver.receiver.close();
  const sent = sendable(from);
  assert.deepEqual([errors, rejected, files], [[], 0, sent.length]);
  assert.deepEqual(sendable(into), sent);
  for (const file of sent)
    assert.ok(readFileSync(join(into, file)).equals(readFileSync(join(from, file))), `${file} of ${from}`);
  assert.deepEqual(findings(into), findings(from), from);
  return into;
}

/** No session of the root has anything to add to its chain. */
async function isSettled(root: string): Promise<void> {
  for (const session of listSessions(root))
    for (const { round } of await parseSession(root, session, OPTIONS)) assert.equal(round, 0, session);
}

/** Every folder below one that is a storage root. */
function rootsBelow(folder: string): string[] {
  if (existsSync(join(folder, '_conversations'))) return [folder];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => rootsBelow(join(folder, name)));
}

test('our own roots travel whole, also a file at a time', async () => {
  const roots = rootsBelow(join(REPOSITORY, 'test/golden'));
  assert.ok(roots.length >= 8);
  for (const root of roots)
    for (const batchBytes of [8 * 1024 * 1024, 1])
      await isSettled(await travels(copyOfRoot(root), batchBytes));
});

for (const [folder, count] of [
  ['vectors', 28],
  ['edge', 10],
  ['real', 4],
] as const)
  test(`every root of the shared ${folder} travels whole`, needsShared, async () => {
    const data = join(sharedData()!, folder);
    const roots = rootsBelow(data);
    assert.ok(roots.length >= count, `${roots.length} roots`);
    for (const root of roots) {
      const into = await travels(copyOfRoot(root));
      await isSettled(into);
      rmSync(into, { recursive: true, force: true });
    }
  });

test('a damaged root arrives with its damage', async () => {
  const root = copyOfRoot(join(REPOSITORY, 'test/golden/narrowed'));
  const rounds = sendable(root).filter((file) => file.endsWith('.sf'));
  const landed = sendable(root).filter((file) => file.endsWith('.sd'));
  rmSync(join(root, rounds[1]!));
  rmSync(join(root, landed[2]!));
  const altered = join(root, landed[0]!);
  writeFileSync(altered, readFileSync(altered, 'utf8').replace(/"text":"./, '"text":"#'));
  const strayed = join(root, landed[1]!.replace(/[^/]+(?=\/[^/]+$)/, 'elsewhere'));
  mkdirSync(join(strayed, '..'));
  renameSync(join(root, landed[1]!), strayed);
  assert.ok(findings(root).some((words) => words.startsWith('landed-place ')));
  await travels(root);
});
