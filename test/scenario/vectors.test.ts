/** Builds the public scenarios and holds every byte against what the reference wrote. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseTime } from '../../src/format/time.js';
import { buildSession, type Format } from '../../src/scenario/build.js';
import { planScenario } from '../../src/scenario/plan.js';
import { readScenario } from '../../src/scenario/read-scenario.js';
import { checkpointsOf, FINAL, type Scenario } from '../../src/scenario/scenario.js';
import { contentsOf } from '../e2e/run-asz.js';
import { needsShared, sharedData, temporaryFolder } from '../shared.js';

const AT = parseTime('2026-01-01T00:00:00Z');

function scenarioFrom(path: string): Scenario {
  return readScenario(path, readFileSync(path, 'utf8'));
}

/** A root after a build through every checkpoint in turn, and then to the end. */
function builtInStages(scenario: Scenario, format: Format): string {
  const root = temporaryFolder();
  for (const through of [...checkpointsOf(scenario), FINAL])
    buildSession(scenario, { format, root, at: AT, through });
  return root;
}

const vectors = () => readdirSync(join(sharedData()!, 'vectors'));

test('Session Data of every public scenario is byte for byte that of its vector', needsShared, () => {
  let compared = 0;
  for (const name of vectors()) {
    const root = builtInStages(scenarioFrom(join(sharedData()!, 'scenarios', `${name}.yaml`)), 'sd');
    const want = contentsOf(join(sharedData()!, 'vectors', name, 'sd'), /\.sd$/);
    const got = contentsOf(root, /\.sd$/);
    assert.deepEqual([...got.keys()], [...want.keys()], name);
    for (const [file, bytes] of want) assert.equal(got.get(file), bytes, `${name}: ${file}`);
    compared += want.size;
  }
  assert.equal(compared, 50);
});

test(
  "Claude Code's files of every public scenario are byte for byte those the reference collected",
  needsShared,
  () => {
    let compared = 0;
    for (const name of vectors()) {
      const source = join(sharedData()!, 'vectors', name, 'claude-code/_source');
      const root = builtInStages(
        scenarioFrom(join(sharedData()!, 'scenarios', `${name}.yaml`)),
        'claude-code',
      );
      const got = contentsOf(join(root, '_source'));
      for (const [file, bytes] of contentsOf(source)) {
        assert.equal(got.get(file), bytes, `${name}: ${file}`);
        compared++;
      }
    }
    assert.ok(compared > 50, `${compared}`);
  },
);

test('the fixture with its workspace change has the digests of the specification', needsShared, () => {
  const scenario = scenarioFrom(join(sharedData()!, 'scenarios/fixture.yaml'));
  const root = temporaryFolder();
  buildSession(scenario, { format: 'sd', root, at: AT });
  assert.deepEqual(digestsOf(root), [
    '667c3a32480190268901b2cf83f19087bed9bf44416dd900d0eb16cbab800580',
    'b7fc207afdc51b9c48e42af8524ea7a68e5e5f3b4c76b7d37dd765e2fe8145c5',
    'fa5e9bb561d0bc6168382498e805829b2820141b57117db50f4894d474c3e486',
    '62f019483e4d0c0d4d0f5f296bec63fbfae663479a2a78d83b45481bd8df7185',
  ]);
});

/** Digests of landed files, in landed order. */
function digestsOf(root: string): string[] {
  const files = [...contentsOf(root, /\.sd$/)].sort(([a], [b]) => (a.slice(-9) < b.slice(-9) ? -1 : 1));
  return files.map(([, bytes]) => createHash('sha256').update(bytes, 'latin1').digest('hex'));
}

const CHILD_AGENT = `
session: 5ca1ab1e-0001-4000-8000-000000000101
project: -Users-dev-harbour
title: coast survey
interval: 2s
steps:
  - input: survey the north coast
  - call:
      text: Sending the surveyor.
      agent:
        name: surveyor
        prompt: list the harbours north of the cape
        after: 3s
        steps:
          - call:
              text: Looking at the chart.
              tool:
                id: chart-read
                name: Read
                input: {file_path: charts/north.txt}
                result: {text: two harbours, after: 500ms}
          - call: {text: Two harbours found., usage: {out: 12}}
        notify: true
      usage: {out: 18}
    checkpoint: sent
  - call: {text: The north coast has two harbours.}
`;

