/** What holds for the document of every chain there is: golden, vectors, edge, random and real. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TALLY } from '../../src/format/session-flow.js';
import { listRounds } from '../../src/io/chain-directory.js';
import {
  listConversations,
  listLandedFiles,
  listSessions,
  roundsFolder,
  sessionFolder,
} from '../../src/io/storage-root.js';
import { foldChain } from '../../src/rounds/read-chain.js';
import { remakeRound } from '../e2e/run-asz.js';
import { needsShared, REPOSITORY, sharedData, temporaryFolder } from '../shared.js';
import { forgetIndex, randomVectors } from '../vectors/landed-root.js';
import { madeRoot, said, talkNode } from './made-root.js';
import { documentOf, place } from './viewing.js';

/** Every round, landed file, talk, run and step of the fold is in the document, each once. */
function assertCovered(root: string, conversation: string): void {
  const fold = foldChain(root, conversation);
  const document = JSON.parse(documentOf(root, conversation));
  const seen = new Map<string, string>();
  const visit = (node: { id: string; kind: string; children?: [] }): void => {
    assert.ok(!seen.has(node.id), `${conversation}: ${node.id} twice`);
    seen.set(node.id, node.kind);
    node.children?.forEach(visit);
  };
  document.talks.forEach(visit);
  document.loose.forEach(visit);
  const wanted = [...fold.entities.node.values()].filter(({ tally, tail }) => {
    const isStructure = (tally & (TALLY.steps | TALLY.talks)) === 0;
    return !isStructure || tail.startsWith(',"kind":"run"');
  });
  assert.deepEqual([...seen.keys()].sort(), wanted.map(({ id }) => id).sort(), conversation);
  assert.equal(document.summary.steps, fold.header!.steps);
  assert.equal(document.rounds.length, fold.round);
  assert.equal(document.relations.length, fold.entities.relation.size);
  assert.equal(document.unresolved.length, fold.entities.unresolved.size);
  const { session } = fold.first!;
  const landed = listLandedFiles(sessionFolder(root, session)).map(({ seq }) => seq);
  const files = document.files.filter(({ format }: { format: string }) => format === 'sd');
  assert.deepEqual(
    files.map(({ seq }: { seq: number }) => seq),
    landed,
  );
  assert.equal(document.summary.state, 'verified', document.summary.problems[0]);
}

function roots(below: string): string[] {
  return readdirSync(below, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory() && entry.name === '_conversations')
    .map((entry) => entry.parentPath);
}

function covered(below: string, least: number): void {
  let chains = 0;
  for (const root of roots(below))
    for (const conversation of listConversations(root)) {
      assertCovered(root, conversation);
      chains++;
    }
  assert.ok(chains >= least, `${chains} chains`);
}

test('the golden roots are covered', () => covered(join(REPOSITORY, 'test/golden'), 8));

for (const [folder, least] of [
  ['vectors', 28],
  ['edge', 10],
  ['real', 36],
] as const)
  test(`${folder} are covered`, needsShared, () => covered(join(sharedData()!, folder), least));

test('the random sessions are covered', needsShared, () => {
  const folder = join(sharedData()!, 'random');
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && name !== 'views.jsonl');
  const vectors = names.flatMap((name) => randomVectors(join(folder, name)));
  assert.equal(vectors.length, 900);
  const root = temporaryFolder();
  for (const vector of vectors) {
    place(root, vector);
    assertCovered(root, vector.session);
  }
});

test('the same root gives the same bytes, and without its index too', () => {
  const golden = join(REPOSITORY, 'test/golden');
  for (const root of roots(golden)) {
    const copy = temporaryFolder();
    cpSync(root, copy, { recursive: true });
    for (const session of listSessions(copy)) forgetIndex(copy, session);
    for (const conversation of listConversations(root)) {
      const document = documentOf(root, conversation);
      assert.equal(documentOf(root, conversation), document);
      assert.equal(documentOf(copy, conversation), document);
      assert.ok(!existsSync(join(copy, conversation, 'index')));
    }
  }
});

test('attributes of a round that another wrote keep their spelling and their order', () => {
  const nodes = [talkNode('talk/1', { attrs: { a: 1 } })];
  const root = madeRoot({ files: [{ records: [said('x')] }], nodes });
  const [round] = listRounds(roundsFolder(root, 's'));
  remakeRound(round!.path, (text) => text.replace('{"a":1}', '{"b" : 1.0, "a":12345678901234567890}'));
  assert.ok(documentOf(root, 's').includes('"attrs":{"b":1.0,"a":12345678901234567890}'));
});

test('nothing that makes a document knows the index', () => {
  const folder = join(REPOSITORY, 'src/view');
  for (const name of readdirSync(folder))
    assert.doesNotMatch(
      readFileSync(join(folder, name), 'utf8'),
      /from '.*(?:index-store|session-index|index-file).js'/,
      name,
    );
});
