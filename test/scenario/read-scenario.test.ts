import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planScenario } from '../../src/scenario/plan.js';
import { readScenario } from '../../src/scenario/read-scenario.js';
import { nearest, ScenarioError } from '../../src/scenario/yaml-file.js';

const read = (text: string) => readScenario('s.yaml', text);
const plan = (text: string) => planScenario(read(text), { baseMs: 0 });
const steps = (...lines: string[]) => `steps:\n${lines.map((line) => `  - ${line}\n`).join('')}`;

/** Each is refused in one line that names the file, the line, and the rule. */
const refused: ReadonlyArray<readonly [name: string, text: string, message: string]> = [
  ['an empty file', '', 's.yaml: no steps'],
  ['no steps', 'title: t', 's.yaml: no steps'],
  ['a list', '- a', 's.yaml:1: want a mapping, got a list'],
  ['an unknown key on top', 'titel: t', 's.yaml:1: unknown key "titel"; did you mean "title"?'],
  [
    'an unknown key of a step',
    `${steps('input: a')}    afer: 1s`,
    's.yaml:3: steps[0]: unknown key "afer"; did you mean "after"?',
  ],
  [
    'an unknown key far down',
    steps('call: {tool: {name: Bash, result: {txt: x}}}'),
    's.yaml:2: steps[0].call.tool.result: unknown key "txt"; did you mean "text"?',
  ],
  ['an unknown key without a value', 'titel:', 's.yaml:1: unknown key "titel"; did you mean "title"?'],
  [
    'an unknown key like no other',
    'a: t',
    's.yaml:1: unknown key "a"; use session, project, title, interval, entrypoint, expect, steps, provider_bodies, system_prompt or tools',
  ],
  ['another word', 'expect: some\nsteps: [{input: a}]', 's.yaml:1: expect: "some" is unknown; it is none'],
  ['a key that is a list', '[a]: b', 's.yaml:1: want a plain word as a key'],
  [
    'a step of no kind',
    steps('after: 1s'),
    's.yaml:2: steps[0]: a step is exactly one of input, queued, inject, call, result, error, reset, replay, system',
  ],
  ['a call of nothing', steps('call:'), 's.yaml:2: steps[0]: call needs a mapping'],
  [
    'a replay of nothing at all',
    steps('{replay: , after: 1s}'),
    's.yaml:2: steps[0]: replay needs a whole number',
  ],
  [
    'a step of two kinds',
    steps('{input: a, error: b}'),
    's.yaml:2: steps[0]: a step is exactly one of input, queued, inject, call, result, error, reset, replay, system',
  ],
  ['a negative interval', 'interval: -1s\nsteps: [{input: a}]', 's.yaml:1: interval must not be negative'],
  ['a negative after', steps('{input: a, after: -1s}'), 's.yaml:2: steps[0]: after must not be negative'],
  [
    'a bare number as a duration',
    steps('{input: a, after: 5}'),
    's.yaml:2: steps[0]: after "5" is not a duration such as 100ms, 1.5s or 15m',
  ],
  [
    'a checkpoint in a child',
    steps('call: {agent: {name: c, steps: [{input: a, checkpoint: x}]}}'),
    's.yaml:2: steps[0].call.agent.steps[0]: a checkpoint belongs to the main stream',
  ],
  [
    'a checkpoint twice',
    steps('{input: a, checkpoint: x}', '{input: a, checkpoint: x}'),
    's.yaml:3: steps[1]: checkpoint "x" is named twice',
  ],
  [
    'a checkpoint named final',
    steps('{input: a, checkpoint: final}'),
    's.yaml:2: steps[0]: final means the end of the scenario; name the checkpoint otherwise',
  ],
  [
    'another queued mode',
    steps('queued: {text: a, mode: b}'),
    's.yaml:2: steps[0].queued: queued mode is prompt or task-notification',
  ],
  [
    'a result without a tool',
    steps('result: {text: a}'),
    's.yaml:2: steps[0].result: a result step names the tool it answers with of',
  ],
  [
    'a replay in a child',
    steps('call: {agent: {name: c, steps: [{replay: 1}]}}'),
    's.yaml:2: steps[0].call.agent.steps[0]: replay belongs to the main stream',
  ],
  [
    'a reset in a child',
    steps('call: {agent: {name: c, steps: [{reset: {summary: s}}]}}'),
    's.yaml:2: steps[0].call.agent.steps[0]: a reset belongs to the main stream',
  ],
  [
    'a lost replay',
    steps('{replay: 1, lost: true}'),
    's.yaml:2: steps[0]: a replay copies what the runtime holds in memory; mark the original step lost instead',
  ],
  [
    'a replay of nothing',
    steps('replay: 0'),
    's.yaml:2: steps[0].replay: want a whole number from 1, got "0"',
  ],
  [
    'a backdated call',
    steps('{call: {text: a}, backdated: 1s}'),
    's.yaml:2: steps[0]: a call is several records; backdate a step that is one',
  ],
  [
    'an empty call',
    steps('call: {usage: {in: 1}}'),
    's.yaml:2: steps[0].call: a call has thinking, text, or a request',
  ],
  [
    'two requests',
    steps('call: {tool: {name: a}, skill: {name: b, agent: c}}'),
    's.yaml:2: steps[0]: a call requests at most one of tool, agent, skill, workflow',
  ],
  [
    'a tool without a name',
    steps('call: {tool: {id: a}}'),
    's.yaml:2: steps[0].call.tool: a tool has a name',
  ],
  [
    'an agent without a name',
    steps('call: {agent: {prompt: a}}'),
    's.yaml:2: steps[0].call.agent: an agent has a name',
  ],
  [
    'a skill without an agent',
    steps('call: {skill: {name: a}}'),
    's.yaml:2: steps[0].call.skill: a skill has a name and an agent',
  ],
  [
    'a workflow without children',
    steps('call: {workflow: {name: a}}'),
    's.yaml:2: steps[0].call.workflow: a workflow has a name and children',
  ],
  [
    'a workflow whose name no file can have',
    steps(`call: {workflow: {name: ${'w'.repeat(400)}, children: [{name: b}]}}`),
    's.yaml:2: steps[0].call.workflow: name is too long to name files; use at most 90 letters',
  ],
  [
    'a script beyond its folder',
    steps('call: {workflow: {name: a, script_project: ../up, children: [{name: b}]}}'),
    's.yaml:2: steps[0].call.workflow: script_project cannot name a directory',
  ],
  [
    'a change beyond the project',
    steps('call: {tool: {name: Bash, result: r, changes: [{path: ../x, after: a}]}}'),
    's.yaml:2: steps[0].call.tool.changes[0]: path is relative to the project',
  ],
  [
    'a change of nothing',
    steps('call: {tool: {name: Bash, result: r, changes: [{path: x}]}}'),
    's.yaml:2: steps[0].call.tool.changes[0]: a change has a before, an after, or both',
  ],
  [
    'two changes of one edit',
    steps('call: {tool: {name: Write, result: r, changes: [{path: x, after: a}, {path: y, after: a}]}}'),
    's.yaml:2: steps[0].call.tool: Write makes one change',
  ],
  [
    'an edit of a new file',
    steps('call: {tool: {name: Edit, result: r, changes: [{path: x, after: a}]}}'),
    's.yaml:2: steps[0].call.tool.changes[0]: an Edit has a before and an after',
  ],
  [
    'a change without a result',
    steps('call: {tool: {name: Bash, changes: [{path: x, after: a}]}}'),
    's.yaml:2: steps[0].call.tool: changes are known when a result is',
  ],
  [
    'a boundary by hand',
    steps('system: {subtype: compact_boundary}'),
    's.yaml:2: steps[0].system: that record is what a reset writes; use reset',
  ],
  [
    'a field that every record has',
    steps('system: {subtype: x, fields: {content: c, uuid: u}}'),
    's.yaml:2: steps[0].system.fields: uuid is what every record says of itself; name the field otherwise',
  ],
  [
    'provider bodies',
    `provider_bodies: true\n${steps('input: a')}`,
    's.yaml:1: provider_bodies is not built yet; leave it out',
  ],
  [
    'a system prompt',
    `system_prompt: be brief\n${steps('input: a')}`,
    's.yaml:1: system_prompt is not built yet; leave it out',
  ],
  [
    'tools of a child',
    steps('call: {agent: {name: a, tools: []}}'),
    's.yaml:2: steps[0].call.agent: tools is not built yet; leave it out',
  ],
  [
    'an execution',
    steps('call: {tool: {name: a, execution: {outcome: failed}}}'),
    's.yaml:2: steps[0].call.tool: execution is not built yet; leave it out',
  ],
  [
    'an alias',
    `title: &t a\n${steps('input: *t')}`,
    's.yaml:3: steps[0]: an alias; write out what it stands for',
  ],
  [
    'a number JSON cannot hold',
    steps('call: {tool: {name: a, input: {n: 12345678901234567890}}}'),
    's.yaml:2: steps[0].call.tool.input.n: 12345678901234567890 is not a number JSON can hold; quote it',
  ],
  [
    'an infinite number',
    steps('call: {tool: {name: a, input: {n: .inf}}}'),
    's.yaml:2: steps[0].call.tool.input.n: .inf is not a number JSON can hold; quote it',
  ],
  [
    'a value nested too deep',
    steps(`call: {tool: {name: a, input: {n: ${'['.repeat(80)}${']'.repeat(80)}}}}`),
    's.yaml:2: a value nests more than 64 deep',
  ],
];

