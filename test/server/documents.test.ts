/** What a server keeps, and that nothing altered stays what it was. */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { listRounds } from '../../src/io/chain-directory.js';
import { listLandedFiles, roundsFolder, sessionFolder } from '../../src/io/storage-root.js';
import { Documents } from '../../src/server/documents.js';
import { aSession } from '../builders.js';
import { remakeRound, rewrite } from '../e2e/run-asz.js';
import { temporaryFolder } from '../shared.js';
import { documentOf } from '../view/viewing.js';
import { serving } from './serving.js';

let whole: string;

before(async () => {
  for (const id of ['s1', 's2']) {
    const session = aSession({ session: id, ...(whole && { root: whole }) });
    whole = session.root;
    for (let round = 1; round <= 3; round++) {
      session.main.input(`question ${round}`).says(`answer ${round}`);
      session.land();
      await session.parse();
    }
  }
});

function aCopy() {
  const root = temporaryFolder();
  cpSync(whole, root, { recursive: true });
  return {
    root,
    round: (n: number) => listRounds(roundsFolder(root, 's1'))[n - 1]!.path,
    landed: (n: number) => listLandedFiles(sessionFolder(root, 's1'))[n - 1]!.path,
  };
}

test('one build is shared by all who ask, and kept', async () => {
  const documents = new Documents(whole);
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => documents.get('s1')));
  assert.equal(documents.builds, 1);
  for (const other of others) assert.equal(other, first);
  assert.equal(await documents.get('s1'), first);
  assert.equal(documents.builds, 1);
  assert.equal(Buffer.concat([...first!.bytes()]).toString(), documentOf(whole, 's1'));
});

test('each set of withheld names is a document of its own', async () => {
  const documents = new Documents(whole);
  await documents.get('s1');
  await documents.get('s1', ['tool_schemas', 'system_prompt']);
  await documents.get('s1', ['system_prompt', 'tool_schemas']);
  assert.equal(documents.builds, 2);
  await assert.rejects(documents.get('s1', ['x']), { code: 'USAGE' });
});

test('documents are kept up to a size in all, the oldest dropped', async () => {
  const size = Buffer.byteLength(documentOf(whole, 's1'));
  const documents = new Documents(whole, size + 10);
  await documents.get('s1');
  assert.equal(documents.verdictOf('s1')?.state, 'verified');
  await documents.get('s2');
  assert.deepEqual(
    [documents.verdictOf('s1')?.state, documents.verdictOf('s2')?.state],
    [undefined, 'verified'],
  );
  await documents.get('s1');
  assert.equal(documents.builds, 3);
});

test('a larger document is made while it is sent, and not kept', async () => {
  const documents = new Documents(whole, 100);
  const document = await documents.get('s1');
  assert.deepEqual([document.digest, document.sizeBytes, document.state], [undefined, undefined, 'verified']);
  assert.equal(Buffer.concat([...document.bytes()]).toString(), documentOf(whole, 's1'));
  assert.equal(documents.verdictOf('s1')?.state, undefined);
});

test('the list says what is wrong once a document was built', async (t) => {
  const { root, landed } = aCopy();
  rewrite(landed(2), readFileSync(landed(2), 'utf8').replace('answer', 'Answer'));
  const { ask } = await serving(t, root);
  const listed = async () => {
    const [{ state, problem }] = (await ask('/api/conversations')).json();
    return [state, problem];
  };
  assert.deepEqual(await listed(), ['not_checked', '']);
  await ask('/api/c/s1/view');
  const [state, problem] = await listed();
  assert.equal(state, 'mismatch');
  assert.match(problem, /^round 2: the input digest /);
});

test('a failed build is not kept, and the next one is asked anew', async () => {
  const { root, round } = aCopy();
  const documents = new Documents(root);
  const bytes = readFileSync(round(1));
  rewrite(round(1), 'x');
  await assert.rejects(documents.get('s1'), { code: 'CHAIN' });
  rewrite(round(1), bytes);
  assert.equal((await documents.get('s1')).state, 'verified');
});

