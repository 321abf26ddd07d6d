import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { checkRound, readRound } from '../../src/format/round-reader.js';

type Line = Record<string, unknown>;

const HEADER: Line = {
  ...{ t: 'header', schema: 'sf/1', conversation: 'c', session: 's', round: 2, previous: 'p' },
  ...{ from_seq: 3, through_seq: 10, input_digest: 'i', parser: 'v1', policy: 'x' },
  ...{ talks: 0, steps: 1, streams: 0, segments: 0, unresolved: 1 },
};
const NODE: Line = {
  ...{ t: 'node', id: 'talk/1', revision: 2, kind: 'talk', parent: 'session/s', stream: 'main' },
  ...{ ref: { seq: 1, row: 1 }, refs: [{ seq: 1, row: 1, block: 0 }], attrs: { b: 1, a: 2 } },
};
const RELATION: Line = {
  ...{ t: 'relation', id: 'rel/x', revision: 2, type: 'starts', from: 'a', to: 'b', quality: 'exact_unique' },
  ...{ via: 'v', evidence: [{ seq: 10, row: 1 }] },
};
const UNRESOLVED: Line = {
  t: 'unresolved',
  id: 'unres/x',
  revision: 2,
  kind: 'k',
  ref: 'r',
  reason: 'w',
  state: 'open',
};

/** The bytes of lines and of the commit that fits them; `commit` changes what it says. */
function round(lines: readonly (Line | string)[], commit: Line = {}): Buffer {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const body = texts.map((text) => `${text}\n`).join('');
  const digest = createHash('sha256').update(body).digest('hex');
  const count = (t: string) => texts.filter((text) => text.includes(`"t":"${t}"`)).length;
  const counts = { nodes: count('node'), relations: count('relation'), unresolved: count('unresolved') };
  return Buffer.from(`${body}${JSON.stringify({ t: 'commit', digest, counts, ...commit })}\n`);
}

function refused(bytes: Buffer, message: string | RegExp): void {
  for (const read of [readRound, checkRound]) assert.throws(() => read(bytes), { code: 'FORMAT', message });
}

const WHOLE = round([HEADER, NODE, RELATION, UNRESOLVED]);

test('a round is its header and its frames in canonical form', () => {
  const { frames, ...summary } = readRound(WHOLE);
  const { header, digest, counts, oddLine } = summary;
  assert.deepEqual(checkRound(WHOLE), summary);
  assert.equal(header.through_seq, 10);
  assert.equal(header.title, undefined);
  assert.equal(header.changes, undefined, 'an absent count is unknown, not zero');
  assert.deepEqual(
    frames[0]?.tail,
    ',"kind":"talk","parent":"session/s","stream":"main","ref":{"seq":1,"row":1},"refs":[{"seq":1,"row":1,"block":0}],"attrs":{"a":2,"b":1}}',
  );
  assert.deepEqual(
    frames.map(({ group, id, removes }) => [group, id, removes]),
    [
      ['node', 'talk/1', false],
      ['relation', 'rel/x', false],
      ['unresolved', 'unres/x', false],
    ],
  );
  assert.deepEqual(counts, { nodes: 1, relations: 1, unresolved: 1 });
  assert.equal(digest, JSON.parse(WHOLE.toString().trimEnd().split('\n').at(-1)!).digest);
  assert.equal(oddLine, 2, 'the attributes of the node are not sorted');
});

test('an empty round is valid', () =>
  assert.deepEqual(readRound(round([HEADER])).counts, { nodes: 0, relations: 0, unresolved: 0 }));

test('a round of no new file is a range', () =>
  assert.equal(readRound(round([{ ...HEADER, from_seq: 11, through_seq: 10 }])).header.through_seq, 10));

