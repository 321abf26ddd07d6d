/** Pushing at the end of a collector's passes: when there is an endpoint, and never otherwise. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { takeLock } from '../../src/io/lock.js';
import { Workplace } from '../e2e/run-asz.js';
import { REPOSITORY } from '../shared.js';
import { answering, Misbehaving } from './misbehaving.js';
import { encodeResponse } from './official.js';
import { sendable } from './pushing.js';

const receiver = await Misbehaving.start();

/** A place with the samples as sources, and what its configuration says of the export. */
function place(otlp: object | undefined, interval = '1h'): Workplace {
  const work = new Workplace();
  cpSync(join(REPOSITORY, 'samples/projects'), work.projects, { recursive: true });
  const adapter = {
    name: 'claude-code-local',
    source_root: work.projects,
    exclude: [],
    collector: { interval },
  };
  writeFileSync(
    join(work.folder, 'asz.yaml'),
    JSON.stringify({ storage: { root: work.root }, adapters: [adapter], ...(otlp && { export: { otlp } }) }),
  );
  receiver.forget();
  return work;
}

test('without an endpoint nothing is sent, and nothing of a push is made', async () => {
  for (const otlp of [undefined, { headers: { A: 'b' } }, { endpoint: receiver.endpoint, logs: false }]) {
    const work = place(otlp);
    const { status, stdout } = await work.asz(['collect', '--once']);
    assert.equal(status, 0);
    assert.match(stdout, /\nexport {3}: none; set export\.otlp\.endpoint to send what is landed\n/);
    assert.doesNotMatch(stdout, /pushed/);
    assert.ok(!existsSync(join(work.root, 'push.state')) && !existsSync(join(work.root, '_export')));
  }
  assert.equal(receiver.got.length, 0);
});

test('a pass sends what it landed and the rounds it wrote, at its end', async () => {
  const work = place({ endpoint: `${receiver.endpoint}/` });
  const { status, stdout, stderr } = await work.asz(['collect', '--once']);
  assert.deepEqual([status, stderr], [0, '']);
  const files = sendable(work.root);
  assert.match(
    stdout,
    new RegExp(`\nexport {3}: ${receiver.endpoint}/v1/logs over HTTP, at the end of every pass\n`),
  );
  assert.match(stdout, new RegExp(` rounds=2 pushed=${files.length} \\(`));
  assert.deepEqual(receiver.files.toSorted(), files);
  receiver.forget();
  const again = await work.asz(['collect', '--once', '--json']);
  assert.deepEqual([JSON.parse(again.stdout).pushed, receiver.got.length], [0, 0]);
});

test('what the receiver would not take is an error of a single pass, which landed and parsed all the same', async () => {
  const work = place({ endpoint: receiver.endpoint });
  receiver.next.push(answering(503, 'not now'));
  const failed = await work.asz(['collect', '--once']);
  assert.equal(failed.status, 1);
  assert.match(failed.stdout, / landed=11 records=72 rounds=2 \(/);
  assert.match(
    failed.stderr,
    /^ {2}error: \S+ and \d+ more: otlp: \S+ answered 503 Service Unavailable: not now\nasz: \S+ and \d+ more: otlp: /,
  );
  const body = encodeResponse({ partialSuccess: { rejectedLogRecords: '2' } });
  receiver.next.push(answering(200, body, { 'Content-Type': 'application/x-protobuf' }));
  const rejected = await work.asz(['collect', '--once']);
  assert.equal(rejected.status, 1);
  assert.match(rejected.stdout, / pushed=13 rejected=2 \(/);
  assert.match(rejected.stderr, /error: the receiver rejected 2 record\(s\); they are not sent again/);
});

test('a watching collector leaves a receiver alone for as long as it asked, and a held export state is busy', async () => {
  const work = place({ endpoint: receiver.endpoint }, '300ms');
  receiver.next.push(answering(429, '', { 'Retry-After': '2' }));
  const child = work.start(['collect']);
  const ended = once(child, 'close');
  const [out, err] = [text(child.stdout!), text(child.stderr!)];
  const until = async (is: () => boolean) => {
    for (let i = 0; i < 200 && !is(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(is());
  };
  await until(() => receiver.got.length === 1);
  const asked = performance.now();
  const [project] = readdirSync(work.projects);
  const [session] = readdirSync(join(work.projects, project!)).filter((name) => name.endsWith('.jsonl'));
  appendFileSync(
    join(work.projects, project!, session!),
    '{"type":"summary","summary":"more","leafUuid":"x"}\n',
  );
  await until(() => receiver.got.length === 2);
  assert.ok(performance.now() - asked > 1500, 'it was left alone');
  await until(() => existsSync(join(work.root, 'push.state')));
  const lock = takeLock(join(work.root, '_export/.lock'), 'busy');
  appendFileSync(
    join(work.projects, project!, session!),
    '{"type":"summary","summary":"and more","leafUuid":"x"}\n',
  );
  await new Promise((resolve) => setTimeout(resolve, 1500));
  lock.release();
  const before = receiver.got.length;
  await until(() => receiver.got.length > before);
  child.kill('SIGTERM');
  const [status] = await ended;
  assert.equal(status, 0);
  assert.match(await out, / push-held=\d/);
  assert.match(await out, / busy=1 /);
  assert.match(await err, /error: \S+ and \d+ more: otlp: the receiver asked to slow down, retry after 2s: /);
  assert.deepEqual([...new Set(receiver.files)].sort(), sendable(work.root));
});

test('an endpoint that cannot be meant ends a collector before its first pass', async () => {
  const work = place({ endpoint: 'localhost:4318' });
  const { status, stderr } = await work.asz(['collect', '--once']);
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^asz: push: otlp: an http endpoint is a URL such as http:\/\/127\.0\.0\.1:12800: localhost:4318\n$/,
  );
  assert.ok(!existsSync(work.root));
});