for (const [name, text, message] of refused)
  test(`refused: ${name}`, () => {
    assert.throws(() => read(text), { name: 'ScenarioError', message: `scenario: ${message}` });
  });

/** Refused when it is planned: no single step tells. */
const unplannable: ReadonlyArray<readonly [name: string, text: string, message: RegExp]> = [
  [
    'more records than a session can have',
    steps('input: a', ...Array.from({ length: 20 }, () => 'replay: 100000')),
    /^scenario: s\.yaml:19: steps\[17\]: the session has more than 100000 records; write fewer steps or replays$/,
  ],
  [
    'two children of one name',
    steps('call: {agent: {name: a}}', 'call: {skill: {name: s, agent: a}}'),
    /^scenario: s\.yaml:3: steps\[1\]: two children are named "a"/,
  ],
  [
    'two children of one stream',
    steps('call: {agent: {name: w/x}}', 'call: {workflow: {name: w, children: [{name: x}]}}'),
    /two children are named "x"/,
  ],
  [
    'two runs of one id',
    steps(
      'call: {workflow: {name: a b, children: [{name: x}]}}',
      'call: {workflow: {name: A-b, children: [{name: y}]}}',
    ),
    /^scenario: s\.yaml:3: steps\[1\]: workflows "a b" and "A-b" use the same run id ignoring letter case: "wf_A-b"$/,
  ],
  [
    'a year that nobody writes',
    steps('{input: a, after: 90000000h}'),
    /^scenario: s\.yaml:2: steps\[0\]: it falls outside the years 1 to 9999/,
  ],
  [
    'a session that leaves its folder',
    `session: ../x\n${steps('input: a')}`,
    /^scenario: s\.yaml:1: session "..\/x" cannot name a directory$/,
  ],
  [
    'a project that leaves its folder',
    `project: a/b\n${steps('input: a')}`,
    /^scenario: s\.yaml:1: project "a\/b" cannot name a directory$/,
  ],
];

