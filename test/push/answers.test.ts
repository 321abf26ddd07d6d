/** What each answer of a receiver means: the rule, the words, and what a next pass does. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Pusher } from '../../src/push/pusher.js';
import { Workplace } from '../e2e/run-asz.js';
import { temporaryFolder } from '../shared.js';
import { type Answering, answering, Misbehaving } from './misbehaving.js';
import { encodeResponse } from './official.js';
import { push, sendable, settingsOf } from './pushing.js';
import { goldenCopy } from './root-copies.js';

const receiver = await Misbehaving.start();
const { endpoint } = receiver;
const url = `${endpoint}/v1/logs`;
const PROTOBUF = { 'Content-Type': 'application/x-protobuf' };

/** Pushes a root of two requests, of which the first is answered so, and then once more. */
async function pushedTwice(answer: Answering, options: Partial<Parameters<typeof push>[1]> = {}) {
  const root = goldenCopy('workflow');
  const files = sendable(root);
  receiver.forget();
  receiver.next.splice(0, Infinity, answer);
  const first = await push(root, { endpoint, batchBytes: 1, ...options });
  const requests = receiver.got.length;
  receiver.next.length = 0;
  receiver.forget();
  const second = await push(root, { endpoint });
  return { root, files, first, requests, second, sentLater: receiver.files };
}

/** Nobody took the first file; the rest went; the next pass sends it. */
async function isNotTaken(
  answer: Answering,
  words: RegExp,
  options: Partial<Parameters<typeof push>[1]> = {},
) {
  const { files, first, second, sentLater } = await pushedTwice(answer, options);
  assert.deepEqual(first.errors.length, 1, first.errors.join('\n'));
  assert.match(first.errors[0]!, words);
  assert.ok(
    sentLater[0] !== undefined && first.errors[0]!.startsWith(`${sentLater[0]}: otlp: `),
    first.errors[0],
  );
  assert.deepEqual([first.files, second.files, sentLater.length], [files.length - 1, 1, 1]);
  assert.equal(first.throttledMs, undefined);
}

