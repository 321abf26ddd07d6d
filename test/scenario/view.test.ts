/** What an expectation says of the document, and the property that the document covers the session, fail when not so. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { parseTime } from '../../src/format/time.js';
import type { ViewNode } from '../../src/format/view-document.js';
import { indexFolder } from '../../src/io/storage-root.js';
import { CheckedRoot } from '../../src/scenario/check/checked-root.js';
import { documentText, nodesOf, readDocument } from '../../src/scenario/check/document.js';
import { viewDifferences } from '../../src/scenario/check/evaluate-view.js';
import { PROPERTY_NAMES } from '../../src/scenario/check/properties.js';
import { readExpectation } from '../../src/scenario/check/read-expectation.js';
import { coverage } from '../../src/scenario/check/view-property.js';
import { readScenario } from '../../src/scenario/read-scenario.js';
import { temporaryFolder } from '../shared.js';
import { checkTexts } from './checking.js';

const SESSION = '5ca1ab1e-0050-4000-8000-000000000150';
const TEXT = `
session: ${SESSION}
title: the ship
steps:
  - input: rename the ship
  - call: {text: Renaming., tool: {id: rename, name: Edit, input: {}, result: edited, changes: [{path: a, before: b, after: c}]}}
    checkpoint: renamed
  - call: {text: Done., tool: {id: paint, name: Bash, result: dry, changes: [{path: b, after: c}, {path: c, before: d}]}}
  - input: and now
  - call: {tool: {id: open, name: Bash}}
`;
const SCENARIO = readScenario('ship.yaml', TEXT);

const root = new CheckedRoot({
  ...{ format: 'sd', root: join(temporaryFolder(), 'sd'), session: SESSION },
  at: parseTime('2026-01-01T00:00:00Z'),
});
before(async () => {
  for (const through of ['renamed', undefined]) {
    root.build(SCENARIO, through);
    await root.parse();
  }
});

/** A document that a test may change. */
// biome-ignore lint/suspicious/noExplicitAny: a test writes into documents as they are
type Changeable = any;

const findNode = (document: Changeable, id: string): Changeable =>
  [...nodesOf(document)].find((node) => node.id === id);
const drop = (list: ViewNode[], id: string) =>
  list.splice(
    list.findIndex((node) => node.id === id),
    1,
  );

function viewBlock(text: string) {
  const file = `checkpoints: {final: {view: ${text}}}`;
  return readExpectation('ship.expect.yaml', file, SCENARIO, PROPERTY_NAMES).checkpoints.get('final')!.view;
}

const differences = (text: string, change: (document: Changeable) => void = () => {}) =>
  viewDifferences(viewBlock(text), (hide) => {
    const document = readDocument(documentText(root.root, SESSION, hide));
    change(document);
    return document;
  }).map((found) => found.text);

const RIGHT = `{
  state: verified, problems: 0, talks: 2, steps: 10, rounds: 2, files: 5,
  first_talk: {label: rename the ship, reply: Done., runs: 1},
  changes: 2, changed_files: 3, changes_joined: 2, captured_by: {claude-code: 1, asz-plugin: 1},
  flags: {external_input: 2, finished: 3, error: 0}, hide: [system_prompt, tool_schemas], withheld: {}}`;

test('what is right of a document holds', () => assert.deepEqual(differences(RIGHT), []));

/** Each is wrong of that document, and told so. */
const wrong: ReadonlyArray<readonly [block: string, told: string]> = [
  ['state: mismatch', 'view.state is verified, want mismatch'],
  ['problems: 1', 'view.problems is 0, want 1'],
  ['talks: 3', 'view.talks is 2, want 3'],
  ['steps: 8', 'view.steps is 10, want 8'],
  ['rounds: 1', 'view.rounds is 2, want 1'],
  ['files: 4', 'view.files is 5, want 4'],
  ['first_talk: {label: rename}', 'view.first_talk.label is rename the ship, want rename'],
  ['first_talk: {reply: Renaming.}', 'view.first_talk.reply is Done., want Renaming.'],
  ['first_talk: {runs: 2}', 'view.first_talk.runs is 1, want 2'],
  ['changes: 1', 'view.changes is 2, want 1'],
  ['changed_files: 2', 'view.changed_files is 3, want 2'],
  ['changes_joined: 0', 'view.changes_joined is 2, want 0'],
  ['captured_by: {asz-plugin: 2}', 'view.captured_by.asz-plugin is 1, want 2'],
  ['flags: {finished: 2}', 'view.flags.finished is 3, want 2'],
  ['flags: {synthetic: 1}', 'view.flags.synthetic is 0, want 1'],
  ['withheld: {system_prompt: 1}', 'view.withheld.system_prompt is 0, want 1'],
];

