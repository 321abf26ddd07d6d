import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { listRounds } from '../../src/io/chain-directory.js';
import { CHAIN_BUSY, takeLock } from '../../src/io/lock.js';
import {
  conversationFolder,
  conversationLockFile,
  conversationStateFile,
  indexFolder,
  roundsFolder,
} from '../../src/io/storage-root.js';
import {
  type ParseOptions,
  type ParseReport,
  parseOnce,
  parseSession,
} from '../../src/rounds/parse-session.js';
import { inputDigest, PARSER } from '../../src/rounds/round-header.js';
import { temporaryFolder } from '../shared.js';
import { agent, call, main, result, results, text, user } from '../stages/index-builder.js';
import { aHeader, aNode, land, putRound } from './round-builder.js';

const OPTIONS: ParseOptions = { maxBytes: 2 ** 21, now: () => ({ ms: Date.UTC(2026, 0, 1), ns: 0 }) };
const NOTHING = { round: 0, throughSeq: 0, more: false };

const first = main(user('u1', 'p1'), agent('a1', 'm1', text(), call('t1', 'Bash')));
const second = { ...main(results('r1', result('t1')), user('u2', 'p2')), seq: 2 };
const third = { ...main(user('u3', 'p3')), seq: 3 };

const roundsOf = (root: string) =>
  listRounds(roundsFolder(root, 's')).map(({ path, name }) => ({ name, text: readFileSync(path, 'utf8') }));
const entriesBin = (root: string) => join(indexFolder(root, 's'), 'entries.bin');
const indexState = (root: string) => join(indexFolder(root, 's'), 'index.state');

/** A root with files landed and one round parsed, and what it needs to go on. */
async function parsed(
  ...files: Parameters<typeof land>[1][]
): Promise<{ root: string; landed: ReturnType<typeof land> }> {
  const root = temporaryFolder();
  const landed = land(root, ...files);
  await parseOnce(root, 's', OPTIONS);
  return { root, landed };
}

const refusal = (message: string | RegExp) => ({ code: 'CHAIN', message });

// ---- nothing to do ----

test('a conversation without a name is refused', async () =>
  assert.rejects(
    parseOnce(temporaryFolder(), '', OPTIONS),
    refusal('parse: conversation identity is supplied, never inferred'),
  ));

test('a parse of nothing creates nothing, no directory and no lock', async () => {
  const root = temporaryFolder();
  const { round, throughSeq, more, counts } = await parseOnce(root, 's', OPTIONS);
  assert.deepEqual({ round, throughSeq, more }, NOTHING);
  assert.equal(counts, undefined);
  assert.deepEqual(readdirSync(root), []);
});

test('a chain’s directory without rounds and without evidence keeps only its lock', async () => {
  const root = temporaryFolder();
  takeLock(conversationLockFile(root, 's'), CHAIN_BUSY).release();
  assert.equal((await parseOnce(root, 's', OPTIONS)).round, 0);
  assert.deepEqual(readdirSync(root), ['_conversations']);
  assert.deepEqual(
    readdirSync(conversationFolder(root, 's')).filter((name) => !name.startsWith('.lock')),
    [],
  );
});

test('a chain that another process builds is busy, and the index has not been touched', async () => {
  const root = temporaryFolder();
  land(root, first);
  const lock = takeLock(conversationLockFile(root, 's'), CHAIN_BUSY);
  try {
    await assert.rejects(parseOnce(root, 's', OPTIONS), { code: 'LOCKED' });
    assert.ok(!existsSync(indexFolder(root, 's')));
  } finally {
    lock.release();
  }
  assert.equal((await parseOnce(root, 's', OPTIONS)).round, 1);
});

// ---- what a parse does ----

