/**
 * Bad input among good: one session that cannot be done is one line and exit code 1, and every other session is
 * done. Then rivals, signals and kills: nothing they do needs repair.
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { CHAIN_BUSY, SESSION_BUSY, takeLock } from '../../src/io/lock.js';
import {
  conversationLockFile,
  listLandedFiles,
  sessionFolder,
  sessionLockFile,
} from '../../src/io/storage-root.js';
import { aLandedSession } from '../builders.js';
import { readLanded } from '../landing/collecting.js';
import { REPOSITORY, temporaryFolder } from '../shared.js';
import { assertDone, assertRefused, contentsOf, ended, remakeRound, rewrite, Workplace } from './run-asz.js';

// ---- one broken session among good ones ----

const GOOD = ['good-1', 'good-2'];
const whole = await aRootOfThree();

/** `bad` has a round and more to parse; the good ones have all of it to parse. */
async function aRootOfThree(): Promise<string> {
  const root = temporaryFolder();
  for (const session of GOOD) aLandedSession({ root, session });
  const bad = aLandedSession({ root, session: 'bad' });
  await bad.parse();
  bad.main.input('more').says('more');
  bad.land();
  return root;
}

class Broken extends Workplace {
  constructor() {
    super();
    cpSync(whole, this.root, { recursive: true });
    mkdirSync(this.projects);
  }

  landed(seq: number): string {
    return listLandedFiles(sessionFolder(this.root, 'bad')).find((file) => file.seq === seq)!.path;
  }

  round(): string {
    return this.roundPaths('bad')[0]!;
  }

  forgetIndex(): void {
    rmSync(join(this.root, 'bad/index'), { recursive: true });
  }

  /** Puts a folder, or an empty file, where the other of the two belongs. */
  folderAt(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
    mkdirSync(join(this.root, path), { recursive: true });
  }

  fileAt(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
    rewrite(join(this.root, path), '');
  }
}

interface Breakage {
  readonly breaks: (place: Broken) => void;
  /** What is said of the session, by `parse` and by a collector's pass. */
  readonly says: RegExp;
  /** What `verify` finds in it; `undefined`: nothing. */
  readonly verify?: RegExp | undefined;
}

const FILE = /\S+\/bad\/streams\/main\/transcript-\S+-00000[12]\.sd/.source;

const BREAKAGES: Readonly<Record<string, Breakage>> = {
  'a landed file of nonsense and no index': {
    breaks: (place) => {
      rewrite(place.landed(1), 'nonsense\n');
      place.forgetIndex();
    },
    says: new RegExp(
      `^parse: rebuild index for bad: index: landed file ${FILE} is unreadable: sessiondata: `,
    ),
    verify: /^unread {3}transcript-\S+-000001\.sd: sessiondata: decode header: /,
  },
  'a landed file without its end and no index': {
    breaks: (place) => {
      rewrite(place.landed(2), readFileSync(place.landed(2), 'utf8').trimEnd().slice(0, -40));
      place.forgetIndex();
    },
    says: new RegExp(`^parse: rebuild index for bad: index: ${FILE} row 3: sessiondata: `),
    verify: /^unread {3}transcript-\S+-000002\.sd row 3: sessiondata: /,
  },
  'an empty landed file and no index': {
    breaks: (place) => {
      rewrite(place.landed(2), '');
      place.forgetIndex();
    },
    says: new RegExp(`${FILE} is unreadable: sessiondata: read header: the file is empty$`),
    verify: /^unread {3}transcript-\S+-000002\.sd: sessiondata: read header: the file is empty$/,
  },
  'two landed files with one sequence': {
    breaks: (place) => cpSync(place.landed(1), place.landed(1).replace('-2026', '-2027')),
    says: new RegExp(`^storage: ${FILE} and ${FILE} carry the same sequence 1$`),
    verify: new RegExp(`^listing {2}storage: ${FILE} and ${FILE} carry the same sequence 1$`),
  },
  'a sequence that no number holds': {
    breaks: (place) =>
      renameSync(place.landed(2), place.landed(2).replace('000002.sd', `${'9'.repeat(20)}.sd`)),
    says: /^storage: landed file transcript-\S+-9{20}\.sd: its sequence is larger than 9007199254740991$/,
    verify: /^listing {2}storage: landed file transcript-\S+-9{20}\.sd: /,
  },
  'a landed file that went away': {
    breaks: (place) => rmSync(place.landed(1)),
    says: /^parse: round 1 was built from landed files 1 to 1 as they no longer are; run asz verify, or remove _conversations\/bad too if that is on purpose$/,
    verify: /^ord gap {2}transcript-\S+-000002\.sd row 1: expected 1, got 7$/,
  },
  'a landed file that became a link': {
    breaks: (place) => {
      const path = place.landed(1);
      renameSync(path, join(place.folder, 'elsewhere'));
      symlinkSync(join(place.folder, 'elsewhere'), path);
    },
    says: /^parse: round 1 was built from landed files 1 to 1 as they no longer are; run asz verify, or remove _conversations\/bad too if that is on purpose$/,
    verify: /^unread {3}streams\/main\/transcript-\S+-000001\.sd: it is not a regular file, and is not read$/,
  },
  'a chain of another parser': {
    breaks: (place) => remakeRound(place.round(), (text) => text.replace('"parser":"v1"', '"parser":"v9"')),
    says: /^parse: this chain was built by parser "v9" under policy "v1\+idle=10m0s"; this build is "v1"\/.* cannot be extended/,
  },
  'a damaged round': {
    breaks: (place) => rewrite(place.round(), readFileSync(place.round(), 'utf8').replace('main', 'mein')),
    says: /^r000001-\w{12}\.sf: sessionflow: digest mismatch: computed \w{12}, round claims \w{12}$/,
    verify: /^round 1: r000001-\w{12}\.sf: sessionflow: digest mismatch: /,
  },
  'a folder in place of the index': {
    breaks: (place) => place.folderAt('bad/index/entries.bin'),
    says: /: is a directory$/,
  },
  'a folder in place of the chain lock': {
    breaks: (place) => place.folderAt('_conversations/bad/.lock'),
    says: /^storage: lock \S+\/_conversations\/bad\/\.lock: .*is a directory$/,
  },
  'a file in place of the rounds': {
    breaks: (place) => place.fileAt('_conversations/bad/rounds'),
    says: /^storage: .*\/_conversations\/bad\/rounds: not a directory$/,
    verify: /^listing {2}storage: .*\/_conversations\/bad\/rounds: not a directory$/,
  },
  'a file in place of the streams': {
    breaks: (place) => place.fileAt('bad/streams'),
    says: /^storage: .*\/bad\/streams: not a directory$/,
    verify: /^listing {2}storage: .*\/bad\/streams: not a directory$/,
  },
};