const RESET = `
session: 5ca1ab1e-0002-4000-8000-000000000102
project: -Users-dev-chapters
title: long translation
steps:
  - input: translate the first chapter
  - call: {thinking: unavailable, text: Chapter one is done.}
  - input: and the second
  - call: {text: Chapter two is half done.}
    checkpoint: full
  - reset: {summary: One chapter is translated and the second is half done.}
    after: 15m
  - input: finish the second chapter
  - call: {text: Chapter two is done.}
`;

const LATE_RESULT = `
session: 5ca1ab1e-0003-4000-8000-000000000103
project: -Users-dev-kiln
title: slow kiln
steps:
  - input: fire the kiln and tell me when it is hot
  - call:
      text: Lighting it.
      tool: {id: kiln, name: Bash, input: {command: ./kiln --fire}}
    checkpoint: lit
  - input: how long will it take
  - call: {text: About twenty minutes.}
    checkpoint: waiting
  - result: {of: kiln, text: 1200 degrees}
    after: 5m
  - call: {text: The kiln is hot.}
`;

const APPENDIX: ReadonlyArray<readonly [name: string, text: string, digests: readonly string[]]> = [
  [
    'a child agent',
    CHILD_AGENT,
    [
      '6ee6f3e6825419c48bb490e269f31c9aeef8ec2665f9f18432e0cc1020db43c8',
      '0cc128fdb6284079d880b596bda8cae744d091673ae289baa5ae8d7917afe077',
      'a420c6b4a9afb8c99bc1b4f715d08b705640488904d7807a0401a6bc2c25f339',
      '6b7b29dec0a88211206a6e9ee388f425ba484a4ccb32d8cb6246357c80f4edeb',
    ],
  ],
  [
    'a context reset',
    RESET,
    [
      '0fc04631757c4452eef582f436257c9159d949f26ed2eb4a72e21ce20bb4d3f2',
      'e634c09aa2f303035486b69b8a0eefadeb3d86098c5a599e09cc24f2a0f6a4fd',
    ],
  ],
  [
    'a late tool result',
    LATE_RESULT,
    [
      'b0e6d48e197fbf90d992feb21e5f8668a441c5e8c3d57c6dec8f5162ee54b98b',
      'b1a62a63a14459edea68931c1afc9e4d97e4f87f81fdd26122a102c14068c215',
      'e8e4c253f0b576be94e9a1163b3978e8dc3a80d7f669e3f377ff3577c7e892ee',
    ],
  ],
];

for (const [name, text, digests] of APPENDIX)
  test(`the specification's scenario of ${name} has the digests of its files`, () => {
    assert.deepEqual(digestsOf(builtInStages(readScenario(`${name}.yaml`, text), 'sd')), digests);
  });

test('a plan through a checkpoint begins every later plan', () => {
  const scenario = readScenario('late.yaml', LATE_RESULT);
  const at = { baseMs: AT.ms };
  const whole = planScenario(scenario, at).streams[0]!.records;
  for (const through of checkpointsOf(scenario)) {
    const part = planScenario(scenario, { ...at, through }).streams[0]!.records;
    assert.deepEqual(part, whole.slice(0, part.length), through);
  }
});

test('building again writes the same bytes, and lands nothing twice', () => {
  const scenario = readScenario('child.yaml', CHILD_AGENT);
  for (const format of ['claude-code', 'sd'] as const) {
    const [a, b] = [temporaryFolder(), temporaryFolder()];
    for (const root of [a, b, b]) buildSession(scenario, { format, root, at: AT });
    const wanted = /\.(sd|jsonl|json|js)$/;
    assert.deepEqual(contentsOf(b, wanted), contentsOf(a, wanted));
    assert.ok(existsSync(join(a, 'asz.yaml')));
  }
});
