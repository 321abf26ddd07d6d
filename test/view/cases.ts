/**
 * The rules of building and ordering a document, one small made root each. A case is given the function under test,
 * so that it can be held against a wrong one as well (`wrong-choices.test.ts`).
 */
import assert from 'node:assert/strict';
import type { SdPart, SdRecord } from '../../src/format/session-data.js';
import {
  type MadeRoot,
  madeRoot,
  relation,
  said,
  step,
  TEN,
  talkNode,
  textPart,
  timed,
} from './made-root.js';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into documents as they are
export type Viewed = (root: string, conversation: string, hide?: readonly string[]) => any;

export interface Case {
  readonly rule: string;
  readonly holds: (viewed: Viewed) => void;
}

export const CASES: readonly Case[] = [];

function rule(
  words: string,
  holds: (view: (made: MadeRoot, hide?: readonly string[]) => ReturnType<Viewed>) => void,
): void {
  const held = (viewed: Viewed) => holds((made, hide = []) => viewed(madeRoot(made), 's', hide));
  (CASES as Case[]).push({ rule: words, holds: held });
}

/** One talk whose steps stand on the records of one file, a step a record. */
function oneTalk(records: readonly Partial<SdRecord>[], kind = 'message.assistant'): MadeRoot {
  return {
    files: [{ records }],
    nodes: [talkNode(), ...records.map((_, i) => step(`step/${i + 1}`, i + 1, { kind }))],
  };
}

const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

// ---- content of a step ----

rule('a part without text shows its data as the line spells it', (view) => {
  const data = '{"b": 1.0,"10":12345678901234567890,"a":"\\u003c é"}';
  const [node] = view(oneTalk([{ parts: [{ k: 'call', data }] }], 'tool')).talks[0].children;
  assert.equal(node.text, data);
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
});

rule("white space is Unicode's: U+00A0 and U+0085 are, U+FEFF is not", (view) => {
  const talk = view(oneTalk([said('\u0085\u00a0 said \u2003\u00a0')])).talks[0];
  assert.equal(talk.reply, 'said');
  assert.equal(view(oneTalk([said('\ufeffsaid\ufeff')])).talks[0].reply, '\ufeffsaid\ufeff');
});

