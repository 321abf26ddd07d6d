import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { discover } from '../../../src/adapters/claude-code/discovery.js';
import { locate } from '../../../src/adapters/claude-code/source-names.js';
import { defaultSourceRoot } from '../../../src/adapters/claude-code/source-root.js';
import { temporaryFolder } from '../../shared.js';

const S = '11111111-2222-4333-8444-555555555555';
const UPPER = 'AAAAAAAA-2222-4333-8444-555555555555';
const A = 'a0123456789abcdef';

function rootWith(...paths: string[]): string {
  const root = temporaryFolder();
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  return root;
}

const located: [path: string, kind: string | undefined, id?: string][] = [
  [`p/${S}.jsonl`, 'transcript', 'main'],
  [`p/${UPPER}.jsonl`, 'transcript', 'main'],
  [`p/${S}/subagents/agent-${A}.jsonl`, 'transcript', A],
  [`p/${S}/subagents/agent-${A}.meta.json`, 'agent_meta', A],
  [`p/${S}/subagents/workflows/wf_1/agent-${A}.jsonl`, 'transcript', A],
  [`p/${S}/subagents/workflows/wf_1/agent-${A}.meta.json`, 'agent_meta', A],
  [`p/${S}/subagents/workflows/any name/journal.jsonl`, 'journal', 'any name'],
  [`p/${S}/workflows/wf_1.json`, 'workflow_manifest', 'wf_1'],
  [`p/${S}/workflows/scripts/a-wf_decoy-then-wf_real1.js`, 'workflow_script', 'wf_real1'],
  [`p/${S}/workflows/scripts/a-wf_.js`, undefined],
  [`p/${S}/workflows/scripts/wf_1.js`, undefined],
  [`p/${S}/workflows/one.json`, undefined],
  [`p/${S}/subagents/agent-a2223d9.jsonl`, undefined],
  [`p/${S}/subagents/agent-${A.toUpperCase()}.jsonl`, undefined],
  [`p/${S}/subagents/journal.jsonl`, undefined],
  [`p/${S}/subagents/workflows/../journal.jsonl`, undefined],
  [`p/${S}/subagents/workflows/con/journal.jsonl`, undefined],
  [`p/${S}/subagents/workflows/_x/journal.jsonl`, undefined],
  [`p/${S}/subagents/workflows/wf_1/deeper/journal.jsonl`, undefined],
  [`p/${S}/tool-results/x.txt`, undefined],
  [`p/not-a-uuid.jsonl`, undefined],
  [`${S}.jsonl`, undefined],
  [`/${S}.jsonl`, undefined],
  ['', undefined],
];
for (const [path, kind, id] of located)
  test(`${path} is ${kind ?? 'no source'}`, () => {
    const source = locate(path)?.source;
    assert.deepEqual([source?.kind, source && (source.stream || source.batch)], [kind, id]);
  });

test('sources are in the order of their paths, sessions of their ids, and a session spans directories', () => {
  const root = rootWith(
    `b/${S}/workflows/scripts/x-wf_1.js`,
    `a/${S}.jsonl`,
    `a/${S}/workflows/wf_1.json`,
    `a/${S}/subagents/agent-${A}.meta.json`,
    `a/${S}/subagents/agent-${A}.jsonl`,
    `a/${S}/subagents/workflows/wf_1/journal.jsonl`,
    `a/${UPPER}.jsonl`,
    'a/memory/notes.md',
    'a/not-a-uuid.jsonl',
    `c/${S}/memory/x.md`,
    `${S}.jsonl`,
  );
  const { sessions, faults, passedOver } = discover(root);
  assert.deepEqual([faults, passedOver], [[], []]);
  assert.deepEqual(
    sessions.map(({ id, primary, directories }) => [id, primary, directories]),
    [
      [S, 'a', ['a', 'b']],
      [UPPER, 'a', ['a']],
    ],
  );
  assert.deepEqual(
    sessions[0]?.sources.map(({ relativePath }) => relativePath),
    [
      `a/${S}.jsonl`,
      `a/${S}/subagents/agent-${A}.jsonl`,
      `a/${S}/subagents/agent-${A}.meta.json`,
      `a/${S}/subagents/workflows/wf_1/journal.jsonl`,
      `a/${S}/workflows/wf_1.json`,
      `b/${S}/workflows/scripts/x-wf_1.js`,
    ],
  );
});

