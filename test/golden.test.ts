/**
 * The project's own golden roots: they need nothing but this repository, so a fresh clone proves itself.
 * What is compared is bytes; what each root shows, and why it is right, stands in `golden/README.md`.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MAX_ROUND_BYTES } from '../src/rounds/next-round.js';
import { parseSession } from '../src/rounds/parse-session.js';
import { UNRESOLVED } from '../src/stages/unresolved.js';
import {
  DIGESTS,
  digestsOf,
  type GoldenFile,
  goldenFilesBelow,
  makeGolden,
  SAMPLES,
} from './golden-files.js';
import { GOLDEN_ROOTS } from './golden-roots.js';
import { REPOSITORY, temporaryFolder } from './shared.js';
import { firstDifference, landFiles, OPTIONS, reproduce, vectorsIn } from './vectors/landed-root.js';

const GOLDEN = join(REPOSITORY, 'test/golden');
const STORED = goldenFilesBelow(GOLDEN);
const BUDGETS = new Map(
  GOLDEN_ROOTS.map(({ name, maxBytes }) => [name, maxBytes ?? DEFAULT_MAX_ROUND_BYTES]),
);

test('the stored files are what their digests say', () => {
  assert.equal(digestsOf(STORED), readFileSync(join(GOLDEN, DIGESTS), 'utf8'));
});

test('there is a golden root for every one that is told, for the samples, and no other', () => {
  const folders = readdirSync(GOLDEN, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(folders.map(({ name }) => name).sort(), [...BUDGETS.keys(), SAMPLES].sort());
});

for (const name of [...BUDGETS.keys(), SAMPLES]) {
  const options = { ...OPTIONS, maxBytes: BUDGETS.get(name) ?? DEFAULT_MAX_ROUND_BYTES };

  test(`golden root ${name}: its landed files, parsed round by round, give its rounds`, async () => {
    for (const vector of vectorsIn(join(GOLDEN, name)))
      assert.deepEqual(await reproduce(temporaryFolder(), vector, options), []);
  });

  test(`golden root ${name}: a page of one entry gives the same rounds`, async () => {
    for (const vector of vectorsIn(join(GOLDEN, name)))
      assert.deepEqual(await reproduce(temporaryFolder(), vector, { ...options, pageEntries: 1 }), []);
  });
}

test('golden root narrowed: all its files at once are cut by the budget into the same rounds', async () => {
  const [vector] = vectorsIn(join(GOLDEN, 'narrowed'));
  const root = temporaryFolder();
  landFiles(root, vector!, Number.MAX_SAFE_INTEGER);
  const reports = await parseSession(root, 'narrowed', { ...OPTIONS, maxBytes: BUDGETS.get('narrowed')! });
  assert.deepEqual(
    reports.map(({ path }) => readFileSync(path, 'utf8')),
    vector!.rounds.map(({ content }) => content.toString()),
  );
});

test('told, landed and parsed again, and the samples collected again, every file is the stored one', async () => {
  const made = await makeGolden(temporaryFolder(), join(REPOSITORY, 'samples/projects'));
  const digests = { path: DIGESTS, content: readFileSync(join(GOLDEN, DIGESTS)) };
  assert.deepEqual(
    made.map(({ path }) => path),
    [...STORED, digests].map(({ path }) => path),
  );
  for (const [i, stored] of [...STORED, digests].entries())
    assert.equal(firstDifference(made[i]!.content, stored.content), undefined, stored.path);
});

// ---- that nothing is missing ----

interface Frame {
  readonly t: string;
  readonly kind?: string;
  readonly type?: string;
  readonly state?: string;
  readonly reason?: string;
  readonly quality?: string;
  readonly tombstone?: boolean;
}

const FRAMES = STORED.filter(({ path }) => path.endsWith('.sf')).flatMap(framesOf);

test('the golden roots hold every kind of node that assembly writes', () => {
  const kinds = ['session', 'segment', 'stream', 'epoch', 'talk', 'run', 'llm.call', 'tool', 'thinking'];
  kinds.push('agent.call', 'agent.launch_ack', 'agent.output', 'runtime.notification', 'context.injection');
  kinds.push('message.assistant', 'message.external', 'message.synthetic', 'epoch.boundary', 'epoch.summary');
  kinds.push('error.api', 'turn.duration', 'control.command', 'control.notice');
  const nodes = FRAMES.filter(({ t, tombstone }) => t === 'node' && !tombstone);
  assert.deepEqual(distinct(nodes.map(({ kind }) => kind)), kinds.sort());
});

test('the golden roots hold every type of relation, in both qualities', () => {
  const types = ['starts', 'ends_with', 'reports', 'result_of', 'follows', 'summarizes', 'in_segment'];
  const relations = FRAMES.filter(({ t, tombstone }) => t === 'relation' && !tombstone);
  assert.deepEqual(distinct(relations.map(({ type }) => type)), types.sort());
  assert.deepEqual(distinct(relations.map(({ quality }) => quality)), ['exact_unique', 'strong_inference']);
});

test('the golden roots open and resolve an entry for every reason', () => {
  const entries = FRAMES.filter(({ t }) => t === 'unresolved');
  const reasons = (state: string) =>
    distinct(entries.filter((entry) => entry.state === state).map((e) => e.reason));
  assert.deepEqual(reasons('open'), Object.values(UNRESOLVED).sort());
  // A second result never goes away, so what is ambiguous stays so.
  const resolvable = Object.values(UNRESOLVED).filter((reason) => reason !== UNRESOLVED.ambiguous_result);
  assert.deepEqual(reasons('resolved'), resolvable.sort());
});

test('the golden roots take back nodes and relations, and hold a round without a frame', () => {
  const removed = FRAMES.filter(({ tombstone }) => tombstone).map(({ t }) => t);
  assert.deepEqual(distinct(removed), ['node', 'relation']);
  const sizes = STORED.filter(({ path }) => path.endsWith('.sf')).map((file) => framesOf(file).length);
  assert.ok(sizes.includes(0));
});

/** What stands between a round's header and its commit. */
function framesOf({ content }: GoldenFile): Frame[] {
  const lines = content.toString().trimEnd().split('\n').slice(1, -1);
  return lines.map((line) => JSON.parse(line) as Frame);
}

function distinct(words: readonly (string | undefined)[]): string[] {
  return [...new Set(words.map(String))].sort();
}
