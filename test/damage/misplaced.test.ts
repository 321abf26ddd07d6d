/** Whole files in wrong places: every digest holds, and what a reader would say of them is not so. */
import assert from 'node:assert/strict';
import { cpSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { listLandedFiles, sessionFolder } from '../../src/io/storage-root.js';
import { aSession } from '../builders.js';
import { rewrite, Workplace } from '../e2e/run-asz.js';
import { temporaryFolder } from '../shared.js';

const whole = temporaryFolder();
for (const id of ['s1', 's2']) {
  const session = aSession({ root: whole, session: id });
  session.main.input(`first of ${id}`).says('one');
  session.land();
  session.main.input(`second of ${id}`).says('two');
  session.land();
  await session.parse();
}

/** A copy of the root in which something was moved, and its files of `s1` before that. */
async function moved(how: (files: readonly string[], root: string) => void): Promise<Workplace> {
  const root = join(temporaryFolder(), 'data');
  cpSync(whole, root, { recursive: true });
  how(
    listLandedFiles(sessionFolder(root, 's1')).map(({ path }) => path),
    root,
  );
  return new Workplace({ root });
}

function exchange([one = '', two = '']: readonly string[]): void {
  renameSync(one, `${one}.aside`);
  renameSync(two, one);
  renameSync(`${one}.aside`, two);
}

test('two files of one round under each other’s sequence: no reader takes one for the other', async () => {
  const place = await moved(exchange);
  const tree = await place.asz(['conversation', 's1']);
  assert.equal(tree.status, 1);
  assert.match(tree.stderr, /-000001\.sd: it was landed as sequence 2/);
  const document = JSON.parse((await place.asz(['conversation', 's1', '--json'])).stdout);
  assert.equal(document.summary.state, 'mismatch');
  assert.deepEqual(document.summary.problems, ['round 1: the input digest does not match the landed files']);
  assert.deepEqual(
    document.rounds.map(({ verified }: { verified: boolean }) => verified),
    [false],
  );
  const verified = await place.asz(['verify', 's1']);
  assert.match(verified.stdout, /it was landed as sequence 2/);
  assert.match(verified.stdout, /round 1: the input digest does not match the landed files/);
});

test('nothing is indexed where it did not land', async () => {
  const place = await moved((files, root) => {
    exchange(files);
    rmSync(join(root, 's1/index'), { recursive: true });
  });
  for (const argv of [
    ['parse', 's1'],
    ['index', 'cat', 's1'],
  ]) {
    const { status, stderr } = await place.asz(argv);
    assert.equal(status, 1, argv.join(' '));
    assert.match(stderr, /-000001\.sd does not belong here: it was landed as sequence 2; run asz verify/);
  }
});

test('a file of another session, and one of this session once more, go into no round; other sessions go on', async () => {
  for (const [from, words] of [
    ['s2', /it belongs to session "s2"/],
    ['s1', /it was landed as sequence 2/],
  ] as const) {
    const place = await moved((files, root) => {
      const [, copy = ''] = listLandedFiles(sessionFolder(root, from)).map(({ path }) => path);
      cpSync(copy, join(dirname(files[1]!), 'transcript-20270101T000000.000000000Z-000003.sd'));
      rmSync(join(root, 's1/index'), { recursive: true });
      rmSync(join(root, '_conversations/s2'), { recursive: true });
    });
    const { status, stdout, stderr } = await place.asz(['parse']);
    assert.equal(status, 1);
    assert.match(stderr, words);
    assert.match(stdout, /^s2 /m);
  }
});

test('a cursor of another source counts as damaged, and makes no conflict', async () => {
  const place = new Workplace();
  const line = (uuid: string, text: string) =>
    `${JSON.stringify({ type: 'user', uuid, sessionId: ID, timestamp: '2026-01-01T00:00:00Z', message: { role: 'user', content: text } })}\n`;
  const source = join(place.projects, 'p', `${ID}.jsonl`);
  const child = join(place.projects, 'p', ID, 'subagents', 'agent-a0c300c496fcb90c4.jsonl');
  rewrite(source, line('u1', 'a much longer text, so that offsets differ'));
  rewrite(child, line('u2', 'b'));
  assert.equal((await place.asz(['collect', '--once'])).status, 0);
  const cursors = ['main', 'a0c300c496fcb90c4'].map((stream) =>
    join(place.root, ID, 'streams', stream, 'transcript.cursor'),
  );
  exchange(cursors);
  rewrite(source, line('u1', 'a much longer text, so that offsets differ') + line('u3', 'more'));
  const { status, stderr } = await place.asz(['collect', '--once']);
  assert.deepEqual(
    { status, stderr: stderr.replace(/^.*(pass|every).*\n/gm, '') },
    { status: 0, stderr: '' },
  );
  assert.match((await place.asz(['verify'])).stdout, /3 records\n/);
});

const ID = '5ca1ab1e-0030-4000-8000-000000000001';
