import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LandedKind } from '../../../src/adapters/adapter.js';
import { nestingDepth } from '../../../src/format/json-scan.js';
import { converted, convertedText } from './converting.js';

test('a script, a broken line, a blank line and a list land as unknown, with nothing else', () => {
  const rows: [string, LandedKind, string][] = [
    ['export default 1 < 2;', 'workflow_script', 'the source is a program, not data'],
    ['{broken', 'transcript', 'the record is not valid JSON'],
    ['', 'transcript', 'the record is not valid JSON'],
    ['[1]', 'journal', 'the record is not valid JSON'],
    ['"text"', 'agent_meta', 'the record is not valid JSON'],
    ['{"a":NaN}', 'transcript', 'the record is not valid JSON'],
    ['{"a":"\t"}', 'transcript', 'the record is not valid JSON'],
    ['\ufeff{}', 'transcript', 'the record is not valid JSON'],
  ];
  for (const [text, kind, reason] of rows) {
    const { sha, ...record } = converted(text, kind);
    const bytes = Buffer.byteLength(text);
    assert.deepEqual(record, {
      ...{ ord: 1, off: 0, bytes, from: 'runtime' },
      parts: [
        { k: 'unknown', text: reason, data: text, state: 'available', ...(bytes > 0 ? { bytes } : {}) },
      ],
    });
    assert.equal(sha.length, 12);
  }
  assert.match(convertedText('a < b', 'workflow_script'), /a \\u003c b/, 'built strings escape < > &');
});

test('a bare null is an empty object', () => {
  const { sha: _, ...record } = converted('null');
  assert.deepEqual(record, {
    ...{ ord: 1, off: 0, bytes: 4, from: 'runtime' },
    parts: [{ k: 'data', data: null, state: 'available', bytes: 4 }],
  });
});

test('bytes that are not text and not JSON are kept in base64', () => {
  const raw = Buffer.from([0x7b, 0xff, 0xfe]);
  assert.deepEqual(converted(raw).parts[0], {
    k: 'unknown',
    text: 'the record is not valid JSON',
    data: raw.toString('base64'),
    encoding: 'base64',
    state: 'available',
    bytes: 3,
  });
});

test('a manifest lands whole, its own run id first; one caught half written is refused', () => {
  const manifest = converted('{ "runId": "wf_own", "workflowName": "check", "n": 1.0 }', 'workflow_manifest');
  assert.deepEqual([manifest.batch, manifest.label, manifest.from], ['wf_own', 'check', 'runtime']);
  assert.equal(converted({}, 'workflow_manifest').batch, 'wf_run');
  assert.deepEqual(converted('[1]', 'workflow_manifest').parts[0].data, [1]);
  assert.throws(() => converted('{"runId":', 'workflow_manifest'), /not valid JSON/);
});

test('fields come from their members, and a member of another type counts as absent', () => {
  const record = converted({
    ...{ type: 'assistant', uuid: 'u', parentUuid: 'p', promptId: 'r', logicalParentUuid: 'c' },
    ...{ timestamp: 'whenever', description: 'd', aiTitle: '', workflowName: 'w', parentAgentId: 'a1' },
    message: {
      id: 'm',
      model: 'x',
      usage: { input_tokens: 1.0, output_tokens: 1.5, cache_read_input_tokens: 2 ** 53 },
    },
    requestId: 'req',
  });
  const { id, parent, run, continues, time, label, started_by, call, model, usage } = record;
  assert.deepEqual(
    { id, parent, run, continues, time, label, started_by, call, model, usage },
    {
      ...{ id: 'u', parent: 'p', run: 'r', continues: 'c', time: 'whenever', label: 'd', started_by: 'a1' },
      ...{ call: 'm', model: 'x', usage: { in: 1 } },
    },
  );
  const odd = converted({
    uuid: 'u',
    isMeta: 'yes',
    origin: 'human',
    attachment: [],
    timestamp: 5,
    message: 'x',
  });
  assert.deepEqual([odd.id, odd.flags, odd.time, odd.parts[0].k], ['u', undefined, undefined, 'data']);
  assert.deepEqual(converted({ message: { usage: {} } }).usage, {});
  assert.equal(converted({ message: { usage: null } }).usage, undefined);
});

test('keys match exactly, and of two equal keys the last counts', () => {
  assert.equal(converted('{"UUID":"x","uuid":"a","uuid":"b"}').id, 'b');
  const text = convertedText(
    '{"message":{"content":[{"type":"tool_use","id":"1","input":1,"input":{"b":2, "2":0,"1":0}}]}}',
  );
  assert.match(text, /"data":\{"b":2,"2":0,"1":0\}/);
});