rule('a half of a surrogate pair reads as U+FFFD, and stays in raw data', (view) => {
  const parts: SdPart[] = [{ k: 'call', data: '{"a":"\\ud800"}' }];
  const made = oneTalk([
    { parts },
    { parts: [{ k: 'data', data: '{"type":"queued_command","prompt":[{"text":"a\\ud800"}]}' }] },
  ]);
  const [first, second] = view(made).talks[0].children;
  assert.deepEqual([first.text, second.text], ['{"a":"\\ud800"}', 'a\ufffd']);
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

/** A tool with a request in row 1 and what came back in the rows behind. */
function aTool(
  results: readonly Partial<SdRecord>[],
  attrs: Record<string, string> = {},
  request: Partial<SdRecord> = {},
): MadeRoot {
  const call: SdPart = { k: 'call', id: 't1', name: 'Bash', data: '{}', state: 'available', bytes: 2 };
  const refs = [0, ...results.keys()].map((_, i) => ({ seq: 1, row: i + 1 }));
  return {
    files: [{ records: [{ ...timed(1), parts: [call], ...request }, ...results] }],
    nodes: [talkNode(), step('tool/t1', 1, { kind: 'tool', refs, attrs })],
  };
}

const toolOf = (document: ReturnType<Viewed>) => document.talks[0].children[0];

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

// ---- talks ----

rule('a talk is labelled by its first external message, and that one only', (view) => {
  const made = oneTalk([said(' '), said('second')], 'message.external');
  assert.equal('label' in view(made).talks[0], false);
});

rule("without one, by the first of three injections that is somebody's words", (view) => {
  const words = (texts: readonly (readonly [string, string[]?])[]) =>
    view(
      oneTalk(
        texts.map(([text, flags = []]) => said(text, undefined, { flags })),
        'context.injection',
      ),
    ).talks[0].label;
  assert.equal(words([[' '], ['  {"type":"deferred_tools_delta","a":1}'], ['words']]), 'words');
  assert.equal(words([['you are', ['system_prompt']], ['[]', ['tool_schemas']], ['words']]), 'words');
  assert.equal(words([[' '], [' '], [' '], ['a fourth']]), undefined);
});

rule('injections are tried in the order of the tree, not of the file', (view) => {
  const made = oneTalk([said('landed first'), said('landed second')], 'context.injection');
  const nodes = [
    talkNode(),
    step('run/1', 1, { kind: 'run' }),
    step('b', 2, { kind: 'context.injection' }),
    { ...step('a', 1, { kind: 'context.injection' }), parent: 'late' },
    step('late', 3, { kind: 'run' }),
  ];
  assert.equal(view({ ...made, nodes }).talks[0].label, 'landed second');
});

rule('a talk answers with the last words of an assistant or of a child', (view) => {
  const made = oneTalk([said('a'), said('b'), said('c')]);
  const nodes = [
    talkNode(),
    step('x', 1),
    step('y', 2, { kind: 'agent.output' }),
    step('z', 3, { kind: 'message.synthetic' }),
  ];
  assert.equal(view({ ...made, nodes }).talks[0].reply, 'b');
});

rule('a talk counts at every depth, and a tree is written to level twelve', (view) => {
  const chain = Array.from({ length: 15 }, (_, i) => ({
    ...step(`s${i}`, 1),
    parent: i === 0 ? 'talk/1' : `s${i - 1}`,
  }));
  const talk = view({ files: [{ records: [said('x')] }], nodes: [talkNode(), ...chain] }).talks[0];
  assert.equal(talk.steps, 15);
  let levels = 0;
  for (let node = talk; node !== undefined; node = node.children?.[0]) levels++;
  assert.equal(levels, 13);
});

rule('a talk without times spans nothing and stands behind those that have one', (view) => {
  const files = [{ records: [said('a'), said('b', 5), said('c', 3)] }];
  const nodes = [
    talkNode('t1'),
    talkNode('t2', { ref: { seq: 1, row: 2 } }),
    talkNode('t3', { ref: { seq: 1, row: 3 } }),
  ];
  const { talks } = view({ files, nodes });
  assert.deepEqual(ids(talks), ['t3', 't2', 't1']);
  assert.deepEqual([talks[2].at, 'from' in talks[2], 'to' in talks[2]], [0, false, false]);
});

rule('talks are ordered by when they began, to the nanosecond, and equals by position', (view) => {
  const time = (fraction: string) => ({ time: `2026-01-01T10:00:00.${fraction}Z` });
  const files = [{ records: [time('0000000009'), time('000000002'), time('000000001'), time('000000001')] }];
  const nodes = [1, 2, 3, 4].map((row) => talkNode(`t${5 - row}`, { ref: { seq: 1, row } }));
  assert.deepEqual(ids(view({ files, nodes }).talks), ['t4', 't2', 't1', 't3']);
});

rule('a talk begins and ends with whatever is under it, though times run backwards', (view) => {
  const files = [{ records: [said('a', 5), said('b', 2), said('c', 9), said('d')] }];
  const nodes = [talkNode(), step('r', 2, { kind: 'run' }), { ...step('s', 3), parent: 'r' }, step('u', 4)];
  const talk = view({ files, nodes }).talks[0];
  assert.deepEqual([talk.from, talk.to, talk.at], [TEN + 2000, TEN + 9000, TEN + 5000]);
});

rule('a time rounds down, before 1970 too, and the first instant is none', (view) => {
  const files = [
    {
      records: [
        { time: '1969-12-31T23:59:59.9995Z' },
        { time: '1970-01-01T00:00:00Z' },
        { time: '2026-01-01T10:00:00.0019Z' },
      ],
    },
  ];
  const nodes = [talkNode(), step('a', 1), step('b', 2), step('c', 3)];
  const { talks, files: listed } = view({ files, nodes });
  assert.deepEqual(
    talks[0].children.map(({ at }: { at: number }) => at),
    [-1, 0, TEN + 1],
  );
  assert.deepEqual([listed[0].from_time, listed[0].through_time], [-1, TEN + 1]);
  const first = { records: [{ time: '1970-01-01T00:00:00Z' }] };
  assert.equal(view({ files: [first] }).files[0].from_time, null);
});

rule('a talk in several windows names the last, and counts in each', (view) => {
  const windows = ['w/b', 'w/a'].map((id, i) => ({ id, kind: 'segment', ref: { seq: 1, row: i + 1 } }));
  const joins = ['w/b', 'w/a'].map((to) =>
    relation(`rel/${to}`, 'talk/1', to, { type: 'in_segment', evidence: [{ seq: 1, row: 1 }] }),
  );
  const document = view({
    files: [{ records: [said('x', 1)] }],
    nodes: [talkNode(), ...windows],
    relations: joins,
  });
  assert.equal(document.talks[0].segment, 'w/b');
  assert.deepEqual(
    document.segments,
    ['w/b', 'w/a'].map((id) => ({ id, talks: 1, from: TEN + 1000, to: TEN + 1000 })),
  );
});

// ---- trees ----

rule('what no talk contains is loose, from its highest run or step down', (view) => {
  const files = [{ records: [said('a'), said('b'), said('c')] }];
  const nodes = [
    { id: 'epoch/1', kind: 'epoch' },
    { ...step('b/2', 2, { kind: 'epoch.boundary' }), parent: 'epoch/1' },
    { ...step('b/1', 3), parent: 'b/2' },
    { ...step('r', 1, { kind: 'run' }), parent: 'nobody' },
  ];
  const { loose, talks } = view({ files, nodes });
  assert.deepEqual([ids(loose), ids(loose[1].children), talks], [['r', 'b/2'], ['b/1'], []]);
});

rule('parents that lead in a circle lose no step', (view) => {
  const circle = [
    { ...step('a', 2), parent: 'c' },
    { ...step('b', 1), parent: 'a' },
    { ...step('c', 3), parent: 'b' },
    { ...step('d', 4), parent: 'c' },
  ];
  const { loose, summary } = view({ files: [{ records: [said('x')] }], nodes: circle });
  assert.deepEqual(ids(loose), ['b']);
  assert.deepEqual(
    [loose[0].children[0].id, loose[0].children[0].children[0].id, summary.steps],
    ['c', 'a', 4],
  );
});

rule('children are ordered by position: the whole record before its parts, no reference last', (view) => {
  const files = [{ records: [said('a', 9), said('b', 1)] }];
  const nodes = [
    talkNode(),
    { ...step('none', 1), ref: undefined },
    step('late', 2),
    step('part', 1, { ref: { seq: 1, row: 1, block: 0 } }),
    step('z', 1),
    step('a', 1),
  ];
  assert.deepEqual(ids(view({ files, nodes }).talks[0].children), ['a', 'z', 'part', 'late', 'none']);
});

rule('ids are ordered by code point beyond the basic plane', (view) => {
  const nodes = [talkNode(), step('\u{1f326}', 1), step('\uffee', 1)];
  const entries = ['u/\u{1f326}', 'u/\uffee'].map((id) => ({ id, kind: 'k', state: 'open' as const }));
  const document = view({ files: [{ records: [said('x')] }], nodes, unresolved: entries });
  assert.deepEqual(ids(document.talks[0].children), ['\uffee', '\u{1f326}']);
  assert.deepEqual(ids(document.unresolved), ['u/\uffee', 'u/\u{1f326}']);
});

// ---- the order in which things happened ----

/** Two lanes: a child's file that landed before its parent's. */
const TWO_LANES: MadeRoot['files'] = [
  { stream: 'child', records: [said('c1', 4), said('c2', 5)] },
  { stream: 'main', records: [said('m1', 1), said('m2', 9), said('m3', 2)] },
];

rule('relations are in the order they happened, not in the order files landed', (view) => {
  const at = (seq: number, row: number) => ({ evidence: [{ seq, row }] });
  const relations = [
    relation('rel/1', 'talk/1', 'x', at(1, 1)),
    relation('rel/2', 'talk/1', 'x', at(1, 2)),
    relation('rel/3', 'talk/1', 'x', at(2, 1)),
    relation('rel/4', 'talk/1', 'x', at(2, 2)),
    relation('rel/5', 'talk/1', 'x', at(2, 3)),
  ];
  const document = view({ files: TWO_LANES, nodes: [talkNode()], relations });
  // rel/5 was stamped second 2, but it stands behind second 9 in its own lane.
  assert.deepEqual(ids(document.relations), ['rel/3', 'rel/1', 'rel/2', 'rel/4', 'rel/5']);
});

rule('a relation happened at the first place in each lane, and of those at the earliest', (view) => {
  const relations = [
    relation('rel/1', 'talk/1', 'x', {
      evidence: [
        { seq: 2, row: 3 },
        { seq: 2, row: 2 },
      ],
    }),
    relation('rel/2', 'talk/1', 'x', { evidence: [{ seq: 1, row: 2 }] }),
    relation('rel/3', 'talk/1', 'x', {
      evidence: [
        { seq: 2, row: 2 },
        { seq: 1, row: 1 },
      ],
    }),
  ];
  assert.deepEqual(ids(view({ files: TWO_LANES, nodes: [talkNode()], relations }).relations), [
    'rel/3',
    'rel/2',
    'rel/1',
  ]);
});

rule('what shares its evidence is ordered by id, and what has none comes last', (view) => {
  const relations = [
    relation('rel/z', 'talk/1', 'x'),
    relation('rel/y', 'talk/1', 'x', { evidence: [{ seq: 1, row: 1 }] }),
    relation('rel/b', 'talk/1', 'x', { evidence: [{ seq: 2, row: 1 }] }),
    relation('rel/a', 'talk/1', 'x', { evidence: [{ seq: 2, row: 1 }] }),
    relation('rel/c', 'talk/1', 'x'),
  ];
  const expected = ['rel/a', 'rel/b', 'rel/y', 'rel/c', 'rel/z'];
  assert.deepEqual(ids(view({ files: TWO_LANES, nodes: [talkNode()], relations }).relations), expected);
});

rule('of items without a time the lower position is first, behind those with one', (view) => {
  const files = [
    { stream: 'b', records: [said('x')] },
    { stream: 'a', records: [said('y')] },
    { stream: 'c', records: [said('z', 1)] },
  ];
  const relations = [1, 2, 3].map((seq) =>
    relation(`rel/${4 - seq}`, 'talk/1', 'x', { evidence: [{ seq, row: 1 }] }),
  );
  assert.deepEqual(ids(view({ files, nodes: [talkNode()], relations }).relations), [
    'rel/1',
    'rel/3',
    'rel/2',
  ]);
});

rule('a relation from a node to itself is two edges, in before out', (view) => {
  const relations = [relation('rel/1', 'talk/1', 'talk/1', { via: 'v' })];
  const edge = { type: 'starts', other: 'talk/1', quality: 'exact_unique', via: 'v' };
  const { edges } = view({ files: TWO_LANES, nodes: [talkNode()], relations }).talks[0];
  assert.deepEqual(
    edges.map(({ dir }: { dir: string }) => dir),
    ['in', 'out'],
  );
  assert.deepEqual(
    edges.map(({ dir: _, ...rest }: { dir: string }) => rest),
    [edge, edge],
  );
});

rule(
  'streams: main first, then by position; opened by every step that started them, as the steps happened',
  (view) => {
    const stream = (name: string, role: string, row: number) => ({
      id: `stream/${name}`,
      kind: 'stream',
      stream: name,
      ref: { seq: 2, row },
      attrs: { role, records: row },
    });
    const nodes = [
      stream('child', 'child', 1),
      stream('main', 'main', 2),
      talkNode('talk/1', { ref: { seq: 2, row: 1 } }),
      step('late', 2, { ref: { seq: 2, row: 2 } }),
      step('early', 1, { ref: { seq: 2, row: 1 }, stream: 'other' }),
      { ...step('orphan', 1), parent: 'nobody', stream: 'child', ref: { seq: 1, row: 1 } },
      { ...step('streamless', 1), stream: '' },
    ];
    const relations = ['late', 'early', 'orphan', 'streamless', 'gone'].map((id, i) =>
      relation(`rel/${i}`, id, 'stream/child'),
    );
    const [main, child] = view({ files: TWO_LANES, nodes, relations }).streams;
    assert.equal(main.name, 'main');
    const opening = (id: string, talk: string, by: string) => ({
      step: id,
      stream: by,
      talk,
      quality: 'exact_unique',
    });
    assert.deepEqual(child.opened_by, [
      opening('early', 'talk/1', 'other'),
      opening('orphan', '', 'child'),
      opening('late', 'talk/1', 'main'),
    ]);
    assert.deepEqual([child.parent, child.records, child.talk, child.label], ['main', 1, '', '']);
  },
);

rule("a talk is a child's only when its stream says so, and an auxiliary stream does not", (view) => {
  const stream = (name: string, role: string) => ({
    id: `stream/${name}`,
    kind: 'stream',
    stream: name,
    attrs: { role },
  });
  const nodes = [
    stream('c', 'child'),
    stream('a', 'auxiliary'),
    talkNode('t1', { stream: 'c' }),
    talkNode('t2', { stream: 'a', ref: { seq: 1, row: 2 } }),
  ];
  const { talks } = view({ files: TWO_LANES, nodes });
  assert.deepEqual([talks[0].child, 'child' in talks[1]], [true, false]);
});

// ---- names from journals ----

rule('a stream without a label is named by what the journal says it returned', (view) => {
  const named = (result: unknown) => {
    const record = { child: 'c', parts: [{ k: 'data', data: JSON.stringify({ type: 'result', result }) }] };
    const stream = { id: 'stream/c', kind: 'stream', stream: 'c', attrs: { role: 'child' } };
    const [entry] = view({
      files: [
        {
          kind: 'journal',
          run: 'r1',
          records: [
            { ...record, child: '' },
            record,
            { ...record, parts: [{ k: 'data', data: '{"type":"result","result":{"surface":"later"}}' }] },
          ],
        },
      ],
      nodes: [stream],
    }).streams;
    return [entry.label, entry.named_by];
  };
  assert.deepEqual(named({ surface: ' a\u00a0\n b ', summary: 'no' }), ['a b', 'journal']);
  assert.deepEqual(named({ surface: '', summary: 'sum' }), ['sum', 'journal']);
  assert.deepEqual(named({ verdict: 'refuted', refuted_claims: [{ claim: 'one' }] }), [
    'refuted · one',
    'journal',
  ]);
  assert.deepEqual(named({ verdict: 'kept', refuted_claims: [] }), ['kept', 'journal']);
  assert.deepEqual(named({ surface: 'é'.repeat(81) }), [`${'é'.repeat(80)}…`, 'journal']);
  assert.deepEqual(named('words'), ['later', 'journal']);
});

rule('a label of its own needs no journal', (view) => {
  const stream = { id: 'stream/c', kind: 'stream', stream: 'c', attrs: { label: 'own' } };
  const journal = {
    kind: 'journal',
    run: 'r',
    records: [{ child: 'c', parts: [{ k: 'data', data: '{"type":"result","result":{"surface":"s"}}' }] }],
  };
  const [entry] = view({ files: [journal], nodes: [stream] }).streams;
  assert.deepEqual([entry.label, entry.named_by], ['own', '']);
});

// ---- what tools changed ----

const change = (id: string, more: object = {}) =>
  JSON.stringify({
    schema: 'changes/1',
    id,
    captured_by: 'plugin',
    tool: 't1',
    time: '2026-01-01T10:00:05Z',
    changes: [],
    ...more,
  });

rule('change records are joined to the call by its id, each once, in the order they happened', (view) => {
  const made = aTool([
    {
      parts: [
        textPart('ok', 'result'),
        { k: 'data', data: change('c2', { time: '2026-01-01T10:00:03Z' }) },
        { k: 'data', data: change('c1') },
      ],
    },
  ]);
  const file = {
    kind: 'changes',
    records: [
      { parts: [{ k: 'data', data: change('c1', { time: '2026-01-01T09:00:00Z' }) }] },
      { parts: [{ k: 'data', data: change('c3', { tool: 't9', time: 'never' }) }] },
      { parts: [{ k: 'data', data: change('c4', { captured_by: 'claude-code', tool: 't1' }) }] },
    ],
  };
  const document = view({ ...made, files: [...made.files!, file] });
  assert.deepEqual(
    document.workspace_changes.map(({ id, step }: { id: string; step: string }) => [id, step]),
    [
      ['c2', 'tool/t1'],
      ['c4', 'tool/t1'],
      ['c1', 'tool/t1'],
      ['c3', ''],
    ],
  );
  assert.deepEqual(toolOf(document).changes, ['c2', 'c4', 'c1']);
  assert.deepEqual(document.workspace_changes[2].ref, { seq: 1, row: 2, block: 2 });
  assert.equal(document.summary.changes, 4);
});

rule('a change record keeps the order of its members, and brings none that are not its own', (view) => {
  const data =
    '{"changed_files":1,"step":"mine","id":"c1","schema":"changes/1","captured_by":"p","time":"x","ref":9}';
  const file = { kind: 'changes', records: [{ parts: [{ k: 'data', data }] }] };
  const [entry] = view({ files: [file] }).workspace_changes;
  assert.deepEqual(Object.keys(entry), [
    'step',
    'ref',
    'changed_files',
    'id',
    'schema',
    'captured_by',
    'time',
  ]);
  assert.equal(entry.step, '');
});

// ---- withholding ----

rule('withheld words are nowhere, and nothing else is gone', (view) => {
  const flags = ['system_prompt'];
  const secret = (second: number) => said('SECRET', second, { flags });
  const call: SdPart = { k: 'call', id: 't1', name: 'Bash', data: '{}' };
  const files = [
    {
      records: [
        secret(1),
        secret(2),
        { parts: [call] },
        { flags, parts: [textPart('SECRET', 'result'), { k: 'data', data: change('SECRET') }] },
      ],
    },
    {
      kind: 'journal',
      run: 'r',
      records: [
        {
          child: 'c',
          flags,
          parts: [{ k: 'data', data: '{"type":"result","result":{"surface":"SECRET"}}' }],
        },
      ],
    },
  ];
  const nodes = [
    talkNode(),
    step('in', 1, { kind: 'message.external' }),
    step('out', 2),
    step('tool/t1', 3, {
      kind: 'tool',
      refs: [
        { seq: 1, row: 3 },
        { seq: 1, row: 4 },
      ],
    }),
    { id: 'stream/c', kind: 'stream', stream: 'c' },
  ];
  const open = view({ files, nodes });
  assert.equal(JSON.stringify(open).split('SECRET').length - 1, 8);
  assert.deepEqual(open.summary.withheld, {});
  const hidden = view({ files, nodes }, flags);
  assert.doesNotMatch(JSON.stringify(hidden), /SECRET/);
  assert.deepEqual(hidden.summary.withheld, { system_prompt: 2 });
  const [, out, tool] = hidden.talks[0].children;
  assert.deepEqual(
    [out.state, out.bytes, out.flags, tool.result_state, tool.result_bytes],
    ['omitted', 6, flags, 'omitted', 6],
  );
  assert.deepEqual(view({ files, nodes }, ['tool_schemas']).summary.withheld, {});
});

// ---- summary ----

rule("the summary counts the whole fold, and the sessions beside the chain's own", (view) => {
  const nodes = [
    {
      id: 'session/s',
      kind: 'session',
      attrs: { title: 'T', from_time: '2026-01-01T10:00:00.5Z', through_time: 'never' },
    },
    { id: 'session/b', kind: 'session', attrs: { title: 'other' } },
    { id: 'session/a', kind: 'session' },
    talkNode(),
    step('in', 1),
    { ...step('out', 2), parent: '' },
  ];
  const entries = (['open', 'resolved', 'terminal'] as const).map((state) => ({
    id: `u/${state}`,
    kind: 'k',
    state,
  }));
  const { summary, sessions, unresolved } = view({
    files: [{ records: [said('x')] }],
    nodes,
    unresolved: entries,
  });
  assert.deepEqual(sessions, ['s', 'a', 'b']);
  assert.deepEqual(
    [summary.title, summary.from, summary.to, summary.steps, summary.unresolved],
    ['T', TEN + 500, 0, 2, 1],
  );
  assert.deepEqual(Object.entries(summary.kinds), [
    ['message.assistant', 2],
    ['session', 3],
    ['talk', 1],
  ]);
  assert.deepEqual(unresolved[0], { id: 'u/open', kind: 'k', ref: '', reason: '', state: 'open' });
});

rule('a file says where it lies and what it holds', (view) => {
  const files = [
    { records: [said('x', 2), said('y', 1), said('z')] },
    { kind: 'journal', run: 'r1', records: [{ child: 'c' }] },
  ];
  const [first, second, round] = view({ files }).files;
  assert.match(first.file, /^s\/streams\/main\/transcript-.*-000001\.sd$/);
  assert.deepEqual(
    [first.kind, first.stream, first.run, first.lines, first.from_time, first.through_time],
    ['transcript', 'main', null, 5, TEN + 1000, TEN + 2000],
  );
  assert.deepEqual([second.kind, second.stream, second.run, second.from_time], ['journal', null, 'r1', null]);
  assert.match(round.file, /^_conversations\/s\/rounds\/r000001-[0-9a-f]{12}\.sf$/);
  assert.notEqual(round.digest.slice(0, 12), round.file.slice(-15, -3));
});

rule("a round's time is null when it has none and 0 when it is no time", (view) => {
  const { rounds } = view({ header: { from_time: 'soon' } });
  assert.deepEqual([rounds[0].from_time, rounds[0].through_time, rounds[0].previous], [0, null, null]);
});
