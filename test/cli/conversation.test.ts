/** What `asz conversation` prints over golden roots: the documented format, and words a stranger can read behind it. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rewrite, Workplace } from '../e2e/run-asz.js';
import { REPOSITORY, temporaryFolder } from '../shared.js';

const GOLDEN = join(REPOSITORY, 'test/golden');
const WORKFLOW = 'c41f7b06-93ad-4e52-8d7b-1f6a0e2b59d8';
const WEATHER = '5d0c3a7e-2f41-4c8e-9b16-7a2e94d1c0f3';

async function conversation(root: string, ...argv: string[]): Promise<string[]> {
  const { status, stdout, stderr } = await new Workplace({ root }).asz(['conversation', ...argv]);
  assert.equal(stderr, '');
  assert.equal(status, 0);
  return stdout.trimEnd().split('\n');
}

test('a small session, from its first line to its last', async () => {
  const lines = await conversation(join(GOLDEN, 'samples'), WORKFLOW);
  assert.match(lines[1]!, /^ {2}rounds {5}1, head [0-9a-f]{12}…$/);
  assert.deepEqual(
    [lines[0], ...lines.slice(2, 6)],
    [
      `conversation ${WORKFLOW}`,
      '  landed     through seq 6',
      '  entities   26 nodes, 5 relations, 0 unresolved (0 still open)',
      '',
      'node kinds:',
    ],
  );
  assert.ok(lines.includes('  llm.call                                      5  one answer of the model'));
  assert.deepEqual(lines.slice(lines.findIndex((line) => line.startsWith('structure '))), [
    'structure (containment only; cross-stream flow is a relation):',
    '  session  c41f7b06-93ad-4e52-8d…  “Weekly field notes”',
    '    stream  main  the conversation itself',
    '      epoch  0  the context from the beginning',
    '        talk  b711b32e-cf14-4c9d-85…  asked: “Run the weekly workflow over my field notes.”',
    '          run  b711b32e-cf14-4c9d-85…  the agent works on it',
    '            llm.call  msg_01jb7JVanSjp9BtDT…  claude-opus-5',
    '              message.assistant  2:0  “I start it.”',
    '              agent.call  toolu_01rLyFvjcb9GDLT…  Workflow name: weekly, args: {"folder":"field"}  → starts stream/ad6d5e6c18fdf50f7',
    '            llm.call  msg_018Hmqp8qktSVWMoj…  claude-opus-5',
    '              message.assistant  5:0  “The workflow runs in the background.”',
    '            message.external  1  “Run the weekly workflow over my field notes.”',
    '            agent.launch_ack  4  “Workflow launched in background. Run: wf_7c2f91ab-4de”',
    '          run  64af697d-3fb6-43be-a7…  the agent goes on by itself',
    '            llm.call  msg_01zFCxg8q3TzMNpGH…  claude-opus-5',
    '              message.assistant  7:0  “Your week in one sentence: The ice broke on Tuesday, and two he…”',
    '            runtime.notification  6  “Workflow "weekly" completed”',
    '    stream  ad6d5e6c18fdf50f7  a child agent “Summarise one week”',
    '      epoch  0  the context from the beginning',
    '        talk  ad6d5e6c18fdf50f7  the parent agent asked: “Summarise field/2026-w09.md in one sentence.”',
    '          run  3a0a5196-1d28-4a18-88…  the agent works on it',
    '            llm.call  msg_01iWjhjx3YvTLWUrm…  claude-opus-5',
    '              tool  toolu_01gzNmjxjjNG4Qm…  Read file_path: /home/robin/notes/field/2026-w09.md  → “1 Two herons at the weir. Ice until Tue…”',
    '            llm.call  msg_01EVuzGJwGMC3SxiC…  claude-opus-5',
    '              message.assistant  4:0  “The ice broke on Tuesday, and two herons came to the weir.”',
    '            agent.output  ad6d5e6c18fdf50f7  returned: “The ice broke on Tuesday, and two herons came to the weir.”',
    '    segment  at_1_1  a window of activity, talks in it: 2',
  ]);
});

test('a tool that failed says so, and children that are not shown are named by their kinds', async () => {
  const lines = await conversation(join(GOLDEN, 'samples'), WEATHER);
  assert.ok(lines.some((line) => / tool {2}toolu_\S+ {2}Bash .* → failed: “Exit code 1/.test(line)));
  assert.ok(
    lines.includes('            … 4 more  (context.injection, agent.launch_ack, error.api, turn.duration)'),
  );
  assert.ok(lines.includes('        epoch.boundary  32  the context was reset here'));
});

for (const session of ['every-kind', 'unresolved', 'text'])
  test(`every word counted in ${session} is explained`, async () => {
    const lines = await conversation(join(GOLDEN, session), session);
    const counts = lines
      .slice(lines.indexOf('node kinds:'))
      .filter((line) => /^ {2}\S+ {2,}\d+( |$)/.test(line));
    assert.ok(counts.length > 10);
    for (const line of counts) assert.match(line, /^ {2}.{40} {1,6}\d+ {2}[a-z]/, line);
  });

test('what is unresolved stands before the structure, twelve at most', async () => {
  const lines = await conversation(join(GOLDEN, 'unresolved'), 'unresolved');
  const heading = lines.findIndex((line) => line.startsWith('still unresolved ('));
  assert.equal(lines[heading], 'still unresolved (2):');
  assert.deepEqual(lines.slice(heading + 1, heading + 4), [
    '  spawn_of_child             no landed record names the call that started this stream  (silent)',
    '  tool_result                several results carry this tool-use id  (t-twice)',
    '',
  ]);
});

test('without the landed files the tree is the same, the words from them are missing, and it says so', async () => {
  const root = temporaryFolder();
  cpSync(join(GOLDEN, 'samples'), root, { recursive: true });
  rmSync(join(root, WORKFLOW), { recursive: true });
  const whole = await conversation(join(GOLDEN, 'samples'), WORKFLOW);
  const { status, stdout, stderr } = await new Workplace({ root }).asz(['conversation', WORKFLOW]);
  assert.equal(status, 1);
  assert.equal(stderr, `${join(root, WORKFLOW)}: no landed file of sequence 1 to 6; run asz verify\n`);
  const bare = stdout.trimEnd().split('\n');
  assert.equal(bare.length, whole.length);
  for (const [i, line] of bare.entries()) {
    const [head] = /^ *\S+ {2}\S+/.exec(whole[i]!) ?? [''];
    assert.ok(line.startsWith(head), line);
  }
});

/** A copy of the sample session whose main transcript was changed; the closing line still claims the old bytes. */
function altered(from: string, to: string): { readonly root: string; readonly path: string } {
  const root = temporaryFolder();
  cpSync(join(GOLDEN, 'samples'), root, { recursive: true });
  const folder = join(root, WORKFLOW, 'streams/main');
  const path = readdirSync(folder)
    .map((name) => join(folder, name))
    .find((file) => file.endsWith('.sd') && readFileSync(file, 'utf8').includes(from))!;
  rewrite(path, readFileSync(path, 'utf8').replace(from, to));
  return { root, path };
}

