/** Every property fails when what it says is not so. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseTime } from '../../src/format/time.js';
import { listRounds } from '../../src/io/chain-directory.js';
import { listLandedFiles, roundsFolder, sessionFolder } from '../../src/io/storage-root.js';
import type { Format } from '../../src/scenario/build.js';
import { CheckedRoot } from '../../src/scenario/check/checked-root.js';
import { PROPERTIES } from '../../src/scenario/check/properties.js';
import { readScenario } from '../../src/scenario/read-scenario.js';
import type { Scenario } from '../../src/scenario/scenario.js';
import { remakeRound, rewrite } from '../e2e/run-asz.js';
import { temporaryFolder } from '../shared.js';

const SESSION = '5ca1ab1e-0040-4000-8000-000000000140';
const PROJECT = '-Users-dev-scenario';
const SCENARIO = readScenario(
  's.yaml',
  `
session: ${SESSION}
title: the kiln
steps:
  - input: fire the kiln
  - call: {tool: {id: kiln, name: Bash, input: {command: ./kiln}, result: lit, changes: [{path: a, after: b}]}}
    checkpoint: lit
  - call: {text: It is lit.}
`,
);

/** A root that holds every property. */
async function goodRoot(format: Format, through?: string): Promise<CheckedRoot> {
  const root = new CheckedRoot({
    ...{ format, root: join(temporaryFolder(), format), session: SESSION },
    at: parseTime('2026-01-01T00:00:00Z'),
  });
  root.build(SCENARIO, through);
  if (format === 'claude-code') await root.collect();
  await root.parse();
  return root;
}

async function findings(name: string, root: CheckedRoot, scenario: Scenario = SCENARIO): Promise<string> {
  const { holds } = PROPERTIES.find((property) => property.name === name)!;
  return holds!(root, scenario).then(
    (found) => found.join('\n'),
    (cause: Error) => cause.message,
  );
}

const lastRound = ({ root }: CheckedRoot) => listRounds(roundsFolder(root, SESSION)).at(-1)!.path;
const firstLanded = ({ root }: CheckedRoot) => listLandedFiles(sessionFolder(root, SESSION))[0]!.path;
const transcript = ({ sourceRoot }: CheckedRoot) => join(sourceRoot, PROJECT, `${SESSION}.jsonl`);

/** Changes a landed file and closes it with the digest of its new bytes. */
function remakeLanded(path: string, change: (text: string) => string): void {
  const lines = change(readFileSync(path, 'utf8')).trimEnd().split('\n').slice(0, -1);
  const body = lines.map((line) => `${line}\n`).join('');
  const digest = createHash('sha256').update(body).digest('hex');
  rewrite(path, `${body}{"t":"end","records":${lines.length - 1},"digest":"${digest}"}\n`);
}

/** What is done to a good root, and what the property then says. */
const violations: ReadonlyArray<
  readonly [name: string, format: Format, violate: (root: CheckedRoot) => void, says: RegExp]
