/** The list knows names and one header line a conversation, and says what it does not know. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { listRounds } from '../../src/io/chain-directory.js';
import { readFirstLine } from '../../src/io/first-line.js';
import { roundsFolder } from '../../src/io/storage-root.js';
import { listedConversations, sessionOf } from '../../src/view/conversation-list.js';
import { aSession } from '../builders.js';
import { rewrite } from '../e2e/run-asz.js';
import { temporaryFolder } from '../shared.js';

async function threeRounds(session = 's1') {
  const made = aSession({ session });
  for (let round = 1; round <= 3; round++) {
    made.main.title(`title ${round}`).input(`question ${round}`).says('answer');
    made.land();
    await made.parse();
  }
  return made.root;
}

const roundPath = (root: string, n: number) => listRounds(roundsFolder(root, 's1'))[n - 1]!.path;

/** A chain of one file, which is this text. */
function chainOf(id: string, text: string, root = temporaryFolder()): string {
  rewrite(join(root, '_conversations', id, 'rounds', 'r000001-000000000000.sf'), text);
  return root;
}

const header = (more: object) =>
  `${JSON.stringify({ t: 'header', schema: 'sf/1', conversation: 'c', session: 'c', round: 1, ...more })}\n`;

test('a row says what the last header says, and that nothing was checked', async () => {
  const [row] = listedConversations(await threeRounds());
  assert.deepEqual(row, {
    ...{ id: 's1', title: 'title 3', talks: 3, steps: 9, streams: 1, segments: 1, rounds: 3 },
    ...{ from: row!.from, to: row!.to, unresolved: 0, changes: 0, lines_added: 0, lines_removed: 0 },
    ...{ llm_calls: 3, subagents: 0, bash_runs: 0, state: 'not_checked', problem: '' },
  });
  assert.ok(row!.from! > 0 && row!.to! > row!.from!);
});

test('what a header lacks is unknown and not zero; what is zero stays zero', () => {
  const [row] = listedConversations(chainOf('c', header({ talks: 0, llm_calls: null })));
  assert.deepEqual(
    [row!.title, row!.talks, row!.steps, row!.llm_calls, row!.from],
    ['(untitled)', 0, null, null, null],
  );
});

test('a gap and an unreadable head are listed as such', async () => {
  const root = await threeRounds();
  rmSync(roundPath(root, 2));
  const [gap] = listedConversations(root);
  assert.deepEqual([gap!.state, gap!.rounds, gap!.talks], ['gap', 3, 3]);
  assert.match(gap!.problem, /from 2 on/);
  rewrite(roundPath(root, 2), 'x');
  const [unreadable] = listedConversations(root);
  assert.deepEqual(
    [unreadable!.state, unreadable!.talks, unreadable!.title],
    ['unreadable', null, '(untitled)'],
  );
  assert.match(unreadable!.problem, /^r000003-\w+\.sf: /);
});

for (const [what, text, problem] of [
  ['no JSON', '{"t":\n', /does not decode/],
  ['another frame', '{"t":"node","id":"x"}\n', /no header of sf\/1/],
  ['another schema', header({ schema: 'sf/2' }), /no header of sf\/1/],
  ['another round', header({ round: 7 }), /header says round 7/],
  ['a count that is text', header({ talks: 'many' }), /talks/],
  ['no end', header({}).trimEnd(), /has no end/],
  ['a line without end', `"${'x'.repeat(1024 * 1024)}`, /longer than 1048576 bytes/],
] as const)
  test(`a head with ${what} is unreadable, and hides no other`, async () => {
    const root = await threeRounds();
    const rows = listedConversations(chainOf('a', text, root));
    assert.deepEqual(
      rows.map(({ id, state }) => [id, state]),
      [
        ['a', 'unreadable'],
        ['s1', 'not_checked'],
      ],
    );
    assert.match(rows[0]!.problem, problem);
  });

test('directories without a round are no conversations', async () => {
  const root = await threeRounds();
  mkdirSync(join(root, '_conversations', 'empty', 'rounds'), { recursive: true });
  rewrite(join(root, '_conversations', 'leftover', 'rounds', '.tmp-r000001-000000000000.sf'), 'x');
  rewrite(join(root, '_conversations', 'reserved', 'rounds', 'r000001-000000000000.sf'), '');
  assert.deepEqual(
    listedConversations(root).map(({ id }) => id),
    ['s1'],
  );
});

test('a name no number can hold hides no other conversation', async () => {
  const root = await threeRounds();
  rewrite(join(root, '_conversations', 'a', 'rounds', `r${'9'.repeat(20)}-000000000000.sf`), 'x');
  const rows = listedConversations(root);
  assert.deepEqual(
    rows.map(({ id, state }) => [id, state]),
    [
      ['a', 'unreadable'],
      ['s1', 'not_checked'],
    ],
  );
});

test('the first line is read, and little behind it', () => {
  const path = join(temporaryFolder(), 'f');
  writeFileSync(path, `${'a'.repeat(9000)}\nrest`);
  assert.equal(readFirstLine(path), 'a'.repeat(9000));
  assert.throws(() => readFirstLine(path, 8999), /longer than 8999/);
  assert.throws(() => readFirstLine(dirname(path)), { code: 'STORAGE' });
  symlinkSync(path, `${path}-link`);
  assert.throws(() => readFirstLine(`${path}-link`), { code: 'STORAGE' });
});

test('the session of a chain is the one its first round names, when a directory can have that name', async () => {
  assert.equal(sessionOf(await threeRounds(), 's1'), 's1');
  assert.equal(sessionOf(chainOf('c', header({ session: '../x' })), 'c'), '');
  assert.equal(sessionOf(chainOf('c', header({ session: 7 })), 'c'), '');
  assert.equal(sessionOf(chainOf('c', 'x\n'), 'c'), '');
  assert.equal(sessionOf(temporaryFolder(), 'c'), '');
});
