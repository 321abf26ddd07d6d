/** `asz repack` as a user meets it: a process, its words, its exit codes, and what a collector does with the new root. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { listLandedFiles } from '../../src/io/storage-root.js';
import { aLandedSession } from '../builders.js';
import { REPOSITORY } from '../shared.js';
import { assertDone, assertRefused, contentsOf, rewrite, Workplace } from './run-asz.js';

/** A place with the samples collected, small files and all. */
async function aPlace(maxDeltaBytes = 4096): Promise<Workplace> {
  const place = new Workplace();
  cpSync(join(REPOSITORY, 'samples/projects'), place.projects, { recursive: true });
  configure(place, place.root, maxDeltaBytes);
  assertDone(await place.asz(['collect', '--once']));
  return place;
}

/** Writes the place's configuration anew. */
function configure(place: Workplace, root: string, maxDeltaBytes: number): void {
  const collector = { max_delta_bytes: maxDeltaBytes, interval: '1h' };
  const adapters = [{ name: 'claude-code-local', source_root: place.projects, exclude: [], collector }];
  writeFileSync(join(place.folder, 'asz.yaml'), JSON.stringify({ storage: { root }, adapters }));
}

const WEATHER = '5d0c3a7e-2f41-4c8e-9b16-7a2e94d1c0f3';
const NOTES = 'c41f7b06-93ad-4e52-8d7b-1f6a0e2b59d8';

test('the samples, landed in small files, are repacked into few', async () => {
  const place = await aPlace();
  const before = contentsOf(place.root);
  configure(place, place.root, 2 ** 20);
  const said = assertDone(await place.asz(['repack', 'new'])).replaceAll(/ +$/gm, '');
  const bytes = (session: string) =>
    new RegExp(`^${session}  +\\d+ +(\\d+) +(\\d+) +[0-9.]+KB$`, 'm').exec(said)!;
  assert.deepEqual(
    [bytes(WEATHER)[1], bytes(WEATHER)[2], bytes(NOTES)[1], bytes(NOTES)[2]],
    ['5', '55', '6', '17'],
  );
  assert.ok(said.startsWith(`from  : ${place.root}\nto    : new\nbudget: 1.0MB per file\n\nSESSION  `), said);
  assert.match(
    said,
    /\n\n2 session\(s\) repacked\n\nSESSION +ROUND +SEQ .*\n[\s\S]*\n\n2 round\(s\) written\n$/,
  );
  assert.deepEqual(contentsOf(place.root), before);
  configure(place, join(place.folder, 'new'), 2 ** 20);
  assert.match(
    assertDone(await place.asz(['verify'])),
    /\nall landed data is contiguous and matches its digests\n$/,
  );
});

test('a collector goes on in the new root where it stopped in the old', async () => {
  const place = await aPlace();
  assertDone(await place.asz(['repack', 'new']));
  const root = join(place.folder, 'new');
  configure(place, root, 4096);
  assert.match(assertDone(await place.asz(['collect', '--once'])), /sessions=2 landed=0 records=0 rounds=0 /);
  const transcript = join(place.projects, '-home-robin-notes', `${NOTES}.jsonl`);
  const last = JSON.parse(readFileSync(transcript, 'utf8').trimEnd().split('\n').at(-1)!);
  const next = { ...last, uuid: '00000000-0000-4000-8000-000000000001', parentUuid: last.uuid };
  appendFileSync(transcript, `${JSON.stringify(next)}\n`);
  const files = listLandedFiles(join(root, NOTES)).length;
  assert.match(assertDone(await place.asz(['collect', '--once'])), /landed=1 records=1 rounds=1 /);
  assert.equal(listLandedFiles(join(root, NOTES)).at(-1)!.seq, files + 1);
  assertDone(await place.asz(['verify']));
});

test('as JSON, and one session alone', async () => {
  const place = await aPlace();
  const report = JSON.parse(assertDone(await place.asz(['repack', '--json', 'new', NOTES])));
  assert.deepEqual(Object.keys(report), ['from', 'to', 'budget_bytes', 'sessions', 'failed', 'parse']);
  assert.deepEqual(
    [report.from, report.to, report.budget_bytes, report.failed],
    [place.root, 'new', 4096, []],
  );
  assert.deepEqual(Object.keys(report.sessions[0]), ['session', 'files_in', 'files_out', 'records', 'bytes']);
  assert.equal(report.sessions.length, 1);
  for (const { path } of report.parse.sessions[0].rounds) assert.ok(existsSync(path), path);
});

test('the new root says what the old one says, but for positions', async () => {
  const place = await aPlace();
  assertDone(await place.asz(['repack', 'new']));
  const said = async () =>
    assertDone(await place.asz(['conversation', WEATHER])).replace(
      /^ {2}(?:rounds|landed) .*$| {2}(?:at_\d+_)?\d+(?::\d+)? {2}/gm,
      '',
    );
  const old = await said();
  configure(place, join(place.folder, 'new'), 4096);
  assert.equal(await said(), old);
});