for (const [rule, line, message] of [
  ['another schema', { schema: 'sf/2', conversation: '' }, 'unsupported schema "sf/2", want "sf/1"'],
  ['no schema', { schema: undefined }, 'unsupported schema "", want "sf/1"'],
  ['no conversation', { conversation: '', session: '' }, 'header missing conversation'],
  ['no session', { session: null, round: 0 }, 'header missing session'],
  ['round 0', { round: 0, previous: undefined, parser: '' }, 'round must count from 1'],
  [
    'no previous digest',
    { previous: '', parser: '' },
    'round 2 has no previous digest; the chain would be unverifiable',
  ],
  ['a previous digest in round 1', { round: 1, parser: '' }, 'round 1 must not name a previous digest'],
  ['no parser', { parser: undefined, policy: '' }, 'header missing parser version'],
  ['no policy', { policy: '', input_digest: '' }, 'header missing policy version'],
  ['no input digest', { input_digest: '', from_seq: 0 }, 'header missing input digest'],
  [
    'from sequence 0',
    { from_seq: 0, through_seq: 0 },
    'landed sequences count from 1, so from_seq must not be 0',
  ],
  ['no range', { from_seq: 20 }, 'round 2 consumes sequences 20..10, which is not a range'],
] as const)
  test(`a header is refused: ${rule}, before what comes later in the list`, () =>
    refused(round([{ ...HEADER, ...line }]), `sessionflow: ${message}`));

const nodes = (...more: Line[]) => [HEADER, ...more.map((line) => ({ ...NODE, ...line }))];
for (const [rule, bytes, message] of [
  ['no line at all', Buffer.from(''), 'round has no header'],
  ['empty lines alone', Buffer.from('\n\n'), 'round has no header'],
  ['a node first', round([NODE, HEADER]), 'first frame is "node", not a header'],
  ['an unknown type first', round([{ t: 'edge' }, HEADER]), 'first frame is "edge", not a header'],
  ['no type first', round(['{}']), 'first frame is "", not a header'],
  ['a commit first', round([]), 'first frame is "commit", not a header'],
  ['a second header', round([HEADER, NODE, HEADER]), 'line 3: a second header'],
  ['a second header before its own rules', round([HEADER, { t: 'header' }]), 'line 2: a second header'],
  ['an unknown type', round([HEADER, { t: 'edge', id: '' }]), 'line 2: unknown frame type "edge"'],
  ['a type of null', round([HEADER, { t: null }]), 'line 2: unknown frame type ""'],
  ['a line of null', round([HEADER, 'null']), 'line 2: unknown frame type ""'],
  [
    'no commit',
    WHOLE.subarray(0, WHOLE.lastIndexOf('{"t":"commit')),
    'round has no commit frame; it is truncated',
  ],
  ['a node without id', round(nodes({ id: '', revision: 1 })), 'line 2: node frame has no id'],
  [
    'a relation without id',
    round([HEADER, { ...RELATION, id: undefined }]),
    'line 2: relation frame has no id',
  ],
  [
    'an unresolved entry without id',
    round([HEADER, { ...UNRESOLVED, id: null }]),
    'line 2: unresolved frame has no id',
  ],
  [
    'an id twice in a group',
    round(nodes({}, { revision: 1 })),
    'line 3: id "talk/1" appears twice in one round (as node and node)',
  ],
  [
    'an id twice across groups',
    round([HEADER, NODE, { ...RELATION, id: 'talk/1' }]),
    'line 3: id "talk/1" appears twice in one round (as node and relation)',
  ],
  [
    'an id again in the last group',
    round([HEADER, RELATION, { ...UNRESOLVED, id: 'rel/x' }]),
    'line 3: id "rel/x" appears twice in one round (as relation and unresolved)',
  ],
  ['another revision', round(nodes({ revision: 1, ref: { seq: 99 } })), 'line 2: revision 1 in round 2'],
  ['no revision', round(nodes({ revision: undefined })), 'line 2: revision 0 in round 2'],
  ['a ref to nowhere', round(nodes({ ref: {} })), 'line 2: a reference to seq 0 row 0 is not a position'],
  [
    'a ref to nowhere among refs',
    round(nodes({ refs: [{ seq: 1, row: 1 }, null] })),
    'line 2: a reference to seq 0 row 0 is not a position',
  ],
  [
    'a ref to nowhere on a tombstone',
    round(nodes({ tombstone: true, ref: { block: 3 } })),
    'line 2: a reference to seq 0 row 0 is not a position',
  ],
  [
    'a ref past the range',
    round(nodes({ ref: { seq: 99, row: 1 } })),
    "line 2: reference to landed sequence 99, past the round's declared 10",
  ],
  [
    'refs past the range',
    round(nodes({ refs: [{ seq: 11, row: 1 }] })),
    "line 2: reference to landed sequence 11, past the round's declared 10",
  ],
  [
    'evidence past the range',
    round([HEADER, { ...RELATION, evidence: [{ seq: 11, row: 1 }], type: '' }]),
    "line 2: reference to landed sequence 11, past the round's declared 10",
  ],
  [
    'evidence to nowhere',
    round([HEADER, { ...RELATION, evidence: [{}] }]),
    'line 2: a reference to seq 0 row 0 is not a position',
  ],
  [
    'a relation without type',
    round([HEADER, { ...RELATION, type: '' }]),
    'line 2: relation "rel/x" is missing an endpoint or a type',
  ],
  [
    'a relation without from',
    round([HEADER, { ...RELATION, from: null }]),
    'line 2: relation "rel/x" is missing an endpoint or a type',
  ],
  [
    'a relation without to',
    round([HEADER, { ...RELATION, to: undefined }]),
    'line 2: relation "rel/x" is missing an endpoint or a type',
  ],
  [
    'another state',
    round([HEADER, { ...UNRESOLVED, state: 'gone' }]),
    'line 2: unresolved entry "unres/x" has state "gone"',
  ],
  [
    'no state',
    round([HEADER, { ...UNRESOLVED, state: undefined }]),
    'line 2: unresolved entry "unres/x" has state ""',
  ],
  [
    'a line after the commit',
    Buffer.concat([WHOLE, Buffer.from('{"t":"node"}')]),
    'line 6: content after the commit frame',
  ],
  [
    'a second commit',
    Buffer.concat([WHOLE, WHOLE.subarray(WHOLE.lastIndexOf('{"t":"commit'))]),
    'line 6: content after the commit frame',
  ],
  [
    'other counts',
    round([HEADER, NODE], { counts: { nodes: 2 } }),
    'counts mismatch: read {Nodes:1 Relations:0 Unresolved:0}, round claims {Nodes:2 Relations:0 Unresolved:0}',
  ],
  [
    'no counts',
    round([HEADER, NODE], { counts: null }),
    'counts mismatch: read {Nodes:1 Relations:0 Unresolved:0}, round claims {Nodes:0 Relations:0 Unresolved:0}',
  ],
] as const)
  test(`a round is refused: ${rule}`, () => refused(bytes, `sessionflow: ${message}`));