describe('one broken session', { concurrency: 2 }, () => {
  for (const [name, breakage] of Object.entries(BREAKAGES)) test(name, () => assertOthersGoOn(breakage));
});

async function assertOthersGoOn({ breaks, says, verify }: Breakage): Promise<void> {
  const place = new Broken();
  breaks(place);
  const [verified, parsed] = [await place.asz(['verify']), await place.asz(['parse'])];
  assert.equal(parsed.status, 1);
  const [line, last, ...more] = parsed.stderr.split('\n');
  assert.deepEqual([line!.slice(0, 7), last, more], ['  bad: ', 'asz: 1 session(s) failed to parse', ['']]);
  assert.match(line!.slice(7), says);
  for (const session of GOOD) {
    assert.match(parsed.stdout, new RegExp(`^${session} +1 +1 +12 `, 'm'));
    assert.equal(place.rounds(session).length, 1);
  }
  assert.match(parsed.stdout, /\n2 round\(s\) written\n$/);
  const found = verified.stdout.split('\n').filter((words) => words.startsWith('   '));
  assert.equal(verified.status, verify === undefined ? 0 : 1);
  if (verify === undefined) assert.deepEqual(found, []);
  else assert.match(found[0]!.slice(3), verify);
  assert.match(verified.stdout, /^checked 3 session\(s\), /m);
  assert.doesNotMatch(verified.stdout, /^good/m);
  // A collector that comes later says the same of it.
  const collected = await place.asz(['collect', '--once', '--json']);
  const { errors, rounds } = JSON.parse(collected.stdout);
  assert.deepEqual([collected.status, rounds, errors.length], [1, 0, 1]);
  assert.match(errors[0].slice(5), says);
}

test('a failure reads the same from a worker thread as from the main one', async () => {
  const place = new Broken();
  BREAKAGES['a folder in place of the index']!.breaks(place);
  const [one, two] = [await place.asz(['parse', '--jobs', '1']), await place.asz(['parse', '--jobs', '2'])];
  assert.equal(two.stderr, one.stderr);
});

