/** Documents of broken chains: gaps are content, and the lines are those of `asz verify`. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { listRounds } from '../../src/io/chain-directory.js';
import { listLandedFiles, roundsFolder, sessionFolder } from '../../src/io/storage-root.js';
import { verifyChain } from '../../src/rounds/verify-chain.js';
import { verifyLanded } from '../../src/rounds/verify-landed.js';
import { aSession } from '../builders.js';
import { remakeRound, rewrite } from '../e2e/run-asz.js';
import { temporaryFolder } from '../shared.js';
import { viewed } from './viewing.js';

let whole: string;

before(async () => {
  const session = aSession();
  for (let round = 1; round <= 4; round++) {
    session.main.input(`question ${round}`).says(`answer ${round}`);
    session.land();
    await session.parse();
  }
  whole = session.root;
});

const ROUNDS = 4;

/** A copy of the whole chain, and the paths of its rounds and landed files from 1 on. */
function aCopy(): { root: string; round: (n: number) => string; landed: (n: number) => string } {
  const root = temporaryFolder();
  cpSync(whole, root, { recursive: true });
  return {
    root,
    round: (n) => listRounds(roundsFolder(root, 's1')).find(({ round }) => round === n)!.path,
    landed: (n) => listLandedFiles(sessionFolder(root, 's1'))[n - 1]!.path,
  };
}

/** What the document says, after its lines were held against those of `asz verify`. `stopped`: the fold's own. */
function said(root: string, stopped = '', conversation = 's1') {
  const document = viewed(root, conversation);
  const { problems, state } = document.summary;
  const found = verifyChain(root, conversation, (session) => verifyLanded(root, session).digests);
  const lines = found.problems.map(({ words }) => words);
  assert.deepEqual(problems, stopped === '' ? lines : [stopped, ...lines]);
  const verified = document.rounds.map(({ round, verified }: { round: number; verified: boolean }) =>
    verified ? round : -round,
  );
  return { state, problems, verified, head: document.head.round, talks: document.summary.talks, document };
}

test('a whole chain', () => {
  const { state, problems, verified, head, talks } = said(whole);
  assert.deepEqual([state, problems, verified, head, talks], ['verified', [], [1, 2, 3, 4], ROUNDS, 4]);
});

test('round 2 of 4 is missing: the fold stops, the rounds behind are held against each other', () => {
  const { root, round } = aCopy();
  rmSync(round(2));
  const { state, verified, head, talks, problems } = said(
    root,
    'round 2 is missing; the chain stops at round 1',
  );
  assert.deepEqual([state, verified, head, talks], ['incomplete', [1, -3, 4], 1, 1]);
  assert.deepEqual(problems.slice(1), [
    'round 2 is missing before round 3',
    'round 3 starts at seq 3, the round before ended at 1',
  ]);
});

test('round 2 is damaged: it is in no list', () => {
  const { root, round } = aCopy();
  rewrite(round(2), readFileSync(round(2), 'utf8').replace('question', 'Question'));
  rewrite(round(2), `${readFileSync(round(2), 'utf8')}x`);
  const why = verifyChain(root, 's1', () => undefined).problems[0]!.words.replace(
    /^round 2: r000002-\w+\.sf: /,
    '',
  );
  const { state, verified, head, document } = said(root, `round 2 does not read: ${why}`);
  assert.deepEqual([state, verified, head, document.summary.rounds], ['mismatch', [1, -3, 4], 1, 3]);
  assert.equal(document.files.filter(({ format }: { format: string }) => format === 'sf').length, 3);
});