test('a changed byte is a digest mismatch, named before the counts', () => {
  const changed = Buffer.from(
    WHOLE.toString().replace('"via":"v"', '"via":"w"').replace('"nodes":1', '"nodes":9'),
  );
  refused(changed, /^sessionflow: digest mismatch: computed [0-9a-f]{12}, round claims [0-9a-f]{12}$/);
  refused(
    round([HEADER], { digest: '' }),
    /^sessionflow: digest mismatch: computed [0-9a-f]{12}, round claims $/,
  );
});

for (const [what, line] of [
  ['no JSON', '{"t":"node",'],
  ['a list', '[]'],
  ['a number', '7'],
  ['a type that is a number', '{"t":7}'],
  ['an id that is a number', JSON.stringify({ ...NODE, id: 7 })],
  ['a revision that is text', JSON.stringify({ ...NODE, revision: '2' })],
  ['a revision with a fraction', JSON.stringify({ ...NODE, revision: 2.5 })],
  ['a negative revision', JSON.stringify({ ...NODE, revision: -2 })],
  ['a tombstone that is text', JSON.stringify({ ...NODE, tombstone: 'true' })],
  ['a kind that is a list', JSON.stringify({ ...NODE, kind: [] })],
  ['a parent that is an object', JSON.stringify({ ...NODE, parent: {} })],
  ['a stream that is a number', JSON.stringify({ ...NODE, stream: 1 })],
  ['a ref that is a list', JSON.stringify({ ...NODE, ref: [] })],
  ['a seq that is text', JSON.stringify({ ...NODE, ref: { seq: '1', row: 1 } })],
  ['a negative seq', JSON.stringify({ ...NODE, ref: { seq: -1, row: 1 } })],
  ['a row with a fraction', JSON.stringify({ ...NODE, ref: { seq: 1, row: 1.5 } })],
  ['a block that is text', JSON.stringify({ ...NODE, ref: { seq: 1, row: 1, block: '0' } })],
  ['refs that are an object', JSON.stringify({ ...NODE, refs: {} })],
  ['refs with text', JSON.stringify({ ...NODE, refs: ['1/1'] })],
  ['a relation type that is a number', JSON.stringify({ ...RELATION, type: 1 })],
  ['a quality that is a number', JSON.stringify({ ...RELATION, quality: 1 })],
  ['a via that is a list', JSON.stringify({ ...RELATION, via: [] })],
  ['evidence that is text', JSON.stringify({ ...RELATION, evidence: 'x' })],
  ['a state that is a number', JSON.stringify({ ...UNRESOLVED, state: 1 })],
  ['a reason that is a number', JSON.stringify({ ...UNRESOLVED, reason: 1 })],
  ['a second header whose round is text', JSON.stringify({ ...HEADER, round: '2' })],
  ['counts that are a list', '{"t":"commit","counts":[]}'],
] as const)
  test(`a line is undecodable: ${what}`, () =>
    refused(round([HEADER, line]), /^sessionflow: line 2: undecodable frame: ./));