for (const [what, damage, state] of [
  [
    'a landed file was altered',
    ({ landed }) => rewrite(landed(2), readFileSync(landed(2), 'utf8').replace('answer', 'Answer')),
    'mismatch',
  ],
  [
    'a landed file was altered in place, and its time set back',
    ({ landed }) => alterInPlace(landed(2)),
    'mismatch',
  ],
  ['a landed file went away', ({ landed }) => rmSync(landed(2)), 'incomplete'],
  [
    'a landed file came',
    ({ landed }) => cpSync(landed(3), landed(3).replace(/000003\.sd$/, '000004.sd')),
    'verified',
  ],
  [
    'a middle round was replaced',
    ({ round }) => remakeRound(round(2), (text) => text.replace(/"steps":\d+/, '"steps":999')),
    'mismatch',
  ],
  [
    'an empty file got the name of a round',
    ({ round }) => writeFileSync(round(3).replace('r000003', 'r000004'), ''),
    'mismatch',
  ],
  [
    'the last round was cut',
    ({ round }) => rewrite(round(3), readFileSync(round(3)).subarray(0, 200)),
    'mismatch',
  ],
] as const satisfies readonly (readonly [string, (copy: ReturnType<typeof aCopy>) => unknown, string])[])
  test(`the next request shows that ${what}`, async (t) => {
    const copy = aCopy();
    const { ask } = await serving(t, copy.root);
    const before = await ask('/api/c/s1/view');
    assert.equal(before.json().summary.state, 'verified');
    damage(copy);
    const after = await ask('/api/c/s1/view', { headers: { 'If-None-Match': before.headers.etag! } });
    assert.equal(after.status, 200);
    assert.equal(after.json().summary.state, state);
    const [row] = (await ask('/api/conversations')).json();
    assert.equal(row.state, state, 'the list says what the new document says');
  });

test('the list takes back what a document said once its files are others', async (t) => {
  const { root, landed } = aCopy();
  const { ask } = await serving(t, root);
  await ask('/api/c/s1/view');
  appendFileSync(writable(landed(1)), 'x');
  assert.equal((await ask('/api/conversations')).json()[0].state, 'not_checked');
});

for (const [what, damage, problem] of [
  [
    'its streams are a plain file',
    ({ root }) => {
      rmSync(join(sessionFolder(root, 's1'), 'streams'), { recursive: true });
      writeFileSync(join(sessionFolder(root, 's1'), 'streams'), '');
    },
    /streams/,
  ],
  [
    'a link stands for its session',
    ({ root }) => {
      renameSync(sessionFolder(root, 's1'), `${sessionFolder(root, 's1')}-away`);
      symlinkSync(`${sessionFolder(root, 's1')}-away`, sessionFolder(root, 's1'));
    },
    /is a symbolic link/,
  ],
  [
    'two landed files have one sequence',
    ({ landed }) => cpSync(landed(1), landed(2).replace(/.Z-000002/, '9Z-000002')),
    /carry the same sequence 2/,
  ],
  [
    'a sequence is larger than any',
    ({ landed }) => cpSync(landed(1), landed(1).replace('000001.sd', '99999999999999999999.sd')),
    /99999999999999999999/,
  ],
  [
    'a number of a round is larger than any',
    ({ round }) => cpSync(round(1), round(1).replace('r000001', 'r99999999999999999999')),
    /r99999999999999999999/,
  ],
] as const satisfies readonly (readonly [string, (copy: ReturnType<typeof aCopy>) => unknown, RegExp])[])
  test(`a document was built, and then ${what}: the list tells it of that row and keeps the others`, async (t) => {
    const copy = aCopy();
    const { ask } = await serving(t, copy.root);
    for (const id of ['s1', 's2']) await ask(`/api/c/${id}/view`);
    damage(copy);
    const answer = await ask('/api/conversations');
    assert.equal(answer.status, 200);
    const [row, other, ...none] = answer.json();
    assert.deepEqual([row.id, other.id, other.state, none], ['s1', 's2', 'verified', []]);
    assert.ok(['not_checked', 'unreadable'].includes(row.state), row.state);
    assert.match(row.problem, problem);
    const { not_searched } = (await ask('/api/search?q=answer')).json();
    assert.deepEqual(not_searched, ['s1']);
  });

test('the list says what the newest document says, whichever words that one withholds', async () => {
  const { root, landed } = aCopy();
  const documents = new Documents(root);
  await documents.get('s1');
  appendFileSync(writable(landed(1)), 'x');
  await documents.get('s1', ['system_prompt']);
  assert.equal(documents.verdictOf('s1')?.state, 'mismatch');
});

function writable(path: string): string {
  rewrite(path, readFileSync(path));
  return path;
}

/** The same size, and the same time of last writing: only the time of the entry's change tells. */
function alterInPlace(path: string): void {
  const { atime, mtime } = statSync(path);
  rewrite(path, readFileSync(path, 'utf8').replace('answer', 'Answer'));
  utimesSync(path, atime, mtime);
}
