/** What is in the configured headers is said nowhere; and what would say it is refused. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { blankerOf, receiverOf } from '../../src/push/receiver.js';
import { Workplace } from '../e2e/run-asz.js';
import { answering, Misbehaving } from './misbehaving.js';
import { goldenCopy } from './root-copies.js';

const TOKEN = 'tok-8c1fa7"\\9e';
const HEADERS = {
  Authorization: `Bearer ${TOKEN}`,
  'X-Key': 'a/b+c=d&e',
  'x-basic': `Basic ${Buffer.from('ann:hunter22').toString('base64')}`,
};
/** None of these, in any spelling that a receiver may send back. */
const SECRETS = [
  TOKEN,
  JSON.stringify(TOKEN).slice(1, -1),
  encodeURIComponent(TOKEN),
  'a/b+c=d&e',
  'hunter22',
  HEADERS['x-basic'].slice(6),
];

const receiver = await Misbehaving.start();

function place(otlp: object): Workplace {
  const work = new Workplace({ root: goldenCopy('workflow') });
  writeFileSync(
    join(work.folder, 'asz.yaml'),
    JSON.stringify({ storage: { root: work.root }, export: { otlp } }),
  );
  return work;
}

test('the headers arrive, and no output, no file and no diagnosis says them, whatever comes back', async () => {
  const echo = [...SECRETS, ...Object.values(HEADERS), JSON.stringify(HEADERS)].join('\n');
  const answers = [
    answering(403, echo),
    answering(400, echo),
    answering(200, echo, { 'Content-Type': `text/${encodeURIComponent(TOKEN)}` }),
    answering(302, '', { Location: `https://x/?${encodeURIComponent(TOKEN)}` }),
    answering(429, echo, { 'Retry-After': '5' }),
  ];
  for (const answer of answers) {
    const work = place({ endpoint: receiver.endpoint, headers: HEADERS, batch_bytes: 20_000 });
    receiver.forget();
    receiver.otherwise = answer;
    for (const env of [{}, { ASZ_DEBUG: '1' }]) {
      const { status, stdout, stderr } = await work.asz(['push'], { env });
      assert.equal(status, 1);
      assertSilent(stdout + stderr);
    }
    assert.equal(receiver.got[0]!.headers.authorization, HEADERS.Authorization);
    assert.equal(receiver.got[0]!.headers['x-key'], HEADERS['X-Key']);
    for (const entry of readdirSync(work.root, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) assertSilent(readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  }
});

test('a secret in the spelling of a page, of Go, or in another case is blanked too', () => {
  const secret = `p&ss<w0rd>x'y"z-été`;
  const blank = blankerOf({ 'x-key': secret });
  const html = (quote: string, apostrophe: string) =>
    secret
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', quote)
      .replaceAll("'", apostrophe);
  const json = JSON.stringify(secret).slice(1, -1);
  const go = json.replaceAll('&', '\\u0026').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  for (const spelled of [
    ...[
      secret,
      secret.toUpperCase(),
      json,
      go,
      go.replaceAll('é', '\\u00e9'),
      json.replaceAll('é', '\\u00E9'),
    ],
    ...[html('&quot;', '&#39;'), html('&#34;', '&#x27;'), html('"', "'")],
  ])
    assert.equal(blank(`before ${spelled} after`), 'before *** after');
});

test('an answer that repeats a secret where it would be cut does not show a part of it', async () => {
  const blank = blankerOf(HEADERS);
  for (let at = 380; at < 420; at++) {
    const work = 'x'.repeat(at) + HEADERS.Authorization;
    assert.ok(!blank(work).includes(TOKEN.slice(0, 6)));
  }
});

test('a secret is blanked in the spellings of JSON, URLs and base64, and a part of it too', () => {
  const secret = 'ab/cd+ef/0123456789"xyz';
  const blank = blankerOf({ 'X-Key': secret });
  const url = encodeURIComponent(secret);
  for (const spelt of [
    JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
    url.toLowerCase(),
    url.replaceAll('%2F', '/'),
    url.toLowerCase().replaceAll('%2f', '/'),
    Buffer.from(secret).toString('base64'),
    secret.slice(3, 11),
    secret.slice(0, -1),
  ])
    assert.equal(blank(`so: ${spelt} !`), 'so: *** !', spelt);
  assert.equal(blank(`so: ${secret.slice(0, 7)} !`), `so: ${secret.slice(0, 7)} !`);
});

test('an endpoint that holds a user, a query or a fragment is refused without being quoted', async () => {
  for (const endpoint of [
    'http://ann:hunter22@127.0.0.1:1',
    'ann:hunter22@127.0.0.1:1',
    'http://127.0.0.1:1/?key=hunter22',
    'http://127.0.0.1:1/#hunter22',
    'https://hunter22@host/path',
  ]) {
    const { status, stdout, stderr } = await place({ endpoint }).asz(['push'], { env: { ASZ_DEBUG: '1' } });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(
      stderr,
      /^asz: push: otlp: the endpoint (names a user|has a query or a fragment); put it into export\.otlp\.headers/m,
    );
    assert.doesNotMatch(stderr, /hunter22/);
  }
  for (const endpoint of ['grpc://127.0.0.1:4317', 'http:///x', 'ftp://x'])
    assert.throws(() => receiverOf(endpoint, {}), {
      message: `otlp: an http endpoint is a URL such as http://127.0.0.1:12800: ${endpoint}`,
    });
  for (const endpoint of ['127.0.0.1:4318', 'http://', 'http://a b', 'x:hunter22%40host', 'http://a:b%40c'])
    assert.throws(() => receiverOf(endpoint, {}), {
      message: 'otlp: an http endpoint is a URL such as http://127.0.0.1:12800: export.otlp.endpoint is none',
    });
  assert.throws(() => receiverOf('', {}), { message: 'otlp: no endpoint' });
  assert.equal(receiverOf('http://h/base//', {}).endpoint, 'http://h/base');
  assert.equal(receiverOf('http://h/base//', {}).url.href, 'http://h/base/v1/logs');
});

test('a header that would end its line, or say how the request travels, is refused by its name', async () => {
  for (const [name, value] of [
    ['X-Token', 'hunter22\r\nX-Other: 1'],
    ['X-Token', 'hunter22\n'],
    ['X-Token', 'hunter22\u0000'],
    ['X-Token', 'hunter22 😀'],
    ['X Token', 'hunter22'],
    ['X-Token:', 'hunter22'],
    ['content-length', '22'],
    ['Transfer-Encoding', 'chunked'],
  ] as const) {
    const work = place({ endpoint: receiver.endpoint, headers: { [name]: value } });
    const { status, stderr } = await work.asz(['push'], { env: { ASZ_DEBUG: '1' } });
    assert.equal(status, 1);
    assert.match(stderr, /^asz: push: otlp: export\.otlp\.headers: "/m);
    assert.doesNotMatch(stderr, /hunter22/);
  }
});

test('a configuration that is wrong where its headers are does not say them', async () => {
  for (const headers of [
    'headers: Bearer-hunter22',
    'headers: [hunter22]',
    'headers: {Authorization: [hunter22]}',
    'headers: {Authorization: *hunter22}',
    'headers: {Authorization: !hunter22 x}',
    'headers: {Authorization: "hunter22 \\q"}',
    'headers:\n      Authorization: hunter22: x',
    'headers:\n      Authorization: Bearer\n     hunter22',
    'headers:\n      hunter22\n      x: 1',
    'headers: {Authorization: "hunter22}',
    'headers: {a: hunter22, a: hunter22}',
    'headers: {<<: hunter22}',
  ]) {
    const work = new Workplace();
    writeFileSync(
      join(work.folder, 'asz.yaml'),
      `export:\n  otlp:\n    endpoint: ${receiver.endpoint}\n    ${headers}\n`,
    );
    for (const env of [{}, { ASZ_DEBUG: '1' }]) {
      const { status, stdout, stderr } = await work.asz(['push'], { env });
      assert.equal(status, 1, headers);
      assert.doesNotMatch(stdout + stderr, /hunter22/, headers);
    }
  }
});

function assertSilent(text: string): void {
  for (const secret of SECRETS) assert.ok(!text.includes(secret), `${secret} in ${text}`);
}
