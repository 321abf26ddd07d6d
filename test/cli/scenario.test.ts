/** The two scenario commands as a user calls them. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertDone, assertRefused, contentsOf, Workplace } from '../e2e/run-asz.js';

const TALK =
  'session: 5ca1ab1e-0030-4000-8000-00000000000f\nsteps: [{input: a}, {call: {text: b}, checkpoint: c}, {input: d}]\n';
const BUILD = ['--format', 'sd', '--out', 'built', '--at', '2026-01-01T00:00:00Z'];

function place(files: Readonly<Record<string, string>> = { 'talk.yaml': TALK }): Workplace {
  const workplace = new Workplace();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workplace.folder, name), text);
  return workplace;
}

test('build prints what it wrote, the session, and where', async () => {
  const at = place();
  const lines = assertDone(await at.asz(['scenario', 'build', 'talk.yaml', ...BUILD]))
    .trimEnd()
    .split('\n');
  const root = join(at.folder, 'built');
  const session = '5ca1ab1e-0030-4000-8000-00000000000f';
  assert.deepEqual(lines, [
    `${root}/${session}/streams/main/transcript-20260101T000000.000000000Z-000001.sd`,
    `${root}/asz.yaml`,
    `session  : ${session} (3 records)`,
    `out      : ${root}`,
    `config   : ${root}/asz.yaml`,
  ]);
  assertDone(await at.asz(['parse', '--config', 'built/asz.yaml']));
  assertDone(await at.asz(['verify', '--config', 'built/asz.yaml']));
});

test('flags and files stand in any order; the same call writes the same bytes', async () => {
  const at = place();
  assertDone(
    await at.asz([
      'scenario',
      'build',
      '--format=claude-code',
      'talk.yaml',
      '-out',
      'a',
      '--at',
      '2026-01-01T00:00:00Z',
    ]),
  );
  assertDone(
    await at.asz([
      'scenario',
      'build',
      '--out',
      'b',
      '--at',
      '2026-01-01T00:00:00Z',
      '--format',
      'claude-code',
      'talk.yaml',
    ]),
  );
  const built = (name: string) => contentsOf(join(at.folder, name, '_source'));
  assert.deepEqual(built('a'), built('b'));
  assertDone(await at.asz(['collect', '--once', '--config', 'a/asz.yaml']));
});

test('through a checkpoint, and then on', async () => {
  const at = place();
  assertDone(await at.asz(['scenario', 'build', 'talk.yaml', ...BUILD, '--through', 'c']));
  assertDone(await at.asz(['scenario', 'build', 'talk.yaml', ...BUILD]));
  const folder = join(at.folder, 'built/5ca1ab1e-0030-4000-8000-00000000000f/streams/main');
  assert.equal(readdirSync(folder).filter((name) => name.endsWith('.sd')).length, 2);
});

test('sessions end to end, each an interval after the one before', async () => {
  const at = place();
  const out = assertDone(
    await at.asz([
      'scenario',
      'build',
      'talk.yaml',
      'talk.yaml',
      ...BUILD,
      '--repeat',
      '2',
      '--interval',
      '10s',
    ]),
  );
  assert.deepEqual(out.match(/^session .*$/gm), [
    'session  : 5ca1ab1e-0030-4000-8000-00000000000f (3 records)',
    'session  : 5ca1ab1e-0030-4000-8000-000000000010 (3 records)',
  ]);
  assert.match(out, /000000000010\/streams\/main\/transcript-20260101T000030\.000000000Z-000001\.sd/);
});

test('a folder stands for the scenarios in it', async () => {
  const at = place({ 'x.expect.yaml': '{}' });
  mkdirSync(join(at.folder, 'many'));
  for (const name of ['b.yaml', 'a.yaml'])
    writeFileSync(join(at.folder, 'many', name), `steps: [{input: ${name}}]`);
  writeFileSync(join(at.folder, 'many/a.expect.yaml'), '{}');
  const out = assertDone(await at.asz(['scenario', 'build', 'many', ...BUILD]));
  assert.equal(out.match(/^session /gm)?.length, 2);
  mkdirSync(join(at.folder, 'none'));
  assertRefused(
    await at.asz(['scenario', 'build', 'none', ...BUILD]),
    /scenario: none holds no scenario files/,
  );
});

/** Misuse: exit code 2, the message, and nothing written. */
const misused: ReadonlyArray<readonly [words: readonly string[], message: RegExp]> = [
  [['scenario'], /^asz: say which: asz scenario build, asz scenario check\n/],
  [['scenario', 'make'], /^asz: say which: /],
  [['scenario', 'build'], /^asz: scenario build needs a FILE\n/],
  [['scenario', 'build', 'talk.yaml'], /^asz: scenario build needs --format and --out\n/],
  [
    ['scenario', 'build', 'talk.yaml', '--format', 'sd', '--out', 'built', '--at', 'noon'],
    /^asz: --at "noon" is not RFC 3339 from 1677-09-22 to 2262-04-11, other than 1970-01-01T00:00:00Z\n/,
  ],
  [
    ['scenario', 'build', 'talk.yaml', '--format', 'sd', '--out', 'built', '--at', '9999-12-31T23:59:59Z'],
    /^asz: --at "9999-12-31T23:59:59Z" is not RFC 3339 from 1677-09-22 to 2262-04-11, /,
  ],
  [
    ['scenario', 'build', 'talk.yaml', ...BUILD, '--repeat', '0'],
    /^asz: --repeat "0": want a whole number from 1\n/,
  ],
  [
    ['scenario', 'build', 'talk.yaml', ...BUILD, '--repeat', '1000000000'],
    /^asz: --repeat 1000000000: want at most 10000\n/,
  ],
  [
    ['scenario', 'build', 'talk.yaml', ...BUILD, '--scale', '-1'],
    /^asz: --scale "-1": want a number from 0 to 1000000\n/,
  ],
  [['scenario', 'build', 'talk.yaml', ...BUILD, '--interval', '5'], /^asz: --interval "5" is not a duration/],
  [
    ['scenario', 'build', 'talk.yaml', ...BUILD, '--every', '5s'],
    /^asz: --every is not built yet; leave it out\n/,
  ],
  [
    ['scenario', 'build', 'talk.yaml', ...BUILD, '--remove', '7d'],
    /^asz: --remove is not built yet; leave it out\n/,
  ],
  [['scenario', 'check'], /^asz: scenario check needs a FILE\n/],
  [['scenario', 'check', 'talk.yaml', '--remove', '7d'], /^asz: --remove is for scenario build\n/],
  [['scenario', 'check', 'talk.yaml', '--without', 'words'], /^asz: --without "words": want view or push\n/],
];

