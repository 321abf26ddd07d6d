/** Rules of what a step shows, calls among them. */
import assert from 'node:assert/strict';
import type { SdPart } from '../../src/format/session-data.js';
import { aTool, type Case, oneTalk, rulesInto, toolOf } from './case.js';
import { said, step, talkNode, textPart } from './made-root.js';

export const CONTENT_CASES: Case[] = [];
const rule = rulesInto(CONTENT_CASES);

// ---- content of a step ----

rule('a part without text shows its data as the line spells it', (view) => {
  const compact = '{"b":1.0,"10":12345678901234567890,"a":"\\u003c é"}';
  for (const data of [compact, compact.replace(':', ': ')]) {
    const [node] = view(oneTalk([{ parts: [{ k: 'call', data }] }], 'tool')).talks[0].children;
    assert.equal(node.text, data);
  }
});

rule('white space outside the data is not part of it', (view) => {
  const made = oneTalk([{ parts: [{ k: 'call', data: ' {"a" :1}  ' }] }], 'tool');
  assert.equal(view(made).talks[0].children[0].text, '{"a" :1}');
});

rule('a record of two parts without a block has no part of its own', (view) => {
  const parts: SdPart[] = [{ ...textPart('one'), name: 'n' }, textPart('two')];
  const [node] = view(oneTalk([{ parts, flags: ['f'] }])).talks[0].children;
  assert.deepEqual(
    [node.text, node.state, node.bytes, node.name, node.flags],
    ['one\ntwo', undefined, undefined, undefined, ['f']],
  );
});

rule('the part a block names is shown, and the only part for one that is not there', (view) => {
  const made = oneTalk([{ parts: [textPart('one'), textPart('two')] }, { parts: [textPart('only')] }]);
  const nodes = [
    talkNode(),
    step('a', 1, { ref: { seq: 1, row: 1, block: 1 } }),
    step('b', 2, { ref: { seq: 1, row: 2, block: 7 } }),
  ];
  const [a, b] = view({ ...made, nodes }).talks[0].children;
  assert.deepEqual([a.text, b.text, b.bytes], ['two', 'only', 4]);
});

rule('a message typed while the agent works is read out of its queued command', (view) => {
  const queued = (prompt: unknown) => JSON.stringify({ type: 'queued_command', prompt });
  const made = oneTalk(
    [
      {
        parts: [
          { k: 'data', data: queued([{ text: ' now ' }, { text: '' }, { image: 1 }, { text: 'this' }]) },
        ],
      },
      { parts: [{ k: 'data', data: queued('a string stays where it is') }] },
      { parts: [{ k: 'other', text: queued([{ text: 'in text' }]) }] },
      { parts: [{ k: 'other', text: queued([{ text: 'in text' }]) }, { k: 'other' }] },
    ],
    'message.external',
  );
  const talk = view(made).talks[0];
  assert.deepEqual(
    talk.children.map(({ text }: { text: string }) => text),
    ['now \nthis', queued('a string stays where it is'), queued([{ text: 'in text' }]), 'in text'],
  );
  assert.equal(talk.label, 'now \nthis');
});

rule("only parts of kind text are a record's words", (view) => {
  const parts: SdPart[] = [textPart('thought', 'reasoning'), textPart(''), textPart('said')];
  assert.equal(view(oneTalk([{ parts }])).talks[0].reply, 'said');
});

rule('text is cut at 2,000 bytes on a whole character, and nothing is appended', (view) => {
  const text = `${'a'.repeat(1998)}😀b`;
  const [node] = view(oneTalk([said(text)])).talks[0].children;
  assert.deepEqual([node.text, node.bytes], ['a'.repeat(1998), 2003]);
  const exact = 'é'.repeat(1000);
  assert.equal(view(oneTalk([said(exact)])).talks[0].children[0].text, exact);
  const escaped = `${'\n'.repeat(1999)}\u2028`;
  assert.equal(view(oneTalk([said(escaped)])).talks[0].children[0].text, '\n'.repeat(1999));
  const data = `"${'a'.repeat(1998)}😀"`;
  const tool = view(oneTalk([{ parts: [{ k: 'call', data }] }], 'tool')).talks[0].children[0];
  assert.equal(tool.text, `"${'a'.repeat(1998)}`);
});

rule("white space is Unicode's: U+00A0 and U+0085 are, U+FEFF is not", (view) => {
  const talk = view(oneTalk([said('\u0085\u00a0 said \u2003\u00a0')])).talks[0];
  assert.equal(talk.reply, 'said');
  assert.equal(view(oneTalk([said('\ufeffsaid\ufeff')])).talks[0].reply, '\ufeffsaid\ufeff');
});

rule('a half of a surrogate pair reads as U+FFFD, and stays in raw data', (view) => {
  const parts: SdPart[] = [{ k: 'call', data: '{"a":"\\ud800"}' }];
  const made = oneTalk(
    [{ parts: [{ k: 'data', data: '{"type":"queued_command","prompt":[{"text":"a\\ud800"}]}' }] }, { parts }],
    'message.external',
  );
  const talk = view(made).talks[0];
  const [first, second] = talk.children;
  assert.deepEqual([first.text, talk.label, second.text], ['a\ufffd', 'a\ufffd', '{"a":"\\ud800"}']);
});

rule("flags and drops are the record's, whatever part is shown", (view) => {
  const dropped = [
    { what: 'x', bytes: 3, why: '' },
    { what: 'y', bytes: 0, why: 'w' },
  ];
  const [node] = view(oneTalk([{ ...said('a'), flags: ['b', 'a'], dropped }])).talks[0].children;
  assert.deepEqual(node.flags, ['b', 'a']);
  assert.deepEqual(node.dropped, [
    { what: 'x', bytes: 3 },
    { what: 'y', bytes: 0, why: 'w' },
  ]);
});

