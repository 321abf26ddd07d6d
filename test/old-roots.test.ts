/**
 * Roots that released versions wrote, kept as they were: every later version reads them, makes their rounds again byte
 * for byte, and goes on with them. Nothing here is ever made anew; see `old-roots/README.md`.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLAUDE_CODE } from '../src/adapters/claude-code/claude-code.js';
import { listLandedFiles, listSessions, roundsFolder } from '../src/io/storage-root.js';
import { CollectorMemory, collectRoot } from '../src/landing/collect-root.js';
import { indexSink } from '../src/landing/index-sink.js';
import { repackRoot } from '../src/repack/repack-root.js';
import { parseSession } from '../src/rounds/parse-session.js';
import { foldChainStrictly } from '../src/rounds/read-chain.js';
import { verifyChain } from '../src/rounds/verify-chain.js';
import { verifyLanded } from '../src/rounds/verify-landed.js';
import { contentsOf } from './e2e/run-asz.js';
import { recordsOf } from './repack/twins.js';
import { REPOSITORY, temporaryFolder } from './shared.js';
import { OPTIONS, reproduce, vectorsIn } from './vectors/landed-root.js';

const OLD_ROOTS = join(REPOSITORY, 'test/old-roots');
const VERSIONS = readdirSync(OLD_ROOTS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What a version wrote, copied to where it may be changed. */
class OldRoot {
  readonly root: string;
  readonly #projects: string;

  constructor(version: string) {
    const folder = temporaryFolder();
    this.root = join(folder, 'root');
    this.#projects = join(folder, 'projects');
    cpSync(join(OLD_ROOTS, version), folder, { recursive: true });
  }

  get sessions(): string[] {
    return listSessions(this.root);
  }

  /** Removes every file that is derived; only landed files, cursors and rounds stay. */
  forgetCaches(): void {
    for (const path of contentsOf(this.root, /index\/|\.state$|settled\.json$/).keys())
      rmSync(join(this.root, path));
  }

  /** A pass over the sources; how many records it landed. */
  async collect(): Promise<number> {
    const tally = await collectRoot({
      adapter: CLAUDE_CODE,
      sourceRoot: this.#projects,
      storageRoot: this.root,
      filter: { include: [], exclude: [] },
      maxDeltaBytes: 8192,
      index: indexSink(this.root),
      now: OPTIONS.now,
      memory: new CollectorMemory(),
    });
    assert.deepEqual(tally.errors, []);
    return tally.records;
  }

  /** Lets every transcript of a session's main stream go on by a record. */
  grow(): void {
    for (const [path, text] of contentsOf(this.#projects, /^[^/]+\/[^/]+\.jsonl$/)) {
      const last = JSON.parse(text.trimEnd().split('\n').at(-1)!);
      const next = { ...last, uuid: '00000000-0000-4000-8000-000000000001', parentUuid: last.uuid };
      appendFileSync(join(this.#projects, path), `${JSON.stringify(next)}\n`);
    }
  }

  /** Parses every session; how many rounds that made. */
  async parse(): Promise<number> {
    let rounds = 0;
    for (const session of this.sessions)
      rounds += (await parseSession(this.root, session, OPTIONS)).filter(({ round }) => round > 0).length;
    return rounds;
  }

  assertSound(): void {
    for (const session of this.sessions) {
      const { problems, digests } = verifyLanded(this.root, session);
      assert.deepEqual([problems, verifyChain(this.root, session, () => digests).problems], [[], []]);
      assert.ok(foldChainStrictly(this.root, session).round > 0);
    }
  }
}

const EVIDENCE = /\.s[df]$/;

test('there is an old root', () => assert.ok(VERSIONS.length > 0));

for (const version of VERSIONS) {
  test(`${version}: the files are what their digests say`, () => {
    const digests = readFileSync(join(OLD_ROOTS, version, 'digests.txt'), 'utf8');
    const folder = join(OLD_ROOTS, version);
    const lines = [...contentsOf(folder, /^(?!digests\.txt$)/)].map(([path, bytes]) => {
      const digest = createHash('sha256').update(Buffer.from(bytes, 'latin1')).digest('hex');
      return `${digest}  ${path}`;
    });
    assert.deepEqual(lines.sort(), digests.trimEnd().split('\n').sort());
  });

  test(`${version}: it verifies and folds`, () => {
    const old = new OldRoot(version);
    assert.equal(old.sessions.length, 2);
    old.assertSound();
    for (const session of old.sessions) {
      assert.equal(readdirSync(roundsFolder(old.root, session)).length, 2);
      assert.ok(listLandedFiles(join(old.root, session)).length > 5);
    }
  });

  test(`${version}: its landed files give its rounds byte for byte`, async () => {
    for (const vector of vectorsIn(join(OLD_ROOTS, version, 'root')))
      assert.deepEqual(await reproduce(temporaryFolder(), vector), []);
  });

  for (const caches of ['with its caches', 'without them'])
    test(`${version}: ${caches}, a pass over unchanged sources lands and writes nothing`, async () => {
      const old = new OldRoot(version);
      const before = contentsOf(old.root, EVIDENCE);
      if (caches === 'without them') old.forgetCaches();
      assert.deepEqual([await old.collect(), await old.parse()], [0, 0]);
      assert.deepEqual(contentsOf(old.root, EVIDENCE), before);
    });

  for (const caches of ['with its caches', 'without them'])
    test(`${version}: ${caches}, it goes on when its sources do`, async () => {
      const old = new OldRoot(version);
      const before = contentsOf(old.root, EVIDENCE);
      if (caches === 'without them') old.forgetCaches();
      old.grow();
      assert.deepEqual([await old.collect(), await old.parse()], [2, 2]);
      old.assertSound();
      const after = contentsOf(old.root, EVIDENCE);
      assert.equal(after.size, before.size + 4);
      for (const [path, bytes] of before) assert.equal(after.get(path), bytes, path);
    });

  test(`${version}: it is repacked with every record`, async () => {
    const old = new OldRoot(version);
    const destination = join(temporaryFolder(), 'new');
    const options = { budgetBytes: 2 ** 21, maxRoundBytes: 2 ** 21, now: OPTIONS.now, jobs: 1 };
    await repackRoot({ root: old.root, destination, ...options });
    const [was, is] = [vectorsIn(old.root), vectorsIn(destination)];
    assert.deepEqual(is.map(recordsOf), was.map(recordsOf));
  });
}
