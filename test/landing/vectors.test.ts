/** Collect level against the shared data: landed files are the reference's but for named departures. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type LandedFile, listLandedFiles, listSessions } from '../../src/io/storage-root.js';
import { needsShared, sharedData, temporaryFolder } from '../shared.js';
import {
  Collection,
  checkProvenance,
  copyOf,
  filesBelow,
  type LandedContent,
  readLanded,
} from './collecting.js';
import { explain } from './departures.js';

const data = sharedData() ?? '';

type Landed = LandedFile & LandedContent;

function landedOf(root: string, session: string): Landed[] {
  return listLandedFiles(join(root, session)).map((file) => ({ ...file, ...readLanded(file.path) }));
}

/** Compares one session; gives how often each departure was met, and throws at the first unexplained difference. */
function compareSession(want: Landed[], got: Landed[], sources: string, budget: number): Map<string, number> {
  const met = new Map<string, number>();
  const meet = (name: string) => met.set(name, (met.get(name) ?? 0) + 1);
  const sameBytes = want.length === got.length && want.every((file, i) => file.bytes.equals(got[i]!.bytes));
  if (sameBytes) return met;
  let recut = false;
  for (const [source, wanted] of groupBySource(want)) {
    const files = groupBySource(got).get(source) ?? [];
    const cuts = (list: Landed[]) => list.map(({ records }) => records.length).join();
    if (cuts(wanted) !== cuts(files)) {
      const first = wanted.findIndex((file, i) => file.records.length !== files[i]?.records.length);
      assert.ok((wanted[first]?.bytes.length ?? 0) > budget, `${source}: file ${first} is cut elsewhere`);
      recut = true;
      meet('budget-counts-landed-bytes');
    }
    for (const file of files)
      assert.ok(
        file.bytes.length <= budget || file.records.length === 1,
        `${source}: larger than the budget`,
      );
    compareRecords(source, wanted, files, sources, meet);
  }
  assert.equal(groupBySource(got).size, groupBySource(want).size, 'sources');
  // Where nothing was cut elsewhere, names and headers are the same too.
  if (!recut) {
    assert.deepEqual(
      got.map((f) => f.name),
      want.map((f) => f.name),
    );
    assert.deepEqual(
      got.map((f) => f.headerText),
      want.map((f) => f.headerText),
    );
  }
  return met;
}

function compareRecords(
  source: string,
  wanted: Landed[],
  files: Landed[],
  sources: string,
  meet: (name: string) => void,
): void {
  const want = wanted.flatMap(({ records }) => records);
  const got = files.flatMap(({ records }) => records);
  assert.equal(got.length, want.length, `${source}: records`);
  const bytes = existsSync(join(sources, source)) ? readFileSync(join(sources, source)) : Buffer.alloc(0);
  for (const [i, record] of got.entries()) {
    const other = want[i]!;
    if (record.text === other.text) continue;
    const { off, bytes: size } = record.value;
    const line = JSON.parse(bytes.toString('utf8', off, off + size));
    const kind = files[0]!.header.kind;
    const names = explain({ kind, want: other.value, got: record.value, source: line });
    assert.ok(
      names.length > 0,
      `${source} line ${record.value.ord}:\n  want ${other.text}\n  got  ${record.text}`,
    );
    for (const name of names) meet(name);
  }
}

function groupBySource(files: Landed[]): Map<string, Landed[]> {
  const groups = new Map<string, Landed[]>();
  for (const file of files) groups.set(file.header.src, [...(groups.get(file.header.src) ?? []), file]);
  return groups;
}

const vectors = data === '' ? [] : readdirSync(join(data, 'vectors')).sort();
for (const name of vectors)
  test(`vector ${name}, collected round by round`, needsShared, async (t) => {
    const vector = join(data, 'vectors', name, 'claude-code');
    const collection = new Collection();
    const sessions = listSessions(vector).filter((session) => existsSync(join(vector, session, 'streams')));
    for (const session of sessions) {
      const want = landedOf(vector, session);
      for (const through of watermarks(join(vector, '_conversations', session, 'rounds'))) {
        sourcesThrough(join(vector, '_source'), collection.sources, want, through);
        const tally = await collection.pass();
        assert.deepEqual(tally.errors, []);
        assert.equal(collection.highest(session), through);
      }
      const got = landedOf(collection.root, session);
      const met = compareSession(want, got, collection.sources, 2 ** 21);
      t.diagnostic(`${session}: ${got.length} files, ${[...met].map(String).join(' ')}`);
      checkProvenance(
        collection.sources,
        got.filter(({ header }) => header.kind !== 'workflow_manifest'),
      );
    }
    const again = await collection.pass();
    assert.equal(again.records, 0);
  });

/** The watermark of each round, in order. */
function watermarks(rounds: string): number[] {
  return readdirSync(rounds)
    .sort()
    .map((name) => {
      const [header] = readFileSync(join(rounds, name), 'utf8').split('\n', 1);
      return JSON.parse(header ?? '').through_seq;
    });
}

/** The sources as they were when the file `through` had landed: each cut behind its last record. */
function sourcesThrough(from: string, to: string, landed: Landed[], through: number): void {
  rmSync(to, { recursive: true, force: true });
  for (const file of landed) {
    if (file.seq > through) continue;
    const last = file.records.at(-1)?.value;
    const target = join(to, file.header.src);
    cpSync(join(from, file.header.src), target);
    const size = last.off + last.bytes + 1;
    if (size < readFileSync(target).length) truncateSync(target, size);
  }
}

for (const corpus of ['newest', 'spotter'])
  for (const [root, budget] of [
    ['root-default', 0],
    ['root-small', 65_536],
  ] as const)
    test(`real ${corpus} against ${root}`, needsShared, async (t) => {
      const sources =
        corpus === 'spotter'
          ? withoutChildren(join(data, 'real/spotter/projects'))
          : join(data, 'real/newest/projects');
      const collection = new Collection(sources, join(temporaryFolder(), 'data'));
      const tally = await collection.pass({ maxDeltaBytes: budget });
      assert.deepEqual(tally.errors, []);
      const want = join(data, 'real', corpus, root);
      assert.deepEqual(listSessions(collection.root), listSessions(want));
      const met = new Map<string, number>();
      let records = 0;
      for (const session of listSessions(want)) {
        const got = landedOf(collection.root, session);
        for (const [name, count] of compareSession(landedOf(want, session), got, sources, budget || 2 ** 21))
          met.set(name, (met.get(name) ?? 0) + count);
        records += checkProvenance(sources, got);
      }
      assert.equal(records, tally.records);
      t.diagnostic(`${records} records; departures: ${[...met].map(([n, c]) => `${n} ${c}`).join(', ')}`);
      assert.equal(
        (await collection.pass({ maxDeltaBytes: budget })).records,
        0,
        'collecting twice lands nothing',
      );
    });

test('every child of spotter has a short id, and is named, not collected', needsShared, async () => {
  const sources = join(data, 'real/spotter/projects');
  const collection = new Collection(sources, join(temporaryFolder(), 'data'));
  const tally = await collection.pass();
  const children = filesBelow(sources).filter((path) => path.includes('/subagents/'));
  assert.match(tally.warnings.join(), new RegExp(`claudecode: ${children.length} file`));
  assert.equal((await collection.pass()).warnings.length, 0, 'once per process');
});

function withoutChildren(folder: string): string {
  const copy = copyOf(folder);
  for (const path of filesBelow(copy))
    if (path.includes('/subagents/')) rmSync(dirname(join(copy, path)), { recursive: true, force: true });
  return copy;
}
