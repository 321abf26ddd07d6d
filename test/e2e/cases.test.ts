/**
 * Every folder of the shared cases through the real commands: collected, parsed, verified, folded. The figures are
 * those of the table that comes with them; what the columns call "look for" is looked for here.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { listSessions } from '../../src/io/storage-root.js';
import { checkProvenance, readLanded, stateAt } from '../landing/collecting.js';
import { needsShared, REPOSITORY, sharedData } from '../shared.js';
import { assertDone, contentsOf, type Ran, Workplace } from './run-asz.js';

const CASES = join(sharedData() ?? '', 'cases');
const FIRST = '11111111-2222-4333-8444-555555555555';
const CAPITALS = 'AAAAAAAA-2222-4333-8444-555555555555';
const FORK = '33333333-2222-4333-8444-555555555555';

/** A workplace whose transcripts are a private copy. */
function aPlace(projects: string): Workplace {
  const place = new Workplace();
  cpSync(projects, place.projects, { recursive: true });
  return place;
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into lines of every shape
type Line = any;

/** The landed files of a workplace, with their records. */
function landedIn(place: Workplace) {
  return [...contentsOf(place.root, /\.sd$/).keys()].map((path) => readLanded(join(place.root, path)));
}

function recordsIn(place: Workplace): Line[] {
  return landedIn(place).flatMap(({ records }) => records.map(({ value }) => value));
}

/** Every landed line is its source's, and together they are the source up to its last newline. */
function assertNothingLost(place: Workplace): void {
  const files = landedIn(place);
  checkProvenance(place.projects, files);
  for (const src of new Set(files.map(({ header }) => header.src))) {
    const source = readFileSync(join(place.projects, src));
    const lines = files
      .filter(({ header }) => header.src === src)
      .toSorted((a, b) => a.header.seq - b.header.seq)
      .flatMap(({ records }) => records.map(({ value }) => value))
      .map(({ off, bytes }) => source.subarray(off, off + bytes).toString('latin1'));
    assert.equal(lines.join('\n'), source.subarray(0, source.lastIndexOf(0x0a)).toString('latin1'), src);
  }
}

/** The entities of a conversation. */
async function foldOf(place: Workplace, conversation = FIRST): Promise<Line[]> {
  const said = assertDone(await place.asz(['conversation', conversation, '--fold']));
  return said
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Everything below a workplace but the storage root: nothing of it may change. */
function outside(place: Workplace): Map<string, string> {
  return contentsOf(place.folder, /^(?!data\/)/);
}

interface Case {
  /** Landed files and records. */
  readonly landed: readonly [files: number, records: number];
  /** Talks, provider calls and open entries in the head round, per conversation. */
  readonly heads: Readonly<Record<string, readonly [talks: number, calls: number, open: number]>>;
  /** What the pass refused, as one error; then the exit code is 1. */
  readonly refuses?: RegExp;
  /** What the pass named as passed over. */
  readonly names?: RegExp;
  readonly look: (place: Workplace) => Promise<void> | void;
}

const PLAIN: Pick<Case, 'landed' | 'heads'> = { landed: [1, 10], heads: { [FIRST]: [2, 3, 0] } };

function unknownParts(place: Workplace): Line[] {
  return recordsIn(place).filter(({ parts }) => parts?.[0].k === 'unknown');
}

let base: Promise<string[]> | undefined;

/** The conversation says what that of `base` says; where its records stand may differ. */
async function assertLikeBase(place: Workplace): Promise<void> {
  const words = (lines: Line[]) =>
    lines.map(({ t, kind, type, state }) => [t, kind, type, state].join(' ')).sort();
  base ??= (async () => {
    const plain = aPlace(join(CASES, 'base/projects'));
    assertDone(await plain.asz(['collect', '--once']));
    return words(await foldOf(plain));
  })();
  assert.deepEqual(words(await foldOf(place)), await base);
}

const TABLE: Readonly<Record<string, Case>> = {
  base: {
    ...PLAIN,
    async look(place) {
      assert.equal(place.head(FIRST).title, 'demo');
      const tools = (await foldOf(place)).filter(({ kind }) => kind === 'tool');
      assert.deepEqual(
        tools.map(({ attrs }) => attrs.result_join),
        ['exact_unique'],
      );
    },
  },
  'blank-lines': {
    landed: [1, 21],
    heads: PLAIN.heads,
    async look(place) {
      assert.equal(recordsIn(place).filter(({ bytes }) => bytes === 0).length, 11);
      await assertLikeBase(place);
    },
  },
  bom: {
    ...PLAIN,
    look(place) {
      const [unknown, ...others] = unknownParts(place);
      assert.equal(others.length, 0);
      assert.equal(unknown.ord, 1);
      assert.equal(unknown.parts[0].text, 'the record is not valid JSON');
      assert.match(unknown.parts[0].data, /^\ufeff\{/);
    },
  },
  crlf: {
    ...PLAIN,
    async look(place) {
      const [file] = landedIn(place);
      const source = readFileSync(join(place.projects, file!.header.src));
      for (const { value } of file!.records) assert.equal(source[value.off + value.bytes - 1], 0x0d);
      await assertLikeBase(place);
    },
  },
  'deep-json-300': {
    landed: [1, 10],
    heads: { [FIRST]: [2, 3, 1] },
    look(place) {
      const [deep, ...others] = unknownParts(place);
      assert.equal(others.length, 0);
      assert.equal(deep.parts.length, 1);
      assert.equal(deep.parts[0].text, 'the record cannot be encoded');
      assert.ok(deep.id && deep.time, 'the record keeps its own fields');
    },
  },
  'drive-letter-case': {
    ...PLAIN,
    refuses: /^claudecode: C--w-demo\/\S+ and c--w-demo\/\S+ both map to \S+; refusing to interleave them$/,
    look(place) {
      assert.match(landedIn(place)[0]!.header.src, /^C--w-demo\//);
    },
  },
  empty: {
    landed: [0, 0],
    heads: {},
    look(place) {
      assert.deepEqual(readdirSync(place.root), []);
    },
  },
  'fork-copy': {
    landed: [2, 19],
    heads: { [FIRST]: [2, 3, 0], [FORK]: [2, 3, 0] },
    look(place) {
      const [one, other] = landedIn(place).map(
        ({ records }) => new Set(records.map(({ value }) => value.id).filter(Boolean)),
      );
      assert.ok(
        [...one!].some((id) => other!.has(id)),
        'they share records',
      );
    },
  },
  'hostile-ids': {
    landed: [2, 20],
    heads: { [FIRST]: [2, 3, 2], [CAPITALS]: [2, 3, 0] },
    names: /: 1 file\(s\) look like .*agent-\.\.%2f\.\.%2fevil\.jsonl$/,
    async look(place) {
      assert.deepEqual(listSessions(place.root), [FIRST, CAPITALS]);
      const open = (await foldOf(place)).filter(({ state }) => state === 'open');
      assert.equal(open.length, 2);
    },
  },
  'no-final-newline': {
    landed: [1, 9],
    heads: { [FIRST]: [2, 2, 0] },
    async look(place) {
      const cursor = stateAt(join(place.root, FIRST, 'streams/main/transcript.cursor'));
      const source = readFileSync(join(place.projects, cursor.source!));
      assert.equal(Number(cursor.offset), source.lastIndexOf(0x0a) + 1);
    },
  },
  'notified-twice': {
    landed: [1, 9],
    heads: { [FIRST]: [1, 2, 2] },
    async look(place) {
      const kinds = (await foldOf(place)).filter(({ t }) => t === 'unresolved').map(({ kind }) => kind);
      assert.equal(kinds.length, 2);
      assert.equal(new Set(kinds).size, 2, 'one entry of each kind');
    },
  },
  'old-2.1.37-style': {
    landed: [1, 10],
    heads: { [FIRST]: [0, 3, 0] },
    names:
      /: 2 file\(s\) look like .*agent-a2898e3\.jsonl.*agent-afc096d\.jsonl|: 2 file\(s\) look like .*agent-afc096d\.jsonl.*agent-a2898e3\.jsonl/,
    async look(place) {
      const kinds = new Set((await foldOf(place)).map(({ kind }) => kind));
      assert.ok(!kinds.has('run') && !kinds.has('talk'));
    },
  },
  'raw-number-spelling': {
    ...PLAIN,
    look(place) {
      const [text] = contentsOf(place.root, /\.sd$/).values();
      for (const spelled of [/[:[,]1\.0[,}\]]/, /[:[,]1e3[,}\]]/, /[:[,]\d{20,}[,}\]]/])
        assert.match(text!, spelled);
    },
  },
  'surrogate-and-bad-utf8': {
    ...PLAIN,
    async look(place) {
      const encoded = recordsIn(place).filter(({ parts }) => parts.at(-1).encoding === 'base64');
      assert.ok(encoded.length > 0);
      for (const { id, parts } of encoded) {
        assert.ok(id);
        assert.equal(parts.at(-1).text, 'the record is not valid UTF-8');
      }
      await assertLikeBase(place);
    },
  },
  'time-disorder': {
    ...PLAIN,
    look(place) {
      assert.equal(place.head(FIRST).segments, 1);
    },
  },
  'unknown-types': {
    landed: [1, 18],
    heads: PLAIN.heads,
    look(place) {
      const [file] = landedIn(place);
      const source = readFileSync(join(place.projects, file!.header.src), 'utf8').trimEnd().split('\n');
      for (const [i, { value }] of file!.records.entries()) {
        const [part] = value.parts;
        if (i >= 10)
          assert.deepEqual(part.k === 'unknown' ? part.data : JSON.stringify(part.data), source[i], 'whole');
      }
    },
  },
};

describe('cases', { concurrency: 2, ...needsShared }, () => {
  for (const [name, expected] of Object.entries(TABLE)) test(name, () => assertCase(name, expected));
});

async function assertCase(name: string, expected: Case): Promise<void> {
  const place = aPlace(join(CASES, name, 'projects'));
  const before = outside(place);
  assertPass(await place.asz(['collect', '--once']), expected);
  assert.deepEqual(outside(place), before, 'nothing outside the root is written');
  assert.deepEqual([landedIn(place).length, recordsIn(place).length], expected.landed);
  const heads = listSessions(place.root).map((session) => {
    const { talks, llm_calls, unresolved } = place.head(session);
    return [session, [talks, llm_calls, unresolved]];
  });
  assert.deepEqual(Object.fromEntries(heads), expected.heads);
  assertNothingLost(place);
  const verified = assertDone(await place.asz(['verify']));
  assert.match(verified, /^all landed data is contiguous and matches its digests$/m);
  await expected.look(place);
}

function assertPass({ status, stdout, stderr }: Ran, { landed, heads, refuses, names }: Case): void {
  const said = stderr.split('\n').slice(0, -1);
  if (names !== undefined) assert.match(said.shift()!, names);
  if (refuses !== undefined) {
    assert.match(said[0]!.replace(/^ {2}error: /, ''), refuses);
    const errors = said.filter((line) => line.startsWith('  error: ')).map((line) => line.slice(9));
    assert.equal(said.slice(errors.length).join('\n'), `asz: ${errors.join('\n')}`);
  } else assert.deepEqual(said, []);
  assert.equal(status, refuses === undefined ? 0 : 1);
  const rounds = Object.keys(heads).length;
  assert.match(stdout, new RegExp(` landed=${landed[0]} records=${landed[1]} rounds=${rounds} \\(`));
}

test('the case pruned: the main transcript vanishes between two passes', needsShared, async () => {
  const place = aPlace(join(CASES, 'pruned/step1/projects'));
  assertDone(await place.asz(['collect', '--once']));
  assert.equal(landedIn(place).length, 2);
  assertNothingLost(place);
  const evidence = contentsOf(place.root, /\.s[df]$/);
  rmSync(place.projects, { recursive: true });
  cpSync(join(CASES, 'pruned/step2/projects'), place.projects, { recursive: true });
  assert.match(assertDone(await place.asz(['collect', '--once'])), / landed=0 records=0 rounds=0 /);
  assert.deepEqual(contentsOf(place.root, /\.s[df]$/), evidence);
  const cursor = join(place.root, FIRST, 'streams/main/transcript.cursor');
  assert.equal(stateAt(cursor).state, 'source_gone');
  assertDone(await place.asz(['verify']));
});

test('every folder of the cases is held here', needsShared, () => {
  const folders = readdirSync(CASES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(folders.map(({ name }) => name).sort(), [...Object.keys(TABLE), 'pruned'].sort());
});

test('the bundled samples: everything lands, nothing is open, nothing else is written', async () => {
  const place = aPlace(join(REPOSITORY, 'samples/projects'));
  const before = outside(place);
  assertDone(await place.asz(['collect', '--once']));
  assert.deepEqual(outside(place), before);
  const files = landedIn(place).filter(({ header }) => ['transcript', 'journal'].includes(header.kind));
  assert.ok(checkProvenance(place.projects, files) > 50);
  for (const session of listSessions(place.root)) {
    assert.equal(place.head(session).unresolved, 0);
    assert.ok(existsSync(join(place.root, session)));
  }
  assert.match(assertDone(await place.asz(['verify'])), /^all landed data is contiguous/m);
});
