/**
 * Every rule by which the founding documents reject a round, a chain or a landed file: one fixture that breaks that
 * rule and no other, and the rule's own words. Digests are made again, so that no digest speaks first.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { writeClosing } from '../../src/format/session-data.js';
import { commitLine } from '../../src/format/session-flow.js';
import { listLandedFiles, sessionFolder } from '../../src/io/storage-root.js';
import { FINDINGS, type Finding, type FindingId } from '../../src/rounds/finding.js';
import { foldChain, foldChainStrictly } from '../../src/rounds/read-chain.js';
import { readRounds, verifyChain } from '../../src/rounds/verify-chain.js';
import { verifyLanded } from '../../src/rounds/verify-landed.js';
import { aSession } from '../builders.js';
import { temporaryFolder } from '../shared.js';

const whole = temporaryFolder();
{
  const told = aSession({ root: whole });
  told.main.input('begin').tool('t1', 'Agent', {}).launched('t1', 'c');
  told.land();
  await told.parse();
  told.stream('c').input('help').says('helped').sidecarOf('t1');
  told.land();
  await told.parse();
  told.main.tool('open', 'Bash').input('more');
  told.land();
  await told.parse();
}
/** As it landed, without a chain that would tell of other bytes. */
const unbound = temporaryFolder();
cpSync(join(whole, 's1'), join(unbound, 's1'), { recursive: true });

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A line of a round as its members, whatever a test makes of them. */
// biome-ignore lint/suspicious/noExplicitAny: a test breaks frames in every way
type Line = any;

/** The third round with other lines between its beginning and its commit, whose digest and counts are right. */
function withLines(change: (lines: Line[]) => readonly (Line | string)[]): (root: string) => void {
  return (root) => {
    const path = roundPath(root, 3);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n').slice(0, -1);
    const changed = change(lines.map((line) => JSON.parse(line)));
    const texts = changed.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    const body = texts.map((text) => `${text}\n`).join('');
    const count = (t: string) => texts.filter((text) => text.startsWith(`{"t":"${t}"`)).length;
    const counts = { nodes: count('node'), relations: count('relation'), unresolved: count('unresolved') };
    const digest = sha256(body);
    rmSync(path);
    const name = basename(path).replace(/-\w{12}\./, `-${digest.slice(0, 12)}.`);
    writeFileSync(join(dirname(path), name), `${body}${commitLine(digest, counts)}\n`);
  };
}

const header = (more: Line) => withLines(([first, ...rest]) => [{ ...first, ...more }, ...rest]);

/** Changes the first frame of a type. */
const frame = (t: string, more: Line | ((line: Line) => Line)) =>
  withLines((lines) => {
    const at = lines.findIndex((line) => line.t === t);
    assert.ok(at > 0, `round 3 has a ${t}`);
    return lines.with(at, typeof more === 'function' ? more(lines[at]) : { ...lines[at], ...more });
  });

const edit = (change: (text: string) => string) => (root: string) => {
  const path = roundPath(root, 3);
  const before = readFileSync(path, 'utf8');
  rmSync(path);
  writeFileSync(path, change(before));
  assert.notEqual(change(before), before);
};

function roundPath(root: string, round: number): string {
  const folder = join(root, '_conversations/s1/rounds');
  return join(folder, readdirSync(folder).sort()[round - 1]!);
}

const REVISED = { t: 'node', id: 'x/1', revision: 3, kind: 'tool', ref: { seq: 1, row: 1 } };

type Rule = readonly [name: string, damage: (root: string) => void, id: FindingId, words: RegExp];