// ---- calls ----

rule('an empty result is passed over, and its state and size are replaced', (view) => {
  const empty: SdPart = { k: 'result', of: 't1', state: 'omitted', bytes: 9 };
  const full: SdPart = { ...textPart('done', 'result'), failed: false };
  const node = toolOf(view(aTool([{ parts: [empty] }, { parts: [full] }])));
  assert.deepEqual(
    [node.result, node.result_state, node.result_bytes, node.failed],
    ['done', 'available', 4, false],
  );
  const none = toolOf(view(aTool([{ parts: [empty] }])));
  assert.deepEqual(
    [none.result, none.result_state, none.result_bytes, 'failed' in none],
    [undefined, 'omitted', 9, false],
  );
});

rule('the first result with text ends the search', (view) => {
  const node = toolOf(
    view(
      aTool([
        said('one', 2, { parts: [textPart('one', 'result')] }),
        { parts: [{ ...textPart('two', 'result'), failed: true }] },
      ]),
    ),
  );
  assert.deepEqual([node.result, 'failed' in node], ['one', false]);
});

rule('results are gone through in the order of the references, not of the file', (view) => {
  const made = aTool([{ parts: [textPart('one', 'result')] }, { parts: [textPart('two', 'result')] }]);
  const refs = [1, 3, 2].map((row) => ({ seq: 1, row }));
  assert.equal(
    toolOf(view({ ...made, nodes: [talkNode(), step('tool/t1', 1, { kind: 'tool', refs })] })).result,
    'two',
  );
});

rule('a result is the part its block names, else the first of kind result', (view) => {
  const parts: SdPart[] = [textPart('words'), textPart('r1', 'result'), textPart('r2', 'result')];
  const made = aTool([{ parts }]);
  assert.equal(toolOf(view(made)).result, 'r1');
  const refs = [
    { seq: 1, row: 1 },
    { seq: 1, row: 2, block: 2 },
  ];
  assert.equal(
    toolOf(view({ ...made, nodes: [talkNode(), step('tool/t1', 1, { kind: 'tool', refs })] })).result,
    'r2',
  );
});

rule('failed is taken from a result only when the request does not say', (view) => {
  const call: SdPart = { k: 'call', id: 't1', failed: true };
  const result: SdPart = { ...textPart('x', 'result'), failed: false };
  assert.equal(toolOf(view(aTool([{ parts: [result] }], {}, { parts: [call] }))).failed, true);
});

rule('from request to result is whole milliseconds, and a join without them below one', (view) => {
  const at = (time: string) => ({ time, parts: [textPart('r', 'result')] });
  const exact = { result_join: 'exact_unique' };
  const request = { time: '2026-01-01T10:00:00.0009Z', parts: [{ k: 'call', id: 't1' }] };
  const timing = (time: string, attrs: Record<string, string> = exact) => {
    const node = toolOf(view(aTool([at(time)], attrs, request)));
    return [node.request_to_result_ms, node.request_to_result_join];
  };
  assert.deepEqual(timing('2026-01-01T10:00:01.0008Z'), [999, 'exact_unique']);
  assert.deepEqual(timing('2026-01-01T10:00:00.0018Z'), [undefined, 'exact_unique']);
  assert.deepEqual(timing('2026-01-01T10:00:00.0008Z'), [undefined, undefined]);
  assert.deepEqual(timing('no time'), [undefined, undefined]);
  assert.deepEqual(timing('2026-01-01T10:00:01Z', { result_join: 'exact_ambiguous' }), [
    undefined,
    undefined,
  ]);
});

rule('usage is that of the one record the attributes name; known to be nothing is not unknown', (view) => {
  const usage = { in: 1, out: 2, cache_read: 3, cache_write: 4 };
  const call = (row: number | undefined) =>
    step('call/1', 1, { kind: 'llm.call', attrs: row === undefined ? {} : { usage_at: { seq: 1, row } } });
  const files = [{ records: [{ ...said('words'), usage }, { ...said('b'), usage: {} }, said('c')] }];
  const usageAt = (row?: number) => view({ files, nodes: [talkNode(), call(row)] }).talks[0].children[0];
  assert.deepEqual(usageAt(1).usage, usage);
  assert.deepEqual(usageAt(2).usage, {});
  assert.deepEqual(['usage' in usageAt(3), 'usage' in usageAt()], [false, false]);
  assert.equal('text' in usageAt(3), false, 'a call has no words of its own');
});

rule('a measured turn shows its duration in place of its text', (view) => {
  const data = '{"durationMs":1200,"x":1}';
  const made = oneTalk(
    [
      { parts: [{ k: 'data', data, state: 'available', bytes: 25 }] },
      { parts: [{ k: 'data', data: '{"durationMs":0}' }] },
    ],
    'turn.duration',
  );
  const nodes = made.nodes!.map((node) =>
    node.id === 'step/1' ? { ...node, attrs: { measured_by: 'client' } } : node,
  );
  const [measured, not] = view({ ...made, nodes }).talks[0].children;
  assert.deepEqual(measured, {
    ...{
      id: 'step/1',
      kind: 'turn.duration',
      parent: 'talk/1',
      stream: 'main',
      at: 0,
      ref: { seq: 1, row: 1 },
    },
    ...{
      attrs: { measured_by: 'client' },
      state: 'available',
      bytes: 25,
      duration_ms: 1200,
      duration_measured_by: 'client',
    },
  });
  assert.deepEqual([not.text, 'duration_ms' in not], ['{"durationMs":0}', false]);
});