test('directories with odd names: none that cannot be a session stops another, in any command', async () => {
  const place = new Broken();
  for (const name of ['a b', '-x', 'ünï', 'lost+found', 'con', 'dot.', 'new\nline', 'esc\x1b[2J'])
    mkdirSync(join(place.root, name));
  mkdirSync(join(place.root, '_conversations/con'));
  rewrite(join(place.root, 'a file'), '');
  const refused = ['con', 'dot.', 'esc␛[2J', 'new␊line'];
  const parsed = await place.asz(['parse']);
  assert.deepEqual(
    parsed.stderr.split('\n').map((line) => line.split(': ')[0]),
    [...refused.map((name) => `  ${name}`), 'asz', ''],
  );
  assert.match(parsed.stdout, /\n3 round\(s\) written\n$/);
  const verified = await place.asz(['verify']);
  assert.deepEqual([verified.status, verified.stderr], [1, 'asz: 5 contiguity or integrity problem(s)\n']);
  assert.match(verified.stdout, /^checked 4 conversation chain\(s\), 4 round\(s\)$/m);
  const index = await place.asz(['index']);
  assert.deepEqual([index.status, index.stderr.split('\n').length], [1, refused.length + 2]);
  for (const session of GOOD) assert.match(index.stdout, new RegExp(`^${session} `, 'm'));
  const collected = JSON.parse((await place.asz(['collect', '--once', '--json'])).stdout);
  assert.equal(collected.errors.length, refused.length);
});

test('an id from the command line never leaves the root', async () => {
  const place = new Broken();
  for (const id of ['../data', 'good-1/../good-2', 'x'.repeat(201), 'a\u001bb'])
    for (const argv of [
      ['conversation', id],
      ['show', id, 'x'],
      ['index', 'cat', id],
    ])
      assertRefused(await place.asz(argv), /^asz: storage: id ".*" cannot name a directory: |^asz: no /);
});

// ---- rivals, signals, kills ----

/** Transcripts of many sessions: the bundled ones under other ids. */
function manySessions(place: Workplace, copies: number): void {
  for (const [path, content] of contentsOf(join(REPOSITORY, 'samples/projects')))
    for (let i = 0; i < copies; i++) {
      const id = String(i).padStart(8, '0');
      rewrite(
        join(place.projects, path.replace(/(5d0c3a7e|c41f7b06)(-[\w-]{27})/g, `${id}$2`)),
        Buffer.from(content, 'latin1'),
      );
    }
}

/** Waits until a process has said something, or has ended. */
async function said(child: ChildProcess, words: RegExp): Promise<void> {
  let text = '';
  for await (const chunk of on(child.stdout!, 'data', { close: ['end'] })) {
    text += chunk;
    if (words.test(text)) return;
  }
  assert.fail(`the process ended without saying ${words}: ${text}`);
}

describe('signals and kills', { concurrency: 2 }, () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    test(`${signal} ends a watching collector that waits for its next pass: exit code 0, quietly`, async () => {
      const place = new Workplace();
      manySessions(place, 1);
      const child = place.start(['collect']);
      const end = ended(child);
      await said(child, /refreshed: /);
      child.kill(signal);
      const { status, stderr } = await end;
      assert.deepEqual([status, stderr], [0, '']);
      assertDone(await place.asz(['verify']));
      assert.match(assertDone(await place.asz(['collect', '--once'])), / landed=0 records=0 rounds=0 /);
    });

  test('SIGINT in the first pass of a watching collector: exit code 0, and nothing is left to repair', async () => {
    const place = new Workplace();
    manySessions(place, 5);
    const child = place.start(['collect']);
    const end = ended(child);
    await landedSomething(place);
    child.kill('SIGINT');
    const { status, stdout, stderr } = await end;
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /refreshed: sessions=\d+ landed=\d+ records=\d+ rounds=\d+ /);
    await assertCompletes(place, 10);
  });

  test('SIGINT in a single pass: as a shell reports it, and the next pass completes it', async () => {
    const place = new Workplace();
    manySessions(place, 5);
    const child = place.start(['collect', '--once']);
    const end = ended(child);
    await landedSomething(place);
    child.kill('SIGINT');
    const { status } = await end;
    // 0: it was done before the signal came.
    assert.ok(status === 130 || status === 0, `exit code ${status}`);
    await assertCompletes(place, 10);
  });

  test('kill -9 in the middle of landing, again and again: the next pass completes it, verify is clean', async () => {
    const place = new Workplace();
    manySessions(place, 5);
    for (const wanted of [3, 20, 40]) {
      const child = place.start(['collect', '--once', '--jobs', '1']);
      const end = ended(child);
      await landedSomething(place, wanted);
      child.kill('SIGKILL');
      await end;
      assertDone(await place.asz(['verify']));
    }
    await assertCompletes(place, 10);
  });

  test('kill -9 in the middle of parsing: the next parse goes on, verify is clean', async () => {
    const place = new Workplace();
    manySessions(place, 5);
    const child = place.start(['collect', '--once', '--jobs', '2']);
    const end = ended(child);
    await until(() => existsSync(join(place.root, '_conversations')));
    child.kill('SIGKILL');
    await end;
    assertDone(await place.asz(['verify']));
    await assertCompletes(place, 10);
  });
});

