import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROPERTY_NAMES } from '../../src/scenario/check/properties.js';
import { readExpectation } from '../../src/scenario/check/read-expectation.js';
import { readScenario } from '../../src/scenario/read-scenario.js';
import { checkTexts } from './checking.js';

const LATE = `
session: 5ca1ab1e-0020-4000-8000-000000000120
steps:
  - input: fire the kiln
  - call: {text: Lighting it., tool: {id: kiln, name: Bash}}
    checkpoint: lit
  - result: {of: kiln, text: hot}
`;

const expectation = (text: string) =>
  readExpectation('e.yaml', text, readScenario('s.yaml', LATE), PROPERTY_NAMES);

/** Each is refused in one line that names the file, the line, and the nearest known word. */
const refused: ReadonlyArray<readonly [text: string, message: string]> = [
  ['checkpoint: {}', 'e.yaml:1: unknown key "checkpoint"; did you mean "checkpoints"?'],
  ['checkpoints: {lid: {}}', 'e.yaml:1: checkpoints: unknown checkpoint "lid"; did you mean "lit"?'],
  ['checkpoints: {lit: {kind: {}}}', 'e.yaml:1: checkpoints.lit: unknown key "kind"; did you mean "kinds"?'],
  [
    'checkpoints: {lit: {kinds: {tol: 1}}}',
    'e.yaml:1: checkpoints.lit.kinds: unknown kind of node "tol"; did you mean "tool"?',
  ],
  [
    'checkpoints: {lit: {relations: {start: 1}}}',
    'e.yaml:1: checkpoints.lit.relations: unknown type of relation "start"; did you mean "starts"?',
  ],
  [
    'checkpoints: {lit: {unresolved_kinds: {toolresult: open}}}',
    'e.yaml:1: checkpoints.lit.unresolved_kinds: unknown kind of unresolved entry "toolresult"; did you mean "tool_result"?',
  ],
  [
    'checkpoints: {lit: {unresolved_kinds: {tool_result: opened}}}',
    'e.yaml:1: checkpoints.lit.unresolved_kinds.tool_result: "opened" is unknown; it is open, resolved or none',
  ],
  [
    'checkpoints: {lit: {nodes: {a: {kind: tol}}}}',
    'e.yaml:1: checkpoints.lit.nodes.a.kind: "tol" is unknown; did you mean "tool"?',
  ],
  [
    'checkpoints: {lit: {rounds: one}}',
    'e.yaml:1: checkpoints.lit.rounds: want a whole number from 0, got "one"',
  ],
  ['checkpoints: {lit: {delta: maybe}}', 'e.yaml:1: checkpoints.lit.delta: want true or false, got "maybe"'],
  [
    'checkpoints: {lit: {nodes: {a: {absent: true, kind: tool}}}}',
    'e.yaml:1: checkpoints.lit.nodes.a: an absent node has no kind',
  ],
  [
    'checkpoints: {lit: {session: {to: 11s}}}',
    'e.yaml:1: checkpoints.lit.session: to "11s" is not a distance such as +11.1s',
  ],
  [
    'checkpoints: {lit: {view: {talk: 1}}}',
    'e.yaml:1: checkpoints.lit.view: unknown key "talk"; did you mean "talks"?',
  ],
  [
    'checkpoints: {lit: {lose: [{kind: meta}]}}',
    'e.yaml:1: checkpoints.lit.lose[0]: lose names a stream or a run',
  ],
  ['properties: {bundel: false}', 'e.yaml:1: properties: unknown property "bundel"; did you mean "bundle"?'],
  [
    'properties: {unchanged_writes_nothing: false}',
    'e.yaml:1: properties: unchanged_writes_nothing cannot be set off',
  ],
];

for (const [text, message] of refused)
  test(`an expectation is refused: ${text}`, () => {
    assert.throws(() => expectation(text), { name: 'ScenarioError', message: `scenario: ${message}` });
  });

