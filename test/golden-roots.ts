/**
 * The sessions behind `test/golden`: small, made up, each for one thing a round can say. What each shows, record
 * by record, is told in `test/golden/README.md`, where its rounds were read against the assembly rules by hand.
 *
 * A root is told in steps; after each the session lands and is parsed, so a step is at least one round.
 */
import { dataJson } from '../src/adapters/mock/data-json.js';
import type { SdPart } from '../src/format/session-data.js';
import type { SessionBuilder } from './session-builder.js';

export interface GoldenRoot {
  /** Also the session's id. */
  readonly name: string;
  /** Budget of a round in bytes, when the root shows what a budget does. */
  readonly maxBytes?: number;
  readonly steps: readonly ((session: SessionBuilder) => void)[];
}

const MINUTE_MS = 60_000;

export const GOLDEN_ROOTS: readonly GoldenRoot[] = [
  { name: 'every-kind', steps: [everyKind, goesOn] },
  { name: 'unresolved', steps: [openEverything, resolveEverything] },
  { name: 'tombstones', steps: [threeTalks, oneTalkLess] },
  { name: 'text', steps: [oddText] },
  { name: 'replay', steps: [oneExchange, (session) => session.main.replay(4), afterReplay] },
  { name: 'workflow', steps: [workflowStarts, workflowEnds] },
  { name: 'narrowed', maxBytes: 7000, steps: [manyFiles] },
];

// ---- every kind of node and relation ----

function everyKind(session: SessionBuilder): void {
  const { main } = session;
  main
    .title('Every kind')
    .input('start')
    .injection('skills: 1')
    .thinks('Look around first.')
    .fragment({ text: 'I look around.' })
    .tool('t-look', 'Read', { file_path: 'weather.ts' })
    .result('t-look', { text: 'export const sky = "blue";' })
    .tool('t-launch', 'Agent', { prompt: 'check' })
    .launched('t-launch', 'launched');
  session.stream('launched').input('check').says('It is checked.').sidecarOf('t-launch', 'the checker');
  main.tool('t-later', 'Agent', { prompt: 'measure' }).launched('t-later', 'later');
  session.stream('later').input('measure').thinks().says('It is measured.');
  main.tool('t-fork', 'Skill', { skill: 'count' });
  session.stream('forked').input('count').says('Three.');
  main.forked('t-fork', 'forked').tool('t-advise', 'Advisor');
  session.stream('advisor').input('advise').says('Mind the wind.');
  main
    .record({
      run: 'main-run-1',
      child: 'advisor',
      from: 'external',
      flags: ['auxiliary'],
      parts: [resultPart('t-advise', 'Mind the wind.')],
    })
    .notification({ tool: 't-launch', child: 'launched' })
    .notification({ tool: 't-later' })
    .says('All of it came back.')
    .record({ from: 'agent', parts: [textPart('Words that name no call.'), { k: 'reasoning' }] })
    .error('API Error: the line was cut')
    .record({ from: 'runtime', flags: ['error'], parts: [dataPart({ subtype: 'api_error' })] })
    .system('turn_duration', { durationMs: 1200 })
    .system('local_command', { content: '/clear' })
    .system('away_summary');
}

function goesOn(session: SessionBuilder): void {
  session.main.reset('The sky was looked at.');
  session.wait(15 * MINUTE_MS);
  session.main
    .input('and tomorrow?')
    .queued('prompt', 'and the day after?')
    .queued('task-notification', 'a shell came back')
    .says('Clouds.');
}

// ---- every kind of unresolved entry, opened and then resolved ----

function openEverything(session: SessionBuilder): void {
  const { main } = session;
  main
    .input('start')
    .result('t-asked-later')
    .tool('t-answered-later', 'Bash')
    .tool('t-twice', 'Bash')
    .result('t-twice')
    .result('t-twice', { text: 'ok again' })
    .tool('t-launch', 'Agent')
    .launched('t-launch', 'late-child')
    .notification({ tool: 't-unlanded', child: 'orphan' })
    .notification({ child: 'silent' })
    .reset('So far.', { continues: 'lost-record' });
  session.stream('orphan').input('go').says('gone');
  session.stream('of-run').input('go').says('done');
  session.run('wf_late').started('of-run');
  session.stream('nested').input('go').says('deep').sidecarOf('', 'nested', { started_by: 'ghost' });
}

function resolveEverything(session: SessionBuilder): void {
  const { main } = session;
  main
    .tool('t-asked-later', 'Bash')
    .result('t-answered-later')
    .tool('t-unlanded', 'Agent')
    .result('t-unlanded')
    .tool('t-run', 'Workflow')
    .launchedRun('t-run', 'wf_late')
    .tool('t-ghost', 'Skill')
    .forked('t-ghost', 'ghost')
    .injection('found again', { id: 'lost-record' });
  for (const name of ['late-child', 'silent', 'ghost']) session.stream(name).input('go').says('here');
}

// ---- what later evidence takes back ----