for (const jobs of ['1', '2'])
  test(`SIGINT ends parse --jobs ${jobs} between two sessions, quietly, and the next parse does the rest`, async () => {
    const place = new Workplace();
    for (let i = 0; i < 60; i++) aLandedSession({ root: place.root, session: `s${i}` });
    const child = place.start(['parse', '--jobs', jobs]);
    const end = ended(child);
    await until(() => filesIn(place).some((name) => name.endsWith('.sf')));
    child.kill('SIGINT');
    assert.deepEqual(await end, { status: 130, stdout: '', stderr: '' });
    const written = filesIn(place).filter((name) => name.endsWith('.sf')).length;
    assert.ok(written < 60, `${written} rounds`);
    assert.match(
      assertDone(await place.asz(['parse'])),
      new RegExp(`^${60 - written} round\\(s\\) written$`, 'm'),
    );
    assertDone(await place.asz(['verify']));
  });

/** Waits until so many files have landed. */
async function landedSomething(place: Workplace, wanted = 1): Promise<void> {
  await until(() => filesIn(place).filter((name) => name.endsWith('.sd')).length >= wanted);
}

function filesIn({ root }: Workplace): string[] {
  return existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(2);
}

/** Another pass lands and parses the rest, so that the root is what one undisturbed pass makes of it. */
async function assertCompletes(place: Workplace, sessions: number): Promise<void> {
  assertDone(await place.asz(['collect', '--once']));
  assert.match(assertDone(await place.asz(['collect', '--once'])), / landed=0 records=0 rounds=0 /);
  const chains = `^checked ${sessions} conversation chain\\(s\\), ${sessions} round\\(s\\)$`;
  assert.match(assertDone(await place.asz(['verify'])), new RegExp(chains, 'm'));
  // What was published before its cursor was saved lands again, which is no harm: each line counts once.
  const files = filesIn(place);
  const lines = files
    .filter((name) => name.endsWith('.sd'))
    .map((name) => readLanded(join(place.root, name)))
    .flatMap(({ header, records }) => records.map(({ value }) => `${header.src} ${value.ord} ${value.sha}`));
  assert.equal(new Set(lines).size, sessions * (72 / 2));
  // The index and the session's state are swept when they are a minute old: a parse may be writing beside a collector.
  const leftovers = files.filter((name) => name.includes('.tmp-'));
  assert.deepEqual(
    leftovers.filter((name) => /(^|\/)(streams|runs|_conversations)\//.test(name)),
    [],
  );
}

test('a session that another collector holds is busy, and is landed when it is free', async () => {
  const place = new Workplace();
  manySessions(place, 1);
  const [session] = readdirSync(join(place.projects, '-home-robin-weather')).map((name) => name.slice(0, 36));
  const lock = takeLock(sessionLockFile(place.root, session!), SESSION_BUSY);
  try {
    const { stdout } = await place.asz(['collect', '--once']);
    assert.match(stdout, / landed=6 records=17 rounds=1 busy=1 \(/);
  } finally {
    lock.release();
  }
  assert.match(assertDone(await place.asz(['collect', '--once'])), / landed=5 records=55 rounds=1 \(/);
});

test('a chain that another process builds is left alone: parse and a single pass say so and fail', async () => {
  const place = new Broken();
  const lock = takeLock(conversationLockFile(place.root, 'bad'), CHAIN_BUSY);
  try {
    const parsed = await place.asz(['parse']);
    assert.equal(parsed.status, 1);
    assert.match(
      parsed.stderr,
      /^ {2}bad: storage: conversation chain is locked by another builder[^\n]*\nasz: 1 session\(s\) failed to parse\n$/,
    );
    assert.match(parsed.stdout, /\n2 round\(s\) written\n$/);
    const collected = await place.asz(['collect', '--once', '--json']);
    const { busy, errors } = JSON.parse(collected.stdout);
    assert.deepEqual(
      [collected.status, busy, errors],
      [1, 1, ['1 session(s) were held by another builder and are not parsed']],
    );
  } finally {
    lock.release();
  }
  assert.match(assertDone(await place.asz(['parse'])), /^1 round\(s\) written$/m);
});

test('three collectors on one root at once: everything lands once, nothing is damaged', async () => {
  const place = new Workplace();
  manySessions(place, 3);
  await Promise.all([1, 2, 3].map(() => place.asz(['collect', '--once', '--jobs', '1'])));
  assertDone(await place.asz(['collect', '--once']));
  const verified = assertDone(await place.asz(['verify']));
  assert.match(verified, /^checked 6 session\(s\), \d+ stream\(s\), 216 records$/m);
  assert.doesNotMatch(verified, /landed more than once/);
  assert.match(verified, /^checked 6 conversation chain\(s\), 6 round\(s\)$/m);
});
