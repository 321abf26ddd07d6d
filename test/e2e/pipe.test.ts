/**
 * `asz index cat S --through N | asz assemble --conversation S --previous …` is each round of each chain, byte for
 * byte: in one process for all of them, through real pipes for some; and what `assemble` refuses.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { main } from '../../src/cli/main.js';
import { IndexLinesReader, indexEntryLine, indexHeaderLine } from '../../src/format/index-lines.js';
import { readRound } from '../../src/format/round-reader.js';
import { entriesThrough, type SessionIndex } from '../../src/format/session-index.js';
import { Fold } from '../../src/rounds/fold.js';
import { nextRound } from '../../src/rounds/next-round.js';
import { aSession } from '../builders.js';
import { needsShared, REPOSITORY, sharedData } from '../shared.js';
import { indexOf } from '../vectors/in-memory.js';
import { firstDifference, landFiles, randomVectors, type Vector, vectorsIn } from '../vectors/landed-root.js';
import { assertDone, assertRefused, type Ran, rewrite, Workplace } from './run-asz.js';

const GOLDEN = join(REPOSITORY, 'test/golden');
const SHARED = sharedData() ?? '';

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
}

// ---- every round of every chain, in this process ----

function linesThrough(index: SessionIndex, through: number): string[] {
  const entries = entriesThrough(index, through);
  return [
    indexHeaderLine(index, through),
    ...Array.from({ length: entries }, (_, entry) => indexEntryLine(index, entry)),
  ];
}

/** What `cat` and `assemble` do, without processes: lines of the index to each round's end, read back, assembled. */
async function assertReproduced(vector: Vector): Promise<number> {
  const index = indexOf(vector);
  const fold = new Fold(vector.session);
  for (const { name, through, content } of vector.rounds) {
    const reader = new IndexLinesReader();
    for (const line of linesThrough(index, through)) reader.push(line);
    const { built } = await nextRound(fold, reader.finish(), through, { maxBytes: Number.POSITIVE_INFINITY });
    const got = Buffer.concat([...built!.bytes]);
    assert.equal(firstDifference(got, content), undefined, `${vector.session} ${name}`);
    fold.apply(readRound(content));
  }
  return vector.rounds.length;
}

async function assertAllReproduced(vectors: readonly Vector[]): Promise<void> {
  let rounds = 0;
  for (const vector of vectors) rounds += await assertReproduced(vector);
  assert.ok(rounds >= vectors.length && vectors.length > 0);
}

test('lines through each round give that round: golden roots', () =>
  assertAllReproduced(foldersIn(GOLDEN).flatMap(vectorsIn)));

for (const format of ['sd', 'claude-code'])
  test(`lines through each round give that round: vectors, ${format}`, needsShared, () =>
    assertAllReproduced(
      foldersIn(join(SHARED, 'vectors')).flatMap((folder) => vectorsIn(join(folder, format))),
    ),
  );

test('lines through each round give that round: edge sessions', needsShared, () =>
  assertAllReproduced(foldersIn(join(SHARED, 'edge')).flatMap(vectorsIn)),
);

test('lines through each round give that round: real transcripts', needsShared, () =>
  assertAllReproduced(
    ['newest', 'spotter'].flatMap((name) => vectorsIn(join(SHARED, 'real', name, 'root-default'))),
  ),
);

test('lines through each round give that round: a sample of the random sessions', needsShared, () =>
  assertAllReproduced(
    ['aux', 'big', 'chg', 'deleg', 'plain', 'seg'].flatMap((name) =>
      randomVectors(join(SHARED, 'random', `${name}.jsonl`)).filter((_, i) => i % 10 === 3),
    ),
  ),
);

// ---- real pipes ----

/** A root that holds a chain's landed files, and the chain's rounds as files beside it. */
class Piped extends Workplace {
  readonly vector: Vector;

  constructor(vector: Vector) {
    super();
    this.vector = vector;
    landFiles(this.root, vector, Number.POSITIVE_INFINITY);
    for (const { name, content } of vector.rounds) writeFileSync(join(this.folder, name), content);
  }

  cat(round: number): string {
    return `asz index cat ${this.vector.session} --through ${this.vector.rounds[round]!.through}`;
  }