describe('refusals', () => {
  test('no destination, too many arguments', async () => {
    const place = new Workplace();
    assertRefused(
      await place.asz(['repack']),
      /^asz: usage: asz repack \[-config FILE\] DEST \[SESSION\]\n$/,
    );
    assert.equal((await place.asz(['repack', 'a', 'b', 'c'])).status, 2);
  });

  test('a root that is not there, the root itself, a destination that holds something, no such session', async () => {
    const place = await aPlace();
    assertRefused(
      await place.asz(['repack', place.root]),
      /^asz: repack: DEST is the storage root itself; landed files are never rewritten in place\n$/,
    );
    assertRefused(await place.asz(['repack', '.']), /is not empty; use a new or empty directory\n$/);
    assertRefused(await place.asz(['repack', `${place.root}/new`]), /lies inside the storage root/);
    assertRefused(
      await place.asz(['repack', 'new', 'no-such']),
      /^asz: repack: session no-such has no landed files\n$/,
    );
    configure(place, join(place.folder, 'none'), 4096);
    assertRefused(await place.asz(['repack', 'new']), /^asz: open .*none: no such file or directory\n$/);
    assert.deepEqual(readdirSync(place.folder).sort(), ['asz.yaml', 'data', 'projects']);
  });

  test('a damaged session is named, the others are repacked without chains', async () => {
    const place = await aPlace();
    const [file] = listLandedFiles(join(place.root, NOTES));
    rewrite(file!.path, `${readFileSync(file!.path, 'utf8')}\x1b[2J`);
    const { status, stdout, stderr } = await place.asz(['repack', 'new']);
    assert.equal(status, 1);
    assert.match(stdout, /\n\n1 session\(s\) repacked\n$/);
    assert.match(
      stderr,
      new RegExp(
        `^  ${NOTES}: repack: session ${NOTES} does not hold: [^\\n]+; run asz verify\nasz: 1 session\\(s\\) failed to repack; new holds the other 1, whose chains asz parse builds\n$`,
      ),
    );
    assert.deepEqual(readdirSync(join(place.folder, 'new')), [WEATHER]);
    const json = await place.asz(['repack', '--json', 'other']);
    const { failed, parse } = JSON.parse(json.stdout);
    assert.deepEqual([json.status, failed.length, failed[0].session, parse], [1, 1, NOTES, null]);
    assertRefusedWith(
      await place.asz(['repack', 'third', NOTES]),
      /^asz: 1 session\(s\) failed to repack; nothing was made$/m,
    );
    assert.ok(!existsSync(join(place.folder, 'third')));
  });
});

function assertRefusedWith(
  { status, stderr }: { status: number | null; stderr: string },
  line: RegExp,
): void {
  assert.equal(status, 1);
  assert.match(stderr, line);
  assert.doesNotMatch(stderr, /\n {4}at /);
}

test('a disk that takes no more: one line, nothing left, and it works when there is room', {
  skip: process.platform === 'win32',
}, async () => {
  const place = new Workplace();
  const session = aLandedSession({ root: place.root });
  session.main.says('x'.repeat(300_000));
  session.land();
  // The system refuses to let any file grow past the limit, as a full disk would.
  const { status, stdout, stderr } = await place.shell(
    `trap '' XFSZ; ulimit -f 200; asz repack --jobs 1 new`,
  );
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^ {2}s1: storage: publish .*: .*\nasz: 1 session\(s\) failed to repack; nothing was made\n$/,
  );
  assert.doesNotMatch(stdout, /TALKS/);
  assert.deepEqual(readdirSync(place.folder).sort(), ['asz.yaml', 'data']);
  assertDone(await place.asz(['repack', 'new']));
});

test('killed at any moment, the destination is not there or whole, and the next repack needs nothing', async () => {
  const place = await aPlace();
  assertDone(await place.asz(['repack', 'whole']));
  const want = contentsOf(join(place.folder, 'whole'), /\.s[df]$/);
  let unfinished = 0;
  for (const delay of [0, 20, 60, 160]) {
    const destination = join(place.folder, `new-${delay}`);
    const staged = join(place.folder, `.asz-new-${delay}/root`);
    const child = place.start(['repack', `new-${delay}`]);
    const ended = once(child, 'close');
    while (!existsSync(staged) && child.exitCode === null) await setTimeout(1);
    await setTimeout(delay);
    child.kill('SIGKILL');
    await ended;
    if (!existsSync(destination)) {
      unfinished++;
      assertDone(await place.asz(['repack', `new-${delay}`]));
    }
    assert.deepEqual([...contentsOf(destination, /\.s[df]$/)], [...want]);
    assert.ok(!existsSync(staged));
  }
  assert.ok(unfinished > 0, 'it was never killed on its way');
});
