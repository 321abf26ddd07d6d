import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collects } from '../../../src/adapters/adapter.js';
import { GLOSSARY as CLAUDE_CODE_GLOSSARY } from '../../../src/adapters/claude-code/glossary.js';
import {
  journalRecord,
  type MockRecord,
  manifestRecord,
  recordOf,
  type StreamEvent,
  scriptRecord,
  sidecarRecord,
} from '../../../src/adapters/mock/events.js';
import { GLOSSARY } from '../../../src/adapters/mock/glossary.js';
import { MOCK } from '../../../src/adapters/mock/mock.js';
import { adapterNamed } from '../../../src/adapters/registry.js';
import { writeRecord } from '../../../src/format/session-data.js';

const USAGE = { in: 2, out: 40, cache_read: 900, cache_write: 100 };
const AT = { id: 'r1', parent: 'r0', run: 'p1', time: '2026-01-01T00:00:00.000Z' };
const PLACED = '"id":"r1","parent":"r0","run":"p1"';
const TIME = '"time":"2026-01-01T00:00:00.000Z"';
const text = (words: string) => `{"k":"text","text":"${words}","state":"available","bytes":${words.length}}`;
const SPENT = '"usage":{"in":2,"out":40,"cache_read":900,"cache_write":100},"model":"claude-opus-5"';

