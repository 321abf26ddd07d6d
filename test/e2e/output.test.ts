/**
 * Whatever a transcript holds, no command prints a character that a terminal would act on: sessions hold text from
 * anywhere, and a printed escape sequence renames windows, hides lines or reorders what is read.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { COMMANDS as commands } from '../../src/cli/commands.js';
import { assertDone, assertRefused, ended, rewrite, Workplace } from './run-asz.js';

const SESSION = '11111111-2222-4333-8444-555555555555';
/** Renames the window, clears the screen, rings, reorders, ends the line, and a control of eight bits. */
const NASTY = '\u001b]0;x\u0007\u001b[2J\u202eevil\u2066\u200f\r\nnew line\u2028\u0085\u009b31m\u007f\u0000.';
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const place = new Workplace();
const at = (second: number) => `2026-03-01T09:00:0${second}.000Z`;
const common = { sessionId: SESSION, cwd: `/w/${NASTY}`, gitBranch: NASTY, version: NASTY };
const LINES = [
  { type: 'ai-title', aiTitle: `title ${NASTY}`, sessionId: SESSION },
  {
    type: 'user',
    uuid: `u1${NASTY}`,
    promptId: `p1${NASTY}`,
    timestamp: at(0),
    origin: { kind: 'human' },
    message: { role: 'user', content: `text ${NASTY}` },
    ...common,
  },
  {
    type: 'assistant',
    uuid: 'a1',
    parentUuid: `u1${NASTY}`,
    timestamp: at(1),
    message: {
      id: `m1${NASTY}`,
      role: 'assistant',
      model: `model ${NASTY}`,
      stop_reason: 'tool_use',
      content: [
        { type: 'tool_use', id: `t1${NASTY}`, name: `Tool ${NASTY}`, input: { command: NASTY, [NASTY]: 1 } },
      ],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    ...common,
  },
  {
    type: 'user',
    uuid: 'r1',
    parentUuid: 'a1',
    timestamp: at(2),
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `t1${NASTY}`, content: NASTY, is_error: true }],
    },
    toolUseResult: { agentId: `child ${NASTY}` },
    ...common,
  },
  {
    type: 'assistant',
    uuid: 'a2',
    parentUuid: 'r1',
    timestamp: at(3),
    message: {
      id: 'm2',
      role: 'assistant',
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: `open ${NASTY}`, name: 'Bash', input: {} }],
    },
    ...common,
  },
  { type: `type ${NASTY}`, uuid: 'x1', timestamp: NASTY, anything: NASTY, ...common },
  { type: 'system', subtype: `subtype ${NASTY}`, content: NASTY, uuid: 's1', timestamp: at(4), ...common },
];

const folder = join(place.projects, '-w-demo');
rewrite(join(folder, `${SESSION}.jsonl`), LINES.map((line) => `${JSON.stringify(line)}\n`).join(''));
// A file name is text from anywhere too; this one is passed over and named.
mkdirSync(join(folder, SESSION, 'subagents'), { recursive: true });
rewrite(join(folder, SESSION, 'subagents', 'agent-\u001b]0;x\u0007\u202e.jsonl'), '{}\n');
mkdirSync(join(place.projects, '-w-\u001b[2J\u202e'));

const collected = await place.asz(['collect', '--once']);

test('the nasty transcript is collected and parsed, and says nothing a terminal acts on', () => {
  assert.equal(collected.status, 0, collected.stderr);
  assert.match(collected.stdout, / landed=1 records=7 rounds=1 /);
  assert.match(collected.stderr, /agent-/);
  assertPrintable('collect', collected.stdout + collected.stderr);
  assert.match(place.head(SESSION).title, /^title .\]0;x/su);
});

const COMMANDS: readonly (readonly string[])[] = [
  ['sources'],
  ['sources', '--json'],
  ['parse'],
  ['parse', '--json'],
  ['verify'],
  ['verify', '--json'],
  ['index'],
  ['index', SESSION],
  ['index', SESSION, '--json'],
  ['conversation', SESSION],
  ['conversation', SESSION, '--terms', 'both'],
  ['show', SESSION, 'a1'],
  ['show', SESSION, 'r1'],
  ['show', SESSION, 'x1'],
  ['show', SESSION, `t1${NASTY.replaceAll('\u0000', '')}`],
  ['show', SESSION, 'a1', '--json'],
  ['glossary'],
  ['collect', '--once', '--json'],
  ['conversations'],
  ['conversations', '--json'],
  ['conversation', SESSION, '--json'],
  ['conversation', SESSION, '--yaml'],
  ['repack', 'anew-\u001b[2J\u202e'],
  ['repack', 'anew-\u009b31m', '--json'],
  ['scenario', 'check', 'refused.yaml'],
  ['scenario', 'build', 'nasty.yaml', '--format', 'claude-code', '--out', 'built-\u001b[2J\u009b'],
  ['scenario', 'check', 'nasty.yaml', '--out', 'checked-\u001b[2J\u009b'],
  ['push'],
  ['help'],
  ['version'],
];