/** Expectations of the end that are wrong, and the first line each is told in. */
const wrong: ReadonlyArray<readonly [block: string, line: string]> = [
  ['rounds: 3', 'rounds: head is 2, want 3'],
  ['written: false', 'written: the parse wrote a round: true, want false'],
  ['delta: false', 'delta: round 2 is a delta, want none'],
  ['kinds: {tool: 2}', 'kinds: tool is 1, want 2'],
  ['talks_on: {main: 2}', 'talks_on: main has 1 talks, want 2'],
  ['talks_on: {nobody: 1}', 'talks_on: nobody has 0 talks, want 1'],
  ['runs_in: {talk/main/s1-cycle: 2}', 'runs_in: talk/main/s1-cycle has 1 runs, want 2'],
  ['relations: {starts: 1}', 'relations: starts is 0, want 1'],
  ['unresolved: {open: 1}', 'unresolved: 0 open, want 1'],
  ['unresolved: {resolved: 0}', 'unresolved: 1 resolved, want 0'],
  ['unresolved_kinds: {tool_result: open}', 'unresolved_kinds: tool_result is resolved, want open'],
  ['nodes: {tool/kilm: {kind: tool}}', 'nodes: tool/kilm is missing; the nearest is tool/kiln'],
  ['nodes: {tool/kiln: {absent: true}}', 'nodes: tool/kiln is present, want absent'],
  ['nodes: {tool/kiln: {kind: agent.call}}', 'nodes: tool/kiln is a tool, want agent.call'],
  ['nodes: {tool/kiln: {parent: call/s1-call}}', 'nodes: tool/kiln is in call/s2-call, want call/s1-call'],
  ['nodes: {tool/kiln: {stream: side}}', 'nodes: tool/kiln is on stream main, want side'],
  ['nodes: {tool/kiln: {refs: 1}}', 'nodes: tool/kiln references 2 records, want 1'],
  ['nodes: {tool/kiln: {revision: 1}}', 'nodes: tool/kiln is at revision 2, want 1'],
  [
    'nodes: {tool/kiln: {attrs: {result: unavailable}}}',
    'nodes: tool/kiln attrs.result is available, want unavailable',
  ],
  ['nodes: {tool/kiln: {attrs: {result: null}}}', 'nodes: tool/kiln attrs.result is available, want null'],
  ['session: {to: +9s}', 'session.to is 2026-01-01T00:00:02.1Z, want 2026-01-01T00:00:09Z (+9s)'],
  ['verify: {problems: 1}', 'verify: 0 problem(s) (), want 1'],
];

for (const [block, line] of wrong)
  test(`a difference is told: ${block}`, async () => {
    const text = `checkpoints: {final: {${block}}}\nproperties: {bundle: false}`;
    const checked = await checkTexts({ path: 's.yaml', scenario: LATE, expectation: text }, ['sd']);
    assert.equal(checked.failed, 1);
    assert.ok(checked.lines.includes(`sd final: ${line}`), checked.lines.join('\n'));
    assert.deepEqual(checked.first.slice(0, 2), ['first difference: sd final', `  ${line}`]);
    assert.ok(!checked.lines.some((printed) => printed.startsWith('sd bundle')), 'set off');
  });

test('right expectations hold, and numbers equal the same text', async () => {
  const text = `
checkpoints:
  lit: {rounds: 1, written: true, delta: false, unresolved_kinds: {tool_result: open, tool_use: none}}
  final:
    nodes: {call/s2-call: {attrs: {fragments: "2", nothing: null}}}
    session: {from: +0s, to: +2.1s}
`;
  const { ok, lines } = await checkTexts({ path: 's.yaml', scenario: LATE, expectation: text });
  assert.ok(ok, lines.join('\n'));
});

test('a difference is shown with the line of its entity and the record behind it', async () => {
  const text = 'checkpoints: {final: {kinds: {tool: 2}}}';
  const { first } = await checkTexts({ path: 's.yaml', scenario: LATE, expectation: text }, ['sd']);
  assert.deepEqual(first.slice(2, 4), ['    expected  2', '    got       1']);
  assert.match(
    first[4]!,
    /^ {4}entity {4}r000002-[0-9a-f]{12}\.sf line \d+: \{"t":"node","id":"tool\/kiln","revision":2,/,
  );
  assert.match(
    first[5]!,
    /^ {4}landed {4}transcript-20260101T000000\.000000000Z-000001\.sd row 3: \{"ord":3,/,
  );
});

test('a parse that is refused ends its format and is a failure', async () => {
  const text = 'checkpoints: {lit: {lose: [{stream: main}], verify: {problems: 2}}}';
  const { failed, lines } = await checkTexts({ path: 's.yaml', scenario: LATE, expectation: text }, ['sd']);
  assert.equal(failed, 1);
  assert.match(lines.at(-1)!, /^sd final: parse: .*landed file/);
});

test('a file that is not there cannot be lost', async () => {
  const text = 'checkpoints: {final: {lose: [{stream: main, nth: 3}]}}';
  await assert.rejects(checkTexts({ path: 's.yaml', scenario: LATE, expectation: text }, ['sd']), {
    message: 'scenario: s.expect.yaml:1: checkpoints.final.lose[0]: main has 2 such files, none is number 3',
  });
});

test('a session that no collector would find is refused for the format that collects', async () => {
  const scenario = 'session: mine\nsteps: [{input: a}]';
  await assert.rejects(
    checkTexts({ path: 's.yaml', scenario }),
    /^ScenarioError: scenario: s\.yaml:1: session "mine" is not a UUID/,
  );
  const { ok } = await checkTexts({ path: 's.yaml', scenario }, ['sd']);
  assert.ok(ok);
});

test('what only one format says is a difference between them', async () => {
  // A copy of a launch: the agent's names no child any more, the landed one does.
  const scenario = 'steps: [{input: a}, {call: {skill: {name: s, agent: c}}}, {replay: 1}]';
  const { lines } = await checkTexts({ path: 's.yaml', scenario });
  const difference = lines.find((line) => line.startsWith('claude-code against sd: '));
  assert.match(difference!, /transcript of main record 4: child is "" against "a[0-9a-f]{16}"$/);
});