  assemble(round: number): string {
    const before = this.vector.rounds.slice(0, round).map(({ name }) => `--previous ${name}`);
    return ['asz assemble --conversation', this.vector.session, ...before].join(' ');
  }

  async assertRound(round: number, line: string): Promise<void> {
    const { name, content } = this.vector.rounds[round]!;
    const said = Buffer.from(assertDone(await this.shell(line)));
    assert.equal(firstDifference(said, content), undefined, `${this.vector.session} ${name}`);
  }
}

const PIPED = [
  join(GOLDEN, 'unresolved'),
  join(GOLDEN, 'replay'),
  ...(SHARED === ''
    ? []
    : [join(SHARED, 'vectors/three-rounds/sd'), join(SHARED, 'vectors/growth/claude-code')]),
];

describe('real pipes', { concurrency: 2 }, () => {
  for (const root of PIPED)
    test(`cat | assemble, round after round: ${root.split('/').slice(-3).join('/')}`, async () => {
      for (const vector of vectorsIn(root)) {
        const place = new Piped(vector);
        for (const round of vector.rounds.keys())
          await place.assertRound(round, `${place.cat(round)} | ${place.assemble(round)}`);
      }
    });

  test('cat | gzip | gunzip | assemble', async () => {
    const place = new Piped(vectorsIn(join(GOLDEN, 'workflow'))[0]!);
    for (const round of [0, 1])
      await place.assertRound(round, `${place.cat(round)} | gzip | gunzip | ${place.assemble(round)}`);
  });

  test('cat without --through reaches the last landed file, with an index on disk as without', async () => {
    const place = new Piped(vectorsIn(join(GOLDEN, 'every-kind'))[0]!);
    const without = assertDone(await place.asz(['index', 'cat', 'every-kind']));
    assert.ok(!existsSync(join(place.root, 'every-kind/index')), 'cat saves nothing');
    assertDone(await place.asz(['parse']));
    assert.equal(assertDone(await place.asz(['index', 'cat', 'every-kind'])), without);
    assert.equal(assertDone(await place.shell(place.cat(1))), without);
  });

  test('assemble reads its lines in writes of one byte, in the middle of characters too', async () => {
    const place = new Piped(vectorsIn(join(GOLDEN, 'text'))[0]!);
    const lines = Buffer.from(assertDone(await place.shell(place.cat(0))));
    assert.ok(lines.some((byte) => byte > 0x7f));
    const input = Array.from(lines, (byte) => Uint8Array.of(byte));
    const said = assertDone(await place.asz(['assemble', '--conversation', 'text'], { input }));
    assert.equal(firstDifference(Buffer.from(said), place.vector.rounds[0]!.content), undefined);
  });

  test('assemble reads its lines in reads of one byte', async () => {
    const place = new Piped(vectorsIn(join(GOLDEN, 'text'))[0]!);
    const lines = Buffer.from(assertDone(await place.shell(place.cat(0))));
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const status = await main(['assemble', '--conversation', 'text'], {
      stdin: Readable.from(Array.from(lines, (byte) => Buffer.of(byte))),
      ...{ stdout, stderr, environment: {}, workingDirectory: place.folder },
      interruption: () => new AbortController().signal,
    });
    assert.deepEqual([status, stderr.read()], [0, null]);
    stdout.end();
    assert.equal(firstDifference(await buffer(stdout), place.vector.rounds[0]!.content), undefined);
  });

  test('assemble takes lines that end in a carriage return, and a last one without its newline', async () => {
    const place = new Piped(vectorsIn(join(GOLDEN, 'replay'))[0]!);
    await place.assertRound(0, `${place.cat(0)} | sed "s/$/$(printf '\\r')/" | ${place.assemble(0)}`);
    await place.assertRound(0, `${place.cat(0)} > lines; printf %s "$(cat lines)" | ${place.assemble(0)}`);
  });

  test('assemble with nothing new says so and writes nothing', async () => {
    const place = new Piped(vectorsIn(join(GOLDEN, 'replay'))[0]!);
    const { name } = place.vector.rounds[0]!;
    assert.deepEqual(await place.shell(`${place.cat(0)} | ${place.assemble(0)} --previous ${name}`), {
      status: 0,
      stdout: '',
      stderr: 'assemble: nothing new; round 1 already covers sequence 1\n',
    });
  });
});

