/** Hostile names: ids that some disk takes for one, and links where a storage root has directories and files. */
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { Twins } from '../../src/io/twins.js';
import { aLandedSession, aSession } from '../builders.js';
import { contentsOf, type Ran, Workplace } from '../e2e/run-asz.js';
import { Faults } from '../faults/faults.js';
import { aPrompt, Collection, PROJECT } from '../landing/collecting.js';
import { temporaryFolder } from '../shared.js';
import { Place } from '../torture/place.js';
import { makeSmallRoot } from './small-root.js';

const LOWER = 'abcdefab-0000-4000-8000-00000000000a';
const UPPER = LOWER.toUpperCase();

for (const [a, b] of [
  ['Session', 'session'],
  ['é', 'e\u0301'],
  ['É', 'e\u0301'],
  ['straße', 'STRASSE'],
  ['ς', 'Σ'],
  ['\u212a', 'k'],
  ['\u1e9e', 'ss'],
] as const)
  test(`${JSON.stringify(a)} and ${JSON.stringify(b)} are twins, and the first stands`, () => {
    const twins = new Twins([a]);
    assert.equal(twins.firstOf(a), undefined);
    assert.equal(twins.firstOf(b), a);
    assert.throws(() => twins.claim(b), {
      code: 'STORAGE',
      message: /differs only by case or Unicode form from/,
    });
    assert.equal(new Twins([a]).firstOf(`${b}x`), undefined);
  });

test('of two sessions that differ by case, the first is collected, and the second refused by name in every pass', async () => {
  const c = new Collection();
  c.write(`${PROJECT}/${LOWER}.jsonl`, aPrompt('u1'));
  c.write(`${PROJECT}/${UPPER}.jsonl`, aPrompt('x1'));
  for (const records of [1, 0]) {
    const { errors, ...tally } = await c.pass();
    assert.deepEqual(
      errors.map(({ message }) => message),
      [
        `session ${LOWER}: storage: "${LOWER}" differs only by case or Unicode form from "${UPPER}", which came first; a disk may take both for one`,
      ],
    );
    assert.equal(tally.records, records);
    assert.deepEqual(readdirSync(c.root), [UPPER]);
  }
});

test('a session that landed stands, though its twin comes first by name', async () => {
  const c = new Collection();
  c.write(`${PROJECT}/${LOWER}.jsonl`, aPrompt('u1'));
  await c.pass();
  c.write(`${PROJECT}/${UPPER}.jsonl`, aPrompt('x1'));
  const { errors } = await c.pass();
  assert.match(errors[0]!.message, new RegExp(`^session ${UPPER}: storage: "${UPPER}" differs`));
  assert.deepEqual(readdirSync(c.root), [LOWER]);
});

test('of two runs that differ by case, the second is refused, in its pass and later', async () => {
  const c = new Collection();
  const manifest = (run: string) =>
    c.write(`${PROJECT}/${LOWER}/workflows/${run}.json`, `{"runId":"${run}"}`);
  manifest('wf_A');
  manifest('wf_a');
  for (const [wanted, landed] of [
    [1, 1],
    [1, 0],
  ]) {
    const { errors, records } = await c.pass();
    assert.deepEqual([errors.length, records], [wanted, landed]);
    assert.match(errors[0]!.message, /wf_a\.json: storage: "\S+wf_a" differs only by case/);
  }
  assert.deepEqual(readdirSync(join(c.root, LOWER, 'runs')), ['wf_A']);
});

test('a session is not landed beside its twin, and a root that holds both is told by verify', async () => {
  const place = new Workplace();
  aLandedSession({ root: place.root, session: 'café' });
  const twin = aSession({ root: place.root, session: 'cafe\u0301' });
  twin.main.input('x');
  assert.throws(() => twin.land(), { code: 'STORAGE', message: /differs only by case or Unicode form/ });
  cpSync(join(place.root, 'café'), join(place.root, 'CAFÉ'), { recursive: true });
  if (readdirSync(place.root).length < 2) return; // a disk that takes both for one
  const { status, stdout } = await place.asz(['verify', '--json']);
  assert.equal(status, 1);
  const { sessions } = JSON.parse(stdout);
  const found = sessions.flatMap(({ problems }: { problems: { id: string }[] }) =>
    problems.map(({ id }) => id),
  );
  assert.equal(found.filter((id: string) => id === 'name-twin').length, 1);
});

// ---- names that lead elsewhere ----

const HOSTILE = ['..', '...', 'CON', '_x', 'a\u001b[2Jb', 'a\u009bb', 'a:b', 'a ', 'main', 'x'.repeat(230)];

for (const name of HOSTILE)
  test(`sources named ${JSON.stringify(name.slice(0, 12))} make no directory, and are named`, async () => {
    const c = new Collection();
    c.write(`${PROJECT}/${LOWER}.jsonl`, aPrompt('u1'));
    c.write(`${PROJECT}/${name}.jsonl`, aPrompt('x1'));
    c.write(`${PROJECT}/${LOWER}/subagents/agent-${name}.jsonl`, aPrompt('x2'));
    // What a manifest says of its run is content; its file's name counts.
    c.write(`${PROJECT}/${LOWER}/workflows/wf_a.json`, JSON.stringify({ runId: name }));
    const { records, errors, warnings } = await c.pass();
    assert.deepEqual([records, errors, readdirSync(c.root)], [2, [], [LOWER]]);
    assert.deepEqual(readdirSync(join(c.root, LOWER, 'streams')), ['main']);
    assert.deepEqual(readdirSync(join(c.root, LOWER, 'runs')), ['wf_a']);
    assert.match(
      warnings.join('\n'),
      /^claudecode: 1 file\(s\) look like transcripts but are not collected[^\n]*$/,
    );
  });