for (const [block, told] of wrong)
  test(`wrong of the document: ${block}`, () => assert.deepEqual(differences(`{${block}}`), [told]));

test('a summary that counts other changes than are listed is told whatever is asserted', () => {
  const found = differences('{talks: 2}', ({ summary }) => {
    summary.changes = 3;
  });
  assert.deepEqual(found, ['view.summary.changes is 3, want 2']);
});

test('words that were to be withheld, and more withheld than was said, are told', () => {
  const flagged = (state: string, text: string | undefined) => (document: Changeable) => {
    Object.assign(findNode(document, 'tool/open'), { flags: ['system_prompt'], state, text });
    document.summary.withheld = { system_prompt: 1 };
  };
  assert.deepEqual(
    differences('{hide: [system_prompt], withheld: {}}', flagged('available', 'you are a sailor')),
    [
      'view.hide: tool/open, flagged system_prompt: text is you are a sailor, want ',
      'view.hide: tool/open, flagged system_prompt: state is available, want omitted',
      'view.withheld.system_prompt is 1, want 0',
    ],
  );
  const right = '{hide: [system_prompt], flags: {system_prompt: 1}, withheld: {system_prompt: 1}}';
  assert.deepEqual(differences(right, flagged('omitted', undefined)), []);
});

/** Each is refused in one line. */
const refused: ReadonlyArray<readonly [block: string, message: string]> = [
  ['{state: verifed}', 'view.state: "verifed" is unknown; did you mean "verified"?'],
  ['{flags: {sinthetic: 1}}', 'view.flags: unknown flag "sinthetic"; did you mean "synthetic"?'],
  ['{hide: [system]}', 'view.hide[0]: "system" is unknown; it is system_prompt or tool_schemas'],
  ['{withheld: {prompt: 1}}', 'view.withheld: unknown flag "prompt"; use system_prompt or tool_schemas'],
  [
    '{captured_by: {plugin: 1}}',
    'view.captured_by: unknown capturer "plugin"; use claude-code or asz-plugin',
  ],
  ['{executions: 0}', 'view: executions is not built yet; leave it out'],
  ['{provider_files: 0}', 'view: provider_files is not built yet; leave it out'],
];

for (const [block, message] of refused)
  test(`refused of the document: ${block}`, () => {
    const whole = `scenario: ship.expect.yaml:1: checkpoints.final.${message}`;
    assert.throws(() => viewBlock(block), { name: 'ScenarioError', message: whole });
  });

for (const block of ['{}', '{first_talk: {}, flags: {}, hide: [], withheld: }'])
  test(`a view that asserts nothing is none: ${block}`, () => assert.equal(viewBlock(block), undefined));

test('a first talk without runs has none, and where there is no talk there is nothing of one', () => {
  const noRuns = ({ talks }: Changeable) => Reflect.deleteProperty(talks[0], 'runs');
  assert.deepEqual(differences('{first_talk: {runs: 1}}', noRuns), ['view.first_talk.runs is 0, want 1']);
  const noTalk = (document: Changeable) => {
    document.talks = [];
  };
  assert.deepEqual(differences('{first_talk: {runs: 0}}', noTalk), [
    'view.first_talk.runs is absent, want 0',
  ]);
});

test('a difference of a talk is shown with its node', async () => {
  const expectation = 'checkpoints: {final: {view: {first_talk: {runs: 3}}}}';
  const { first } = await checkTexts({ path: 'ship.yaml', scenario: TEXT, expectation }, ['sd'], false);
  assert.match(first[4]!, /^ {4}entity {4}r00000\d-.*"id":"talk\/main\/s1-cycle"/);
});

test('without any round there is no document, which is told', async () => {
  const scenario = 'steps: [{input: a, lost: true}]';
  const expectation = 'checkpoints: {final: {view: {talks: 0}}}';
  const { failed, lines } = await checkTexts({ path: 'lost.yaml', scenario, expectation }, ['sd']);
  assert.equal(failed, 1);
  assert.match(lines[0]!, /^sd final: view: there is no document: view: no rounds for /);
});

test('the document of the root covers the session', () => assert.deepEqual(coverage(root, documentText), []));

