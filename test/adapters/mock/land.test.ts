import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import {
  type MockRecord,
  manifestRecord,
  recordOf,
  sidecarRecord,
} from '../../../src/adapters/mock/events.js';
import { landPlan, type SessionPlan, withProvenance } from '../../../src/adapters/mock/land.js';
import { LockedError } from '../../../src/format/errors.js';
import { scanJson } from '../../../src/format/json-scan.js';
import type { SdPart, SdRecord } from '../../../src/format/session-data.js';
import { parseTime } from '../../../src/format/time.js';
import { takeLock } from '../../../src/io/lock.js';
import {
  listLandedFiles,
  listSessions,
  sessionFolder,
  sessionLockFile,
} from '../../../src/io/storage-root.js';
import { needsShared, sharedData, temporaryFolder } from '../../shared.js';

const NOW = parseTime('2026-01-01T00:00:00Z');

test('each vector of the mock, its records landed again pass by pass, is the same files', needsShared, () => {
  const vectors = join(sharedData()!, 'vectors');
  let files = 0;
  for (const name of readdirSync(vectors)) {
    const root = join(vectors, name, 'sd');
    if (!statSync(join(vectors, name)).isDirectory()) continue;
    for (const session of listSessions(root)) files += relandSession(root, session);
  }
  assert.equal(files, 50);
});

test('a build lands what is beyond each cursor, in the order of sources', () => {
  const root = temporaryFolder();
  assert.equal(landPlan(root, planOf(2, 1), NOW), 3);
  assert.equal(landPlan(root, planOf(2, 1), NOW), 0, 'nothing new is no file and no number');
  assert.equal(landPlan(root, planOf(3, 1), NOW), 1);
  assert.equal(landPlan(root, planOf(3, 2), NOW), 1);
  const stamp = '20260101T000000.000000000Z';
  assert.deepEqual(landed(root), [
    `streams/main/transcript-${stamp}-000001.sd`,
    `streams/child/transcript-${stamp}-000002.sd`,
    `streams/child/meta-${stamp}-000003.sd`,
    `streams/main/transcript-${stamp}-000004.sd`,
    `streams/child/transcript-${stamp}-000005.sd`,
  ]);
});

test('of a run come journal, manifest and script, after every stream', () => {
  const root = temporaryFolder();
  const record: MockRecord = { from: 'runtime' };
  const run = {
    id: 'wf_1',
    script: [record],
    manifest: [manifestRecord('wf_1', 'check', 1)],
    journal: [record],
  };
  landPlan(root, { ...planOf(1, 1), runs: [run] }, NOW);
  assert.deepEqual(
    landed(root).map((path) => path.replace(/-.*-/, ' ')),
    [
      'streams/main/transcript 000001.sd',
      'streams/child/transcript 000002.sd',
      'streams/child/meta 000003.sd',
      'runs/wf_1/journal 000004.sd',
      'runs/wf_1/manifest 000005.sd',
      'runs/wf_1/script 000006.sd',
    ],
  );
});

test('a landed file is read-only, and a cursor counts records and knows no bytes', () => {
  const root = temporaryFolder();
  landPlan(root, planOf(2, 0), NOW);
  const [path] = listLandedFiles(sessionFolder(root, 's1')).map((file) => file.path);
  assert.equal(statSync(path!).mode & 0o777, 0o444);
  assert.equal(
    readFileSync(join(root, 's1/streams/main/transcript.cursor'), 'utf8'),
    [
      'schema        1',
      'kind          append',
      'source        p/s1/streams/main',
      'dev           0',
      'ino           0',
      'offset        0',
      'ord           2',
      'size          0',
      'mtime         0',
      'last_seq      1',
      'updated_at    2026-01-01T00:00:00Z',
      'state         active',
      'check         ef6d72ee551454bd',
      '',
    ].join('\n'),
  );
  assert.match(readFileSync(join(root, 's1/session.state'), 'utf8'), /^next_seq +2$/m);
});

test('a state file that was lost costs no number twice', () => {
  const root = temporaryFolder();
  landPlan(root, planOf(1, 1), NOW);
  rmSync(join(root, 's1/session.state'));
  landPlan(root, planOf(2, 1), NOW);
  assert.match(landed(root).at(-1)!, /-000004\.sd$/);
});

test('the index holds every landed file, also one that an earlier build did not get to', () => {
  const root = temporaryFolder();
  landPlan(root, planOf(2, 1), NOW);
  assert.match(indexState(root), /^entries +4$/m);
  rmSync(join(root, 's1/index'), { recursive: true });
  landPlan(root, planOf(3, 1), NOW);
  assert.match(indexState(root), /^indexed_seq +4$/m);
  assert.match(indexState(root), /^entries +5$/m);
});

