/** What a pass sends, in which order, and what it remembers. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { takeLock } from '../../src/io/lock.js';
import { Batch, type Queued } from '../../src/push/batch.js';
import { temporaryFolder } from '../shared.js';
import { answering, Misbehaving } from './misbehaving.js';
import { NOW, push, sendable } from './pushing.js';
import { goldenCopy } from './root-copies.js';

const receiver = await Misbehaving.start();
const { endpoint } = receiver;
const state = (root: string) => readFileSync(join(root, 'push.state'), 'utf8');
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Pushes with what the receiver got emptied before. */
function pushed(root: string, options: Partial<Parameters<typeof push>[1]> = {}) {
  receiver.forget();
  return push(root, { endpoint, ...options });
}

/** A file of a batch, of so many bytes. */
const queued = (bytes: number) => ({ path: '', digest: '', service: '', bytes, record: [] }) satisfies Queued;

test('a batch holds at most 1,000 files, and no more bytes than its budget', () => {
  const path = join(temporaryFolder(), 'x');
  writeFileSync(path, '123');
  const many = new Batch(1_000_000);
  for (let i = 0; i < 1000; i++) {
    assert.ok(many.read(path));
    many.add(queued(3));
  }
  assert.equal(many.read(path), undefined);

  const small = new Batch(5);
  small.add(queued(3));
  assert.equal(small.read(path), undefined, 'three and three are more than five');
  small.clear();
  small.add(queued(2));
  assert.equal(small.read(path)?.bytes.toString(), '123', 'exactly the budget has room');
  assert.equal(new Batch(1).read(path)?.bytes.toString(), '123', 'a larger file goes alone');
});

test('the next batch is filled while one is under way, and none of its bytes get into it', async () => {
  const root = temporaryFolder();
  const folder = join(root, 's/streams/main');
  mkdirSync(folder, { recursive: true });
  for (let seq = 1; seq <= 12; seq++) {
    const header = `{"h":1,"schema":"sd/1","seq":${seq},"at":"2026-01-01T00:00:00Z","kind":"transcript","adapter":"mock/1","dialect":"mock/1","src":"x","session":"s","stream":"main"}\n`;
    const name = `transcript-20260101T000000.000000000Z-${String(seq).padStart(6, '0')}.sd`;
    writeFileSync(join(folder, name), header + String.fromCharCode(64 + seq).repeat(3_000_000));
  }
  const report = await pushed(root, { batchBytes: 7_000_000 });
  assert.deepEqual([report.errors, report.files, report.requests], [[], 12, 6]);
  for (const { file, body } of receiver.records) assert.ok(body.equals(readFileSync(join(root, file))), file);
});

test('every file travels once, whole, with what it is', async () => {
  const root = goldenCopy('samples');
  const report = await pushed(root);
  const files = sendable(root);
  assert.ok(files.length > 10);
  assert.deepEqual(receiver.files.toSorted(), files);
  assert.deepEqual([report.files, report.requests, report.errors.length], [files.length, 1, 0]);
  const bytes = files.reduce((sum, file) => sum + readFileSync(join(root, file)).length, 0);
  assert.deepEqual([report.bytes, report.wire], [bytes, receiver.got[0]!.bytes.length]);
  assert.equal(receiver.got[0]!.url, '/v1/logs');
  assert.equal(receiver.got[0]!.headers['content-type'], 'application/x-protobuf');
  assert.equal(receiver.got[0]!.headers['user-agent'], 'asz');
  for (const { record, attributes, resource, scope, file, body } of receiver.records) {
    const content = readFileSync(join(root, file));
    assert.ok(body.equals(content), file);
    assert.deepEqual([record.severityNumber, record.severityText], [9, 'INFO']);
    assert.equal(record.observedTimeUnixNano, String(BigInt(NOW.ms) * 1_000_000n));
    assert.equal(attributes.get('asz.file.digest'), sha(content));
    assert.equal(attributes.get('asz.lines'), BigInt(content.toString().split('\n').length - 1));
    assert.deepEqual(scope, { name: 'github.com/apache/skywalking-ai-sessionizer', version: '1.2.3' });
    assert.deepEqual(
      [...resource],
      [
        ['service.name', 'Claude Code'],
        ['service.instance.id', 'ann@laptop'],
        ['telemetry.sdk.name', 'asz'],
        ['telemetry.sdk.version', '1.2.3'],
        ['telemetry.sdk.language', 'nodejs'],
        ['service.layer', 'AI_AGENT'],
      ],
    );
    const names = [...attributes.keys()].slice(0, 6);
    assert.deepEqual(names, [
      'asz.format',
      'asz.format.version',
      'asz.file',
      'asz.file.kind',
      'asz.file.digest',
      'asz.lines',
    ]);
  }
  const again = await pushed(root);
  assert.deepEqual([again.files, again.requests, receiver.got.length], [0, 0, 0]);
});

