/** No line may stop its source: whatever stands in it, it lands, and what lands can be read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LandedKind } from '../../../src/adapters/adapter.js';
import { nestingDepth } from '../../../src/format/json-scan.js';
import { readRecord } from '../../../src/format/session-data.js';
import { convertedText } from './converting.js';

const templates: readonly object[] = [
  {
    ...{ type: 'user', uuid: 'u', parentUuid: 'p', promptId: 'r', timestamp: 't', cwd: '/w', isMeta: false },
    origin: { kind: 'human' },
    toolUseResult: {
      ...{
        status: 'completed',
        agentId: 'a',
        toolUseId: 't',
        runId: 'wf_1',
        type: 'update',
        filePath: '/w/a',
      },
      ...{ originalFile: 'a\n', content: 'b\n', oldString: 'a', newString: 'b', replaceAll: true },
      structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] }],
    },
    message: {
      ...{ id: 'm', model: 'x', stop_reason: 'end', usage: { input_tokens: 1, output_tokens: 2 } },
      content: [
        { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'x' }], is_error: false },
        { type: 'text', text: 'x' },
        { type: 'thinking', thinking: 'x', signature: 's' },
        { type: 'tool_use', id: 't', name: 'mcp__a__b', input: { a: [1] } },
        { type: 'image', source: { media_type: 'image/png', data: 'QQ==' } },
        { type: 'redacted_thinking', signature: 's' },
      ],
    },
  },
  {
    type: 'attachment',
    attachment: {
      type: 'queued_command',
      commandMode: 'prompt',
      text: 'x',
      content: 'y',
      origin: { kind: 'k' },
    },
  },
  { agentId: 'a', toolUseId: 't', description: 'd', result: {} },
];

const values: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    '',
    'text',
    '\ud800',
    '<&>\u2028',
    [],
    [[]],
    [null, 1, 'a'],
    {},
    { a: 1 },
  ],
  ...[
    { kind: 5 },
    { type: 'text' },
    [{ type: 'text', text: {} }, null],
    '<task-notification><task-id>',
    '../..',
  ],
  ...[JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`)],
];

test('members of every wrong type, in every place, land and read back', () => {
  let lines = 0;
  for (const template of templates)
    for (const mutant of mutants(template))
      for (const kind of ['transcript', 'agent_meta', 'journal'] as const) {
        check(JSON.stringify(mutant), kind);
        lines++;
      }
  assert.ok(lines > 2000, `${lines}`);
});

test('random bytes, and records cut or damaged at random, land and read back', () => {
  const seed = 99;
  let state = seed;
  const random = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const whole = templates.map((template) => Buffer.from(JSON.stringify(template)));
  for (let round = 0; round < 3000; round++) {
    const bytes = Buffer.from(whole[random(whole.length)] ?? Buffer.alloc(0));
    for (let i = random(3); i >= 0; i--) bytes[random(bytes.length)] = random(256);
    check(
      random(4) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes,
      'transcript',
      `seed ${seed}, ${round}`,
    );
  }
});

function check(unit: string | Buffer, kind: LandedKind, where = String(unit)): void {
  const text = convertedText(unit, kind);
  assert.ok(nestingDepth(text) <= 256, where);
  assert.ok(text.isWellFormed() && !text.includes('\n'), where);
  const record = readRecord(text);
  assert.equal(record.bytes, Buffer.byteLength(unit), where);
  assert.ok(record.parts.length > 0, where);
}

/** The template with each of its members and elements, at any depth, replaced by each value, and left out. */
function* mutants(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const replaced = (by: unknown) => {
      const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
      (copy as Record<string, unknown>)[key] = by;
      return copy;
    };
    for (const other of [...values, undefined]) yield replaced(other);
    for (const inner of mutants(member)) yield replaced(inner);
  }
}