const human = { kind: 'human' };
const producers: [object, LandedKind, from: string, trigger: string | undefined][] = [
  [{ type: 'assistant' }, 'transcript', 'agent', undefined],
  [{ type: 'user' }, 'transcript', 'external', undefined],
  [{ type: 'system' }, 'transcript', 'runtime', undefined],
  [{ type: 'attachment' }, 'transcript', 'runtime', undefined],
  [{ type: 'ai-title' }, 'transcript', 'runtime', undefined],
  [{}, 'transcript', 'runtime', undefined],
  [{ type: 'user' }, 'journal', 'runtime', undefined],
  [{ type: 'assistant' }, 'agent_meta', 'runtime', undefined],
  [{ type: 'user', origin: human }, 'transcript', 'external', 'external'],
  [{ type: 'user', origin: { kind: 'task-notification' } }, 'transcript', 'external', 'notification'],
  [{ type: 'user', origin: { kind: 'peer' } }, 'transcript', 'external', 'unknown'],
  [{ type: 'attachment', attachment: { origin: human } }, 'transcript', 'runtime', 'external'],
  [{ type: 'user', promptSource: 'sdk' }, 'transcript', 'external', 'external'],
  [{ type: 'user', promptSource: 'sdk', isMeta: true }, 'transcript', 'external', undefined],
  [{ type: 'user', promptSource: 'typed' }, 'transcript', 'external', undefined],
  [{ type: 'system', promptSource: 'sdk' }, 'transcript', 'runtime', undefined],
];
for (const [record, kind, from, trigger] of producers)
  test(`producer and trigger of ${kind} ${JSON.stringify(record)}`, () => {
    const { from: gotFrom, trigger: gotTrigger } = converted(record, kind);
    assert.deepEqual([gotFrom, gotTrigger], [from, trigger]);
  });

const flagRows: [object, flags: string, kind?: LandedKind][] = [
  [
    { type: 'assistant', message: { model: '<synthetic>', stop_reason: 'stop_sequence' } },
    'synthetic finished',
  ],
  [{ type: 'user', message: { model: '<synthetic>', stop_reason: 'end' } }, ''],
  [{ type: 'assistant', message: { stop_reason: '' } }, ''],
  [{ type: 'system', subtype: 'compact_boundary' }, 'context_reset'],
  [{ type: 'system', subtype: 'microcompact_boundary' }, 'notice'],
  [{ type: 'system', subtype: 'api_error' }, 'error'],
  [{ type: 'system', subtype: 'turn_duration' }, 'turn_duration'],
  [{ type: 'system', subtype: 'local_command' }, 'command'],
  [{ type: 'system' }, 'notice'],
  [{ type: 'system', subtype: 'notice', isMeta: true }, 'injected notice'],
  [{ type: 'user', message: { content: 'compact_boundary' } }, ''],
  [{ isCompactSummary: true }, 'reset_summary'],
  [{ type: 'started', result: null }, 'child_result', 'journal'],
  [{ type: 'result', result: {} }, '', 'transcript'],
  [{ type: 'user', toolUseResult: { status: 'completed', content: [] } }, 'child_result'],
  [{ type: 'user', toolUseResult: { status: 'async_launched' } }, 'launch_ack'],
  [{ type: 'user', toolUseResult: { status: 'forked' } }, ''],
  [{ type: 'user', toolUseResult: 'completed' }, ''],
  [{ type: 'user', origin: human }, 'external_input'],
  [{ type: 'user', origin: human, isMeta: true }, 'injected'],
  [{ type: 'user', promptSource: 'sdk' }, 'external_input'],
  [{ type: 'user', origin: human }, '', 'agent_meta'],
  [{ type: 'user', origin: human }, '', 'journal'],
  [{ type: 'attachment', attachment: { type: 'queued_command', commandMode: 'prompt' } }, 'external_input'],
  [
    { type: 'attachment', attachment: { type: 'queued_command', commandMode: 'prompt' }, isMeta: true },
    'injected',
  ],
  [
    { type: 'attachment', attachment: { type: 'queued_command', commandMode: 'task-notification' } },
    'injected',
  ],
  [{ type: 'attachment', attachment: { type: 'todo_reminder' } }, 'injected'],
  [{ type: 'attachment' }, 'injected'],
  [
    { type: 'attachment', attachment: { type: 'prompt_snapshot', systemPrompt: null, tools: [] } },
    'injected system_prompt tool_schemas',
  ],
  [{ type: 'attachment', attachment: { type: 'file', tools: [] } }, 'injected'],
];
for (const [record, flags, kind] of flagRows)
  test(`flags of ${kind ?? 'transcript'} ${JSON.stringify(record)}`, () => {
    assert.equal((converted(record, kind).flags ?? []).join(' '), flags);
  });