/** What a document lacks or says wrongly, and what the property then says. */
const lacking: ReadonlyArray<readonly [what: string, change: (document: Changeable) => void, says: RegExp]> =
  [
    ['a round', ({ rounds }) => rounds.shift(), /^rounds 1 [0-9a-f]{64} verified: 1 against 0$/m],
    [
      'that a round is verified',
      ({ rounds }) => {
        rounds[1].verified = false;
      },
      /^rounds 2 [0-9a-f]{64} not verified: 0 against 1$/m,
    ],
    ['a landed file', ({ files }) => files.shift(), /^files sd 1 [0-9a-f]{64}: 1 against 0$/m],
    ['the file of a round', ({ files }) => files.pop(), /^files sf 2 [0-9a-f]{64}: 1 against 0$/m],
    [
      'the digest of a file',
      ({ files }) => {
        files[0].digest = '0'.repeat(64);
      },
      /^files sd 1 0{64}: 0 against 1$/m,
    ],
    ['a file too many', ({ files }) => files.push(files[0]), /^files sd 1 [0-9a-f]{64}: 1 against 2$/m],
    [
      'a talk, which is in no tree then',
      ({ talks }) => talks.pop(),
      /^talks talk\/main\/s4-cycle: 1 against 0$/m,
    ],
    [
      'a run',
      (document) => {
        findNode(document, 'talk/main/s4-cycle').children = [];
      },
      /^nodes run\/\S+s4-cycle, a run in talk\/main\/s4-cycle on main: 1 against 0$/m,
    ],
    [
      'a step',
      (document) => drop(findNode(document, 'call/s2-call').children, 'tool/rename'),
      /^nodes tool\/rename, a tool in call\/s2-call on main: 1 against 0$/m,
    ],
    [
      'a step twice',
      (document) => document.loose.push(findNode(document, 'tool/rename')),
      /^nodes tool\/rename, a tool .*: 1 against 2$/m,
    ],
    ['a stream', ({ streams }) => streams.pop(), /^streams stream\/main: 1 against 0$/m],
    ['a segment', ({ segments }) => segments.pop(), /^segments segment\/\S+: 1 against 0$/m],
    ['a relation', ({ relations }) => relations.pop(), /^relations rel\/in_segment\S+: 1 against 0$/m],
    ['an unresolved entry', ({ unresolved }) => unresolved.pop(), /^unresolved \S+ open: 1 against 0$/m],
    ['its head', ({ head }) => head.round--, /^head\.round: 2 against 1$/m],
    [
      'its change at the call',
      (document) => {
        findNode(document, 'tool/paint').changes = undefined;
      },
      /^changes \S+ at tool\/paint: 1 against 0$/m,
    ],
    [
      'a change at one call alone',
      (document) => {
        findNode(document, 'tool/open').changes = findNode(document, 'tool/paint').changes;
      },
      /^changes \S+ at tool\/open: 0 against 1$/m,
    ],
    [
      'a change at what is no call',
      (document) => {
        const input = [...nodesOf(document)].find(({ kind }) => kind === 'message.external') as Changeable;
        input.changes = findNode(document, 'tool/paint').changes;
      },
      /^changes \S+ at input\/1\/2, which is no call: 0 against 1$/m,
    ],
    ...(['talks', 'steps', 'streams', 'segments', 'rounds', 'unresolved', 'changes'] as const).map(
      (key) =>
        [
          `the number of ${key}`,
          ({ summary }: Changeable) => summary[key]++,
          new RegExp(`^summary\\.${key}: `, 'm'),
        ] as const,
    ),
    ...(['from', 'to'] as const).map(
      (key) =>
        [
          `the time ${key}`,
          ({ summary }: Changeable) => summary[key]++,
          /^summary\.(from|to): \d+ against /m,
        ] as const,
    ),
    [
      'its title',
      ({ summary }) => {
        summary.title = '';
      },
      /^summary\.title: "the ship" against ""$/m,
    ],
    [
      'its state',
      ({ summary }) => {
        summary.state = 'incomplete';
      },
      /^summary\.state: "verified" against "incomplete"$/m,
    ],
    ['a problem', ({ summary }) => summary.problems.push('x'), /^summary\.problems: \[\] against \["x"\]$/m],
  ];

for (const [what, change, says] of lacking)
  test(`view_covers_the_session says when a document has not, or not rightly, ${what}`, () => {
    const found = coverage(root, (...of) => {
      const document = readDocument(documentText(...of));
      change(document);
      return JSON.stringify(document);
    });
    assert.match(found.join('\n'), says);
  });

test('view_covers_the_session says when a document needs the index, which it puts back', () => {
  const found = coverage(root, (folder, session) => {
    const text = documentText(folder, session);
    return existsSync(indexFolder(folder, session)) ? text : text.replace('"sessions":', '"sessions" :');
  });
  assert.deepEqual(found, ['built once more, without the index, the document is other bytes']);
  assert.ok(existsSync(indexFolder(root.root, SESSION)));
});