test('round 2 names another round before it', () => {
  const { root, round } = aCopy();
  remakeRound(round(2), (text) => text.replace(/"previous":"[0-9a-f]{4}/, '"previous":"0000'));
  const { state, verified, head, problems } = said(root, viewed(root, 's1').summary.problems[0]);
  assert.match(problems[0]!, /^round 2 does not fold: .* names previous /);
  assert.deepEqual([state, verified, head], ['mismatch', [1, -2, -3, 4], 1]);
});

test('a landed file is missing', () => {
  const { root, landed } = aCopy();
  rmSync(landed(2));
  const { state, verified, head, problems } = said(root);
  assert.deepEqual(
    [state, verified, head, problems],
    ['incomplete', [1, -2, 3, 4], ROUNDS, ['round 2: landed file seq 2 is missing']],
  );
});

test('a landed file was changed; its words are shown, and the round does not vouch for them', () => {
  const { root, landed } = aCopy();
  rewrite(landed(2), readFileSync(landed(2), 'utf8').replace('answer 2', 'answer x'));
  const { state, verified, problems, document } = said(root);
  assert.deepEqual(
    [state, verified, problems],
    ['mismatch', [1, -2, 3, 4], ['round 2: the input digest does not match the landed files']],
  );
  assert.equal(document.talks[1].reply, 'answer x');
});

test('a landed file ends in the middle: what decodes is shown, and its size and lines are those it has', () => {
  const { root, landed } = aCopy();
  const bytes = readFileSync(landed(2));
  rewrite(landed(2), bytes.subarray(0, bytes.indexOf('\n', bytes.indexOf('question 2')) + 40));
  const { state, document } = said(root);
  assert.deepEqual(
    [state, document.talks[1].label, document.talks[1].reply],
    ['mismatch', 'question 2', undefined],
  );
  const { bytes: size, lines } = document.files[1];
  assert.deepEqual([size, lines], [readFileSync(landed(2)).length, 2]);
});

test('a landed file without a header has no kind, and gives nothing', () => {
  const { root, landed } = aCopy();
  rewrite(landed(2), 'no header\n');
  const { state, document } = said(root);
  assert.deepEqual(
    [state, document.files[1].kind, document.files[1].lines, document.talks.at(-1).at],
    ['mismatch', '', 1, 0],
  );
});

test('a link in the place of a landed file is none', () => {
  const { root, landed } = aCopy();
  const path = landed(2);
  renameSync(path, join(root, 'elsewhere.sd'));
  symlinkSync(join(root, 'elsewhere.sd'), path);
  assert.equal(said(root).problems[0], 'round 2: landed file seq 2 is missing');
});

for (const [what, from, to] of [
  ['policy', '"policy":"v1', '"policy":"v9'],
  ['parser', '"parser":"v1"', '"parser":"v9"'],
  ['session', '"session":"s1"', '"session":"s9"'],
  ['conversation', '"conversation":"s1"', '"conversation":"s9"'],
] as const)
  test(`a round of another ${what}`, () => {
    const { root, round } = aCopy();
    remakeRound(round(4), (text) => text.replace(from, to));
    const { state, head, problems, verified } = said(root, viewed(root, 's1').summary.problems[0]);
    assert.match(problems[0]!, /^round 4 does not fold: /);
    assert.deepEqual([state, head, verified], ['mismatch', 3, [1, 2, 3, -4]]);
  });

test('a whole chain of another conversation is shown, and does not match', () => {
  const { root } = aCopy();
  renameSync(dirname(roundsFolder(root, 's1')), dirname(roundsFolder(root, 's2')));
  const { state, head, document } = said(root, '', 's2');
  assert.deepEqual(
    [state, head, document.conversation, document.sessions],
    ['mismatch', ROUNDS, 's2', ['s1']],
  );
});

test('two files of one round', () => {
  const { root, round } = aCopy();
  cpSync(round(3), round(3).replace(/-[0-9a-f]{12}/, '-ffffffffffff'));
  const { state, head } = said(root, viewed(root, 's1').summary.problems[0]);
  assert.deepEqual([state, head], ['mismatch', 3]);
});

for (const [what, make, words] of [
  ['an empty file', (path: string) => writeFileSync(path, ''), /: it is empty: /],
  ['a link', (path: string) => symlinkSync('r000001', path), /: it is not a regular file/],
] as const)
  test(`${what} under the name of a round is passed over, and does not match`, () => {
    const { root, round } = aCopy();
    make(join(dirname(round(4)), 'r000005-0123456789ab.sf'));
    const { state, head, verified, problems } = said(root);
    assert.deepEqual([state, head, verified, problems.length], ['mismatch', ROUNDS, [1, 2, 3, 4], 1]);
    assert.match(problems[0]!, words);
  });

test('a round spelled as no writer spells it is shown, and does not match', () => {
  const { root, round } = aCopy();
  remakeRound(round(4), (text) => text.replace('"attrs":{', '"attrs":{"a":1.0,'));
  const { state, head, verified, problems } = said(root);
  assert.deepEqual([state, head, verified, problems.length], ['mismatch', ROUNDS, [1, 2, 3, -4], 1]);
  assert.match(problems[0]!, /: line \d+ is not in canonical form$/);
});

test('only an unusable chain is an error', () => {
  const { root, round } = aCopy();
  assert.throws(() => viewed(root, 'nobody'), {
    code: 'CHAIN',
    message: 'view: no rounds for nobody; run asz parse',
  });
  truncateSync(writable(round(1)), 100);
  assert.throws(() => viewed(root, 's1'), { code: 'CHAIN', message: /^view: s1: round 1 does not read: / });
  rmSync(round(1));
  assert.throws(() => viewed(root, 's1'), {
    code: 'CHAIN',
    message: 'view: s1: round 1 is missing; the chain stops at round 0',
  });
});

test('a half-written newest round, then the whole of it', () => {
  const { root, round } = aCopy();
  const path = round(4);
  const bytes = readFileSync(path);
  rewrite(path, bytes.subarray(0, bytes.length >> 1));
  const { state, head } = said(root, viewed(root, 's1').summary.problems[0]);
  assert.deepEqual([state, head], ['mismatch', 3]);
  writeFileSync(path, bytes);
  assert.equal(said(root).state, 'verified');
});

test('a landed file that cannot be read ends the build', {
  skip: process.getuid?.() === 0 && 'root reads everything',
}, () => {
  const { root, landed } = aCopy();
  chmodSync(landed(2), 0);
  assert.throws(() => viewed(root, 's1'), { code: 'STORAGE' });
});

function writable(path: string): string {
  chmodSync(path, 0o600);
  return path;
}