function threeTalks(session: SessionBuilder): void {
  const { main } = session;
  main.input('first').says('one');
  session.wait(20 * MINUTE_MS);
  // A run that states no trigger starts a talk of its own, until a record of it says otherwise.
  main.record({ run: 'silent-run', from: 'external', parts: [textPart('typed')] }).says('two');
  main.tool('t-helper', 'Advisor').result('t-helper');
  session.stream('helper').input('help').says('helped');
}

function oneTalkLess(session: SessionBuilder): void {
  session.main
    .notification({ tool: 't-other' }, { run: 'silent-run' })
    .record({ tool: 't-helper', child: 'helper', from: 'runtime', flags: ['auxiliary'] })
    .input('before all', { time: '2026-01-02T08:55:00.000Z' });
}

// ---- text, times, names, changes ----

function oddText(session: SessionBuilder): void {
  const { main } = session;
  main
    .title('a < b && c > d\u2028"quoted" \\ \u{1f326}')
    .input('start', { time: '2026-01-02T08:59:59.123456789Z' })
    .injection('with an offset', { time: '2026-01-02T11:30:00.9876543219+02:00' })
    .injection('a comma', { time: '2026-01-02T09:00:00,5Z' })
    .injection('no time', { time: 'yesterday' });
  // By code point the last comes after the one before it, by UTF-16 unit it would come first.
  for (const id of ['t/slash', 't<&>', 't"\\\n', 't\u2028', 't\ue000', 't\uff5e', 't\u{1f600}'])
    main.tool(id, `tool of ${id}`).result(id);
  main
    .tool('mcp-exact', 'mcp__sky__now')
    .result('mcp-exact')
    .tool('mcp-twice', 'mcp__sky__now__here')
    .result('mcp-twice')
    .tool('mcp-three', 'mcp__sky___now')
    .result('mcp-three')
    .tool('t-edit', 'Edit')
    .result('t-edit', { changes: dataJson(changeRecord('claude-code', 't-edit', 3, 1)) })
    .tool('t-shell', 'Bash')
    .result('t-shell')
    .record({ id: 'a/b', from: 'runtime', flags: ['context_reset'], time: '2026-01-02T09:00:30Z' });
  const shell = changeRecord('asz-plugin', 't-shell', 10, 0);
  for (const id of ['c1', 'c2']) main.changes.push({ id, tool: 't-shell', parts: [dataPart(shell)] });
  main.execution.push({ id: 'e1', tool: 'mcp-exact', parts: [dataPart({ schema: 'execution/1' })] });
}

// ---- a resumed session repeats its block ----

function oneExchange(session: SessionBuilder): void {
  session.main.input('start').thinks().tool('t-1', 'Bash').result('t-1').says('done');
}

function afterReplay(session: SessionBuilder): void {
  session.main.reset('Started and done.').input('more').says('more is done');
}

// ---- a batch of children ----

function workflowStarts(session: SessionBuilder): void {
  session.main.input('review').tool('t-run', 'Workflow', { name: 'review' });
  session.main.launchedRun('t-run', 'wf_review', 'review');
  session.run('wf_review').started('reader').started('writer').manifestOf('review', 2).scriptOf('a < b');
  session.stream('reader').input('read').says('It reads well.');
}

function workflowEnds(session: SessionBuilder): void {
  session.stream('writer').input('write').tool('t-inner', 'Agent', { prompt: 'spell' });
  session.stream('speller').input('spell').says('No mistakes.').sidecarOf('t-inner', 'the speller', {
    tool: 't-inner',
    started_by: 'writer',
  });
  // The result names the child as its sidecar does: one relation, seen twice.
  session.stream('writer').forked('t-inner', 'speller').says('It is written.');
  session.run('wf_review').returned('reader');
  session.main
    .notification({ tool: 't-run' })
    .notification({ tool: 't-run', child: 'reader' })
    .says('Reviewed.');
}

// ---- a budget ----

/** Nine files at once, of which the first alone is over the budget and is published whole. */
function manyFiles(session: SessionBuilder): void {
  session.main.input('start');
  for (let i = 1; i <= 40; i++) session.main.says(`word ${i}`);
  for (let i = 1; i <= 4; i++) {
    session.main.tool(`t-${i}`, 'Skill').forked(`t-${i}`, `child-${i}`);
    session.stream(`child-${i}`).input('count').says(String(i)).sidecarOf(`t-${i}`);
  }
}

// ---- parts ----

function textPart(text: string): SdPart {
  return { k: 'text', text, state: 'available', bytes: Buffer.byteLength(text) };
}

function resultPart(of: string, text: string): SdPart {
  return { ...textPart(text), k: 'result', of };
}

function dataPart(value: unknown): SdPart {
  const data = JSON.stringify(value);
  return { k: 'data', data, state: 'available', bytes: Buffer.byteLength(data) };
}

function changeRecord(capturedBy: string, id: string, additions: number, deletions: number) {
  const change = { path: 'weather.ts', operation: 'modify', additions, deletions };
  return { schema: 'changes/1', id, captured_by: capturedBy, changed_files: 1, changes: [change] };
}
