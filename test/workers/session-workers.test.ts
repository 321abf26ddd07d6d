import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLAUDE_CODE } from '../../src/adapters/claude-code/claude-code.js';
import { listSessions } from '../../src/io/storage-root.js';
import { performAll } from '../../src/workers/session-workers.js';
import { aLandedSession } from '../builders.js';
import { aPrompt, Collection, PROJECT } from '../landing/collecting.js';
import { temporaryFolder } from '../shared.js';

test('what has most to read is begun first, and the outcomes stand as the tasks do', async () => {
  const root = temporaryFolder();
  for (const [session, inputs] of [
    ['a', 1],
    ['b', 30],
    ['c', 9],
  ] as const) {
    const landed = aLandedSession({ root, session });
    for (let i = 0; i < inputs; i++) landed.main.input(`${i}`).says('yes');
    landed.land();
  }
  const tasks = listSessions(root).map((session) => ({ kind: 'verify' as const, root, session }));
  const begun: string[] = [];
  const outcomes = await performAll(tasks, { jobs: 1, onDone: (_, { session }) => begun.push(session) });
  assert.deepEqual(begun, ['b', 'c', 'a']);
  assert.deepEqual(
    outcomes.map((outcome) => 'result' in outcome && outcome.result.session),
    ['a', 'b', 'c'],
  );
});

test('all rounds are read before any landed file, however large that is', async () => {
  const root = temporaryFolder();
  for (const session of ['a', 'b']) {
    const landed = aLandedSession({ root, session });
    await landed.parse();
    landed.main.input('x'.repeat(100_000)).says('yes');
    landed.land();
  }
  const tasks = ['a', 'b'].flatMap((id) => [
    { kind: 'verify' as const, root, session: id },
    { kind: 'rounds' as const, root, conversation: id },
  ]);
  const begun: string[] = [];
  await performAll<(typeof tasks)[number]>(tasks, { jobs: 1, onDone: (_, { kind }) => begun.push(kind) });
  assert.deepEqual(begun, ['rounds', 'rounds', 'verify', 'verify']);
});

test('a session lands the same in a thread and in this one, and a conflict comes back as words', async () => {
  const c = new Collection();
  const id = (n: number) => `${n}1111111-2222-4333-8444-555555555555`;
  for (const n of [1, 2, 3]) c.write(`${PROJECT}/${id(n)}.jsonl`, aPrompt(`u${n}`, 'x'.repeat(n * 1000)));
  c.write(`other/${id(2)}.jsonl`, aPrompt('u9'));
  const { sessions } = CLAUDE_CODE.discover(c.sources);
  const landed = async (jobs: number) => {
    const root = join(temporaryFolder(), String(jobs));
    const tasks = sessions.map((session) => ({
      ...{
        kind: 'land' as const,
        adapter: CLAUDE_CODE.name,
        sourceRoot: c.sources,
        root,
        maxDeltaBytes: 4096,
      },
      ...{ sessions: [session], bytes: 1 },
    }));
    const outcomes = await performAll(tasks, { jobs });
    const tallies = outcomes.map((outcome) => {
      if ('error' in outcome) throw outcome.error;
      const [{ errors, ...tally } = assert.fail('a tally')] = outcome.result;
      return { ...tally, errors: errors.map(({ message }) => message.replaceAll(root, 'ROOT')) };
    });
    const records = sessions.map(({ id }) =>
      new Collection(c.sources, root).records('main', id).map(({ text }) => text),
    );
    return { tallies, records };
  };
  const here = await landed(1);
  assert.deepEqual(await landed(3), here);
  assert.deepEqual(
    here.tallies.map(({ landed }) => landed),
    [1, 1, 1],
  );
  assert.match(here.tallies[1]!.errors[0]!, /both map to/);
});
