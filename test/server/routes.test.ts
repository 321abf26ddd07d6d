/** What every route answers and what it refuses, asked over a real connection. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { CLAUDE_CODE } from '../../src/adapters/claude-code/claude-code.js';
import { isAllowedHost } from '../../src/http/host-check.js';
import { listRounds, type RoundFile } from '../../src/io/chain-directory.js';
import { type LandedFile, listLandedFiles, roundsFolder, sessionFolder } from '../../src/io/storage-root.js';
import { routeOf } from '../../src/server/routes.js';
import { aSession } from '../builders.js';
import { rewrite } from '../e2e/run-asz.js';
import { madeRoot, said, step, talkNode, textPart } from '../view/made-root.js';
import { documentOf } from '../view/viewing.js';
import { serving } from './serving.js';

const HOSTILE = '</script><img src=x onerror=alert(1)>';
let root: string;

before(async () => {
  const session = aSession();
  session.main
    .title(HOSTILE)
    .input(`${HOSTILE} the opening words`)
    .tool('t1', 'Bash', { command: 'make' })
    .result('t1', { text: 'x'.repeat(3000) })
    .says('done');
  session.land();
  await session.parse();
  root = session.root;
  mkdirSync(join(root, '_conversations', 'empty', 'rounds'), { recursive: true });
});

test('the document, its length, its tag, and nothing for who has it', async (t) => {
  const { ask } = await serving(t, root);
  const answer = await ask('/api/c/s1/view');
  assert.equal(answer.body, documentOf(root, 's1'));
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.equal(answer.headers['content-length'], String(Buffer.byteLength(answer.body)));
  const tag = `"${createHash('sha256').update(answer.body).digest('hex')}"`;
  assert.equal(answer.headers.etag, tag);
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const again = await ask('/api/c/s1/view', { headers: { 'If-None-Match': known } });
    assert.deepEqual([again.status, again.body, again.headers.etag], [304, '', tag]);
  }
  assert.equal((await ask('/api/c/s1/view', { headers: { 'If-None-Match': '"other"' } })).status, 200);
});

test('one record, whole, in the order of the format', async (t) => {
  const { ask } = await serving(t, root);
  const record = (await ask('/api/c/s1/record/1/4')).json();
  assert.equal(record.parts[0].text.length, 3000);
  assert.deepEqual(Object.keys(record).slice(0, 4), ['ord', 'off', 'sha', 'bytes']);
  for (const [path, error] of [
    ['/api/c/s1/record/1/0', 'view: no row 0 in sequence 1'],
    ['/api/c/s1/record/1/99', 'view: no row 99 in sequence 1'],
    ['/api/c/s1/record/9/1', 'view: no landed file with sequence 9'],
    ['/api/c/s1/record/1/-1', 'not found'],
    ['/api/c/s1/record/1/1e0', 'not found'],
    ['/api/c/s1/record/99999999999999999999/1', 'not found'],
  ] as const) {
    const answer = await ask(path);
    assert.deepEqual([answer.status, answer.json()], [404, { error }], path);
  }
});

test('a record keeps the spelling of its data', async (t) => {
  const data = '{"10":1.0,"9":12345678901234567890}';
  const made = madeRoot({ files: [{ records: [{ parts: [{ k: 'data', data }] }] }] });
  const { ask } = await serving(t, made);
  assert.ok((await ask('/api/c/s/record/1/1')).body.includes(`"data":${data}`));
});

test('the list, with the state of the document once there is one', async (t) => {
  const { ask } = await serving(t, root);
  const rows = async () => (await ask('/api/conversations')).json();
  assert.deepEqual(
    (await rows()).map(({ id, state }: { id: string; state: string }) => [id, state]),
    [['s1', 'not_checked']],
  );
  await ask('/api/c/s1/view');
  assert.equal((await rows())[0].state, 'verified');
});

test('status, glossary', async (t) => {
  const { ask } = await serving(t, root);
  assert.deepEqual((await ask('/api/status')).json(), {
    ...{ mode: 'static', last_refresh: 0, next_refresh: 0, refreshing: false },
    ...{ landed: 0, records: 0, rounds: 0, took_ms: 0 },
  });
  const glossary = (await ask('/api/glossary')).json();
  assert.deepEqual([glossary.dialect, glossary.dialects], ['mock/1', ['mock/1']]);
  assert.equal(glossary.terms.talk.note, '');
  assert.ok(glossary.fields.flags.length > 0);
  assert.equal(
    (await ask(`/api/glossary?dialect=${CLAUDE_CODE.dialect}`)).json().dialect,
    CLAUDE_CODE.dialect,
  );
  assert.deepEqual((await ask('/api/glossary?dialect=x')).json(), {
    error: 'no glossary was supplied for this storage root',
  });
  const { ask: empty } = await serving(t, madeRoot({ files: [{ records: [] }] }));
  assert.equal((await empty('/api/glossary')).status, 404);
});

test('provider bodies, and nothing else, as files', async (t) => {
  const body = { kind: 'provider_body', stream: '', records: [said('request')] };
  const made = madeRoot({ files: [{ records: [said('x')] }, body] });
  const { ask } = await serving(t, made);
  const [file, ...none] = (await ask('/api/c/s/files?seq=2&seq=2&seq=99&session=s')).json();
  assert.deepEqual([file.seq, none], [2, []]);
  assert.match(Buffer.from(file.bytes, 'base64').toString(), /"text":"request"/);
  for (const [query, status] of [
    ['', 400],
    ['seq=0', 400],
    ['seq=x', 400],
    ['seq=1.5', 400],
    ['seq=0x2', 400],
    ['seq=2e0', 400],
    ['seq=%202', 400],
    ['seq=1', 400],
    ['seq=2&session=other', 400],
    [Array.from({ length: 33 }, (_, i) => `seq=${i + 1}`).join('&'), 400],
    ['seq=2&hide=tool_schemas', 403],
    ['seq=2&hide=x', 400],
  ] as const)
    assert.equal((await ask(`/api/c/s/files?${query}`)).status, status, query);
});

test('pages hold no word of a conversation, and lie under a policy that lets nothing in', async (t) => {
  const { ask } = await serving(t, root);
  for (const path of ['/', `/c/${encodeURIComponent(HOSTILE)}`, '/c/unknown']) {
    const page = await ask(path);
    assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8']);
    assert.match(
      String(page.headers['content-security-policy']),
      /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/,
    );
    assert.doesNotMatch(page.body, /<script(?! src="\/assets\/)|<style|<img|onerror| style=|https?:/);
  }
  const bodies = [HOSTILE, 'unknown'].map(async (id) => (await ask(`/c/${encodeURIComponent(id)}`)).body);
  assert.equal(new Set(await Promise.all(bodies)).size, 1);
});

test('what a page is made of is served by name, to be kept for a day', async (t) => {
  const { ask } = await serving(t, root);
  const { body } = await ask('/');
  const names = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name!);
  assert.equal(names.length, 3);
  for (const name of [...names, '/logo.svg', '/logo-blue.svg']) {
    const { status, headers, body } = await ask(name);
    assert.equal(status, 200, name);
    assert.equal(headers['cache-control'], 'public, max-age=86400');
    assert.match(headers['content-type']!, /^(text\/javascript|text\/css|image\/svg\+xml)/);
    assert.equal(Number(headers['content-length']), Buffer.byteLength(body));
  }
  for (const name of [
    '/assets/',
    '/assets',
    '/assets/..%2Findex.html',
    '/assets/x.js',
    '/index.html',
    '/logo',
  ])
    assert.equal((await ask(name)).status, 404, name);
});

test('all answers carry the same protection, errors too', async (t) => {
  const { ask } = await serving(t, root);
  for (const [path, options] of [
    ['/', {}],
    ['/nothing', {}],
    ['/api/status', {}],
    ['/api/c/s1/view', {}],
    ['/api/nothing', {}],
    ['/', { method: 'POST' }],
    ['/', { headers: { Host: 'evil.example' } }],
  ] as const) {
    const { headers } = await ask(path, options);
    assert.equal(headers['x-content-type-options'], 'nosniff', path);
    assert.equal(headers['referrer-policy'], 'no-referrer', path);
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin', path);
    assert.equal(headers['access-control-allow-origin'], undefined, path);
  }
});

test('what there is no route for', async (t) => {
  const { ask } = await serving(t, root);
  const other = await ask('/favicon.ico');
  assert.deepEqual(
    [other.status, other.headers['content-type'], other.body],
    [404, 'text/plain; charset=utf-8', 'not found\n'],
  );
  for (const path of [
    '/api/',
    '/api/c/s1',
    '/api/c/s1/',
    '/api/c/s1/talk/1',
    '/api/c//view',
    '/api/c/s1/view/',
    '/api/status/x',
  ]) {
    const answer = await ask(path);
    assert.deepEqual([answer.status, answer.json()], [404, { error: 'not found' }], path);
  }
});

test('an id is one that is listed, or there is no such conversation', async (t) => {
  writeFileSync(join(root, 'secret.sd'), 'secret');
  symlinkSync('/', join(root, '_conversations', 'link'));
  const { ask } = await serving(t, root);
  const ids = [
    '..',
    '.',
    '%2e%2e',
    '..%2f..%2fetc',
    '..%5c..',
    '%2fetc%2fpasswd',
    's1%2f..%2fs1',
    's1%00',
    's1%0a',
    '_conversations',
    'S1',
    ' s1',
    'link',
    '%ff',
    '%',
    '%E0%A4%A',
    'con',
    HOSTILE,
  ];
  for (const id of ids)
    for (const route of ['view', 'record/1/1', 'files?seq=1']) {
      const answer = await ask(`/api/c/${encodeURI(id).replaceAll('%25', '%')}/${route}`);
      assert.equal(answer.status, 404, id);
      assert.doesNotMatch(answer.body, /secret|root:/);
    }
  const empty = await ask('/api/c/empty/view');
  assert.deepEqual(
    [empty.status, empty.json()],
    [404, { error: 'view: no rounds for empty; run asz parse' }],
  );
  assert.equal((await ask('/api/c/empty/record/1/1')).status, 404);
});

test('only reading: other methods are refused, HEAD is GET without its body', async (t) => {
  const { ask } = await serving(t, root);
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
    const answer = await ask('/api/status', { method });
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD'], method);
  }
  for (const path of [
    '/',
    '/api/status',
    '/api/conversations',
    '/api/c/s1/view',
    '/api/c/s1/record/1/1',
    '/api/events',
    '/api/c/nobody/view',
  ]) {
    const get = path === '/api/events' ? undefined : await ask(path);
    const head = await ask(path, { method: 'HEAD' });
    assert.equal(head.body, '', path);
    if (get === undefined) continue;
    assert.deepEqual(
      [head.status, head.headers['content-length'], head.headers.etag],
      [get.status, get.headers['content-length'], get.headers.etag],
      path,
    );
  }
});

test('a host is an address, localhost, or listed; its port does not matter', async (t) => {
  const { ask } = await serving(t, root, { hosts: ['Box.Example'] });
  const statusFor = async (Host: string) => (await ask('/api/status', { headers: { Host } })).status;
  for (const host of [
    '127.0.0.1',
    '127.0.0.1:1',
    '[::1]:8787',
    '192.168.1.9:80',
    'localhost',
    'LOCALHOST:99',
    'box.example',
    'box.example:8787',
  ])
    assert.equal(await statusFor(host), 200, host);
  for (const host of [
    'evil.example',
    'evil.example:8787',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'sub.box.example',
    'localhost.',
    '[evil]',
    '0x7f.1',
    'a b',
    '127.0.0.1@evil.example',
    'localhost:80:80',
  ])
    assert.equal(await statusFor(host), 403, host);
  assert.equal(isAllowedHost('', []), false);
});

test('without a host there is no answer', async (t) => {
  const { address } = await serving(t, root);
  for (const line of ['GET /api/status HTTP/1.1', 'GET /api/status HTTP/1.0']) {
    const socket = connect(address.port, address.host);
    socket.end(`${line}\r\nConnection: close\r\n\r\n`);
    assert.match(await text(socket), /^HTTP\/1\.[01] 400 /);
  }
});

/** What comes back for bytes that are written as they are. */
async function raw(address: { readonly host: string; readonly port: number }, bytes: string) {
  const socket = connect(address.port, address.host);
  socket.on('error', () => {});
  socket.end(bytes);
  return text(socket);
}