const whole = (text: string) => new RegExp(`: ${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);

test('503 and 500 are errors of the pass, which goes on, whatever they say of a retry', async () => {
  await isNotTaken(
    answering(503, 'try later\n', { 'Retry-After': '9' }),
    whole(`otlp: ${url} answered 503 Service Unavailable: try later`),
  );
  await isNotTaken(answering(500), whole(`otlp: ${url} answered 500 Internal Server Error`));
});

test('400 too; the message of a collector is read out of its protobuf', async () => {
  await isNotTaken(answering(400, 'bad'), whole(`otlp: ${url} answered 400 Bad Request: bad`));
  const status = Buffer.from('08031204ffff', 'hex');
  const message = Buffer.concat([Buffer.from([0x08, 3, 0x12, 17]), Buffer.from('body is too large')]);
  await isNotTaken(
    answering(400, message, PROTOBUF),
    whole(`otlp: ${url} answered 400 Bad Request: body is too large`),
  );
  await isNotTaken(answering(400, status, PROTOBUF), /answered 400 Bad Request: /);
});

test('a redirect is not followed', async () => {
  const elsewhere = await Misbehaving.start();
  await isNotTaken(
    answering(302, '', { Location: `${elsewhere.endpoint}/v1/logs` }),
    whole(`otlp: ${url} answered 302 Found`),
  );
  await isNotTaken(
    answering(307, 'go', { Location: elsewhere.endpoint }),
    /answered 307 Temporary Redirect: go$/,
  );
  assert.equal(elsewhere.got.length, 0);
});

test('a login page with 200 is no OTLP response, and nothing is recorded', async () => {
  await isNotTaken(
    answering(200, '<html>Sign in</html>', { 'Content-Type': 'text/html' }),
    whole(`otlp: ${url} answered 200 OK with text/html, not an OTLP response; nothing is recorded as sent`),
  );
  await isNotTaken(answering(200, 'ok'), /answered 200 OK with no content type, not an OTLP response/);
  await isNotTaken(
    answering(200, '<html>', PROTOBUF),
    /answered with a body that is not an OTLP response: protobuf: /,
  );
});

test('an empty answer of any type, and a response of either name, with parameters, are taken', async () => {
  const taken = [
    answering(200),
    answering(202, '', { 'Content-Type': 'text/html' }),
    answering(200, Buffer.from('0a00', 'hex'), PROTOBUF),
    answering(200, Buffer.from('0a00', 'hex'), { 'Content-Type': 'application/protobuf; charset=x' }),
    answering(200, encodeResponse({ partialSuccess: { errorMessage: 'all is well' } }), {
      'Content-Type': 'Application/X-Protobuf;a=b',
    }),
  ];
  for (const answer of taken) {
    const { first, second, files } = await pushedTwice(answer);
    assert.deepEqual([first.files, first.errors, first.rejected, second.requests], [files.length, [], 0, 0]);
  }
});

test('a partial success is taken, noted down as rejected for good, and not sent again', async () => {
  const body = encodeResponse({ partialSuccess: { rejectedLogRecords: '3', errorMessage: 'no' } });
  const { root, files, first, second } = await pushedTwice(answering(200, body, PROTOBUF));
  assert.deepEqual([first.files, first.rejected, first.errors, second.requests], [files.length, 3, [], 0]);
  const lines = readFileSync(join(root, 'push.state'), 'utf8').match(/^rejected .*$/gm)!;
  assert.equal(lines.length, 1);
  assert.ok(files.includes(lines[0]!.slice('rejected '.length)));
});

test('429 ends the pass after one request, with or without a wait; the next sends everything', async () => {
  for (const [headers, words, ms] of [
    [
      { 'Retry-After': '7' },
      `the receiver asked to slow down, retry after 7s: ${url} answered 429 Too Many Requests`,
      7000,
    ],
    [{}, `the receiver asked to slow down: ${url} answered 429 Too Many Requests`, 0],
    [
      { 'Retry-After': 'Wed, 21 Oct 2026 07:28:00 GMT' },
      `the receiver asked to slow down: ${url} answered 429 Too Many Requests`,
      0,
    ],
    [{ 'Retry-After': '-3' }, `the receiver asked to slow down: ${url} answered 429 Too Many Requests`, 0],
  ] as const) {
    const { files, first, requests, second } = await pushedTwice(answering(429, 'slow', headers));
    assert.deepEqual([first.files, requests, first.throttledMs, first.errors.length], [0, 1, ms, 1]);
    assert.match(first.errors[0]!, whole(`otlp: ${words}`));
    assert.equal(second.files, files.length);
  }
});

test('a receiver that wants to be left alone for years is asked again within the hour', async () => {
  receiver.next.push(answering(429, '', { 'Retry-After': '999999999' }));
  const pusher = new Pusher(settingsOf(goldenCopy('workflow'), { endpoint: receiver.endpoint }));
  const { throttledMs } = await pusher.push(0, new AbortController().signal);
  assert.deepEqual([throttledMs, pusher.heldMs], [999_999_999_000, 3_600_000]);
});

test('a connection that is cut, before or within the answer, is an error of the pass', async () => {
  await isNotTaken((response) => response.destroy(), /\/v1\/logs: socket hang up$/);
  await isNotTaken((response) => {
    response.writeHead(200, { 'Content-Length': 10 });
    response.write('abc', () => response.destroy());
  }, /\/v1\/logs: aborted$/);
});

test('an answer that never comes ends when the time is over, also one that begins', async () => {
  await isNotTaken(() => {}, /\/v1\/logs: no answer within 0.3s$/, { requestMs: 300 });
  await isNotTaken(
    (response) => {
      response.writeHead(200, { 'Content-Length': 1_000_000 });
      const drip = setInterval(() => response.write('x'), 50);
      response.once('close', () => clearInterval(drip));
    },
    /no answer within 0.3s$/,
    { requestMs: 300 },
  );
});

test('an answer without an end is read up to a MiB, and what is quoted of it is short', async () => {
  await isNotTaken((response) => {
    response.writeHead(403, { 'Content-Type': 'text/plain' });
    const write = (): void => void (response.destroyed || response.write('é'.repeat(100_000), write));
    response.on('error', () => {});
    write();
  }, /answered 403 Forbidden: é{200}$/);
});

test('an answer that comes before the request was sent does not upset the next one', async () => {
  const root = goldenCopy('workflow');
  const large = 'workflow/streams/main/transcript-20260101T000000.000000000Z-000090.sd';
  const [header] = readFileSync(
    join(root, sendable(root).find((file) => file.endsWith('.sd'))!),
    'utf8',
  ).split('\n');
  writeFileSync(join(root, large), `${header}\n${'x'.repeat(12_000_000)}\n`);
  const early = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      if (piece.includes('POST /v1/logs')) socket.write('HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy');
    });
  });
  await new Promise<void>((resolve) => early.listen(0, '127.0.0.1', resolve));
  const { port } = early.address() as AddressInfo;
  const report = await push(root, { endpoint: `http://127.0.0.1:${port}`, batchBytes: 1, requestMs: 5000 });
  early.close();
  assert.deepEqual([report.files, report.errors.length], [0, sendable(root).length]);
  for (const error of report.errors) assert.match(error, /answered 503 Busy: busy$/);
});