/** What an event becomes, without the place that landing gives. */
const events: ReadonlyArray<readonly [name: string, event: StreamEvent, stream: string, want: string]> = [
  [
    'a title',
    { kind: 'title', title: 'weather' },
    'main',
    '"label":"weather","from":"runtime","parts":[{"k":"data","data":{"aiTitle":"weather","type":"ai-title"},"state":"available","bytes":39}]',
  ],
  [
    'input in the main stream',
    { kind: 'input', ...AT, text: 'go' },
    'main',
    `${PLACED},"from":"external",${TIME},"trigger":"external","flags":["external_input"],"parts":[${text('go')}]`,
  ],
  [
    'input in a child, which says nothing of where it comes from',
    { kind: 'input', ...AT, text: 'go' },
    'a1',
    `${PLACED},"from":"external",${TIME},"parts":[${text('go')}]`,
  ],
  [
    'a queued prompt',
    { kind: 'queued', ...AT, mode: 'prompt', text: 'and' },
    'main',
    `${PLACED},"from":"runtime",${TIME},"flags":["external_input"],"parts":[${text('and')}]`,
  ],
  [
    'queued text that is no prompt',
    { kind: 'queued', ...AT, mode: 'task-notification', text: 'and' },
    'main',
    `${PLACED},"from":"runtime",${TIME},"flags":["injected"],"parts":[${text('and')}]`,
  ],
  [
    'an injection',
    { kind: 'injection', id: 'r1', text: 'skills' },
    'main',
    `"id":"r1","from":"runtime","flags":["injected"],"parts":[${text('skills')}]`,
  ],
  [
    'a prompt snapshot, flagged by what it carries',
    { kind: 'prompt_snapshot', id: 'r1', tools: [{ name: 'Bash' }] },
    'main',
    '"id":"r1","from":"runtime","flags":["injected","tool_schemas"],"parts":[{"k":"data","data":{"reminderFold":false,"tools":[{"name":"Bash"}],"type":"prompt_snapshot"},"state":"available","bytes":73}]',
  ],
  [
    'a text fragment that goes on',
    { kind: 'fragment', ...AT, call: 'c1', last: false, usage: USAGE, content: { text: 'hm' } },
    'main',
    `"id":"r1","parent":"r0","call":"c1","run":"p1","from":"agent",${TIME},${SPENT},"parts":[${text('hm')}]`,
  ],
  [
    'withheld reasoning, its signature dropped',
    { kind: 'fragment', id: 'r1', call: 'c1', last: false, usage: USAGE, content: { reasoning: '' } },
    'main',
    `"id":"r1","call":"c1","from":"agent",${SPENT},"parts":[{"k":"reasoning","state":"unavailable"}],"dropped":[{"what":"reasoning signature","bytes":3,"why":"a provider verifies it; a reader cannot read it"}]`,
  ],
  [
    'reasoning in words, its signature dropped all the same',
    { kind: 'fragment', call: 'c1', last: false, usage: {}, content: { reasoning: 'so' } },
    'main',
    '"call":"c1","from":"agent","usage":{},"model":"claude-opus-5","parts":[{"k":"reasoning","text":"so","state":"available","bytes":2}],"dropped":[{"what":"reasoning signature","bytes":3,"why":"a provider verifies it; a reader cannot read it"}]',
  ],
  [
    'a call fragment that ends its call, its input sorted',
    {
      kind: 'fragment',
      call: 'c1',
      last: true,
      usage: USAGE,
      content: { tool: 't1', name: 'Bash', input: { b: 1, a: [null, { 10: 1, 9: 2 }] } },
    },
    'main',
    `"call":"c1","from":"agent","flags":["finished"],${SPENT},"parts":[{"k":"call","data":{"a":[null,{"10":1,"9":2}],"b":1},"id":"t1","name":"Bash","state":"available","bytes":33}]`,
  ],
  [
    'a call of a server that can be told from the name',
    {
      kind: 'fragment',
      call: 'c1',
      last: true,
      usage: {},
      content: { tool: 't1', name: 'mcp__sky__now', input: {} },
    },
    'main',
    '"call":"c1","from":"agent","flags":["finished"],"usage":{},"model":"claude-opus-5","parts":[{"k":"call","data":{},"id":"t1","name":"mcp__sky__now","server":"sky","server_tool":"now","state":"available","bytes":2}]',
  ],
  [
    'a result',
    { kind: 'result', ...AT, of: 't1', text: 'ok' },
    'main',
    `${PLACED},"from":"external",${TIME},"parts":[{"k":"result","text":"ok","data":{"stderr":"","stdout":"ok"},"of":"t1","state":"available","bytes":2}]`,
  ],
  [
    'a failed result, replayed: what the runtime said beside it is gone',
    { kind: 'result', of: 't1', text: 'no', failed: true, replayed: true },
    'main',
    '"from":"external","parts":[{"k":"result","text":"no","of":"t1","failed":true,"state":"available","bytes":2}]',
  ],
  [
    'a result whose runtime wrote a string',
    { kind: 'result', of: 't1', text: 'ok', outcome: { is: 'bare_string' } },
    'main',
    '"from":"external","parts":[{"k":"result","text":"ok","data":"a bare string, not an object","of":"t1","state":"available","bytes":2}]',
  ],
  [
    'an acknowledged launch',
    {
      kind: 'result',
      of: 't1',
      text: 'ok',
      outcome: { is: 'launch', child: 'a1', label: 'checker', prompt: 'go' },
    },
    'main',
    '"child":"a1","from":"external","flags":["launch_ack"],"parts":[{"k":"result","text":"ok","data":{"agentId":"a1","description":"checker","isAsync":true,"prompt":"go","status":"async_launched"},"of":"t1","state":"available","bytes":2}]',
  ],
  [
    'a fork, which returns its child and acknowledges nothing',
    { kind: 'result', of: 't1', text: 'ok', outcome: { is: 'fork', child: 'a1' } },
    'main',
    '"child":"a1","from":"external","parts":[{"k":"result","text":"ok","data":{"agentId":"a1","status":"forked"},"of":"t1","state":"available","bytes":2}]',
  ],
  [
    'a launched workflow, which names its run',
    { kind: 'result', of: 't1', text: 'ok', outcome: { is: 'workflow', run: 'wf_1', name: 'check' } },
    'main',
    '"batch":"wf_1","from":"external","flags":["launch_ack"],"parts":[{"k":"result","text":"ok","data":{"runId":"wf_1","status":"async_launched","transcriptDir":"subagents/workflows/wf_1","workflowName":"check"},"of":"t1","state":"available","bytes":2}]',
  ],
  [
    'the result of an edit with its change record as a second part',
    { kind: 'result', of: 't1', text: 'ok', changes: '{"schema":"changes/1"}' },
    'main',
    '"from":"external","parts":[{"k":"result","text":"ok","data":{"stderr":"","stdout":"ok"},"of":"t1","state":"available","bytes":2},{"k":"data","data":{"schema":"changes/1"},"state":"available","bytes":22}]',
  ],
  [
    'a notification',
    { kind: 'notification', ...AT, tool: 't1', child: 'a1', text: 'done' },
    'main',
    `${PLACED},"tool":"t1","child":"a1","from":"external",${TIME},"trigger":"notification","parts":[${text('done')}]`,
  ],
  [
    'an error the client put into words',
    { kind: 'error', id: 'r1', call: 'c1', text: 'lost' },
    'main',
    `"id":"r1","call":"c1","from":"agent","flags":["synthetic"],"usage":{},"model":"<synthetic>","parts":[${text('lost')}]`,
  ],
  [
    'a reset',
    { kind: 'reset', id: 'r1', continues: 'r0' },
    'main',
    '"id":"r1","continues":"r0","from":"runtime","flags":["context_reset"],"parts":[{"k":"data","data":{"compactMetadata":{"preservedMessages":{"allUuids":["r0"]},"trigger":"auto"},"logicalParentUuid":"r0","subtype":"compact_boundary","type":"system"},"state":"available","bytes":148}]',
  ],
  [
    'a summary',
    { kind: 'summary', ...AT, text: 'so far' },
    'main',
    `${PLACED},"from":"external",${TIME},"flags":["reset_summary"],"parts":[${text('so far')}]`,
  ],
  ...(
    [
      ['turn_duration', 'turn_duration'],
      ['local_command', 'command'],
      ['something_new', 'notice'],
    ] as const
  ).map(([subtype, flag]): (typeof events)[number] => [
    `a system record of ${subtype}`,
    { kind: 'system', id: 'r1', subtype, fields: { n: 1 } },
    'main',
    // The three subtypes are equally long.
    `"id":"r1","from":"runtime","flags":["${flag}"],"parts":[{"k":"data","data":{"n":1,"subtype":"${subtype}","type":"system"},"state":"available","bytes":49}]`,
  ]),
];