/** A scenario whose expectation is wrong, so that a check quotes what it found. */
const steering = JSON.stringify(NASTY);
writeFileSync(
  join(place.folder, 'nasty.yaml'),
  `session: 5ca1ab1e-0030-4000-8000-00000000000f
title: ${steering}
steps:
  - input: ${steering}
  - call: {text: ${steering}, tool: {id: t1, name: ${steering}, input: {${steering}: ${steering}}, result: ${steering}}}
`,
);
writeFileSync(
  join(place.folder, 'nasty.expect.yaml'),
  `checkpoints: {final: {nodes: {tool/t1: {attrs: {name: ${steering}, result: none}}, ${steering}: {kind: tool}}}}\n`,
);
writeFileSync(join(place.folder, 'refused.yaml'), `steps: [{input: a, ${steering}: b}]\n`);

describe('every command', { concurrency: 2 }, () => {
  for (const argv of COMMANDS)
    test(`${argv.map((word) => (UNPRINTABLE.test(word) ? 'NASTY' : word)).join(' ')}: nothing that a terminal acts on`, async () => {
      const { stdout, stderr } = await place.asz(argv);
      assert.ok(stdout + stderr !== '');
      assertPrintable(argv[0]!, stdout + stderr);
    });

  for (const command of ['view', 'server'])
    test(`${command}, which goes on until it is told to stop: nothing that a terminal acts on`, async () => {
      const child = place.start([command, '127.0.0.1:0']);
      child.stderr!.once('data', () => child.kill('SIGINT'));
      const { status, stdout, stderr } = await ended(child);
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^serving {2}: [1-9]/m);
      assertPrintable(command, stdout + stderr);
    });

  test('receive, which goes on until it is told to stop: nothing that a terminal acts on', async () => {
    const child = place.start(['receive', '127.0.0.1:0', '--into', 'received-\u001b[2J\u202e']);
    child.stderr!.once('data', () => child.kill('SIGINT'));
    const { status, stdout, stderr } = await ended(child);
    assert.equal(status, 0, stderr);
    assert.match(stdout + stderr, /received-/);
    assertPrintable('receive', stdout + stderr);
  });

  test('a check shows what it found and what was wanted, both without their steering', async () => {
    const { status, stdout } = await place.asz(['scenario', 'check', 'nasty.yaml']);
    assert.equal(status, 1);
    assert.match(stdout, /expected .*\n.*got/);
    assertPrintable('scenario check', stdout);
  });

  test('there is no command that is not asked here', () => {
    const asked = [
      ...COMMANDS.flatMap(([a, b]) => [a, `${a} ${b}`]),
      'index cat',
      'assemble',
      'view',
      'server',
      'receive',
    ];
    assert.deepEqual(
      commands.map(({ name }) => name).filter((name) => !asked.includes(name)),
      [],
    );
  });

  test('what programs read holds nothing that a terminal acts on within its lines', async () => {
    for (const argv of [
      ['index', 'cat', SESSION],
      ['conversation', SESSION, '--fold'],
    ])
      assertPrintable(argv.join(' '), assertDone(await place.asz(argv)));
  });

  test('the words are there, only their steering is not', async () => {
    const said = assertDone(await place.asz(['conversation', SESSION]));
    assert.match(said, /␛\]0;x␇␛\[2J/);
    assert.match(assertDone(await place.asz(['show', SESSION, 'r1'])), /evil/);
  });

  test('errors quote what is wrong without its steering', async () => {
    const asked = '\u001b]0;x\u0007\u202e';
    for (const argv of [
      ['show', SESSION, asked],
      ['show', asked, 'x'],
      ['conversation', asked],
      ['index', 'cat', asked],
      ['parse', '--config', asked],
      ['parse', `--x${asked}`],
      ['parse', 'a', asked],
      [asked],
      ['assemble', '--conversation', 'x', '--previous', asked],
    ]) {
      const { status, stdout, stderr } = await place.asz(argv);
      assert.ok(status === 1 || status === 2, `${status}`);
      assert.equal(stdout, '');
      assertPrintable(argv.join(' '), stderr);
    }
  });

  test('an error is one line, whatever its words hold', async () => {
    const asked = 'a\nasz: all is well';
    for (const argv of [
      ['parse', '--config', asked],
      ['conversation', asked],
      ['index', 'cat', asked],
      ['show', SESSION, asked],
      ['assemble', '--conversation', 'x', '--previous', asked],
    ])
      assertRefused(await place.asz(argv), /all is well/);
  });

  test('findings and failures quote names from the disk without their steering', async () => {
    const damaged = new Workplace({ projects: place.projects });
    assert.equal((await damaged.asz(['collect', '--once'])).status, 0);
    const rounds = join(damaged.root, '_conversations', SESSION, 'rounds');
    const [round] = readdirSync(rounds);
    rewrite(join(rounds, round!), '{"t":"header","schema":"\\u001b]0;x\\u0007\\u202e"}\n');
    mkdirSync(join(damaged.root, 'a\u001b[2J\u202e'));
    mkdirSync(join(damaged.root, '_conversations', 'c\u001b[2J\u202e'));
    for (const argv of [
      ['verify'],
      ['verify', '--json'],
      ['parse'],
      ['parse', '--json'],
      ['index'],
      ['conversation', SESSION],
      ['collect', '--once'],
    ]) {
      const { status, stdout, stderr } = await damaged.asz(argv);
      assert.equal(status, 1);
      assertPrintable(argv.join(' '), stdout + stderr);
    }
  });
});

function assertPrintable(what: string, text: string): void {
  for (const line of text.split('\n'))
    assert.doesNotMatch(line, UNPRINTABLE, `${JSON.stringify(what)}: ${JSON.stringify(line)}`);
}