test('of several parses at once exactly one writes the round; the others find the chain held or nothing new', async () => {
  const root = temporaryFolder();
  land(root, first, second);
  const settled = await Promise.allSettled(Array.from({ length: 6 }, () => parseOnce(root, 's', OPTIONS)));
  const rounds = settled
    .filter(({ status }) => status === 'fulfilled')
    .map((one) => (one as PromiseFulfilledResult<ParseReport>).value.round);
  assert.equal(rounds.filter((round) => round === 1).length, 1);
  for (const one of settled) if (one.status === 'rejected') assert.equal(one.reason.code, 'LOCKED');
  assert.equal(roundsOf(root).length, 1);
  const processes = await Promise.all(Array.from({ length: 4 }, () => parsing(root)));
  assert.ok(
    processes.every((words) => words === '0' || words === 'LOCKED'),
    processes.join(' '),
  );
  rmSync(conversationFolder(root, 's'), { recursive: true });
  const again = await Promise.all(Array.from({ length: 4 }, () => parsing(root)));
  assert.equal(again.filter((words) => words === '1').length, 1, again.join(' '));
  assert.equal(roundsOf(root).length, 1);
});

test('a parse reports its round, and leaves it read-only beside a state that says the same', async () => {
  const root = temporaryFolder();
  const [{ sha256 } = assert.fail()] = land(root, first);
  const { counts, path, digest, ...report } = await parseOnce(root, 's', OPTIONS);
  assert.deepEqual(report, {
    ...{ round: 1, fromSeq: 1, throughSeq: 1, more: false, tombstones: 0 },
    frames: { nodes: 10, relations: 1, unresolved: 1 },
  });
  assert.equal(counts?.entries, 2);
  assert.equal(basename(path), `r000001-${digest.slice(0, 12)}.sf`);
  assert.equal(statSync(path).mode & 0o777, 0o444);
  const state = readFileSync(conversationStateFile(root, 's'), 'utf8');
  for (const line of [
    `head +1`,
    `head_digest +${digest}`,
    'through_seq +1',
    `input_digest +${inputDigest('', [{ sha256 }])}`,
    `parser +${PARSER}`,
  ])
    assert.match(state, new RegExp(`^${line}$`, 'm'));
});

test('a parse writes at most one round, and a session’s parse goes on until nothing is left', async () => {
  const root = temporaryFolder();
  land(root, first, second, third);
  const small = { ...OPTIONS, maxBytes: 1 };
  assert.equal((await parseOnce(root, 's', small)).more, true);
  const reports = await parseSession(root, 's', small);
  assert.deepEqual(
    reports.map(({ round, more }) => [round, more]),
    [
      [2, true],
      [3, false],
    ],
  );
  assert.deepEqual(
    (await parseSession(root, 's', small)).map(({ round, throughSeq }) => [round, throughSeq]),
    [[0, 3]],
  );
});

test('a parse does not extend an index that is merely behind', async () => {
  const { root } = await parsed(first);
  land(root, first, second);
  const { round, throughSeq } = await parseOnce(root, 's', OPTIONS);
  assert.deepEqual([round, throughSeq], [0, 1]);
  rmSync(indexFolder(root, 's'), { recursive: true });
  assert.deepEqual([(await parseOnce(root, 's', OPTIONS)).throughSeq, roundsOf(root).length], [2, 2]);
});

test('landed without records, a file moves the chain all the same', async () => {
  const root = temporaryFolder();
  land(root, first, { ...main(), seq: 4 });
  assert.equal((await parseOnce(root, 's', OPTIONS)).throughSeq, 4);
});

// ---- the index is a cache ----

test('with an index no landed file is opened, told by what a real process opens', async () => {
  const { root } = await parsed(first, second);
  const want = roundsOf(root);
  rmSync(conversationFolder(root, 's'), { recursive: true });
  const opened = openedBy(root);
  assert.ok(
    opened.some((path) => path.endsWith('entries.bin')),
    'the watch works',
  );
  assert.deepEqual(
    opened.filter((path) => path.endsWith('.sd')),
    [],
  );
  assert.deepEqual(roundsOf(root), want);
  rmSync(indexFolder(root, 's'), { recursive: true });
  assert.equal(
    openedBy(root).filter((path) => path.endsWith('.sd')).length,
    2,
    'without an index each is opened once',
  );
});