test('a file that a receiver finds fault with is one error that names it, and the rest of its request go', async () => {
  const root = goldenCopy('samples');
  const files = sendable(root);
  const [bad] = files.slice(3);
  for (const status of [400, 413, 422]) {
    const picky = await Misbehaving.start();
    const refusing = answering(status, 'I do not like it');
    picky.otherwise = (response, got) =>
      (got.records.some(({ file }) => file === bad) ? refusing : answering(200))(response, got);
    const copy = goldenCopy('samples');
    const report = await push(copy, { endpoint: picky.endpoint });
    assert.deepEqual([report.files, report.errors.length], [files.length - 1, 1]);
    assert.match(report.errors[0]!, new RegExp(`^${bad}: otlp: .* answered ${status} .*: I do not like it$`));
    assert.equal(picky.got.length, files.length + 1);
  }
});

test('a batch of which each file is refused keeps no other from being sent, and each is named', async () => {
  const root = goldenCopy('samples');
  const files = sendable(root);
  const bad = [files[0], files[1], files[3]];
  const picky = await Misbehaving.start();
  picky.otherwise = (response, got) =>
    answering(got.records.some(({ file }) => bad.includes(file)) ? 400 : 200)(response, got);
  const sizes = files.map((file) => statSync(join(root, file)).size);
  const report = await push(root, { endpoint: picky.endpoint, batchBytes: Math.max(...sizes) });
  assert.equal(report.files, files.length - bad.length);
  assert.deepEqual(report.errors.map((error) => error.split(':', 1)[0]).sort(), bad);
});

test('a receiver that finds fault with everything is asked for 50 single files, and then no more', async () => {
  const root = temporaryFolder();
  const folder = join(root, 's/streams/main');
  mkdirSync(folder, { recursive: true });
  for (let seq = 1; seq <= 120; seq++) {
    const header = `{"h":1,"schema":"sd/1","seq":${seq},"at":"2026-01-01T00:00:00Z","kind":"transcript","adapter":"mock/1","dialect":"mock/1","src":"x","session":"s","stream":"main"}\n`;
    writeFileSync(join(folder, `x-${String(seq).padStart(6, '0')}.sd`), header);
  }
  const bytes = statSync(join(folder, 'x-000100.sd')).size;
  receiver.forget();
  receiver.otherwise = answering(400, 'no');
  const report = await push(root, { endpoint, batchBytes: bytes * 40 });
  receiver.otherwise = answering(200);
  assert.equal(receiver.got.length, 40 + 1 + 10 + 1 + 1);
  const words = report.errors.map((error) => error.slice(0, error.indexOf(': otlp: ')));
  assert.deepEqual(words.slice(49), [
    's/streams/main/x-000050.sd',
    's/streams/main/x-000051.sd and 29 more',
    's/streams/main/x-000081.sd and 39 more',
  ]);
});

