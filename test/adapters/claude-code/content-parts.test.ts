import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitMcpName } from '../../../src/adapters/mcp-name.js';
import { converted, convertedText, partsOf } from './converting.js';

const available = { state: 'available' };

const contents: [what: string, content: unknown, parts: object[]][] = [
  ['text', 'é', [{ k: 'text', text: 'é', ...available, bytes: 2 }]],
  ['empty text', '', [{ k: 'text', ...available }]],
  ['a text block', [{ type: 'text', text: 'a' }], [{ k: 'text', text: 'a', ...available, bytes: 1 }]],
  ['a text block without text', [{ type: 'text', text: null }], [{ k: 'text', ...available }]],
  [
    'thinking with text',
    [{ type: 'thinking', thinking: 'hm', signature: '' }],
    [{ k: 'reasoning', text: 'hm', ...available, bytes: 2 }],
  ],
  ['withheld thinking', [{ type: 'thinking' }], [{ k: 'reasoning', state: 'unavailable' }]],
  ['redacted thinking', [{ type: 'redacted_thinking', data: 'x' }], [{ k: 'reasoning', state: 'redacted' }]],
  [
    'a call',
    [{ type: 'tool_use', id: 't', name: 'mcp__s__x', input: { a: 1 }, caller: {} }],
    [
      {
        k: 'call',
        data: { a: 1 },
        id: 't',
        name: 'mcp__s__x',
        server: 's',
        server_tool: 'x',
        ...available,
        bytes: 7,
      },
    ],
  ],
  [
    'a server call',
    [{ type: 'server_tool_use', id: 't', name: 'mcp__s__x', input: null }],
    [{ k: 'call', data: null, id: 't', name: 'mcp__s__x', ...available, bytes: 4 }],
  ],
  ['a call without input', [{ type: 'tool_use', id: 't' }], [{ k: 'call', id: 't', ...available }]],
  [
    'an image',
    [{ type: 'image', source: { media_type: 'image/png', data: 'QQ==' } }],
    [{ k: 'media', data: 'QQ==', media: 'image/png', ...available, bytes: 4 }],
  ],
  [
    'an image by address',
    [{ type: 'image', source: { url: 'u' } }],
    [{ k: 'media', data: '', ...available }],
  ],
  [
    'an unknown block',
    [{ type: 'document', n: '<' }],
    [
      {
        k: 'unknown',
        text: 'block type "document" is not one this dialect describes',
        data: '{"type":"document","n":"<"}',
        ...available,
        bytes: 27,
      },
    ],
  ],
  [
    'a block without a type',
    [{ a: 1 }],
    [
      {
        k: 'unknown',
        text: 'block type "" is not one this dialect describes',
        data: '{"a":1}',
        ...available,
        bytes: 7,
      },
    ],
  ],
  [
    'a block that is no object, between two that are',
    [{ type: 'text', text: 'a' }, 7, { type: 'text', text: 'b' }],
    [
      { k: 'text', text: 'a', ...available, bytes: 1 },
      { k: 'unknown', text: 'the block is not an object', data: '7', ...available, bytes: 1 },
      { k: 'text', text: 'b', ...available, bytes: 1 },
    ],
  ],
  [
    'a text block of another shape',
    [{ type: 'text', text: 5 }],
    [
      {
        k: 'unknown',
        text: 'block type "text" is not of the shape this dialect describes',
        data: '{"type":"text","text":5}',
        ...available,
        bytes: 24,
      },
    ],
  ],
  [
    'neither text nor list',
    { a: 1 },
    [
      {
        k: 'unknown',
        text: 'the content is neither text nor a list of blocks',
        data: '{"a":1}',
        ...available,
        bytes: 7,
      },
    ],
  ],
];
for (const [what, content, parts] of contents)
  test(`content that is ${what}`, () => {
    assert.deepEqual(partsOf(content), parts);
  });

test('no content at all lands the line: missing, null, an empty list', () => {
  for (const message of [undefined, {}, { content: null }, { content: [] }, 'text', 5]) {
    const [part, ...more] = converted({ type: 'user', message }).parts;
    assert.deepEqual([part.k, part.data.type, more.length], ['data', 'user', 0]);
  }
});

test('signatures are dropped and counted, in block order', () => {
  const { dropped } = converted({
    message: {
      content: [
        { type: 'thinking', thinking: '', signature: 'abc' },
        { type: 'redacted_thinking', signature: 'é' },
        { type: 'thinking', thinking: 5, signature: 'lands raw' },
        { type: 'text', signature: 'no' },
      ],
    },
  });
  assert.deepEqual(
    dropped.map(({ what, bytes }: { what: string; bytes: number }) => [what, bytes]),
    [
      ['reasoning signature', 3],
      ['reasoning signature', 2],
    ],
  );
});

