/** The property of the export fails for each push that does not do what it should. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseTime } from '../../src/format/time.js';
import { type PushOptions, type PushReport, pushRoot } from '../../src/push/push-root.js';
import { CheckedRoot } from '../../src/scenario/check/checked-root.js';
import { missingKinds, pushFollowsTheWire, wireDifferences } from '../../src/scenario/check/push-property.js';
import { readScenario } from '../../src/scenario/read-scenario.js';
import { rewrite } from '../e2e/run-asz.js';
import { temporaryFolder } from '../shared.js';

const SESSION = '5ca1ab1e-0041-4000-8000-000000000141';
const SCENARIO = readScenario(
  's.yaml',
  `session: ${SESSION}
title: the kiln
steps:
  - input: fire the kiln
  - call: {text: It is lit.}
`,
);

async function goodRoot(): Promise<CheckedRoot> {
  const root = new CheckedRoot({
    ...{ format: 'sd', root: join(temporaryFolder(), 'sd'), session: SESSION },
    at: parseTime('2026-01-01T00:00:00Z'),
  });
  root.build(SCENARIO);
  await root.parse();
  return root;
}

test('a push as it is made holds, and leaves nothing in the root', async () => {
  const root = await goodRoot();
  assert.deepEqual(await pushFollowsTheWire(root), []);
  assert.deepEqual(await missingKinds(root, ['transcript', 'round', 'journal']), ['no journal is pushed']);
  assert.ok(!existsSync(join(root.root, 'push.state')) && !existsSync(join(root.root, '_export')));
});

/** Pushes a copy of the root in which files were changed. */
function ofCopy(change: (root: string, file: string) => void): typeof pushRoot {
  return async (options) => {
    const copy = join(temporaryFolder(), 'copy');
    cpSync(options.root, copy, { recursive: true });
    for (const entry of readdirSync(copy, { recursive: true, encoding: 'utf8' }))
      if (/\.s[df]$/.test(entry)) change(copy, join(copy, entry));
    const report = await pushRoot({ ...options, root: copy });
    if (existsSync(join(copy, 'push.state')))
      cpSync(join(copy, 'push.state'), join(options.root, 'push.state'));
    return report;
  };
}

const identity = (options: PushOptions, change: Partial<PushOptions['identity']>) =>
  pushRoot({ ...options, identity: { ...options.identity, ...change } });

async function forgetful(options: PushOptions): Promise<PushReport> {
  rmSync(join(options.root, 'push.state'), { force: true });
  return pushRoot(options);
}

const NOTHING: PushReport = {
  ...{ files: 0, bytes: 0, wire: 0, requests: 0, pausedMs: 0, rejected: 0, deferred: 0 },
  ...{ throttledMs: undefined, errors: ['x'], warnings: [] },
};

const WRONG: readonly [what: string, push: typeof pushRoot, words: RegExp][] = [
  ['sends nothing', async () => NOTHING, /is not sent$/m],
  [
    'does not say so',
    async (options) => ({ ...(await pushRoot(options)), errors: [] }),
    /refused everything is no error/,
  ],
  [
    'counts what was refused',
    async (options) => ({ ...(await pushRoot(options)), files: 9 }),
    /9 files count as sent/,
  ],
  ['forgets', forgetful, /a second pass sent \d files/],
  ['has another version', (options) => identity(options, { version: '2' }), /the resource: /],
  ['has no layer', (options) => identity(options, { layer: '' }), /the resource: /],
  [
    'knows no agents',
    (options) => identity(options, { agents: new Map() }),
    /without a service name it is mock, want Mock Agent/,
  ],
  [
    'fills its requests',
    (options) => pushRoot({ ...options, batchBytes: 1e6 }),
    /files in a request of one byte/,
  ],
  [
    'has another clock',
    (options) => pushRoot({ ...options, now: () => parseTime('2026-01-04T00:00:00Z') }),
    /the observed time: /,
  ],
  [
    'sends other bytes',
    ofCopy((_, file) => rewrite(file, readFileSync(file, 'utf8').replace('"s', '"S'))),
    /asz\.file\.digest is /,
  ],
  [
    'sends other lines',
    ofCopy((_, file) => rewrite(file, `${readFileSync(file, 'utf8')}\n`)),
    /asz\.lines is /,
  ],
  [
    'says other times',
    ofCopy((_, file) =>
      rewrite(file, readFileSync(file, 'utf8').replaceAll('2026-01-01T00:00:0', '2026-01-01T00:01:0')),
    ),
    /asz\.through_time is /,
  ],
  ['leaves a round out', ofCopy((_, file) => file.endsWith('.sf') && rmSync(file)), /\.sf is not sent/],
  [
    'sends a file that is none',
    ofCopy(
      (root, file) =>
        file.endsWith('.sd') &&
        writeFileSync(join(root, SESSION, 'streams/main/x-000077.sd'), readFileSync(file)),
    ),
    /is sent, and no file of the root/,
  ],
];

for (const [what, push, words] of WRONG)
  test(`a push that ${what} is told`, async () => {
    assert.match((await wireDifferences(await goodRoot(), push)).join('\n'), words);
  });
