/**
 * The corpora of the benchmarks are evidence like any other: they collect, verify and parse; the landed form is,
 * byte for byte, what the collector lands of the other; and the shapes they were made for are in them.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { History } from '../../bench/corpus/history.js';
import { type Form, makeCorpus, passInstant } from '../../bench/corpus/make-corpus.js';
import { presetNamed } from '../../bench/corpus/presets.js';
import { writeSources } from '../../bench/corpus/write-claude-code.js';
import { CLAUDE_CODE } from '../../src/adapters/claude-code/claude-code.js';
import type { Instant } from '../../src/format/time.js';
import { listLandedFiles, listSessions, sessionFolder } from '../../src/io/storage-root.js';
import { CollectorMemory, collectRoot } from '../../src/landing/collect-root.js';
import { indexSink } from '../../src/landing/index-sink.js';
import { DEFAULT_MAX_ROUND_BYTES } from '../../src/rounds/next-round.js';
import { parseSession } from '../../src/rounds/parse-session.js';
import { foldChain } from '../../src/rounds/read-chain.js';
import { verifyChain } from '../../src/rounds/verify-chain.js';
import { verifyLanded } from '../../src/rounds/verify-landed.js';

const scratch = mkdtempSync(join(tmpdir(), 'asz-corpus-'));
after(() => rmSync(scratch, { recursive: true }));

let folders = 0;
const folder = () => join(scratch, String(folders++));
const landedSmall = folder();
const made = makeCorpus('small', 'landed', 1, landedSmall);

function make(form: Form, seed: number): string {
  const out = folder();
  makeCorpus('small', form, seed, out);
  return out;
}

async function collect(sourceRoot: string, storageRoot: string, now: Instant): Promise<void> {
  const tally = await collectRoot({
    ...{ adapter: CLAUDE_CODE, sourceRoot, storageRoot, maxDeltaBytes: 0, index: indexSink(storageRoot) },
    ...{ filter: { include: [], exclude: [] }, memory: new CollectorMemory(), now: () => now },
  });
  assert.deepEqual(tally.errors, []);
  assert.equal(tally.pending + tally.conflicts, 0);
}

async function parse(root: string, maxBytes = DEFAULT_MAX_ROUND_BYTES): Promise<number> {
  let rounds = 0;
  for (const session of listSessions(root)) {
    const reports = await parseSession(root, session, { maxBytes, now: () => passInstant(0) });
    rounds += reports.filter(({ round }) => round > 0).length;
  }
  return rounds;
}

function assertClean(root: string): void {
  const sessions = listSessions(root);
  assert.equal(sessions.length, made.length);
  for (const session of sessions) {
    const { problems, digests, relanded } = verifyLanded(root, session);
    assert.deepEqual(problems, []);
    assert.equal(relanded, 0);
    assert.deepEqual(verifyChain(root, session, () => digests).problems, []);
  }
}

/** Every landed file of a root, by path. */
function landedBytes(root: string): Map<string, string> {
  const files = listSessions(root).flatMap((session) => listLandedFiles(sessionFolder(root, session)));
  return new Map(files.map(({ path }) => [relative(root, path), readFileSync(path, 'utf8')]));
}

/** What a fold holds, but for entries that were open in an earlier round: one big round never saw them open. */
function entitiesOf(root: string, session: string): Record<string, string[]> {
  const { entities } = foldChain(root, session);
  return Object.fromEntries(
    Object.entries(entities).map(([group, byId]) => [
      group,
      [...byId.values()]
        .filter(({ tail }) => group !== 'unresolved' || !tail.includes('"state":"resolved"'))
        .map(({ id, tail }) => id + tail)
        .sort(),
    ]),
  );
}

test('the same seed gives the same bytes, another seed others', () => {
  const again = landedBytes(make('landed', 1));
  assert.deepEqual(again, landedBytes(landedSmall));
  assert.notDeepEqual(landedBytes(make('landed', 7)), again);
});

test('the landed form is what the collector lands, pass by pass', async () => {
  const root = folder();
  const [options] = presetNamed('small', 1).sessions;
  const history = new History(options!);
  const sources = folder();
  let passes = 0;
  for (const pass of history.passes()) {
    writeSources(sources, pass);
    await collect(sources, root, passInstant(passes++));
  }
  assert.ok(passes > 1);
  const expected = [...landedBytes(landedSmall)].filter(([path]) => path.startsWith(history.session));
  assert.deepEqual(landedBytes(root), new Map(expected));
  const index = (from: string) => readFileSync(join(from, history.session, 'index/entries.bin'));
  assert.ok(index(root).equals(index(landedSmall)));
});

test("Claude Code's form collects, parses and verifies without a problem", async () => {
  const root = folder();
  await collect(make('claude-code', 1), root, passInstant(0));
  await parse(root);
  assertClean(root);
});

test('the small corpus is small, and holds every shape', () => {
  const files = landedBytes(landedSmall);
  assert.ok(files.size <= 60, `${files.size} files`);
  let [records, bytes] = [0, 0];
  for (const text of files.values()) {
    records += text.split('\n').length - 3;
    bytes += Buffer.byteLength(text);
  }
  assert.ok(records <= 3000, `${records} records`);
  assert.ok(bytes / records > 1400 && bytes / records < 1900, `${bytes / records} bytes a record`);
  for (const { shapes } of made) {
    const share = (100 * shapes.withoutId) / shapes.records;
    assert.ok(share > 11 && share < 13.5, `${share}% without an id`);
    const mean = shapes.fragments / shapes.calls;
    assert.ok(mean > 1.7 && mean < 2.4, `${mean} fragments a call`);
    for (const [shape, count] of Object.entries(shapes))
      if (shape !== 'unanswered') assert.ok(count > 0, `no ${shape}`);
    assert.ok(shapes.mostFragments >= 5 && shapes.mostFragments <= 9);
    assert.equal(shapes.byTool + shapes.inBackground + shapes.byWorkflow + shapes.nested, 9);
  }
});

test('rounds of any budget fold to the same conversation', async () => {
  const rounds: number[] = [];
  const folds: string[] = [];
  for (const budget of [1, 4096, 65_536, DEFAULT_MAX_ROUND_BYTES]) {
    const root = folder();
    cpSync(landedSmall, root, { recursive: true });
    rounds.push(await parse(root, budget));
    assertClean(root);
    folds.push(JSON.stringify(listSessions(root).map((session) => entitiesOf(root, session))));
  }
  assert.equal(rounds[0], landedBytes(landedSmall).size, 'one byte: a round for every landed file');
  assert.equal(rounds[3], made.length, 'two megabytes: a round for every session');
  assert.equal(new Set(folds).size, 1);
});