for (const [name, text, message] of unplannable)
  test(`not planned: ${name}`, () => {
    assert.throws(
      () => plan(text),
      (error) => error instanceof ScenarioError && message.test(error.message),
    );
  });

test('a checkpoint that is not there is named with those that are', () => {
  const scenario = read(steps('{input: a, checkpoint: one}'));
  assert.throws(() => planScenario(scenario, { baseMs: 0, through: 'two' }), {
    message: 'scenario: s.yaml: no checkpoint named "two"; it has "one"',
  });
});

const deep: ReadonlyArray<readonly [name: string, text: string, line: number]> = [
  ['brackets', steps(`call: {tool: {name: a, input: {n: ${'['.repeat(5000)}${']'.repeat(5000)}}}}`), 2],
  ['open brackets', steps(`call: {tool: {name: a, input: {n: ${'['.repeat(100_000)}`), 2],
  ['braces', `title: t\n${steps('{a: '.repeat(100_000))}`, 3],
  ['dashes', `steps:\n  ${'- '.repeat(100_000)}a`, 2],
  ['indents', Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''), 256],
];

for (const [name, text, line] of deep)
  test(`thousands of ${name} are refused and do not end the process`, () => {
    assert.throws(() => read(text), {
      name: 'ScenarioError',
      message: `scenario: s.yaml:${line}: a value nests more than 64 deep`,
    });
  });

test('plain numbers and words are texts, and a null is not given', () => {
  const [input, call] = read(
    steps('input: 1.50', 'call: {text: yes, thinking: ~, tool: {name: a, result: 0x1F}}'),
  ).steps;
  assert.ok(input?.kind === 'input' && input.text === '1.50');
  assert.ok(call?.kind === 'call' && call.call.request?.is === 'tool');
  assert.deepEqual(
    [call.call.text, call.call.thinking, call.call.request.result?.text],
    ['yes', undefined, '0x1F'],
  );
});

test('free mappings keep every name, also those that objects have of themselves', () => {
  const [step] = read(
    steps('system: {subtype: x, fields: {__proto__: 1, constructor: {a: null}, "10": b}}'),
  ).steps;
  assert.ok(step?.kind === 'system');
  assert.deepEqual(Object.keys(step.fields).sort(), ['10', '__proto__', 'constructor']);
});

test('the nearest word takes the fewest edits', () => {
  assert.equal(nearest('afer', ['after', 'input']), 'after');
  assert.equal(nearest('x'.repeat(100_000), ['after', 'input']), 'after');
});