test('an altered landed file is shown, and said once', async () => {
  const { root, path } = altered('I start it.', 'I stop it.');
  const { status, stdout, stderr } = await new Workplace({ root }).asz(['conversation', WORKFLOW]);
  assert.equal(status, 1);
  assert.match(stdout, /“I stop it\.”/);
  assert.match(stderr, /^[^\n]+: digest mismatch, [^\n]+; run asz verify\n$/);
  assert.ok(stderr.startsWith(`${path}: `));
});

test('what was asked of a tool keeps its numbers, its order and its repeats', async () => {
  const { root } = altered('"args":{"folder":"field"}', '"args":{"b":1.0,"1":1e400},"n":1e0,"n":2');
  const { stdout } = await new Workplace({ root }).asz(['conversation', WORKFLOW]);
  assert.match(stdout, / Workflow name: weekly, args: \{"b":1\.0,"1":1e400\}, n: 1e0, n: 2 {2}/);
});

test('the agent has its own words for kinds', async () => {
  const native = await conversation(join(GOLDEN, 'samples'), WORKFLOW, '--terms', 'native');
  assert.ok(native.some((line) => line.startsWith('            message.id  msg_01jb7JVanSjp9BtDT…')));
  const both = await conversation(join(GOLDEN, 'samples'), WORKFLOW, '--terms', 'both');
  assert.ok(
    both.some((line) => line.startsWith('            llm.call  (message.id)  msg_01jb7JVanSjp9BtDT…')),
  );
});