for (const [name, event, stream, want] of events)
  test(`event: ${name}`, () => assert.equal(written(recordOf(event, stream)), want));

const documents: ReadonlyArray<readonly [name: string, record: MockRecord, want: string]> = [
  [
    'a sidecar names its child and says the call only inside its data',
    sidecarRecord('a1', 'checker', 't1'),
    '"child":"a1","label":"checker","from":"runtime","parts":[{"k":"data","data":{"agentType":"general-purpose","description":"checker","spawnDepth":1,"toolUseId":"t1"},"state":"available","bytes":87}]',
  ],
  [
    'a journal line: started',
    journalRecord('wf_1', 'a1', 'started'),
    '"child":"a1","batch":"wf_1","from":"runtime","parts":[{"k":"data","data":{"agentId":"a1","key":"v2:a1","type":"started"},"state":"available","bytes":47}]',
  ],
  [
    'a journal line: result',
    journalRecord('wf_1', 'a1', 'result'),
    '"child":"a1","batch":"wf_1","from":"runtime","flags":["child_result"],"parts":[{"k":"data","data":{"agentId":"a1","key":"v2:a1","result":{"done":true},"type":"result"},"state":"available","bytes":69}]',
  ],
  [
    'a manifest',
    manifestRecord('wf_1', 'check', 2),
    '"batch":"wf_1","label":"check","from":"runtime","parts":[{"k":"data","data":{"agentCount":2,"runId":"wf_1","status":"completed","taskId":"task-wf_1","workflowName":"check"},"state":"available","bytes":96}]',
  ],
  [
    'a script, as a built value is spelled and counted as it was',
    scriptRecord('a => 1'),
    '"from":"runtime","parts":[{"k":"unknown","text":"the source is a program, not data","data":"a =\\u003e 1","state":"available","bytes":6}]',
  ],
];

for (const [name, record, want] of documents)
  test(`document: ${name}`, () => assert.equal(written(record), want));

test('the adapter is known, collects nothing, and needs no other words than the model', () => {
  assert.equal(adapterNamed('mock'), MOCK);
  assert.equal(collects(MOCK), false);
  assert.deepEqual(
    GLOSSARY.map(({ unified }) => unified),
    CLAUDE_CODE_GLOSSARY.map(({ unified }) => unified),
    'every glossary explains one vocabulary',
  );
  for (const { unified, native, where } of GLOSSARY) {
    assert.equal(native, unified);
    assert.equal(where, 'a landed record, as written');
  }
});

function written(record: MockRecord): string {
  const line = writeRecord({ ord: 1, off: 0, sha: '', bytes: 0, ...record });
  return line.slice('{"ord":1,"off":0,"sha":"","bytes":0,'.length, -1);
}