// ---- a reader that goes away ----

const large = await aLargeRoot();

/** One session whose index lines, fold and rounds are each larger than any pipe holds. */
async function aLargeRoot(): Promise<Workplace> {
  const place = new Workplace();
  const session = aSession({ root: place.root, session: 'large' });
  for (let i = 0; i < 800; i++) session.main.tool(`t${i}`, 'Bash').result(`t${i}`);
  session.land();
  await session.parse();
  return place;
}

for (const command of [
  'asz index cat large',
  'asz conversation large --fold',
  'asz index cat large | asz assemble --conversation large',
])
  test(`${command} | head -1 ends quietly`, async () => {
    const { stdout, stderr } = await large.shell(`{ ${command}; echo $? > status; } | head -1`);
    assert.equal(stderr, '');
    assert.equal(stdout.split('\n').length, 2);
    assert.equal(readFileSync(join(large.folder, 'status'), 'utf8'), '0\n');
  });

test('a reader that reads nothing at all ends a command quietly too', async () => {
  for (const command of ['index cat large', 'conversation large', 'verify', 'parse']) {
    const { stderr } = await large.shell(`{ asz ${command}; echo $? > status; } | true`);
    assert.deepEqual([stderr, readFileSync(join(large.folder, 'status'), 'utf8')], ['', '0\n'], command);
  }
});

// ---- what is refused ----

const refusing = new Piped(vectorsIn(join(GOLDEN, 'replay'))[0]!);
const lines = linesOf(await refusing.shell(refusing.cat(2)));
const [first, second, third] = refusing.vector.rounds.map(({ name }) => name) as [string, string, string];
cpSync(firstRound('text'), join(refusing.folder, 'text.sf'));
rewrite(
  join(refusing.folder, 'damaged.sf'),
  readFileSync(join(refusing.folder, first), 'utf8').replace('"main"', '"mein"'),
);

function linesOf(ran: Ran): string[] {
  return assertDone(ran).trimEnd().split('\n');
}

function firstRound(golden: string): string {
  const folder = join(GOLDEN, golden, '_conversations', golden, 'rounds');
  return join(folder, readdirSync(folder)[0]!);
}

function reversedFiles(line: string): string {
  const header = JSON.parse(line);
  return JSON.stringify({ ...header, files: header.files.reverse() });
}

interface Refused {
  readonly lines?: readonly string[];
  readonly previous?: readonly string[];
  readonly says: RegExp;
}