const agent = 'a0123456789abcde0';
const notification = (body: string) => ({
  message: { content: `<task-notification>${body}</task-notification>` },
});
const references: [object, tool: string | undefined, child: string | undefined, kind?: LandedKind][] = [
  [{ toolUseId: 't1' }, 't1', 'a0123456789abcdef', 'agent_meta'],
  [{ agentId: 'other' }, undefined, 'other', 'agent_meta'],
  [{ agentId: agent, toolUseId: 't1' }, undefined, agent, 'journal'],
  [{ toolUseResult: { toolUseId: 't2', agentId: agent } }, 't2', agent],
  [{ toolUseResult: [{ agentId: agent }] }, undefined, undefined],
  [notification(`<tool-use-id> t3 </tool-use-id><task-id>${agent}</task-id>`), 't3', agent],
  [notification(`<task-id>b7</task-id><task-id> ${agent} </task-id>`), undefined, agent],
  [notification(`<task-id></task-id><task-id>${agent}</task-id>`), undefined, undefined],
  [notification('<task-id>b7'), undefined, undefined],
  [{ message: { content: `<task-id>${agent}</task-id>` } }, undefined, undefined],
  [
    { message: { content: [{ type: 'text', text: `<task-notification><task-id>${agent}</task-id>` }] } },
    undefined,
    undefined,
  ],
  [
    {
      ...notification(`<tool-use-id>t4</tool-use-id><task-id>${agent}</task-id>`),
      toolUseResult: { agentId: 'x' },
    },
    't4',
    'x',
  ],
];
for (const [record, tool, child, kind] of references)
  test(`tool and child of ${kind ?? 'transcript'} ${JSON.stringify(record)}`, () => {
    const got = converted(record, kind);
    assert.deepEqual([got.tool, got.child], [tool, child]);
  });

test('a launched run names its batch; a journal line belongs to its directory', () => {
  assert.equal(converted({ toolUseResult: { runId: 'wf_1' } }).batch, 'wf_1');
  assert.equal(converted({ type: 'started' }, 'journal').batch, 'wf_run');
  assert.equal(converted({ toolUseResult: { runId: 'wf_1' } }, 'journal').batch, 'wf_1');
  assert.equal(converted({}, 'agent_meta').batch, undefined);
});

test('a record without content lands whole, white space between tokens removed and counted', () => {
  const text =
    ' {"type":"summary", "n" : [1.0, 1e400, 12345678901234567890] , "10":0,"9":0,"__proto__":{"x":"a  b"}}\r';
  const landed = convertedText(text);
  assert.ok(
    landed.includes(
      '"data":{"type":"summary","n":[1.0,1e400,12345678901234567890],"10":0,"9":0,"__proto__":{"x":"a  b"}}',
    ),
    landed,
  );
  assert.equal(JSON.parse(landed).parts[0].bytes, Buffer.byteLength(text));
});

test('spellings of tool inputs survive: lone surrogates, separators, duplicate keys', () => {
  const input = '{"a":"\\ud800","b":"\\u2028","a":1.50,"__proto__":{"c":-0}}';
  const text = convertedText(
    `{"message":{"content":[{"type":"tool_use","id":"t","name":"X","input":${input}}]}}`,
  );
  assert.ok(text.includes(`"data":${input},"id":"t"`), text);
});

test('a line that is JSON but not UTF-8 is mapped like any other, and keeps its bytes in one more part', () => {
  const raw = Buffer.concat([
    Buffer.from('{"type":"user","uuid":"u1","message":{"content":"a'),
    Buffer.from([0xff]),
    Buffer.from('"}}'),
  ]);
  const record = converted(raw);
  assert.deepEqual([record.id, record.parts.length], ['u1', 2]);
  assert.equal(record.parts[0].text, 'a\ufffd');
  assert.deepEqual(Buffer.from(record.parts[1].data, 'base64'), raw);
  assert.equal(record.parts[1].text, 'the record is not valid UTF-8');
  assert.equal(
    converted('{"uuid":"\ufffd"}').parts.length,
    1,
    'a replacement character of the source is text',
  );
});

test('a record nested too deeply to be read keeps its fields and lands its bytes as one part', () => {
  const deepest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const call = (levels: number) =>
    `{"uuid":"u","message":{"content":[{"type":"thinking","thinking":"x","signature":"s"},{"type":"tool_use","id":"t","input":${deepest(levels)}}]}}`;
  const whole = convertedText(call(253));
  assert.equal(nestingDepth(whole), 256);
  const record = converted(call(254));
  assert.equal(record.id, 'u');
  assert.equal(record.dropped, undefined);
  assert.deepEqual(
    record.parts.map((part: { text: string }) => part.text),
    ['the record cannot be encoded'],
  );
  assert.equal(record.parts[0].data, call(254));
  // What does not land does not count.
  const elsewhere = `{"uuid":"u","x":${deepest(300)},"message":{"content":[{"type":"tool_use","id":"t","input":{}}]}}`;
  assert.equal(converted(elsewhere).parts[0].k, 'call');
  assert.equal(converted(call(40_000)).parts[0].k, 'unknown');
});