/** The list of the founding document on rounds, in its order (seeds, "Reading it"). */
const ROUNDS: readonly Rule[] = [
  [
    'the first line is not a header',
    withLines(([first, ...rest]) => [REVISED, first, ...rest]),
    'round-frames',
    /first frame is "node", not a header$/,
  ],
  [
    'a second header appears',
    withLines((lines) => [...lines, lines[0]]),
    'round-frames',
    /line \d+: a second header$/,
  ],
  [
    'a line follows the commit',
    edit((text) => `${text}${JSON.stringify(REVISED)}\n`),
    'round-frames',
    /line \d+: content after the commit frame$/,
  ],
  [
    'a line does not decode',
    withLines((lines) => [...lines, '{"t":"node",']),
    'round-unread',
    /line \d+: undecodable frame: /,
  ],
  [
    'a member has another type',
    frame('node', { kind: 7 }),
    'round-unread',
    /undecodable frame: kind is the number 7, not a string$/,
  ],
  [
    'a frame type is unknown',
    withLines((lines) => [...lines, { t: 'edge', id: 'x' }]),
    'round-frames',
    /line \d+: unknown frame type "edge"$/,
  ],
  [
    'the schema is not sf/1',
    header({ schema: 'sf/2' }),
    'round-header',
    /unsupported schema "sf\/2", want "sf\/1"$/,
  ],
  ['no conversation', header({ conversation: '' }), 'round-header', /header missing conversation$/],
  ['no session', header({ session: '' }), 'round-header', /header missing session$/],
  ['no parser', header({ parser: '' }), 'round-header', /header missing parser version$/],
  ['no policy', header({ policy: '' }), 'round-header', /header missing policy version$/],
  ['no input digest', header({ input_digest: '' }), 'round-header', /header missing input digest$/],
  ['round 0', header({ round: 0 }), 'round-header', /round must count from 1$/],
  [
    'no previous after round 1',
    header({ previous: '' }),
    'round-header',
    /round 3 has no previous digest; the chain would be unverifiable$/,
  ],
  ['a previous in round 1', header({ round: 1 }), 'round-header', /round 1 must not name a previous digest$/],
  [
    'from_seq 0',
    header({ from_seq: 0 }),
    'round-header',
    /landed sequences count from 1, so from_seq must not be 0$/,
  ],
  [
    'through_seq below from_seq minus one',
    header({ through_seq: 2 }),
    'round-header',
    /round 3 consumes sequences 4\.\.2, which is not a range$/,
  ],
  ['an entity has no id', frame('node', { id: '' }), 'round-entity', /line \d+: node frame has no id$/],
  ['a relation has no id', frame('relation', { id: '' }), 'round-entity', /relation frame has no id$/],
  [
    'an unresolved entry has no id',
    frame('unresolved', { id: '' }),
    'round-entity',
    /unresolved frame has no id$/,
  ],
  [
    'an id appears twice',
    withLines((lines) => [...lines, lines[1]]),
    'round-entity',
    /id "\S+" appears twice in one round \(as node and node\)$/,
  ],
  [
    'an id appears in two groups',
    withLines((lines) => [
      ...lines,
      { t: 'unresolved', id: lines[1].id, revision: 3, kind: 'k', state: 'open' },
    ]),
    'round-entity',
    /appears twice in one round \(as node and unresolved\)$/,
  ],
  ['a revision is not the round', frame('node', { revision: 2 }), 'round-entity', /revision 2 in round 3$/],
  [
    'a reference is sequence 0 row 0',
    frame('node', { ref: { seq: 0, row: 0 } }),
    'round-reference',
    /a reference to seq 0 row 0 is not a position$/,
  ],
  [
    'a reference among several is none',
    frame('node', { refs: [{ seq: 1, row: 1 }, {}] }),
    'round-reference',
    /a reference to seq 0 row 0 is not a position$/,
  ],
  [
    'a reference is past through_seq',
    frame('node', { ref: { seq: 99, row: 1 } }),
    'round-reference',
    /reference to landed sequence 99, past the round's declared 4$/,
  ],
  [
    'evidence is past through_seq',
    frame('relation', { evidence: [{ seq: 99, row: 1 }] }),
    'round-reference',
    /reference to landed sequence 99, past/,
  ],
  [
    'a relation lacks its type',
    frame('relation', { type: '' }),
    'round-entity',
    /relation "\S+" is missing an endpoint or a type$/,
  ],
  [
    'a relation lacks from',
    frame('relation', { from: '' }),
    'round-entity',
    /is missing an endpoint or a type$/,
  ],
  ['a relation lacks to', frame('relation', { to: '' }), 'round-entity', /is missing an endpoint or a type$/],
  [
    'an unresolved entry has another state',
    frame('unresolved', { state: 'gone' }),
    'round-entity',
    /unresolved entry "\S+" has state "gone"$/,
  ],
  [
    'the commit is missing',
    edit((text) => text.replace(/\{"t":"commit".*\n/, '')),
    'round-cut',
    /round has no commit frame; it is truncated$/,
  ],
  ['there is no line at all', edit(() => '\n'), 'round-frames', /round has no header$/],
  [
    'the file is empty',
    edit(() => ''),
    'round-empty',
    /it is empty: a publication under way, or what is left of a round$/,
  ],
  [
    'the digest does not match',
    edit((text) => text.replace('"more"', '"mere"').replace(/("digest":")./, '$1x')),
    'round-digest',
    /digest mismatch: computed \w{12}, round claims x\w{11}$/,
  ],
  [
    'the counts do not match',
    edit((text) => text.replace(/("nodes":)(\d+)/, (_, key, n) => `${key}${Number(n) + 1}`)),
    'round-counts',
    /counts mismatch: read \{Nodes:\d+ Relations:\d+ Unresolved:\d+\}, round claims \{/,
  ],
  // ---- what verify holds every round to ----
  [
    'a round is missing before it',
    (root) => rmSync(roundPath(root, 2)),
    'round-missing',
    /^round 2 is missing before round 3$/,
  ],
  [
    'its previous is not the digest before',
    header({ previous: 'f'.repeat(64) }),
    'round-previous',
    /^round 3 names previous ffffffffffff, the round before is \w{12}$/,
  ],
  [
    'its from_seq does not follow',
    header({ from_seq: 5, through_seq: 4 }),
    'round-range',
    /^round 3 starts at seq 5, the round before ended at 3$/,
  ],
  [
    'a sequence it consumed is gone',
    (root) => rmSync(landedPath(root, 4)),
    'input-missing',
    /^round 3: landed file seq 4 is missing$/,
  ],
  [
    'its input digest is another',
    header({ input_digest: '0'.repeat(64) }),
    'input-digest',
    /^round 3: the input digest does not match the landed files$/,
  ],
  // ---- and the fold ----
  [
    'it is of another conversation',
    header({ conversation: 's2' }),
    'round-conversation',
    /^round 3 belongs to conversation "s2", the chain to "s1"$/,
  ],
  [
    'it carries another session',
    header({ session: 's2' }),
    'round-session',
    /^round 3 carries session "s2", the chain "s1"$/,
  ],
  [
    'it was produced by another parser',
    header({ parser: 'v2' }),
    'round-parser',
    /^round 3 was produced by parser "v2", the chain by "v1"$/,
  ],
  [
    'it was produced under another policy',
    header({ policy: 'v1+idle=5m0s' }),
    'round-policy',
    /^round 3 was produced under policy "v1\+idle=5m0s", the chain under "v1\+idle=10m0s"$/,
  ],
  // ---- ours ----
  [
    'its name says another digest',
    (root) => renameSync(roundPath(root, 3), roundPath(root, 3).replace(/-\w{12}\./, '-000000000000.')),
    'round-name',
    /its digest is \w{12}$/,
  ],
  [
    'a round stands twice',
    (root) => cpSync(roundPath(root, 1), roundPath(root, 1).replace(/-\w{12}\./, '-ffffffffffff.')),
    'round-twice',
    /^round 1 stands after round 1$/,
  ],
  [
    'white space stands behind a line',
    edit((text) => text.replace(/\n$/, ' \n')),
    'round-spelling',
    /line \d+ is not in canonical form$/,
  ],
  [
    'a key of the commit that nobody knows',
    edit((text) => text.replace('{"t":"commit",', '{"t":"commit","x":1,')),
    'round-spelling',
    /line \d+ is not in canonical form$/,
  ],
  [
    'a key of the header that nobody knows',
    header({ more: 1 }),
    'round-spelling',
    /line 1 is not in canonical form$/,
  ],
  [
    'a frame with white space',
    withLines(([first, second, ...rest]) => [first, JSON.stringify(second).replace(',', ', '), ...rest]),
    'round-spelling',
    /line 2 is not in canonical form$/,
  ],
  [
    'a frame with an escape that nobody writes',
    withLines(([first, second, ...rest]) => [
      first,
      JSON.stringify(second).replace('"kind":"', '"kind":"\\u0061'),
      ...rest,
    ]),
    'round-spelling',
    /line 2 is not in canonical form$/,
  ],
  [
    'a frame with a member given twice',
    withLines(([first, second, ...rest]) => [
      first,
      JSON.stringify(second).replace('"id"', '"id":"x","id"'),
      ...rest,
    ]),
    'round-spelling',
    /line 2 is not in canonical form$/,
  ],
  [
    'two frames in another order',
    withLines(([first, second, third, ...rest]) => [first, third, second, ...rest]),
    'round-spelling',
    /line 3 is not in canonical form$/,
  ],
  [
    'a session that cannot name a directory',
    (root) => header({ session: '..' })(root),
    'round-session',
    /session "\.\." cannot name a directory$/,
  ],
];

/** What follows from a damage beside its own finding: a round that does not read counts as missing to no other here. */
const FOLLOWS: Readonly<Partial<Record<string, readonly FindingId[]>>> = {
  'a round is missing before it': ['round-range'],
  'a sequence it consumed is gone': ['ord-gap', 'byte-gap', 'end-gap'],
  'a round stands twice': ['round-name', 'round-range'],
  'a session that cannot name a directory': ['round-session'],
  'its from_seq does not follow': ['input-digest'],
};

function findingsIn(root: string): Finding[] {
  const landed = verifyLanded(root, 's1');
  const chain = verifyChain(root, 's1', (session) => (session === 's1' ? landed.digests : undefined));
  return [...landed.problems, ...chain.problems];
}

function assertFound(root: string, [name, , id, words]: Rule): Finding {
  const found = findingsIn(root);
  const own = found.filter((finding) => finding.id === id && words.test(finding.words));
  assert.equal(own.length, 1, JSON.stringify(found, null, 1));
  const others = found.filter((finding) => finding !== own[0]).map((finding) => finding.id);
  assert.deepEqual(
    others.filter((other) => !FOLLOWS[name]?.includes(other)),
    [],
    'nothing else is broken',
  );
  return own[0]!;
}

describe('a round or chain', () => {
  for (const rule of ROUNDS)
    test(`${rule[0]}: ${rule[2]}`, () => {
      const root = join(temporaryFolder(), 'r');
      cpSync(whole, root, { recursive: true });
      rule[1](root);
      const { file } = assertFound(root, rule);
      assert.match(file, /^(_conversations\/s1\/rounds|s1)/);
      if (!/^(round-(unread|frames|header|entity|reference|cut|digest|counts))$/.test(rule[2])) return;
      // Nobody folds what does not read, and says why in the same words.
      for (const fold of [foldChain, foldChainStrictly])
        assert.throws(() => fold(root, 's1'), {
          code: 'FORMAT',
          message: rule[2] === 'round-empty' ? /./ : rule[3],
        });
    });
});

// ---- landed files ----

function landedPath(root: string, seq: number): string {
  return listLandedFiles(sessionFolder(root, 's1')).find((file) => file.seq === seq)!.path;
}

/** The first landed file with other lines; its closing line is right. */
function relanded(change: (lines: string[]) => readonly string[]): (root: string) => void {
  return rewritten((text) => {
    const lines = change(text.trimEnd().split('\n').slice(0, -1));
    const body = lines.map((line) => `${line}\n`).join('');
    return `${body}${writeClosing(lines.length - 1, sha256(body))}\n`;
  });
}

function rewritten(change: (text: string) => string): (root: string) => void {
  return (root) => {
    const path = landedPath(root, 1);
    const before = readFileSync(path, 'utf8');
    assert.notEqual(change(before), before);
    rmSync(path);
    writeFileSync(path, change(before));
  };
}

const first = (change: (line: string) => string) => relanded(([line, ...rest]) => [change(line!), ...rest]);
const row = (change: (line: string) => string) =>
  relanded(([head, line, ...rest]) => [head!, change(line!), ...rest]);

/** The rules of reading (dialect spec 1.12) and of verification (1.13). */
const LANDED: readonly Rule[] = [
  ['there is no line', rewritten(() => ''), 'landed-unread', /sessiondata: read header: the file is empty$/],
  ['the header is no JSON', first(() => '{'), 'landed-unread', /sessiondata: decode header: /],
  [
    'another envelope',
    first((line) => line.replace('"h":1', '"h":2')),
    'landed-unread',
    /unsupported envelope version 2$/,
  ],
  [
    'another schema',
    first((line) => line.replace('sd/1', 'sd/2')),
    'landed-unread',
    /unsupported schema "sd\/2", want "sd\/1"$/,
  ],
  ...(['kind', 'session', 'src', 'dialect'] as const).map(
    (key): Rule => [
      `no ${key}`,
      first((line) => line.replace(new RegExp(`"${key}":"[^"]*"`), `"${key}":""`)),
      'landed-unread',
      new RegExp(`header missing ${key}$`),
    ],
  ),
  ['a record is no JSON', row(() => '{'), 'landed-unread', /row 1: sessiondata: decode record: /],
  [
    'a record has a member of another type',
    row((line) => line.replace('"ord":1', '"ord":-1')),
    'landed-unread',
    /ord is the number -1, not a whole number from 0$/,
  ],
  [
    'the closing line is no JSON',
    rewritten((text) => text.replace('{"t":"end",', '{"t":"end,')),
    'landed-unread',
    /sessiondata: decode closing line: /,
  ],
  [
    'the digest is another',
    rewritten((text) => text.replace('begin', 'begun')),
    'landed-digest',
    /digest mismatch, computed \w{12} and the file claims \w{12}$/,
  ],
  [
    'the count is another',
    rewritten((text) => text.replace(/("records":)\d+/, '$17')),
    'landed-count',
    /holds \d records, the file claims 7$/,
  ],
  [
    'there is no closing line',
    rewritten((text) => text.replace(/\{"t":"end".*\n/, '')),
    'landed-cut',
    /has no closing line; it is incomplete$/,
  ],
  ['it goes on', rewritten((text) => `${text}{}\n`), 'landed-behind', /goes on after its closing line$/],
  [
    'a line is missing',
    relanded(([head, a, , ...rest]) => [head!, a!, ...rest]),
    'ord-gap',
    /^ord gap {2}\S+ row 2: expected 2, got 3$/,
  ],
  [
    'bytes are missing',
    row((line) => line.replace(/"bytes":\d+/, '"bytes":5')),
    'byte-gap',
    /^byte gap \S+ row 2: expected 6, got \d+$/,
  ],
  [
    'the cursor has read on',
    (root) =>
      writeFileSync(
        join(root, 's1/streams/main/transcript.cursor'),
        'schema 1\nkind append\nsource x\noffset 9000\nord 40\nlast_seq 1\nstate active\n',
      ),
    'end-gap',
    /^end gap {2}streams\/main\/transcript\.cursor: read to line 40 and byte 9000, the landed/,
  ],
  [
    'the cursor is damaged',
    (root) => writeFileSync(join(root, 's1/streams/main/transcript.cursor'), 'ord 40\n'),
    'cursor-damaged',
    /^cursor {3}streams\/main\/transcript\.cursor: it is damaged; the next collect derives it/,
  ],
  [
    'it says it belongs elsewhere',
    first((line) => line.replace('"stream":"main"', '"stream":"c"')),
    'landed-place',
    /it belongs to stream "c"$/,
  ],
  [
    'two files have one sequence',
    (root) => cpSync(landedPath(root, 1), landedPath(root, 1).replace('transcript-2026', 'transcript-2027')),
    'landed-listing',
    /carry the same sequence 1$/,
  ],
  [
    'the header is spelled otherwise',
    first((line) => line.replace('"h":1', '"h": 1')),
    'landed-spelling',
    /the header is not in canonical form$/,
  ],
  [
    'a record is spelled otherwise',
    row((line) => line.replace('"ord":1', '"ord": 1')),
    'landed-spelling',
    /row 1 is not in canonical form$/,
  ],
  [
    'a record has a key that nobody knows',
    row((line) => line.replace('"id"', '"more":1,"id"')),
    'landed-spelling',
    /row 1 is not in canonical form$/,
  ],
  [
    'a record has its keys in another order',
    row((line) => line.replace(/("ord":1),("off":0)/, '$2,$1')),
    'landed-spelling',
    /row 1 is not in canonical form$/,
  ],
  [
    'a record has a member twice',
    row((line) => line.replace('"ord":1', '"ord":1,"ord":1')),
    'landed-spelling',
    /row 1 is not in canonical form$/,
  ],
  [
    'a record has an escape that nobody writes',
    row((line) => line.replace('begin', '\\u0062egin')),
    'landed-spelling',
    /row 1 is not in canonical form$/,
  ],
  [
    'the closing line is spelled otherwise',
    rewritten((text) => text.trimEnd()),
    'landed-spelling',
    /the closing line is not in canonical form$/,
  ],
];

const LANDED_FOLLOWS: readonly FindingId[] = ['ord-gap', 'byte-gap', 'end-gap'];

describe('a landed file', () => {
  for (const rule of LANDED)
    test(`${rule[0]}: ${rule[2]}`, () => {
      const root = join(temporaryFolder(), 'r');
      cpSync(unbound, root, { recursive: true });
      rule[1](root);
      const found = findingsIn(root);
      const own = found.filter(({ id, words }) => id === rule[2] && rule[3].test(words));
      assert.equal(own.length, 1, JSON.stringify(found, null, 1));
      // What a file that does not read leaves out is missing to those behind it.
      const others = found.filter((finding) => finding !== own[0]).map(({ id }) => id);
      assert.deepEqual(
        others.filter((id) => !LANDED_FOLLOWS.includes(id)),
        [],
      );
    });
});

test('every kind of finding has its fixture', () => {
  const shown = new Set([...ROUNDS, ...LANDED].map(([, , id]) => id));
  const elsewhere: readonly FindingId[] = ['name-twin', 'chain-listing', 'round-unread'];
  for (const id of Object.keys(FINDINGS) as FindingId[])
    assert.ok(shown.has(id) || elsewhere.includes(id), `${id} is shown by no fixture`);
});

test('the whole root breaks no rule', () => {
  assert.deepEqual(findingsIn(whole), []);
  assert.deepEqual(findingsIn(unbound), []);
  assert.equal(readRounds(whole, 's1').length, 3);
});