test('with an index the landed files may even be garbage: the rounds are the same', async () => {
  const { root, landed } = await parsed(first, second);
  const want = roundsOf(root);
  rmSync(conversationFolder(root, 's'), { recursive: true });
  for (const { path } of landed) writeFileSync(path, 'garbage');
  await parseOnce(root, 's', OPTIONS);
  assert.deepEqual(roundsOf(root), want);
  assert.equal((await parseOnce(root, 's', OPTIONS)).round, 0);
});

test('an index deleted under a complete chain is rebuilt, and no round is written', async () => {
  const { root } = await parsed(first, second);
  const bytes = readFileSync(entriesBin(root));
  rmSync(indexFolder(root, 's'), { recursive: true });
  const { round, throughSeq } = await parseOnce(root, 's', OPTIONS);
  assert.deepEqual([round, throughSeq], [0, 2]);
  assert.ok(readFileSync(entriesBin(root)).equals(bytes));
});

for (const [what, damage] of [
  ['a byte of its head is another', (root: string) => flip(entriesBin(root), 60)],
  ['a byte of its end is another', (root: string) => flip(entriesBin(root), -9)],
  ['it is cut short', (root: string) => truncateSync(entriesBin(root), 200)],
  ['it is empty', (root: string) => truncateSync(entriesBin(root), 0)],
  ['it is another version’s', (root: string) => flip(entriesBin(root), 8)],
  ['it is gone', (root: string) => rmSync(entriesBin(root))],
  ['its state is gone', (root: string) => rmSync(indexState(root))],
  ['its state names another schema', (root: string) => replace(indexState(root), /^(schema +)\d+$/m, '$199')],
  ['its state counts other entries', (root: string) => replace(indexState(root), /^(entries +)\d+$/m, '$17')],
  [
    'its state stands at another sequence',
    (root: string) => replace(indexState(root), /^(indexed_seq +)\d+$/m, '$11'),
  ],
  ['its state is garbage', (root: string) => writeFileSync(indexState(root), '\0\0')],
  ['it is another session’s', (root: string) => anotherSessionsIndex(root)],
] as [string, (root: string) => void][])
  test(`an index is discarded and built again: ${what}`, async () => {
    const { root } = await parsed(first, second);
    const [bytes, want] = [readFileSync(entriesBin(root)), roundsOf(root)];
    damage(root);
    assert.equal((await parseOnce(root, 's', OPTIONS)).round, 0);
    assert.ok(readFileSync(entriesBin(root)).equals(bytes));
    assert.deepEqual(roundsOf(root), want);
  });

test('a landed file the index does not name makes it stale: a sequence that came late is not passed over', async () => {
  const { root } = await parsed({ ...first, seq: 1 }, { ...third, seq: 3 });
  land(root, second);
  await assert.rejects(
    parseOnce(root, 's', OPTIONS),
    refusal(
      'parse: round 1 was built from landed files 1 to 3 as they no longer are; run asz verify, or remove _conversations/s too if that is on purpose',
    ),
  );
});

// ---- refusals ----

test('a chain of another parser or policy cannot be extended', async () => {
  const words =
    '. A chain is one interpretation of one body of evidence, so it cannot be extended across a change to either';
  for (const [header, was] of [
    [{ parser: 'v0', policy: 'v1+idle=5m0s' }, 'parser "v0" under policy "v1+idle=5m0s"'],
    [{ policy: 'v1+idle=5m0s' }, 'parser "v1" under policy "v1+idle=5m0s"'],
  ] as const) {
    const root = temporaryFolder();
    putRound(root, aHeader(header));
    await assert.rejects(
      parseOnce(root, 's', OPTIONS),
      refusal(`parse: this chain was built by ${was}; this build is "v1"/"v1+idle=10m0s"${words}`),
    );
  }
});

test('a chain that carries another session is refused', async () => {
  const root = temporaryFolder();
  land(root, first);
  putRound(root, aHeader({ session: 'a' }));
  await assert.rejects(
    parseOnce(root, 's', OPTIONS),
    refusal('parse: this chain carries session "a", not "s"'),
  );
  assert.ok(!existsSync(indexFolder(root, 's')), 'before the index is read');
});