> = [
  ['unchanged_writes_nothing', 'sd', (root) => root.build(SCENARIO), /^one more parse wrote r000002-/],
  [
    'header_matches_fold',
    'sd',
    (root) => remakeRound(lastRound(root), (text) => text.replace('"talks":1', '"talks":2')),
    /^the header says talks 2, the fold holds 1$/,
  ],
  [
    'header_matches_fold',
    'sd',
    (root) => remakeRound(lastRound(root), (text) => text.replace('"title":"the kiln"', '"title":"a kiln"')),
    /^the header says title a kiln, the fold holds the kiln$/,
  ],
  [
    'fold_equals_parse',
    'sd',
    (root) => remakeRound(lastRound(root), (text) => text.replace('"name":"Bash"', '"name":"Bush"')),
    /^tool\/kiln: attrs is .*Bush.* against .*Bash/,
  ],
  [
    'fold_equals_parse',
    'sd',
    (root) =>
      remakeRound(lastRound(root), (text) =>
        text.replace('"parent":"call/s2-call"', '"parent":"stream/main"'),
      ),
    /^tool\/kiln: parent is "stream\/main" against "call\/s2-call"$/,
  ],
  [
    'immutable_rounds',
    'sd',
    (root) => chmodSync(lastRound(root), 0o644),
    /^r000001-[0-9a-f]{12}\.sf can be written to$/,
  ],
  [
    'immutable_rounds',
    'sd',
    (root) => rewrite(lastRound(root), readFileSync(lastRound(root), 'utf8').replace('Bash', 'Bush')),
    /digest/,
  ],
  [
    'records_well_formed',
    'sd',
    (root) =>
      remakeLanded(firstLanded(root), (text) =>
        text.replace('"from":"external"', '"from":"external","mood":"good"'),
      ),
    /row 2: unknown key mood$/,
  ],
  [
    'records_well_formed',
    'sd',
    (root) => remakeLanded(firstLanded(root), (text) => text.replace(/,"parts":\[\{"k":"text".*?\}\]/, '')),
    /row 2: no parts$/,
  ],
  [
    'repack_keeps_structure',
    'sd',
    (root) => remakeRound(lastRound(root), (text) => text.replace('"kind":"tool"', '"kind":"agent.call"')),
    /^kinds agent\.call: 1 against 0\nkinds tool: 0 against 1$/,
  ],
  ['bundle', 'sd', (root) => rmSync(firstLanded(root), { force: true }), /landed file/],
  [
    'recollect_idempotent',
    'claude-code',
    (root) => appendFileSync(transcript(root), '{}\n'),
    /^a second collect landed 1 records$/,
  ],
  [
    'every_line_a_record',
    'claude-code',
    (root) => appendFileSync(transcript(root), '{}\n'),
    /jsonl has 5 lines to land, 4 records landed$/,
  ],
  [
    'parts_keep_source_bytes',
    'claude-code',
    (root) =>
      writeFileSync(transcript(root), readFileSync(transcript(root), 'utf8').replace('./kiln', './oven')),
    /record 3: its digest is not that of its source's bytes\n.* record 3 part 0: its data does not stand in the source$/,
  ],
  [
    'discovery_ignores_noise',
    'claude-code',
    (root) => writeFileSync(transcript(root).replace('0140.jsonl', '0141.jsonl'), '{}\n'),
    /^session 5ca1ab1e-0040-4000-8000-000000000141 is found, which nobody built$/,
  ],
  [
    'discovery_ignores_noise',
    'claude-code',
    (root) => renameSync(transcript(root), `${transcript(root)}.gone`),
    /^session 5ca1ab1e-0040-4000-8000-000000000140 is not found$/,
  ],
  [
    'pruned_sources_gone',
    'claude-code',
    (root) =>
      writeFileSync(transcript(root), readFileSync(transcript(root), 'utf8').replace('./kiln', './oven')),
    /conflict/,
  ],
];

for (const [name, format, violate, says] of violations)
  test(`${name} says what is not so: ${says.source}`, async () => {
    const root = await goodRoot(format, 'lit');
    assert.equal(await findings(name, root), '');
    violate(root);
    assert.match(await findings(name, root), says);
  });

test('changes_leave_the_fold says where a conversation without its changes is another', async () => {
  const root = await goodRoot('sd');
  assert.equal(await findings('changes_leave_the_fold', root), '');
  const other = { ...SCENARIO, steps: SCENARIO.steps.slice(0, 2) };
  assert.match(await findings('changes_leave_the_fold', root, other), /^kinds llm\.call: 2 against 1$/m);
});

test('every property that is built is violated above, but the one that only chance could violate', () => {
  const built = PROPERTIES.filter(({ holds }) => holds !== undefined).map(({ name }) => name);
  const violated = new Set([
    ...[...violations.map(([name]) => name), 'changes_leave_the_fold', 'reproducible'],
    ...['view_covers_the_session', 'push_follows_the_wire'], // In view.test.ts and push.test.ts.
  ]);
  assert.deepEqual(
    built.filter((name) => !violated.has(name)),
    [],
  );
});
