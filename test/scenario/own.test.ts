/** The project's own scenarios: each holds in both formats, and together they speak of the whole model. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type Expectation,
  RELATION_TYPES,
  UNRESOLVED_KINDS,
  UNRESOLVED_WORDS,
} from '../../src/scenario/check/expectation.js';
import { PROPERTY_NAMES } from '../../src/scenario/check/properties.js';
import { readExpectation } from '../../src/scenario/check/read-expectation.js';
import { readScenario } from '../../src/scenario/read-scenario.js';
import { REPOSITORY } from '../shared.js';
import { checkTexts, textsOf } from './checking.js';

const folder = join(REPOSITORY, 'test/scenarios');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml') && !name.endsWith('.expect.yaml'))
  .map((name) => name.slice(0, -'.yaml'.length));

for (const name of names)
  test(`scenario ${name}`, async () => {
    const { ok, lines, first } = await checkTexts(textsOf(join(folder, `${name}.yaml`)));
    assert.ok(ok, [...lines, ...first].join('\n'));
  });

const expectations: Expectation[] = names.map((name) => {
  const { path, scenario, expectation } = textsOf(join(folder, `${name}.yaml`));
  return readExpectation(path, expectation ?? '{}', readScenario(path, scenario), PROPERTY_NAMES);
});
const blocks = expectations.flatMap(({ checkpoints }) => [...checkpoints.values()]);

/** Kinds that assembly writes; a reader accepts two more, which nothing produces. */
const WRITTEN_KINDS = [
  ...[
    'session',
    'stream',
    'epoch',
    'segment',
    'talk',
    'run',
    'llm.call',
    'tool',
    'agent.call',
    'agent.output',
  ],
  ...['agent.launch_ack', 'message.assistant', 'message.synthetic', 'message.external', 'thinking'],
  ...['context.injection', 'runtime.notification', 'epoch.boundary', 'epoch.summary', 'error.api'],
  ...['turn.duration', 'control.command', 'control.notice'],
];
const WRITTEN_RELATIONS = RELATION_TYPES.slice(0, 7);

test('every node kind and every relation type that assembly writes is expected somewhere', () => {
  const kinds = new Set(
    blocks.flatMap(({ kinds }) => [...kinds].flatMap(([kind, n]) => (n > 0 ? [kind] : []))),
  );
  assert.deepEqual(
    WRITTEN_KINDS.filter((kind) => !kinds.has(kind)),
    [],
  );
  const types = new Set(
    blocks.flatMap(({ relations }) => [...relations].flatMap(([type, n]) => (n > 0 ? [type] : []))),
  );
  assert.deepEqual(
    WRITTEN_RELATIONS.filter((type) => !types.has(type)),
    [],
  );
});

test('every kind of unresolved entry is expected open, and resolved', () => {
  for (const word of UNRESOLVED_WORDS.slice(0, 2)) {
    const found = new Set(
      blocks.flatMap(({ unresolvedKinds }) =>
        [...unresolvedKinds].flatMap(([kind, is]) => (is === word ? [kind] : [])),
      ),
    );
    assert.deepEqual(
      UNRESOLVED_KINDS.filter((kind) => !found.has(kind)),
      [],
      word,
    );
  }
});

test('everything that can be said of the document is expected somewhere', () => {
  const views = blocks.flatMap(({ view }) => (view === undefined ? [] : [view]));
  const isSaid = (value: unknown) =>
    value instanceof Map || Array.isArray(value) ? [...value].length > 0 : value !== undefined;
  const said = new Set(
    views.flatMap(({ firstTalk, ...view }) =>
      Object.entries({ ...view, ...firstTalk }).flatMap(([key, value]) => (isSaid(value) ? [key] : [])),
    ),
  );
  const known = [...Object.keys({ ...views[0], ...views[0]!.firstTalk })].filter(
    (key) => key !== 'firstTalk',
  );
  assert.ok(known.length > 14, known.join(' '));
  // Nothing to withhold can be written yet: `withheld: {}` is all there is to say.
  assert.deepEqual(
    known.filter((key) => !said.has(key)),
    ['withheld'],
  );
});

test('every scenario has an expectation and says in a comment what it shows', () => {
  for (const name of names) {
    const { scenario, expectation } = textsOf(join(folder, `${name}.yaml`));
    assert.match(scenario, /^# [A-Z]/, name);
    assert.ok(expectation !== undefined, name);
  }
  const orphans = readdirSync(folder).filter(
    (name) => name.endsWith('.expect.yaml') && !names.includes(name.slice(0, -'.expect.yaml'.length)),
  );
  assert.deepEqual(orphans, []);
  assert.ok(readFileSync(join(folder, 'README.md'), 'utf8').length > 0);
});