test('a landed file and a round say what their headers and records say, and nothing of each other', async () => {
  const root = goldenCopy('samples');
  await pushed(root);
  for (const { record, attributes, file } of receiver.records) {
    const [header, ...rest] = readFileSync(join(root, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const nanos = (time: string) => BigInt(Date.parse(time)) * 1_000_000n;
    if (attributes.get('asz.format') === 'sd') {
      const times = rest
        .map(({ time }) => time as string)
        .filter((time) => time !== undefined)
        .sort();
      assert.equal(attributes.get('asz.file.kind'), header.kind);
      assert.equal(attributes.get('asz.session'), file.split('/')[0]);
      assert.equal(attributes.get('asz.seq'), BigInt(header.seq));
      const [, place, id] = file.split('/');
      assert.equal(attributes.get('asz.stream'), place === 'streams' ? id : undefined);
      assert.equal(attributes.get('asz.run'), place === 'runs' ? id : undefined);
      const short = (time: string | undefined) => time?.replace(/(\.\d*?)0+Z$/, '$1Z').replace('.Z', 'Z');
      assert.equal(attributes.get('asz.from_time'), short(times[0]));
      assert.equal(attributes.get('asz.through_time'), short(times.at(-1)));
      if (times.length > 0) assert.equal(BigInt(record.timeUnixNano!), nanos(times.at(-1)!));
      for (const name of attributes.keys())
        assert.doesNotMatch(name, /^asz\.(conversation|round|session\.)/, file);
    } else {
      assert.equal(attributes.get('asz.file.kind'), 'round');
      assert.equal(attributes.get('asz.session'), header.session);
      assert.equal(attributes.get('asz.conversation'), header.conversation);
      assert.equal(attributes.get('asz.round'), BigInt(header.round));
      for (const key of ['from_time', 'through_time']) {
        assert.equal(attributes.get(`asz.${key}`), header[key]);
        assert.equal(attributes.get(`asz.session.${key}`), header[`session_${key}`]);
      }
      assert.equal(attributes.get('asz.conversation.title'), header.title);
      for (const key of [
        'talks',
        'steps',
        'streams',
        'segments',
        'unresolved',
        'changes',
        'llm_calls',
        'bash_runs',
      ])
        assert.equal(attributes.get(`asz.conversation.${key}`), BigInt(header[key]), key);
      assert.equal(BigInt(record.timeUnixNano!), nanos(header.session_through_time));
      for (const name of ['asz.seq', 'asz.stream', 'asz.run']) assert.ok(!attributes.has(name));
    }
  }
});

/** Each landed file of a root without a time of its own is stamped with the latest of its session's other files. */
async function assertTimelessStamps(root: string): Promise<void> {
  await pushed(root);
  const landed = receiver.records.filter(({ attributes }) => attributes.get('asz.format') === 'sd');
  const timeless = landed.filter(({ attributes }) => !attributes.has('asz.through_time'));
  assert.ok(timeless.length > 0);
  for (const { record, file } of timeless) {
    const latest = landed
      .filter((other) => other.file.startsWith(`${file.split('/')[0]}/`) && !timeless.includes(other))
      .map(({ record: { timeUnixNano } }) => BigInt(timeUnixNano!))
      .sort((a, b) => (a < b ? -1 : 1))
      .at(-1);
    assert.equal(BigInt(record.timeUnixNano!), latest, file);
  }
}

test('a file without a time of its own has the latest of its session, and says no range', async () => {
  await assertTimelessStamps(goldenCopy('samples'));
  const unparsed = goldenCopy('samples');
  rmSync(join(unparsed, '_conversations'), { recursive: true });
  await assertTimelessStamps(unparsed);
});

test('what landed behind the head round counts too, and a head that says nothing is not believed', async () => {
  const grown = goldenCopy('samples');
  for (const session of readdirSync(grown).filter((name) => !name.startsWith('_'))) {
    const header = `{"h":1,"schema":"sd/1","seq":90,"at":"2026-01-01T00:00:00Z","kind":"transcript","adapter":"mock/1","dialect":"mock/1","src":"x","session":"${session}","stream":"main"}`;
    const record = '{"ord":1,"time":"2033-03-03T03:03:03.000Z"}';
    const name = 'transcript-20330303T030303.000000000Z-000090.sd';
    writeFileSync(
      join(grown, session, 'streams/main', name),
      `${header}\n${record}\n{"end":1,"records":1}\n`,
    );
  }
  await assertTimelessStamps(grown);

  for (const spoil of [
    () => 'not a header\n',
    (round: string) => round.replace(/"session":"[^"]*"/, '"session":"another"'),
    (round: string) => round.replace(/"session_through_time":"[^"]*"/, '"session_through_time":"soon"'),
  ]) {
    const root = goldenCopy('samples');
    for (const file of sendable(root).filter((path) => path.endsWith('.sf'))) {
      const path = join(root, file);
      const round = readFileSync(path, 'utf8');
      rmSync(path);
      writeFileSync(path, spoil(round));
    }
    await assertTimelessStamps(root);
  }
});

test('the session that landed first goes first, whatever its name, and its rounds after its files', async () => {
  const root = goldenCopy('samples');
  const [a, c] = ['5d0c3a7e-2f41-4c8e-9b16-7a2e94d1c0f3', 'c41f7b06-93ad-4e52-8d7b-1f6a0e2b59d8'];
  const first = (session: string) =>
    sendable(root).find((file) => new RegExp(`^${session}/.*-000001\\.sd$`).test(file))!;
  for (const [session, seconds] of [
    [a, 2000],
    [c, 1000],
  ] as const)
    utimesSync(join(root, first(session)), seconds, seconds);
  await pushed(root, { batchBytes: 1 });
  const order = receiver.files.map((file) => file.replace(/^_conversations\//, 'rounds of ').split('/')[0]);
  assert.deepEqual([...new Set(order)], [c, `rounds of ${c}`, a, `rounds of ${a}`]);
  const seqs = receiver.records
    .filter(({ file }) => file.startsWith(c))
    .map(({ attributes }) => attributes.get('asz.seq'));
  assert.deepEqual(
    seqs,
    seqs.toSorted((x, y) => Number(x) - Number(y)),
  );
});

test('what comes while a root is pushed waits for the next pass, so that no round goes before its files', async () => {
  const [root, whole] = [goldenCopy('workflow'), goldenCopy('workflow')];
  const other = goldenCopy('samples');
  const [session] = readdirSync(other).filter((name) => !name.startsWith('_'));
  const last = sendable(root)
    .filter((file) => file.endsWith('.sd'))
    .sort((a, b) => seqOf(a) - seqOf(b))
    .at(-1)!;
  const head = sendable(root).at(0)!;
  assert.match(head, /^_conversations\/.*\/r000001-/);
  for (const file of [
    last,
    sendable(root)
      .filter((path) => path.endsWith('.sf'))
      .at(-1)!,
  ])
    rmSync(join(root, file));
  receiver.next.push((response) => {
    for (const file of sendable(whole)) cpSync(join(whole, file), join(root, file));
    for (const name of [session!, `_conversations/${session}`])
      cpSync(join(other, name), join(root, name), { recursive: true });
    response.end();
  });
  await pushed(root, { batchBytes: 1 });
  assert.ok(
    receiver.files.every((file) => !file.includes(session!)),
    'a session that came',
  );
  assert.ok(!receiver.files.includes(last));
  const rounds = receiver.files.filter((file) => file.endsWith('.sf'));
  assert.deepEqual(rounds, [head], 'the round that was built from what came');
  await pushed(root, { batchBytes: 1 });
  const came = receiver.records.filter(({ file }) => file.includes(session!));
  const services = new Set(came.map(({ resource }) => resource.get('service.name')));
  assert.deepEqual([...services], ['Claude Code']);
  const places = receiver.files.map((file) => Number(file.endsWith('.sf')));
  assert.deepEqual(places.slice(0, 2), [0, 1], 'what landed last, and its round');
  assert.equal((await pushed(root)).files, 0);
});

const seqOf = (file: string) => Number(/-(\d+)\.sd$/.exec(file)?.[1]);

test('what a killed push left of its state is removed by a later one', async () => {
  const root = goldenCopy('workflow');
  const [old, young] = ['.tmp-00', '.tmp-11'].map((name) => join(root, name));
  for (const path of [old!, young!]) writeFileSync(path, 'half');
  utimesSync(old!, 1, 1);
  await pushed(root);
  assert.deepEqual([existsSync(old!), existsSync(young!)], [false, true], 'a young one may be in use');
});

test('a push.state that cannot be saved is one error, however many requests', async () => {
  const root = goldenCopy('workflow');
  mkdirSync(join(root, 'push.state/x'), { recursive: true });
  const report = await pushed(root, { batchBytes: 1 });
  assert.ok(report.requests > 5);
  assert.equal(report.errors.length, 1);
  assert.match(report.errors[0]!, /^storage: write \S+push\.state: .*is a directory$/);
});

test('a budget of one byte gives each file a request; a larger file goes alone; exactly the budget fits', async () => {
  const root = goldenCopy('samples');
  const files = sendable(root);
  const single = await pushed(root, { batchBytes: 1 });
  assert.deepEqual([single.requests, receiver.got.length], [files.length, files.length]);
  const sizes = receiver.records.map(({ body }) => body.length);
  for (const batchBytes of [sizes[0]! + sizes[1]!, sizes[0]! + sizes[1]! - 1]) {
    rmSync(join(root, 'push.state'));
    await pushed(root, { batchBytes });
    assert.deepEqual(receiver.got[0]!.records.length, batchBytes === sizes[0]! + sizes[1]! ? 2 : 1);
    for (const { records } of receiver.got) {
      const bytes = records.reduce((sum, { body }) => sum + body.length, 0);
      assert.ok(bytes <= batchBytes || records.length === 1, `${records.length} records of ${bytes} bytes`);
    }
    assert.deepEqual(receiver.files.toSorted(), files);
  }
});

test('the service is the agent that landed the session, also that of its rounds; two agents are two resources', async () => {
  const root = goldenCopy('samples');
  const mock = goldenCopy('workflow');
  renameSync(join(mock, 'workflow'), join(root, 'workflow'));
  renameSync(join(mock, '_conversations/workflow'), join(root, '_conversations/workflow'));
  await pushed(root);
  assert.equal(receiver.got[0]!.resources, 2);
  for (const { file, resource } of receiver.records)
    assert.equal(
      resource.get('service.name'),
      /^(_conversations\/)?workflow\//.test(file) ? 'Mock Agent' : 'Claude Code',
      file,
    );
  rmSync(join(root, 'push.state'));
  await pushed(root, { serviceName: 'All of us' });
  assert.deepEqual(
    new Set(receiver.records.map(({ resource }) => resource.get('service.name'))),
    new Set(['All of us']),
  );
});

test('push.state names what was sent, by path, and every receiver; its check tells a damaged one', async () => {
  const root = goldenCopy('workflow');
  await pushed(root);
  const lines = state(root).trimEnd().split('\n');
  assert.deepEqual(lines.slice(0, 3), [
    'schema 1',
    'updated_at 2026-01-03T00:00:00Z',
    `endpoint ${endpoint}`,
  ]);
  const expected = sendable(root).map((file) => `pushed ${file} ${sha(readFileSync(join(root, file)))}`);
  assert.deepEqual(lines.slice(3, -1), expected);
  assert.match(lines.at(-1)!, /^check [0-9a-f]{16}$/);

  const other = await Misbehaving.start();
  await push(root, { endpoint: other.endpoint });
  assert.equal(other.got.length, 0, 'sent means once per root');
  writeFileSync(join(root, 'push.state'), state(root).replace('pushed w', 'pushed v'));
  const damaged = await pushed(root);
  assert.match(damaged.warnings[0]!, /push\.state is damaged and counts as none/);
  assert.equal(damaged.files, sendable(root).length);
});

test('an older push.state without receivers, written by somebody else, is believed and goes on', async () => {
  const root = goldenCopy('workflow');
  const [first, ...rest] = sendable(root);
  writeFileSync(
    join(root, 'push.state'),
    `schema 1\nupdated_at 2026-01-01T00:00:00Z\npushed ${first} ${'a'.repeat(64)}\nhalf a line here too\n`,
  );
  await pushed(root);
  assert.deepEqual(receiver.files.toSorted(), rest);
  assert.match(state(root), new RegExp(`\nendpoint ${endpoint}\nendpoint unknown\npushed ${first} a{64}\n`));
});

test('a push.state that went through another system, its lines ended by CRLF, is believed', async () => {
  const root = goldenCopy('workflow');
  const lines = sendable(root).map((file) => `pushed ${file} ${'a'.repeat(64)}\r\n`);
  writeFileSync(join(root, 'push.state'), `schema 1\r\nendpoint x\r\n${lines.join('')}`);
  const report = await pushed(root);
  assert.deepEqual([report.files, report.warnings], [0, []]);
});

test('what is no evidence does not travel', async () => {
  const root = goldenCopy('workflow');
  const files = sendable(root);
  const main = join(root, 'workflow/streams/main');
  const secret = join(temporaryFolder(), 'secret-000009.sd');
  writeFileSync(secret, 'secret');
  symlinkSync(secret, join(main, 'transcript-20260101T000000.000000000Z-000099.sd'));
  symlinkSync(temporaryFolder(), join(root, 'link'));
  mkdirSync(join(root, '_spool'));
  writeFileSync(join(root, '_spool/x-000001.sd'), 'x');
  writeFileSync(join(main, 'notes.sd'), 'x');
  writeFileSync(join(main, '.tmp-0123'), 'x');
  symlinkSync(secret, join(root, '_conversations/workflow/rounds/r000009-aaaaaaaaaaaa.sf'));
  const report = await pushed(root);
  assert.deepEqual([receiver.files.toSorted(), report.errors], [files, []]);
});

test('the session that a round names is looked for among those of the root, and nowhere else', async () => {
  const folder = temporaryFolder();
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside/streams/main')];
  const rounds = join(root, '_conversations/c/rounds');
  mkdirSync(rounds, { recursive: true });
  mkdirSync(outside, { recursive: true });
  const landed = goldenCopy('workflow');
  const file = sendable(landed).find((path) => path.includes('/streams/main/'))!;
  writeFileSync(join(outside, basename(file)), readFileSync(join(landed, file)));
  const header = { t: 'header', schema: 'sf/1', conversation: 'c', round: 1, session: '../outside' };
  writeFileSync(join(rounds, 'odd.sf'), `${JSON.stringify(header)}\n`);
  await pushed(root);
  const [record] = receiver.records;
  assert.equal(record!.attributes.get('asz.session'), '../outside');
  assert.equal(record!.resource.get('service.name'), 'unknown');
});

test('a file that cannot be sent is one error that names it, and the rest go', async () => {
  const root = goldenCopy('samples');
  const files = sendable(root);
  const session = files[0]!.split('/')[0]!;
  const folder = join(root, session, 'streams/main');
  const bad = [
    [
      'transcript-20260101T000000.000000000Z-000091.sd',
      Buffer.from('{"h":1,"schema":"sd/1"\xff}\n', 'latin1'),
      /it is not valid UTF-8/,
    ],
    [
      'transcript-20260101T000000.000000000Z-000092.sd',
      Buffer.from('{"h":2}\n'),
      /decode header: unsupported envelope version 2/,
    ],
    [
      'transcript 20260101T000000.000000000Z-000093.sd',
      Buffer.from('{"h":1}\n'),
      /its path holds white space/,
    ],
    [
      'transcript-20260101T000000.000000000Z-000094.sd',
      Buffer.from(`{"h":1,"src":"${'x'.repeat(1024 * 1024)}"}\n`),
      /decode header: its first line is longer than 1048576 bytes/,
    ],
  ] as const;
  for (const [name, content] of bad) writeFileSync(join(folder, name), content);
  const rounds = join(root, '_conversations', session, 'rounds');
  writeFileSync(join(rounds, 'r000077-aaaaaaaaaaaa.sf'), '');
  const report = await pushed(root);
  assert.deepEqual(receiver.files.toSorted(), files);
  assert.equal(report.errors.length, bad.length + 1);
  for (const [name, , words] of bad)
    assert.ok(
      report.errors.some(
        (error) => error.startsWith(`${session}/streams/main/${name}: `) && words.test(error),
      ),
      `${name}: ${report.errors}`,
    );
  assert.match(report.errors.at(-1)!, /rounds\/r000077-aaaaaaaaaaaa\.sf: decode round header: /);
});

test('a round that is still being written waits, is no error, and is sent when it is finished', async () => {
  const root = goldenCopy('workflow');
  const round = sendable(root).find((file) => file.endsWith('.sf'))!;
  const whole = readFileSync(join(root, round));
  for (const part of [
    whole.subarray(0, whole.length - 30),
    whole.subarray(0, whole.lastIndexOf('{"t":"commit"')),
  ]) {
    writeFileSync(join(root, round), part);
    const report = await pushed(root);
    assert.deepEqual([report.deferred, report.errors], [1, []]);
    assert.ok(!receiver.files.includes(round));
  }
  writeFileSync(join(root, round), whole);
  assert.deepEqual([(await pushed(root)).files, receiver.files], [1, [round]]);
});

test('a file of more than 15 MiB is sent with a warning that names it', async () => {
  const root = goldenCopy('workflow');
  const name = 'workflow/streams/main/transcript-20260101T000000.000000000Z-000090.sd';
  const header = readFileSync(join(root, sendable(root).find((file) => file.endsWith('.sd'))!), 'utf8').split(
    '\n',
  )[0]!;
  writeFileSync(join(root, name), `${header}\n{"text":"${'x'.repeat(16 * 1024 * 1024)}"}\n`);
  const report = await pushed(root, { batchBytes: 1000 });
  assert.equal(report.warnings.length, 1);
  assert.match(report.warnings[0]!, new RegExp(`^${name}: its 1677\\d+ bytes`));
  assert.ok(receiver.files.includes(name));
});

test('one pusher a root: another is told, or waits for its turn', async () => {
  const root = goldenCopy('workflow');
  const lock = takeLock(join(root, '_export/.lock'), 'busy');
  await assert.rejects(pushed(root), {
    code: 'LOCKED',
    message: /^storage: the export state is held by another pusher/,
  });
  const waiting = pushed(root, { lockMs: 10_000 });
  setTimeout(() => lock.release(), 150);
  assert.equal((await waiting).files, sendable(root).length);
  const both = goldenCopy('samples');
  receiver.forget();
  await Promise.all([1, 2].map(() => push(both, { endpoint, lockMs: 10_000, batchBytes: 1 })));
  assert.deepEqual(receiver.files.toSorted(), sendable(both));
});

test('a root that is not there is an error, and is not made', async () => {
  const root = join(temporaryFolder(), 'nowhere');
  await assert.rejects(pushed(root), { code: 'STORAGE', message: /no such file or directory/ });
  assert.ok(!existsSync(root));
  const linked = goldenCopy('workflow');
  symlinkSync(temporaryFolder(), join(linked, '_export'));
  await assert.rejects(pushed(linked), /_export is a symbolic link/);
});

test('at most so many bytes a minute: each request waits for its share, and a larger one for a full bucket', async () => {
  const root = goldenCopy('workflow');
  let now = NOW.ms;
  const waits: number[] = [];
  const report = await pushed(root, {
    batchBytes: 1,
    maxBytesPerMinute: 64,
    now: () => ({ ms: now, ns: 0 }),
    sleep: async (ms) => {
      waits.push(ms);
      now += ms;
    },
  });
  assert.equal(report.requests, sendable(root).length);
  assert.deepEqual(waits, Array(report.requests - 1).fill(60_000));
  assert.equal(report.pausedMs, 60_000 * waits.length);
});

test('told to stop, it ends after the request under way, and what was sent is noted down', async () => {
  const root = goldenCopy('samples');
  const stop = new AbortController();
  receiver.next.push(answering(200), (response) => {
    stop.abort();
    response.end();
  });
  const report = await pushed(root, { batchBytes: 1, signal: stop.signal });
  assert.deepEqual([report.files, report.requests, report.errors], [2, 2, []]);
  assert.equal(state(root).match(/^pushed /gm)?.length, 2);
  assert.equal((await pushed(root)).files, sendable(root).length - 2);
});
