import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Config, defaultConfig, loadConfig } from '../../src/config/config.js';
import { temporaryFolder } from '../shared.js';

const folder = temporaryFolder();

function load(yaml: string): Config {
  const path = join(folder, 'x.yaml');
  writeFileSync(path, yaml);
  return loadConfig(path, folder);
}

const refuses = (yaml: string, message: string | RegExp) =>
  assert.throws(() => load(yaml), { code: 'CONFIG', exitCode: 1, message });

test('the defaults hold without a file', () => {
  assert.deepEqual(loadConfig(undefined, folder), {
    storage: { root: './data' },
    adapters: [
      {
        name: 'claude-code-local',
        enabled: true,
        sourceRoot: '',
        include: [],
        exclude: ['/private/tmp/**'],
        collector: { mode: 'watch', intervalMs: 600_000, maxDeltaBytes: 2_097_152 },
      },
    ],
    parse: { maxRoundBytes: 2_097_152 },
    metrics: { enabled: true, lookback: '72h' },
    export: {
      otlp: {
        protocol: 'http',
        endpoint: '',
        tls: false,
        serviceName: '',
        instanceId: '',
        layer: 'AI_AGENT',
        headers: {},
        batchBytes: 8_388_608,
        maxBytesPerMinute: 0,
        logs: true,
        metrics: true,
      },
    },
    view: { hide: [], hosts: [] },
  });
});

test('asz.yaml is looked for in the working directory alone, and a named file wins', () => {
  const working = temporaryFolder();
  mkdirSync(join(working, 'below'));
  writeFileSync(join(working, 'asz.yaml'), 'storage: { root: found }\n');
  assert.equal(loadConfig(undefined, working).storage.root, 'found');
  assert.equal(loadConfig(undefined, join(working, 'below')).storage.root, './data');
  writeFileSync(join(working, 'other.yaml'), 'storage: { root: named }\n');
  assert.equal(loadConfig(join(working, 'other.yaml'), working).storage.root, 'named');
});

test('every key is read', () => {
  const config = load(`
storage: { root: /r }
adapters:
  - name: mock
    enabled: false
    source_root: /s
    include: [a, b]
    exclude: []
    collector: { mode: once, interval: 1m30s, max_delta_bytes: 100 }
parse: { max_round_bytes: 200 }
metrics: { enabled: off, lookback: 3d }
export:
  otlp:
    protocol: http
    endpoint: h:1
    tls: yes
    service_name: n
    instance_id: i
    layer: 7
    headers: { a: b, c: 5 }
    batch_bytes: 300
    max_bytes_per_minute: 400
    logs: false
view: { hide: [system_prompt, tool_schemas] }
future: { key: [1] }
`);
  assert.deepEqual(config.adapters, [
    {
      name: 'mock',
      enabled: false,
      sourceRoot: '/s',
      include: ['a', 'b'],
      exclude: [],
      collector: { mode: 'once', intervalMs: 90_000, maxDeltaBytes: 100 },
    },
  ]);
  const { otlp } = config.export;
  assert.deepEqual(
    [otlp.protocol, otlp.tls, otlp.layer, otlp.logs, otlp.metrics],
    ['http', true, '7', false, true],
  );
  assert.deepEqual(otlp.headers, { a: 'b', c: '5' });
  assert.deepEqual([otlp.batchBytes, otlp.maxBytesPerMinute], [300, 400]);
  assert.deepEqual(config.parse, { maxRoundBytes: 200 });
  assert.deepEqual(config.metrics, { enabled: false, lookback: '3d' });
  assert.deepEqual(config.view.hide, ['system_prompt', 'tool_schemas']);
});

test('what is empty, null, zero or less keeps its default', () => {
  for (const yaml of [
    '',
    '# nothing\n',
    'storage:\nadapters: []\nparse: ~\n',
    'storage: { root: "" }\nparse: { max_round_bytes: 0 }\nmetrics: { lookback: "" }\n',
    'parse: { max_round_bytes: -1 }\nexport: { otlp: { batch_bytes: 0, layer: "", tls: false } }\n',
    'adapters: [{ name: claude-code-local, exclude: , collector: { interval: 0, mode: "", max_delta_bytes: 0 } }]\n',
    'adapters: [{ name: claude-code-local, collector: { interval: -5s } }]\n',
  ])
    assert.deepEqual(load(yaml), defaultConfig(), yaml);
});

test('a list of adapters replaces the default list, and an unknown adapter is enabled', () => {
  const { adapters } = load('adapters: [{ name: b }, { name: a, enabled: false }]');
  assert.deepEqual(
    adapters.map(({ name, enabled }) => [name, enabled]),
    [
      ['b', true],
      ['a', false],
    ],
  );
});

test('anchors and merge keys are followed', () => {
  const { adapters } = load('x: &x { enabled: false }\nadapters: [{ <<: *x, name: a }]');
  assert.equal(adapters[0]?.enabled, false);
});