test('an answer of success that came before the request had gone out is none', async () => {
  const root = temporaryFolder();
  const folder = join(root, 's/streams/main');
  mkdirSync(folder, { recursive: true });
  const header =
    '{"h":1,"schema":"sd/1","seq":1,"at":"2026-01-01T00:00:00Z","kind":"transcript","adapter":"mock/1","dialect":"mock/1","src":"x","session":"s","stream":"main"}';
  writeFileSync(join(folder, 'x-000001.sd'), `${header}\n${'x'.repeat(30_000_000)}\n`);
  const early = await rawServer((socket) => {
    socket.once('data', () => {
      socket.pause(); // What was not read fills the buffers between the two.
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
  });
  const report = await push(root, { endpoint: early });
  assert.equal(report.files, 0);
  assert.match(
    report.errors[0]!,
    /answered 200 OK before it had all of the request; nothing is recorded as sent$/,
  );
});

test('an offer of another protocol is an answer like any other, and the pass goes on', async () => {
  const offer = await rawServer((socket) => {
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    );
  });
  const report = await push(goldenCopy('workflow'), { endpoint: offer, requestMs: 5000, batchBytes: 50_000 });
  assert.deepEqual([report.files, report.errors.length], [0, report.requests]);
  for (const error of report.errors)
    assert.match(error, /: otlp: http:\S+ answered 101 Switching Protocols$/);
});

/** A server that writes what it likes, closed when the test file ends; gives its endpoint. */
async function rawServer(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('nobody listens: every request is an error, and nothing is noted down', async () => {
  const gone = await Misbehaving.start();
  const { endpoint: nowhere } = gone;
  gone.close();
  const root = goldenCopy('workflow');
  const report = await push(root, { endpoint: nowhere });
  assert.equal(report.errors.length, 1);
  assert.match(report.errors[0]!, /and \d+ more: otlp: http:\S+: connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
  assert.ok(!existsSync(join(root, 'push.state')));
});

test('the command says each error on one line of standard error, and exits 1', async () => {
  const work = new Workplace({ root: goldenCopy('workflow') });
  const configure = (otlp: object) =>
    writeFileSync(
      join(work.folder, 'asz.yaml'),
      JSON.stringify({ storage: { root: work.root }, export: { otlp } }),
    );
  configure({});
  assert.deepEqual(await work.asz(['push']), {
    ...{ status: 1, stdout: '' },
    stderr:
      "asz: push: set export.otlp.endpoint, the receiver's base URL, for example http://127.0.0.1:12800\n",
  });
  configure({ endpoint, batch_bytes: 1, instance_id: 'me', max_bytes_per_minute: 1_048_576_000 });
  receiver.next.push(answering(503, 'a\nb\u001b[2J'));
  const failed = await work.asz(['push', '-once']);
  assert.equal(failed.status, 1);
  assert.match(
    failed.stderr,
    /^ {2}error: \S+\.s[df]: otlp: \S+ answered 503 Service Unavailable: a\\nb\\u001b\[2J\n/,
  );
  assert.match(
    failed.stderr,
    /\nasz: pass incomplete: 1 error\(s\); unsent files are retried on the next pass\n$/,
  );
  assert.equal(failed.stderr.split('\n').length, 3);
  const done = await work.asz(['push']);
  assert.equal(done.status, 0);
  assert.match(
    done.stdout,
    new RegExp(
      [
        `^storage root: ${work.root}`,
        `endpoint    : ${url} over HTTP`,
        'service     : the runtime of each session \\(Claude Code, Mock Agent\\)',
        'instance    : me',
        'layer       : AI_AGENT',
        'rate        : 1000.0MB per minute',
        '\\[\\d\\d:\\d\\d:\\d\\d\\] files=1 bytes=[\\d.]+K?B wire=[\\d.]+K?B requests=1 paused=0s rejected=0 errors=0 \\(\\d.*\\)\n$',
      ].join('\n'),
    ),
  );
  const again = await work.asz(['push']);
  assert.match(again.stdout, /files=0 bytes=0B wire=0B requests=0 paused=0s rejected=0 errors=0/);
});