const results: [what: string, block: object, want: object][] = [
  ['text', { content: 'ok' }, { text: 'ok', bytes: 2 }],
  ['empty text', { content: '' }, { data: '', bytes: 2 }],
  ['null', { content: null }, { data: null, bytes: 4 }],
  ['nothing', {}, {}],
  [
    'texts',
    { content: [{ type: 'text', text: 'a' }, { type: 'image' }, { text: 'b' }, { text: '' }] },
    { text: 'a\nb', bytes: 3 },
  ],
  ['a list without text', { content: [{ type: 'image' }] }, { data: [{ type: 'image' }], bytes: 18 }],
  [
    'a list with something else in it',
    { content: [{ text: 'a' }, 'b'] },
    { data: [{ text: 'a' }, 'b'], bytes: 18 },
  ],
  ['an object', { content: { a: 1 } }, { data: { a: 1 }, bytes: 7 }],
  ['a failure', { content: 'no', is_error: true }, { text: 'no', failed: true, bytes: 2 }],
  ['no word of failure', { content: 'ok', is_error: 'false' }, { text: 'ok', bytes: 2 }],
];
for (const [what, block, want] of results)
  test(`a result of ${what}`, () => {
    const [part] = partsOf([{ type: 'tool_result', tool_use_id: 't', ...block }]);
    assert.deepEqual(part, { k: 'result', of: 't', ...available, ...want });
  });

test('the structured result replaces the raw content of every result block, and bytes stay', () => {
  const blocks = [
    { type: 'tool_result', tool_use_id: 'a', content: 'ok' },
    { type: 'tool_result', tool_use_id: 'b', content: null },
  ];
  const parts = partsOf(blocks, { toolUseResult: { stdout: 'x' } });
  assert.deepEqual(
    parts.map(({ of, text, data, bytes }) => [of, text, data, bytes]),
    [
      ['a', 'ok', { stdout: 'x' }, 2],
      ['b', undefined, { stdout: 'x' }, 4],
    ],
  );
  for (const toolUseResult of ['text', ['list'], null, 5])
    assert.deepEqual(partsOf([blocks[0]], { toolUseResult })[0].data, undefined);
});

const attachments: [attachment: unknown, part: object | undefined][] = [
  [
    { type: 'a', text: 'x', content: 'y' },
    { k: 'text', text: 'x', ...available, bytes: 1 },
  ],
  [
    { type: 'a', text: '', content: 'y' },
    { k: 'text', text: 'y', ...available, bytes: 1 },
  ],
  [
    { text: 5, content: 'y' },
    { k: 'data', data: { text: 5, content: 'y' }, ...available, bytes: 24 },
  ],
  [{ content: ['y'] }, { k: 'data', data: { content: ['y'] }, ...available, bytes: 17 }],
  [undefined, undefined],
  [[], undefined],
  [null, undefined],
];
for (const [attachment, part] of attachments)
  test(`an attachment record with ${JSON.stringify(attachment)} has one part`, () => {
    const record = { type: 'attachment', attachment, message: { content: 'ignored' } };
    const parts = converted(record).parts;
    const whole = { k: 'data', data: JSON.parse(JSON.stringify(record)), ...available };
    assert.deepEqual(parts, [part ?? { ...whole, bytes: JSON.stringify(record).length }]);
  });

test('an unknown block keeps its white space, a call input does not, and both count it', () => {
  const text = convertedText('{"message":{"content":[{"type": "x"},{"type":"tool_use","input":{"a": 1}}]}}');
  const [unknown, call] = JSON.parse(text).parts;
  assert.deepEqual([unknown.data, unknown.bytes], ['{"type": "x"}', 13]);
  assert.ok(text.includes('"data":{"a":1}'));
  assert.equal(call.bytes, 8);
});

const names: [name: string, server: string | undefined, tool?: string][] = [
  ['mcp__s__t', 's', 't'],
  ['mcp__a_b__c-d', 'a_b', 'c-d'],
  ['mcp__s__t__u', undefined],
  ['mcp__foo___bar', undefined],
  ['mcp____t', undefined],
  ['mcp__s__', undefined],
  ['mcp__s', undefined],
  ['Mcp__s__t', undefined],
  ['xmcp__s__t', undefined],
];
for (const [name, server, tool] of names)
  test(`the name ${name} ${server === undefined ? 'stays whole' : 'splits'}`, () => {
    assert.deepEqual(splitMcpName(name), server === undefined ? undefined : { server, tool });
  });