test('a session that a collector holds is left alone', () => {
  const root = temporaryFolder();
  const lock = takeLock(sessionLockFile(root, 's1'), 'busy');
  try {
    assert.throws(() => landPlan(root, planOf(1, 0), NOW), LockedError);
    assert.deepEqual(landed(root), []);
  } finally {
    lock.release();
  }
});

test('a record stands for the bytes of its own JSON as JavaScript writes it', () => {
  const input = (text: string) => recordOf({ kind: 'input', text }, 'main');
  const [plain, separated, spelled] = withProvenance([input('ab'), input('a\u2028b'), input('a\\u2028b')]);
  assert.equal(separated!.off, plain!.bytes + 1);
  // Three bytes more for the separator; its part counts them too, and two more digits: none.
  assert.equal(separated!.bytes - plain!.bytes, 3 + String(separated!.off).length - 1);
  // Text that only looks like the escape: a backslash, written as two, and five characters.
  assert.equal(spelled!.bytes - plain!.bytes, 7 + String(spelled!.off).length - 1);
});

/** A main stream with `main` records and a child with `child`, and its sidecar when it has any. */
function planOf(main: number, child: number): SessionPlan {
  const records = (stream: string, count: number) =>
    Array.from({ length: count }, (_, i) =>
      recordOf({ kind: 'input', id: `${stream}${i}`, text: 'hi' }, stream),
    );
  return {
    session: 's1',
    project: 'p',
    streams: [
      { name: 'main', transcript: records('main', main) },
      {
        name: 'child',
        transcript: records('child', child),
        sidecar: child === 0 ? [] : [sidecarRecord('child', 'checker', 't1')],
      },
    ],
  };
}

function indexState(root: string): string {
  return readFileSync(join(root, 's1/index/index.state'), 'utf8');
}

function landed(root: string): string[] {
  const session = sessionFolder(root, 's1');
  return listLandedFiles(session).map(({ path }) => relative(session, path));
}

// ---- the vectors ----

interface ReadFile {
  readonly path: string;
  readonly kind: string;
  readonly src: string;
  readonly id: string;
  readonly records: readonly MockRecord[];
}

/** Lands a session of a root again and compares each file. Gives how many there were. */
function relandSession(root: string, session: string): number {
  const files = listLandedFiles(sessionFolder(root, session)).map((file) => read(file.path, root));
  const again = temporaryFolder();
  for (const plan of plansOf(session, files)) landPlan(again, plan, NOW);
  const paths = listLandedFiles(sessionFolder(again, session)).map(({ path }) => relative(again, path));
  assert.deepEqual(
    paths,
    files.map(({ path }) => path),
  );
  for (const path of paths)
    assert.equal(readFileSync(join(again, path), 'utf8'), readFileSync(join(root, path), 'utf8'), path);
  return paths.length;
}

/** The plan of each pass: all records of the passes up to it. Every pass of the vectors begins with `main`. */
function plansOf(session: string, files: readonly ReadFile[]): SessionPlan[] {
  const starts = files.flatMap(({ src }, i) => (src.endsWith('/streams/main') ? [i] : []));
  return starts.map((_, pass) => planThrough(session, files.slice(0, starts[pass + 1] ?? files.length)));
}

function planThrough(session: string, files: readonly ReadFile[]): SessionPlan {
  const records = (kind: string, id: string) =>
    files.filter((file) => file.kind === kind && file.id === id).flatMap((file) => file.records);
  const ids = (...kinds: string[]) => [
    ...new Set(files.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)),
  ];
  return {
    session,
    project: files[0]!.src.split('/')[0]!,
    streams: ids('transcript').map((name) => ({
      name,
      transcript: records('transcript', name),
      changes: records('changes', name),
      sidecar: records('agent_meta', name),
    })),
    runs: ids('journal').map((id) => ({
      id,
      journal: records('journal', id),
      manifest: records('workflow_manifest', id),
      script: records('workflow_script', id),
    })),
  };
}

function read(path: string, root: string): ReadFile {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const { kind, src, stream, batch } = JSON.parse(lines[0]!);
  const records = lines.slice(1, -1).map(withoutPlace);
  return { path: relative(root, path), kind, src, id: stream ?? batch, records };
}

/** A record as it was planned: no place, and its data as it is spelled. */
function withoutPlace(line: string): MockRecord {
  const { ord, off, sha, bytes, parts, ...record } = JSON.parse(line) as SdRecord;
  const members = new Map([['parts', { elements: { members: new Map([['data', {}]]) } }]]);
  const slices = scanJson(line, { members }).members.get('parts')?.elements;
  return {
    ...record,
    parts: (parts ?? []).map((part: SdPart, i) => {
      const data = slices?.[i]?.members.get('data');
      return data === undefined ? part : { ...part, data: line.slice(data.start, data.end) };
    }),
  };
}
