import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndexLinesReader, indexEntryLine, indexHeaderLine } from '../../src/format/index-lines.js';
import {
  agent,
  anIndex,
  call,
  data,
  journal,
  main,
  result,
  results,
  text,
  user,
} from '../stages/index-builder.js';

const change = { schema: 'changes/1', id: 'i', captured_by: 'x', changes: [{ additions: 3, deletions: 1 }] };
const INDEX = anIndex(
  main(
    user('u1', 'p1', { time: '2026-03-01T11:00:00.120+02:00', parent: 'q', label: 'l', trigger: 'unknown' }),
    agent('a1', 'm1', text(), call('t1', 'Bash', { server: 's', server_tool: 'q' }), data(change)),
  ),
  { ...main(), seq: 3 },
  { ...journal('b', { child: 'kid', started_by: 'main', tool: 't1', continues: 'u1' }), seq: 5 },
  { ...main(results('r1', result('t1'))), seq: 7 },
);
const HEADER = indexHeaderLine(INDEX, 7);
const ENTRIES = Array.from({ length: INDEX.entries }, (_, entry) => indexEntryLine(INDEX, entry));

function read(...lines: string[]) {
  const reader = new IndexLinesReader();
  for (const line of lines) reader.push(line);
  return reader.finish();
}

test('an entry is one line with its words, and empty values are left out', () =>
  assert.deepEqual(ENTRIES, [
    '{"seq":1,"row":1,"kind":"user","trigger":"other","flags":["external_input"],"time":"2026-03-01T09:00:00.12Z","stream":"main","record":"u1","parent":"q","run":"p1","label":"l"}',
    '{"seq":1,"row":2,"kind":"assistant","stream":"main","record":"a1","call":"m1","blocks":[{"kind":"text"},{"kind":"tool_use","tool":"t1","name":"Bash","server":"s","server_tool":"q"},{"kind":"changes","name":"x|i","adds":3,"dels":1}]}',
    '{"seq":5,"row":1,"kind":"journal","batch":"b","continues":"u1","tool":"t1","child":"kid","started_by":"main"}',
    '{"seq":7,"row":1,"kind":"user","stream":"main","record":"r1","blocks":[{"kind":"tool_result","tool":"t1"}]}',
  ]));

test('the header names the files up to a sequence', () => {
  const { files, ...rest } = JSON.parse(indexHeaderLine(INDEX, 4));
  assert.deepEqual(rest, { schema: 'asz-index/1', session: 's' });
  assert.deepEqual(
    files.map(({ seq }: { seq: number }) => seq),
    [1, 3],
  );
  assert.deepEqual(files[0], {
    seq: 1,
    path: 'main/transcript-1.sd',
    sha256: '1'.repeat(64),
    bytes: 1,
    records: 2,
  });
});

test('the lines give the index back, files without records too', () => {
  const back = read(HEADER, ...ENTRIES);
  assert.deepEqual(back.files, INDEX.files);
  assert.equal(indexHeaderLine(back, 7), HEADER);
  assert.deepEqual(
    Array.from({ length: back.entries }, (_, entry) => indexEntryLine(back, entry)),
    ENTRIES,
  );
});

const header = (more: object) => JSON.stringify({ ...JSON.parse(HEADER), ...more });
const entry = (more: object) => JSON.stringify({ ...JSON.parse(ENTRIES[0]!), ...more });
const [file] = JSON.parse(HEADER).files as [object];
for (const [what, lines, message] of [
  ['no line', [], 'index lines: no header line; write them with asz index cat SESSION'],
  ['no JSON', ['x'], /^index lines: line 1: ./],
  ['a header that is a list', ['[]'], 'index lines: line 1: a list is not an object'],
  ['an entry first', [ENTRIES[0]!], 'index lines: line 1: unsupported schema "", want "asz-index/1"'],
  [
    'another schema',
    [header({ schema: 'x' })],
    'index lines: line 1: unsupported schema "x", want "asz-index/1"',
  ],
  ['no session', [header({ session: null })], 'index lines: line 1: header missing session'],
  [
    'a file without digest',
    [header({ files: [{ ...file, sha256: '' }] })],
    'index lines: line 1: file 1 has no sha256',
  ],
  [
    'a digest in capitals',
    [header({ files: [{ ...file, sha256: 'A'.repeat(64) }] })],
    'index lines: line 1: file 1 has no sha256',
  ],
  [
    'files that are no list',
    [header({ files: {} })],
    /^index lines: line 1: files is an object, not a list$/,
  ],
  ['an entry that is no JSON', [HEADER, '{'], /^index lines: line 2: ./],
  [
    'a sequence of no file',
    [HEADER, ...ENTRIES.slice(0, 2), entry({ seq: 2 })],
    "index lines: line 4: sequence 2 is not the next of the header's files",
  ],
  [
    'a sequence past the last file',
    [HEADER, ...ENTRIES, entry({ seq: 8 })],
    "index lines: line 6: sequence 8 is not the next of the header's files",
  ],
  [
    'a sequence that comes again',
    [HEADER, ...ENTRIES, ENTRIES[2]!],
    "index lines: line 6: sequence 5 is not the next of the header's files",
  ],
  [
    'no sequence',
    [HEADER, entry({ seq: null })],
    "index lines: line 2: sequence 0 is not the next of the header's files",
  ],
  ['a file passed over', [HEADER, ENTRIES[2]!], 'index lines: line 2: sequence 1 has 0 of its 2 records'],
  [
    'a file left before its last row',
    [HEADER, ENTRIES[0]!, ENTRIES[2]!],
    'index lines: line 3: sequence 1 has 1 of its 2 records',
  ],
  ['no entries', [HEADER], 'index lines: sequence 1 has 0 of its 2 records'],
  [
    'lines cut off in the last file',
    [HEADER, ...ENTRIES.slice(0, 3)],
    'index lines: sequence 7 has 0 of its 1 records',
  ],
  [
    'row 0',
    [HEADER, entry({ row: 0 })],
    'index lines: line 2: row 0 of sequence 1 stands where row 1 belongs',
  ],
  [
    'a row past 32 bit',
    [HEADER, entry({ row: 2 ** 32 + 1 })],
    'index lines: line 2: row 4294967297 of sequence 1 stands where row 1 belongs',
  ],
  [
    'a row again',
    [HEADER, ENTRIES[0]!, ENTRIES[0]!],
    'index lines: line 3: row 1 of sequence 1 stands where row 2 belongs',
  ],
  [
    'a row more than the file has',
    [HEADER, ...ENTRIES.slice(0, 2), entry({ row: 3 }), ENTRIES[2]!],
    'index lines: line 5: sequence 1 has 3 of its 2 records',
  ],
  ['an unknown kind', [HEADER, entry({ kind: 'x' })], 'index lines: line 2: unknown kind "x"'],
  ['no kind', [HEADER, entry({ kind: '' })], 'index lines: line 2: unknown kind ""'],
  ['an unknown trigger', [HEADER, entry({ trigger: 'x' })], 'index lines: line 2: unknown trigger "x"'],
  [
    'an unknown block kind',
    [HEADER, entry({ blocks: [{ kind: 'x' }] })],
    'index lines: line 2: unknown kind "x"',
  ],
  [
    'a row that is text',
    [HEADER, entry({ row: '1' })],
    /^index lines: line 2: row is a string, not a whole number from 0$/,
  ],
  [
    'flags that are text',
    [HEADER, entry({ flags: 'error' })],
    /^index lines: line 2: flags is a string, not a list$/,
  ],
] as const)
  test(`lines are refused: ${what}`, () => assert.throws(() => read(...lines), { code: 'FORMAT', message }));