const REFUSED: Readonly<Record<string, Refused>> = {
  'no line at all': {
    lines: [],
    says: /^asz: index lines: no header line; write them with asz index cat SESSION$/m,
  },
  'a header that is not JSON': { lines: ['nonsense'], says: /^asz: index lines: line 1: / },
  'an entry that is not JSON': { lines: lines.with(3, '{"seq":1,'), says: /^asz: index lines: line 4: / },
  'an entry that is no object': { lines: lines.with(3, '[]'), says: /^asz: index lines: line 4: / },
  'an entry of a wrong type': { lines: lines.with(3, '{"seq":"1"}'), says: /^asz: index lines: line 4: / },
  'another schema': {
    lines: lines.with(0, lines[0]!.replace('asz-index/1', 'asz-index/2')),
    says: /line 1: unsupported schema "asz-index\/2", want "asz-index\/1"$/m,
  },
  'a round in place of lines': {
    lines: readFileSync(firstRound('text'), 'utf8').split('\n'),
    says: /line 1: unsupported schema "sf\/1"/,
  },
  'no header': { lines: lines.slice(1), says: /line 1: unsupported schema "", want / },
  'two headers': { lines: [lines[0]!, ...lines], says: /^asz: index lines: line 2: / },
  'rows out of order': {
    lines: lines.with(2, lines[3]!).with(3, lines[2]!),
    says: /line 3: row 3 of sequence 1 stands where row 2 belongs$/m,
  },
  'a row twice': {
    lines: lines.toSpliced(2, 0, lines[2]!),
    says: /line 4: row 2 of sequence 1 stands where row 3 belongs$/m,
  },
  'a row of a file the header does not name': {
    lines: [...lines, lines.at(-1)!.replace('"seq":3', '"seq":9')],
    says: /: sequence 9 is not the next of the header's files$/m,
  },
  'sequences out of order': {
    lines: [lines[0]!, lines.at(-1)!, ...lines.slice(1, -1)],
    says: /^asz: index lines: /,
  },
  'files out of order in the header': {
    lines: lines.with(0, reversedFiles(lines[0]!)),
    says: /^asz: index lines: /,
  },
  'an unknown word': {
    lines: lines.with(2, lines[2]!.replace(/"kind":"\w+"/, '"kind":"wizard"')),
    says: /line 3: unknown kind "wizard"$/m,
  },
  'lines without one in the middle': { lines: lines.toSpliced(3, 1), says: /^asz: index lines: / },
  'lines that stop early': { lines: lines.slice(0, 5), says: /^asz: index lines: / },
  'a previous round that is not the next': {
    previous: [second],
    says: /cannot apply round 2 to a view at round 0/,
  },
  'previous rounds in another order': {
    previous: [second, first],
    says: /cannot apply round 2 to a view at round 0/,
  },
  'a previous round twice': { previous: [first, first], says: /cannot apply round 1 to a view at round 1/ },
  'a previous round of another conversation': {
    previous: ['text.sf'],
    says: /belongs to conversation "text", the chain to "replay"/,
  },
  'a damaged previous round': {
    previous: ['damaged.sf'],
    says: /^asz: damaged\.sf: sessionflow: digest mismatch: /,
  },
  'a previous round that is not there': {
    previous: ['none.sf'],
    says: /^asz: assemble: --previous none\.sf: no such file$/m,
  },
  'a landed file as previous round': {
    previous: [join('data', refusing.vector.files[0]!.path)],
    says: /\.sd: sessionflow: /,
  },
  'lines of another session': {
    lines: lines.with(0, lines[0]!.replace('"session":"replay"', '"session":"other"')),
    previous: [first],
    says: /this chain carries session "replay", not "other"$/m,
  },
  'lines that reach less far than the rounds': {
    lines: linesOf(await refusing.shell(refusing.cat(0))),
    previous: [first, second, third],
    says: /the chain covers landed sequence 3 but the index only reaches 1$/m,
  },
  'lines of other evidence': {
    lines: lines.with(0, lines[0]!.replace(/"sha256":"\w{64}"/, `"sha256":"${'0'.repeat(64)}"`)),
    previous: [first],
    says: /round 1 was built from landed files 1 to 1 as they no longer are/,
  },
};

describe('assemble refuses', { concurrency: 2 }, () => {
  for (const [name, { lines: given = lines, previous = [], says }] of Object.entries(REFUSED))
    test(name, async () => {
      const argv = [
        'assemble',
        '--conversation',
        'replay',
        ...previous.flatMap((path) => ['--previous', path]),
      ];
      assertRefused(await refusing.asz(argv, { input: given.map((line) => `${line}\n`).join('') }), says);
    });
});

test('assemble without a conversation is misuse', async () => {
  const { status, stdout, stderr } = await refusing.asz(['assemble'], { input: lines.join('\n') });
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /^asz: assemble needs --conversation ID\n/);
});

for (const [name, argv, says] of [
  ['a session that is not there', ['nobody'], /^asz: no landed records for session nobody$/m],
  ['an id that leaves the root', ['../data'], /^asz: storage: id "\.\.\/data" cannot name a directory: /],
  ['a sequence beyond the index', ['replay', '--through', '99'], /reaches sequence 3, not 99$/m],
] as const)
  test(`index cat refuses ${name}`, async () => {
    assertRefused(await refusing.asz(['index', 'cat', ...argv]), says);
  });

test('when assemble refuses at once, cat says nothing', async () => {
  const assemble = 'asz assemble --conversation other --previous none.sf';
  const { stdout, stderr } = await large.shell(`asz index cat large | ${assemble}`);
  assert.equal(stdout, '');
  assert.match(stderr, /^asz: [^\n]+none\.sf[^\n]+\n$/);
});