test('a session whose main transcript is gone is found by its children, without a primary directory', () => {
  const { sessions } = discover(rootWith(`a/${S}/subagents/agent-${A}.jsonl`));
  assert.deepEqual([sessions[0]?.primary, sessions[0]?.directories], ['', ['a']]);
});

test('what looks like a transcript and is not collected is named', () => {
  const named = [
    `p/${S}/subagents/agent-a2223d9.jsonl`,
    `p/${S}/subagents/agent-a2223d9.meta.json`,
    `p/${S}/subagents/agent-compact.txt`,
    `p/${S}/subagents/workflows/_x/journal.jsonl`,
    `p/${S}/workflows/wf_ .json`,
    'p/agent-afc096d.jsonl',
  ];
  const root = rootWith(...named, `p/${S}/subagents/notes.md`, `p/${S}/workflows/wf_1/x`, 'p/agent-x.txt');
  const { sessions, passedOver } = discover(root);
  assert.deepEqual([passedOver, sessions], [named, []]);
});

test('links are sources that will fail, in place of a transcript, and are not followed in place of a directory', {
  skip: process.platform === 'win32',
}, () => {
  const root = rootWith(`a/${S}/subagents/agent-${A}.jsonl`, 'elsewhere.jsonl', `outside/scripts/x-wf_1.js`);
  symlinkSync(join(root, 'a'), join(root, 'b'));
  symlinkSync(join(root, 'elsewhere.jsonl'), join(root, 'a', `${S}.jsonl`));
  symlinkSync(join(root, 'outside'), join(root, 'a', UPPER));
  symlinkSync(join(root, 'outside'), join(root, 'a', S, 'workflows'));
  const pipe = 'a1111111111111111';
  execFileSync('mkfifo', [join(root, `a/${S}/subagents/agent-${pipe}.jsonl`)]);
  mkdirSync(join(root, `a/${S}/subagents/agent-a3333333333333333.jsonl`));
  const { sessions, passedOver } = discover(root);
  const below = [A, pipe, 'a3333333333333333'].map((id) => `a/${S}/subagents/agent-${id}.jsonl`);
  assert.deepEqual(
    sessions.map(({ id, sources }) => [id, sources.map(({ relativePath }) => relativePath)]),
    [[S, [`a/${S}.jsonl`, ...below].sort()]],
  );
  assert.deepEqual([...passedOver].sort(), [`a/${S}/workflows`, `a/${UPPER}`].sort());
});

test('a project that cannot be read is a fault, the others go on; the root itself throws', {
  skip: process.getuid?.() === 0,
}, () => {
  const root = rootWith(`a/${S}.jsonl`, `b/${UPPER}.jsonl`);
  chmodSync(join(root, 'a'), 0);
  const { sessions, faults } = discover(root);
  chmodSync(join(root, 'a'), 0o755);
  assert.deepEqual([sessions.length, faults[0]?.message.startsWith('claudecode: read a: open ')], [1, true]);
});

test('a root that is not there throws', () => {
  const root = temporaryFolder();
  rmSync(root, { recursive: true });
  assert.throws(() => discover(root), { code: 'ENOENT' });
});

const environments: [NodeJS.ProcessEnv, string][] = [
  [{}, '/home/me/.claude/projects'],
  [{ CLAUDE_CONFIG_DIR: '' }, '/home/me/.claude/projects'],
  [{ XDG_CONFIG_HOME: '/x' }, '/x/claude/projects'],
  [{ CLAUDE_CONFIG_DIR: '/c', XDG_CONFIG_HOME: '/x' }, '/c/projects'],
];
for (const [environment, root] of environments)
  test(`the source root with ${JSON.stringify(environment)} is ${root}`, {
    skip: process.platform === 'win32',
  }, () => {
    assert.equal(defaultSourceRoot(environment, '/home/me'), root);
  });