test('a chain that covers more than the index reaches is refused', async () => {
  const { root, landed } = await parsed(first, second);
  rmSync(landed[1]!.path);
  await assert.rejects(
    parseOnce(root, 's', OPTIONS),
    refusal('parse: the chain covers landed sequence 2 but the index only reaches 1'),
  );
});

for (const [what, change] of [
  ['lost', (_root, path) => rmSync(path)],
  ['exchanged', (root) => land(root, main(user('ux', 'p1')))],
] as [string, (root: string, path: string) => void][])
  test(`a landed file that is ${what} under a chain is refused, and never becomes tombstones`, async () => {
    const { root, landed } = await parsed(first, second, third);
    const want = roundsOf(root);
    change(root, landed[0]!.path);
    rmSync(indexFolder(root, 's'), { recursive: true });
    await assert.rejects(
      parseOnce(root, 's', OPTIONS),
      refusal(
        'parse: round 1 was built from landed files 1 to 3 as they no longer are; run asz verify, or remove _conversations/s too if that is on purpose',
      ),
    );
    assert.deepEqual(roundsOf(root), want);
  });

test('a lost landed file is noticed though the index still names it', async () => {
  const { root, landed } = await parsed(first, second, third);
  rmSync(landed[1]!.path);
  await assert.rejects(
    parseOnce(root, 's', OPTIONS),
    refusal(/^parse: round 1 was built from landed files 1 to 3/),
  );
});

test('a chain whose whole evidence is gone is refused', async () => {
  const { root } = await parsed(first);
  rmSync(join(root, 's'), { recursive: true });
  await assert.rejects(parseOnce(root, 's', OPTIONS), { message: 'parse: no landed records for session s' });
  rmSync(conversationFolder(root, 's'), { recursive: true });
  assert.equal((await parseOnce(root, 's', OPTIONS)).round, 0);
  assert.ok(!existsSync(conversationFolder(root, 's')));
});

test('a landed file that does not read stops the rebuild; none is skipped', async () => {
  for (const [damage, words] of [
    [
      (bytes: string) => bytes.replace('"schema":"sd/1"', '"schema":"sd/9"'),
      (path: string) =>
        `index: landed file ${path} is unreadable: sessiondata: unsupported schema "sd/9", want "sd/1"`,
    ],
    [
      (bytes: string) => bytes.replace('"ord":2', '"ord":-2'),
      (path: string) =>
        `index: ${path} row 2: sessiondata: decode record: ord is the number -2, not a whole number from 0`,
    ],
    [
      (bytes: string) => bytes.slice(0, bytes.indexOf('{"t":"end')),
      (path: string) => `index: ${path} row 3: sessiondata: x has no closing line; it is incomplete`,
    ],
  ] as const) {
    const root = temporaryFolder();
    const [{ path } = assert.fail()] = land(root, first, second);
    writeFileSync(path, damage(readFileSync(path, 'utf8')));
    await assert.rejects(parseOnce(root, 's', OPTIONS), {
      code: 'FORMAT',
      message: `parse: rebuild index for s: ${words(path)}`,
    });
    assert.deepEqual(roundsOf(root), []);
    assert.ok(!existsSync(entriesBin(root)));
  }
});

test('a chain with a hole, a damaged round or two rounds of one number is refused', async () => {
  const cases: [(paths: string[], root: string) => void, string | RegExp][] = [
    [
      ([, two]) => rmSync(two!),
      'sessionflow: cannot apply round 3 to a view at round 1: rounds must fold in order',
    ],
    [([one]) => flip(one!, 300), /^r000001-[0-9a-f]{12}\.sf: sessionflow: (digest mismatch|line 1)/],
    [([, two]) => truncateSync(two!, 700), /^r000002-[0-9a-f]{12}\.sf: sessionflow: /],
    [
      (_, root) => putRound(root, aHeader({ round: 2, previous: 'x' }), [aNode('tool/x')]),
      /^sessionflow: (cannot apply round 2|round 2 names previous)/,
    ],
  ];
  for (const [damage, message] of cases) {
    const root = temporaryFolder();
    land(root, first, second, third);
    await parseSession(root, 's', { ...OPTIONS, maxBytes: 1 });
    const paths = listRounds(roundsFolder(root, 's')).map(({ path }) => path);
    assert.equal(paths.length, 3);
    damage(paths, root);
    await assert.rejects(parseOnce(root, 's', OPTIONS), { message });
  }
});