for (const [yaml, message] of [
  ['storage: { root: "  " }', 'config: storage.root must not be empty'],
  ['adapters: [{ name: a }, { enabled: true }]', 'config: adapters[1] has no name'],
  ['adapters: [{ name: a }, { name: a }]', 'config: duplicate adapter "a"'],
  ['adapters: [{ name: a, collector: { mode: x } }]', 'config: adapter "a": unknown collector mode "x"'],
  ['storage: { root: "a\\0b" }', 'config: storage.root must not hold control characters'],
  ['export: { otlp: { protocol: x } }', 'config: export.otlp.protocol is "x", want grpc or http'],
  [
    'export: { otlp: { protocol: grpc } }',
    'config: export.otlp.protocol is "grpc", which is not built yet; use http',
  ],
  [
    'export: { otlp: { logs: false, metrics: false } }',
    'config: export.otlp has both logs and metrics off; a push would send nothing',
  ],
  ['metrics: { lookback: x }', 'config: metrics.lookback "x" is not a duration such as 24h or 7d'],
  ['metrics: { lookback: xd }', 'config: metrics.lookback "xd" is not a number of days'],
  [
    'view: { hide: [system_prompt, x] }',
    'config: view.hide names "x"; the page can withhold system_prompt and tool_schemas',
  ],
  [
    'adapters: [{ name: changes, source_root: /d }, { name: changes, source_root: /d }]',
    'config: adapters "changes" and "changes" both read /d; name each directory once',
  ],
] as const)
  test(`${message.slice(0, 70)}`, () => refuses(yaml, message));

test('of two rules broken, the earlier is told', () => {
  refuses('adapters: [{ name: a, collector: { mode: x } }, {}]', 'config: adapters[1] has no name');
});

test('several directories of changes may be listed', () => {
  assert.equal(
    load('adapters: [{ name: changes, source_root: /a }, { name: changes, source_root: /b }]').adapters
      .length,
    2,
  );
});

for (const [yaml, words] of [
  ['a: [', /^config: parse .*x\.yaml: Flow sequence .* at line 1, column \d+$/],
  ['a: 1\na: 2', /^config: parse .*: Map keys must be unique/],
  ['a: 1\n---\na: 2\n', /^config: parse .*x\.yaml: it holds several YAML documents, want one$/],
  ['- a', /: the file is a list, not a mapping$/],
  ['storage: 5', /: storage is 5, not a mapping$/],
  ['storage: { root: [a] }', /: storage.root is a list, not a text$/],
  ['adapters: { name: a }', /: adapters is a mapping, not a list$/],
  ['adapters: [a]', /: adapters\[0\] is "a", not a mapping$/],
  ['adapters: [{ name: a, enabled: maybe }]', /: adapters\[0\].enabled is "maybe", not true or false$/],
  ['adapters: [{ name: a, include: [{}] }]', /: adapters\[0\].include\[0\] is a mapping, not a text$/],
  [
    'adapters: [{ name: a, collector: { interval: 600 } }]',
    /collector.interval "600" is not a duration such as 10m$/,
  ],
  ['parse: { max_round_bytes: 1.5 }', /: parse.max_round_bytes is 1.5, not a whole number of bytes$/],
  ['parse: { max_round_bytes: 2MB }', /: parse.max_round_bytes is "2MB", not a whole number of bytes$/],
] as const)
  test(`${JSON.stringify(yaml)} does not parse`, () => refuses(yaml, words));

test('a named file that is not there is an error', () => {
  const path = join(folder, 'none.yaml');
  assert.throws(() => loadConfig(path, folder), {
    message: `config: read ${path}: open ${path}: no such file or directory`,
  });
});

test('asz.yaml may be a link to a file, and a dangling one is an error', () => {
  const working = temporaryFolder();
  symlinkSync('real.yaml', join(working, 'asz.yaml'));
  assert.throws(() => loadConfig(undefined, working), {
    code: 'CONFIG',
    message: 'config: read asz.yaml: it is a link to a file that does not exist',
  });
  writeFileSync(join(working, 'real.yaml'), 'storage: { root: linked }\n');
  assert.equal(loadConfig(undefined, working).storage.root, 'linked');
});

test('a pipe, a device or a directory as asz.yaml is refused and not waited for', () => {
  const make: readonly ((path: string) => void)[] = [
    (path) => execFileSync('mkfifo', [path]),
    (path) => symlinkSync('/dev/zero', path),
    (path) => mkdirSync(path),
  ];
  for (const put of make) {
    const working = temporaryFolder();
    put(join(working, 'asz.yaml'));
    assert.throws(() => loadConfig(undefined, working), {
      message: 'config: read asz.yaml: it is not a regular file',
    });
  }
});

test('a host is a name that can be asked for', () => {
  const hosts = ['box', 'Box.Example', 'my_box-1', 'xn--bcher-kva.example', '127.0.0.1', '::1'];
  assert.deepEqual(load(`view: { hosts: ${JSON.stringify(hosts)} }`).view.hosts, hosts);
  for (const host of [
    'box:8787',
    'http://box',
    '*',
    '*.example',
    '',
    'a b',
    ' box',
    'box/',
    'bücher.example',
    '[::1]:1',
  ])
    assert.throws(() => load(`view: { hosts: [box, ${JSON.stringify(host)}] }`), {
      code: 'CONFIG',
      message: `config: view.hosts[1] is ${JSON.stringify(host)}, want the name alone, such as box.example: no scheme, port, path or *`,
    });
});