test('an undecodable line after the commit is undecodable, as the order of the checks has it', () =>
  refused(Buffer.concat([WHOLE, Buffer.from('x')]), /^sessionflow: line 6: undecodable frame: ./));

test('wrong types count only in members of their frame', () =>
  assert.equal(
    readRound(round([HEADER, { ...UNRESOLVED, evidence: 7, refs: {}, attrs: [], type: 1 }])).frames.length,
    1,
  ));

test('any sequence of 0 with a row passes, and so does the last sequence of the range', () =>
  assert.equal(
    readRound(round(nodes({ ref: { seq: 0, row: 1 }, refs: [{ seq: 10, row: 0 }] }))).frames.length,
    1,
  ));

test('empty lines are neither counted nor hashed, and a last line needs no newline', () => {
  const lines = WHOLE.toString().trimEnd().split('\n');
  const { digest } = readRound(Buffer.from(`\n\n${lines.join('\n\n')}`));
  assert.equal(digest, readRound(WHOLE).digest);
  refused(Buffer.from(`\n${lines[0]}\n\n{"t":"edge"}`), 'sessionflow: line 2: unknown frame type "edge"');
});

test('unknown keys are ignored, null is the empty value, and a commit spelled otherwise is noticed', () => {
  const spelled = round(
    [
      { ...HEADER, more: 1, title: null, changes: null },
      { ...NODE, more: [], attrs: null, refs: null, ref: null },
    ],
    { more: 1 },
  );
  const { header, frames, oddLine } = readRound(spelled);
  assert.equal(header.changes, undefined);
  assert.equal(frames[0]?.tail, ',"kind":"talk","parent":"session/s","stream":"main"}');
  assert.equal(oddLine, 1);
});

test('a tombstone of a relation needs no ends, and one of an unresolved entry no state', () => {
  const { frames } = readRound(
    round([
      HEADER,
      { ...NODE, tombstone: true },
      { t: 'relation', id: 'r', revision: 2, tombstone: true },
      { t: 'unresolved', id: 'u', revision: 2, tombstone: true },
    ]),
  );
  assert.deepEqual(
    frames.map(({ removes }) => removes),
    [true, true, true],
  );
});

test('kinds and types nobody knows are accepted, and attributes of any JSON', () => {
  const kinds = nodes(
    { kind: 'control.interrupt', attrs: [1, 'x', null, true] },
    { id: 'n2', kind: 'x', attrs: 'text' },
    { id: 'n3', attrs: 0 },
  );
  const { frames } = readRound(round([...kinds, { ...RELATION, type: 'retries', quality: 'none' }]));
  assert.ok(frames[0]?.tail.endsWith('"attrs":[1,"x",null,true]}'));
  assert.ok(frames[1]?.tail.endsWith('"attrs":"text"}'));
  assert.ok(frames[2]?.tail.endsWith('"attrs":0}'));
});

test('attributes nested 100,000 deep are read or refused, and never overflow the stack', () => {
  const deep = `{"t":"node","id":"n","revision":2,"kind":"k","attrs":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  refused(round([HEADER, deep]), /^sessionflow: line 2: undecodable frame: ./);
});

test('two spellings of one entity have one tail', () => {
  const spelled =
    '{"revision":2,"attrs":{"b" :1,"a":2},"kind":"t\\u0061lk","id":"talk/1","t":"node","parent":"session/s","stream":"main","refs":[{"block":0,"row":1,"seq":1}],"ref":{"row":1,"seq":1}}';
  assert.equal(readRound(round([HEADER, spelled])).frames[0]?.tail, readRound(WHOLE).frames[0]?.tail);
});