test('ids as arguments lead nowhere: no call leaves the root, and nothing is written', async (t) => {
  const place = new Place();
  t.after(() => place.remove());
  await makeSmallRoot(place.root);
  const before = [...contentsOf(place.root)];
  const outside = join(place.folder, 'out');
  for (const id of [
    ...HOSTILE,
    '',
    '.',
    '../data/s1',
    '../../box/data/s1',
    'a/b',
    'a\\b',
    'a\0b',
    '_conversations',
  ])
    for (const argv of [
      ['verify', id],
      ['parse', id],
      ['index', id],
      ['index', 'cat', id],
      ['show', id, 't1'],
      ['conversation', id],
      ['conversation', id, '--json'],
      ['repack', outside, id],
    ]) {
      const faults = new Faults({ folders: [place.folder], seed: 1 });
      faults.install();
      const { status, stdout, stderr } = await place.here(argv).finally(() => faults.uninstall());
      const where = JSON.stringify([argv, stdout, stderr]);
      // Three of them pass over a session that is not there, and say so.
      assert.equal(
        status,
        ['verify', 'parse'].includes(argv[0]!) || argv.join() === `index,${id}` ? 0 : 1,
        where,
      );
      assert.match(stderr, /^[^\n]+\n$/, where);
      assert.doesNotMatch(stdout, /s1/, where);
      for (const { path, name } of faults.calls)
        assert.ok(path.startsWith(place.root) || /asz\.yaml$/.test(path), `${where}: ${name} ${path}`);
    }
  assert.deepEqual([...contentsOf(place.root)], before);
  assert.ok(!existsSync(outside));
});

// ---- links in a storage root ----

const whole = temporaryFolder();
const SESSION = '11111111-2222-4333-8444-555555555555';
{
  const told = aSession({ root: whole, session: SESSION });
  told.main.input('begin').tool('t1', 'Agent').launched('t1', 'helper');
  told.stream('helper').input('help').says('helped').sidecarOf('t1');
  told.land();
  await told.parse();
}

/** What is moved out of a root, a link left in its place. */
const LINKS = [
  SESSION,
  `${SESSION}/streams`,
  `${SESSION}/streams/helper`,
  `${SESSION}/index`,
  '_conversations',
  `_conversations/${SESSION}`,
  `_conversations/${SESSION}/rounds`,
  'A LANDED FILE',
  'A ROUND',
];

describe('a link in a storage root', { skip: process.platform === 'win32', concurrency: 2 }, () => {
  for (const what of LINKS)
    test(`in place of ${what}: nothing is read or written behind it`, async () => {
      const place = new Workplace();
      cpSync(whole, place.root, { recursive: true });
      const streams = join(place.root, SESSION, 'streams/main');
      const path =
        what === 'A LANDED FILE'
          ? join(streams, readdirSync(streams).find((name) => name.endsWith('.sd'))!)
          : what === 'A ROUND'
            ? place.roundPaths(SESSION)[0]!
            : join(place.root, what);
      const outside = join(place.folder, 'outside');
      renameSync(path, outside);
      symlinkSync(outside, path);
      const before = behind(outside);
      const said: Ran[] = [];
      for (const argv of [
        ['verify'],
        ['parse'],
        ['parse', SESSION],
        ['index', SESSION],
        ['index', 'cat', SESSION],
        ['show', SESSION, 't1'],
        ['conversation', SESSION],
        ['conversation', SESSION, '--json'],
        ['conversations'],
        ['repack', join(place.folder, 'cut-anew')],
      ])
        said.push(await place.asz(argv));
      assert.deepEqual(behind(outside), before, 'nothing was written behind the link');
      for (const { stderr } of said) {
        assert.doesNotMatch(stderr, /\n\s+at /);
        for (const line of stderr.split('\n')) assert.ok(line.length < 600, line);
      }
      // What is behind a link is missing: something names it, or the session is not there at all.
      assert.ok(
        said.some(({ status }) => status !== 0),
        JSON.stringify(said),
      );
    });

  test('a collector does not land through one', async () => {
    const c = new Collection();
    c.write(`${PROJECT}/${LOWER}.jsonl`, aPrompt('u1'));
    for (const below of ['', 'streams', 'streams/main']) {
      rmSync(c.root, { recursive: true, force: true });
      const outside = temporaryFolder();
      const path = join(c.root, LOWER, below);
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(outside, path);
      const { errors } = await c.pass();
      assert.match(errors[0]?.message ?? '', /is a symbolic link, and a storage root follows none$/, below);
      assert.deepEqual(readdirSync(outside), [], below);
    }
    assert.ok(existsSync(c.root));
  });
});

/** Everything behind a path, a file or a directory. */
function behind(path: string): unknown {
  return statSync(path).isFile() ? readFileSync(path, 'latin1') : [...contentsOf(path)];
}