test('two hosts are none', async (t) => {
  const { address } = await serving(t, root);
  for (const other of ['localhost', 'evil.example']) {
    const request = `GET /api/status HTTP/1.1\r\nHost: localhost\r\nHost: ${other}\r\nConnection: close\r\n\r\n`;
    assert.match(await raw(address, request), /^HTTP\/1\.1 400 .*more than one Host header/s);
  }
});

test('what the parser of HTTP refuses is answered with the same protection', async (t) => {
  const { address } = await serving(t, root);
  for (const [request, status] of [
    ['garbage\r\n\r\n', 400],
    ['FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    ['GET / HTTP/1.1\r\nHost: evil.example\r\nExpect: x\r\nConnection: close\r\n\r\n', 403],
    ['GET /api/status HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\nConnection: close\r\n\r\n', 200],
    ['GET http://evil.example/api/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 403],
    ['GET http://localhost/api/status HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n', 403],
    ['GET http://a@localhost/api/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 403],
    ['GET http:///api/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 403],
    ['OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
    ['GET /api/status HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['GET /api/status HTTP/1.0\r\n\r\n', 400],
    ['CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
  ] as const) {
    const answer = await raw(address, request);
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), request.slice(0, 80));
    if (status !== 200)
      assert.match(answer, /Content-Type: application\/json\r\n[\s\S]*\r\n\r\n\{"error":"[^"]+"\}$/);
    if (status === 405) assert.match(answer, /\r\nAllow: GET, HEAD\r\n/);
    assert.match(answer, /X-Content-Type-Options: nosniff\r\n/);
    assert.match(answer, /Referrer-Policy: no-referrer\r\n/);
    assert.match(answer, /Cross-Origin-Resource-Policy: same-origin\r\n/);
  }
});

test('a target with its host is answered as its path', async (t) => {
  const { ask } = await serving(t, root);
  for (const path of ['/', '/api/search?q=words', '/api/nothing']) {
    const [whole, short] = [await ask(`HTTP://localhost:1${path}`), await ask(path)];
    assert.deepEqual([whole.status, whole.body], [short.status, short.body], path);
  }
  assert.equal((await ask('http://127.0.0.1')).status, 200);
  assert.equal((await ask('http://127.0.0.1?x')).status, 200);
});

test('a path is what it says: nothing in it is resolved or joined', async (t) => {
  const { ask } = await serving(t, root);
  for (const path of [
    '//api/status',
    '/api//status',
    '/./api/status',
    '/x/../api/status',
    '/%61pi/status',
    '/api/c/../status',
    '/api/c/s1/../s1/view',
    '/api/c/s1/%2e%2e/view',
    '/api/c/s1%2fview',
    '/api/status;x',
    '/API/status',
  ])
    assert.equal((await ask(path)).status, 404, path);
});

test('headers without end are cut off', async (t) => {
  const { address } = await serving(t, root);
  const socket = connect(address.port, address.host);
  socket.on('error', () => {});
  socket.end(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
  assert.match(await text(socket), /^HTTP\/1\.1 431 /);
});

test('withheld words occur in no answer of any route', async (t) => {
  const flags = ['system_prompt'];
  const secret = said('SECRET', 1, { flags, id: 'r1' });
  const result = { flags, parts: [textPart('SECRET', 'result'), { k: 'data', data: '{"a":"SECRET"}' }] };
  const body = { kind: 'provider_body', stream: '', records: [secret] };
  const made = madeRoot({
    files: [{ records: [secret, said('open'), { parts: [{ k: 'call', id: 't1' }] }, result] }, body],
    nodes: [
      talkNode(),
      step('in', 1, { kind: 'message.external' }),
      step('out', 1),
      step('t', 3, {
        kind: 'tool',
        refs: [
          { seq: 1, row: 3 },
          { seq: 1, row: 4 },
        ],
      }),
    ],
  });
  const paths = [
    '/',
    '/c/s',
    '/api/status',
    '/api/conversations',
    '/api/glossary',
    '/api/search?q=SECRET',
    '/api/search?q=open',
    '/api/c/s/view',
    '/api/c/s/files?seq=2',
    ...[1, 2, 3, 4].map((row) => `/api/c/s/record/1/${row}`),
    '/api/c/s/record/2/1',
  ];
  const configured = await serving(t, made, { hide: flags });
  const asked = await serving(t, made);
  let shown = 0;
  for (const path of paths) {
    const separator = path.includes('?') ? '&' : '?';
    for (const answer of [
      await configured.ask(path),
      await asked.ask(`${path}${separator}hide=tool_schemas,system_prompt`),
      await configured.ask(`${path}${separator}hide=tool_schemas`),
    ])
      assert.doesNotMatch(answer.body.replace('"query":"SECRET"', ''), /SECRET/, path);
    if ((await asked.ask(path)).body.replace('"query":"SECRET"', '').includes('SECRET')) shown++;
  }
  assert.ok(shown >= 5, `${shown} routes show it when nothing is withheld`);
  const record = (await configured.ask('/api/c/s/record/1/4')).json();
  assert.deepEqual(record.parts, [
    { k: 'result', state: 'omitted', bytes: 6 },
    { k: 'data', state: 'omitted' },
  ]);
  for (const path of ['/api/c/s/view', '/api/c/s/record/1/1', '/api/search?q=x']) {
    const wrong = await asked.ask(`${path}${path.includes('?') ? '&' : '?'}hide=x`);
    assert.deepEqual(
      [wrong.status, wrong.json()],
      [400, { error: 'view: hide names "x"; the page can withhold system_prompt and tool_schemas' }],
    );
  }
});

test('names, labels and the title of flagged records are withheld as their texts are', async (t) => {
  const flags = ['tool_schemas'];
  const call = {
    k: 'call',
    id: 't1',
    name: 'SECRET-tool',
    server: 'SECRET',
    server_tool: 'SECRET-x',
    text: 'open',
  };
  const attrs = {
    launched: 'SECRET run',
    mcp_server: 'SECRET',
    mcp_tool: 'SECRET-x',
    name: 'SECRET-tool',
    timing: 'unavailable',
  };
  const files = [
    { records: [said('open words'), { flags, parts: [call] }, { flags, label: 'SECRET title' }] },
    { kind: 'agent_meta', stream: 'c1', records: [{ flags, child: 'c1', label: 'SECRET ünï label' }] },
    { kind: 'workflow_manifest', run: 'wf_1', records: [{ flags, label: 'SECRET run' }] },
  ];
  const nodes = [
    { id: 'session/s', kind: 'session', attrs: { title: 'SECRET title' } },
    { id: 'stream/c1', kind: 'stream', stream: 'c1', attrs: { label: 'SECRET ünï label', role: 'child' } },
    talkNode(),
    step('t', 2, { kind: 'tool', attrs }),
  ];
  const made = madeRoot({ files, nodes });
  const { ask } = await serving(t, made);
  const paths = [
    '/api/c/s/view',
    '/api/search?q=open',
    ...['1/2', '1/3', '2/1', '3/1'].map((at) => `/api/c/s/record/${at}`),
  ];
  for (const path of paths) {
    assert.match((await ask(path)).body, /SECRET/, path);
    const hidden = await ask(`${path}${path.includes('?') ? '&' : '?'}hide=tool_schemas`);
    assert.equal(hidden.status, 200);
    assert.doesNotMatch(hidden.body, /SECRET/, path);
    const other = await ask(`${path}${path.includes('?') ? '&' : '?'}hide=system_prompt`);
    assert.match(other.body, /SECRET/, `${path}: what is asked for withholds nothing of it`);
  }
  const [talk] = (await ask('/api/c/s/view?hide=tool_schemas')).json().talks;
  assert.deepEqual(talk.children[0].attrs, { timing: 'unavailable' });
  rmSync(listLandedFiles(sessionFolder(made, 's'))[0]!.path);
  const { body } = await ask('/api/c/s/view?hide=system_prompt');
  assert.doesNotMatch(body, /SECRET title/, 'nobody can tell any more whose words it was');
});

test('a record that does not decode is told without its words', async (t) => {
  const made = madeRoot({ files: [{ records: [said('x'), said('SECRET SECRET')] }] });
  const [{ path }] = listLandedFiles(sessionFolder(made, 's')) as [LandedFile];
  const whole = readFileSync(path, 'utf8');
  const { ask } = await serving(t, made);
  const damages = [
    '"text":SECRET ',
    '"text":"SECRET\tSECRET',
    '"text":"SECRET \\SECRET',
    '"text":4711,"x":"SECRET',
  ];
  for (const damage of damages) {
    rewrite(path, whole.replace('"text":"SECRET ', damage));
    const [open, hidden] = await Promise.all(
      ['', '?hide=system_prompt'].map((q) => ask(`/api/c/s/record/1/2${q}`)),
    );
    assert.equal(open!.status, 500);
    assert.match(open!.json().error, /^sessiondata: decode record: /);
    assert.doesNotMatch(open!.body, /SECRET/, damage);
    assert.deepEqual(
      [hidden!.status, hidden!.json().error],
      [500, 'view: row 2 in sequence 1 does not decode; run asz verify'],
    );
  }
});

test('a header of a round that does not decode is told in the list without its words', async (t) => {
  const made = madeRoot({ files: [{ records: [said('x')] }] });
  const [{ path }] = listRounds(roundsFolder(made, 's')) as [RoundFile];
  rewrite(path, readFileSync(path, 'utf8').replace('"session":', '"session":SECRET'));
  const { body } = await (await serving(t, made)).ask('/api/conversations');
  assert.match(body, /its first line does not decode: /);
  assert.doesNotMatch(body, /SECRET/);
});

test('a fault inside is told as one, without what it is about', async (t) => {
  const faults: unknown[] = [];
  const { ask } = await serving(t, root, {
    status: () => {
      throw new Error('/private/path');
    },
    onError: (path, cause) => faults.push([path, (cause as Error).message]),
  });
  const answer = await ask('/api/status');
  assert.deepEqual([answer.status, answer.json()], [500, { error: 'view: an internal error' }]);
  assert.deepEqual(faults, [['/api/status', '/private/path']]);
});

test('routes are matched part by part', () => {
  assert.deepEqual(routeOf('/api/c/a%2Fb/record/1/2'), {
    name: 'record',
    given: { id: 'a/b', seq: '1', row: '2' },
  });
  assert.deepEqual(routeOf('/c/x')?.name, 'conversation-page');
  for (const path of ['', '//', '/c/', '/c/x/', '/c/%', '/api/c/x/record/1', 'http://a/api/status'])
    assert.equal(routeOf(path), undefined, path);
});