// ---- the chain's state decides nothing ----

for (const [what, change] of [
  ['deleted', (path: string) => rmSync(path)],
  [
    'made to lie',
    (path: string) =>
      writeFileSync(
        path,
        'schema 1\nconversation x\nhead 1\nhead_digest 00\nthrough_seq 1\ninput_digest 00\nparser v9\npolicy z\n',
      ),
  ],
  ['garbage', (path: string) => writeFileSync(path, '\u0000')],
] as [string, (path: string) => void][])
  test(`a conversation.state that is ${what} does not matter`, async () => {
    const small = { ...OPTIONS, maxBytes: 1 };
    const roots = [temporaryFolder(), temporaryFolder()];
    for (const root of roots) {
      land(root, first, second, third);
      for (let i = 0; i < 2; i++) await parseOnce(root, 's', small);
    }
    change(conversationStateFile(roots[0]!, 's'));
    for (const root of roots) assert.equal((await parseOnce(root, 's', small)).fromSeq, 3);
    assert.deepEqual(roundsOf(roots[0]!), roundsOf(roots[1]!));
    const [state, other] = roots.map((root) => readFileSync(conversationStateFile(root, 's'), 'utf8'));
    assert.equal(state, other);
  });

test('a parse that writes no round does not touch the state', async () => {
  const { root } = await parsed(first);
  rmSync(conversationStateFile(root, 's'));
  assert.equal((await parseOnce(root, 's', OPTIONS)).round, 0);
  assert.ok(!existsSync(conversationStateFile(root, 's')));
});

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at < 0 ? bytes.length + at : at]! ^= 1;
  rmSync(path);
  writeFileSync(path, bytes);
}

function replace(path: string, from: RegExp, to: string): void {
  const text = readFileSync(path, 'utf8');
  assert.match(text, from);
  writeFileSync(path, text.replace(from, to));
}

function anotherSessionsIndex(root: string): void {
  const bytes = readFileSync(entriesBin(root));
  bytes.write('"session":"z"', bytes.indexOf('"session":"s"'));
  writeFileSync(entriesBin(root), bytes);
}

/** Parses `s` in a process of its own: the round it wrote, or the code it failed with. */
async function parsing(root: string): Promise<string> {
  const program = `
    const { parseOnce } = await import(${JSON.stringify(PARSE)});
    const words = parseOnce(${JSON.stringify(root)}, 's', { maxBytes: 2 ** 21, now: () => ({ ms: 0, ns: 0 }) });
    process.stdout.write(await words.then(({ round }) => String(round), ({ code }) => code));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  return stdout;
}

const PARSE = new URL('../../src/rounds/parse-session.js', import.meta.url).href;

/** Parses `s` in a process of its own, and gives the paths that process opened below the root. */
function openedBy(root: string): string[] {
  const watch = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    globalThis.opened = [];
    for (const name of ['openSync', 'open', 'readFileSync', 'readFile', 'createReadStream']) {
      const original = fs[name];
      fs[name] = (path, ...rest) => { globalThis.opened.push(String(path)); return original(path, ...rest); };
    }
    syncBuiltinESMExports();`;
  const program = `
    const { parseOnce } = await import(${JSON.stringify(PARSE)});
    await parseOnce(${JSON.stringify(root)}, 's', { maxBytes: 2 ** 21, now: () => ({ ms: 0, ns: 0 }) });
    process.stdout.write(JSON.stringify(globalThis.opened));`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(watch)}`, '--input-type=module', '-e', program],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  return (JSON.parse(stdout) as string[]).filter((path) => path.startsWith(root));
}