for (const [words, message] of misused)
  test(`misused: asz ${words.join(' ')}`, async () => {
    const at = place();
    const { status, stdout, stderr } = await at.asz(words);
    assert.deepEqual({ status, stdout }, { status: 2, stdout: '' });
    assert.match(stderr, message);
    assert.ok(!existsSync(join(at.folder, 'built')));
  });

test('what is wrong in a file is one line and exit code 1', async () => {
  const at = place({ 'talk.yaml': 'steps:\n  - inptu: a\n' });
  assertRefused(
    await at.asz(['scenario', 'build', 'talk.yaml', ...BUILD]),
    /^asz: scenario: talk\.yaml:2: steps\[0\]: unknown key "inptu"; did you mean "input"\?\n$/,
  );
  assertRefused(
    await at.asz(['scenario', 'check', 'gone.yaml']),
    /^asz: scenario: open gone\.yaml: no such file or directory\n$/,
  );
  assertRefused(
    await place().asz(['scenario', 'build', 'talk.yaml', '--format', 'xml', '--out', 'built']),
    /^asz: scenario: unknown format "xml"; use claude-code or sd\n$/,
  );
  assertRefused(
    await place().asz(['scenario', 'check', 'talk.yaml', '--format', 'xml']),
    /^asz: scenario: unknown format "xml"; use claude-code, sd or all\n$/,
  );
});

test('a session id that a build cannot have is refused before anything is written', async () => {
  const long = 'x'.repeat(199);
  const at = place({ 'talk.yaml': `title: t\nsession: ${long}\nsteps: [{input: a}]` });
  assertRefused(
    await at.asz(['scenario', 'build', 'talk.yaml', ...BUILD, '--repeat', '2']),
    /^asz: scenario: talk\.yaml:2: session "x{199}-2", counted up, cannot name a directory; shorten it\n$/,
  );
  assertRefused(
    await at.asz(['scenario', 'build', 'talk.yaml', '--format', 'claude-code', '--out', 'built']),
    /^asz: scenario: talk\.yaml:2: session "x{199}" is not a UUID, so no collector would find it; give it one, or use --format sd\n$/,
  );
  assert.ok(!existsSync(join(at.folder, 'built')));
});

test("a folder with somebody else's configuration is left alone", async () => {
  const at = place();
  assertRefused(
    await at.asz(['scenario', 'build', 'talk.yaml', '--format', 'sd', '--out', '.']),
    /asz\.yaml exists and is not this build's; use another --out\n$/,
  );
  assertDone(await at.asz(['scenario', 'build', 'talk.yaml', ...BUILD]));
  const path = join(at.folder, 'built/asz.yaml');
  writeFileSync(path, `${readFileSync(path, 'utf8')}metrics: {enabled: false}\n`);
  assertDone(await at.asz(['scenario', 'build', 'talk.yaml', ...BUILD]));
  assert.match(readFileSync(path, 'utf8'), /metrics/);
});

test('a check without an expectation fails, unless the file says that it has none', async () => {
  const at = place({ 'talk.yaml': TALK, 'free.yaml': `expect: none\n${TALK}` });
  const { status, stdout } = await at.asz([
    'scenario',
    'check',
    'talk.yaml',
    '--format',
    'sd',
    '--out',
    'kept',
  ]);
  assert.equal(status, 1);
  assert.match(
    stdout,
    /^expectation: talk\.expect\.yaml is missing; write it, or say expect: none in talk\.yaml$/m,
  );
  assert.ok(existsSync(join(at.folder, 'kept/sd/asz.yaml')));
  assert.match(
    assertDone(await at.asz(['scenario', 'check', 'free.yaml', '--format', 'sd'])),
    /\nok: 10 checks held\n$/,
  );
});

for (const text of [
  '',
  'checkpoints: {}',
  'checkpoints: {final: {kinds: {}, view: {}}, c: }',
  'properties: {bundle: true}',
])
  test(`an expectation that asserts nothing fails like a missing one: ${JSON.stringify(text)}`, async () => {
    const at = place({ 'talk.yaml': TALK, 'talk.expect.yaml': text });
    const { status, stdout } = await at.asz([
      'scenario',
      'check',
      'talk.yaml',
      '--format',
      'sd',
      '--out',
      'kept',
    ]);
    assert.equal(status, 1);
    assert.match(
      stdout,
      /^expectation: talk\.expect\.yaml asserts nothing; write it, or say expect: none in talk\.yaml$/m,
    );
  });

test('a file that says it has no expectation has none', async () => {
  const at = place({ 'free.yaml': `expect: none\n${TALK}`, 'free.expect.yaml': '{}' });
  assertRefused(
    await at.asz(['scenario', 'check', 'free.yaml']),
    /^asz: scenario: free\.yaml: it says expect: none, and free\.expect\.yaml is there\n$/,
  );
});

test('another expectation, of the document and of the export', async () => {
  const at = place({
    'talk.yaml': TALK,
    'other.yaml': 'checkpoints: {final: {rounds: 2, view: {talks: 2}}}\npush: {kinds: [round]}',
    'kinds.yaml': 'checkpoints: {final: {rounds: 2}}\npush: {kinds: [transcript, journal]}',
    'view.yaml': 'checkpoints: {final: {view: {talks: 3}}}',
  });
  const check = ['scenario', 'check', 'talk.yaml', '--format', 'sd', '--expect'];
  const words = [...check, 'other.yaml'];
  const whole = assertDone(await at.asz(words));
  for (const part of ['final', 'push.kinds', 'push_follows_the_wire', 'view_covers_the_session'])
    assert.match(whole, new RegExp(`^sd ${part}: ok$`, 'm'));
  const wrong = await at.asz([...check, 'kinds.yaml']);
  assert.equal(wrong.status, 1);
  assert.match(wrong.stdout, /^sd push\.kinds: no journal is pushed$/m);
  const withView = assertDone(await at.asz([...words, '--without', 'push']));
  assert.match(withView, /^sd view_covers_the_session: ok$/m);
  const out = assertDone(await at.asz([...words, '--without', 'view,push']));
  for (const part of ['final view', 'view_covers_the_session', 'push.kinds', 'push_follows_the_wire'])
    assert.match(out, new RegExp(`^sd ${part}: not checked$`, 'm'));
  assertRefused(await at.asz([...check, 'gone.yaml']), /open gone\.yaml: no such file/);
  const { status, stdout } = await at.asz([...check, 'view.yaml', '--out', 'kept']);
  assert.equal(status, 1);
  assert.match(stdout, /^sd final: view\.talks is 2, want 3$/m);
  assertDone(await at.asz([...check, 'view.yaml', '--without', 'view']));
});
