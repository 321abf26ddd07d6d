import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLOCK_KINDS, ENTRY_KINDS } from '../../src/format/index-entry.js';
import {
  BLOCK_COLUMNS,
  blocksEnd,
  ENTRY_COLUMNS,
  entriesThrough,
  entryOf,
  type IndexableRecord,
  IndexBuilder,
  type SessionIndex,
  seqOf,
} from '../../src/format/session-index.js';
import {
  agent,
  anIndex,
  call,
  data,
  main,
  part,
  reasoning,
  result,
  text,
  user,
} from '../stages/index-builder.js';

const RECORD: IndexableRecord = {
  ...{ id: 'r', parent: 'p', call: 'c', run: 'n', continues: 'o', tool: 't', child: 'k', batch: 'b' },
  ...{ label: 'l', started_by: 'y', from: 'agent', time: '2026-03-01T09:00:00.5Z', trigger: 'notification' },
  ...{ flags: ['finished', 'nobody knows this'], parts: [] },
};
const PLACE = { fileKind: 'transcript', stream: 'main', batch: 'header batch' };

test('an entry takes every identifier of its record, and its place from its file', () => {
  const entry = entryOf(RECORD, 7, PLACE);
  assert.equal(ENTRY_KINDS[entry.kind], 'assistant');
  const { kind: _, trigger: __, flags: ___, time, blocks, ...words } = entry;
  assert.deepEqual(words, {
    ...{ row: 7, stream: 'main', batch: 'b', record: 'r', parent: 'p', call: 'c', run: 'n' },
    ...{ continues: 'o', tool: 't', child: 'k', startedBy: 'y', label: 'l' },
  });
  assert.deepEqual(time, { ms: Date.UTC(2026, 2, 1, 9) + 500, ns: 0 });
  assert.deepEqual(blocks, []);
});

test('the batch of a record is its own, else that of its file', () =>
  assert.equal(entryOf({ ...RECORD, batch: '' }, 1, PLACE).batch, 'header batch'));

test('there is one block per part, in order, and a tool id only where its kind has one', () => {
  const change = {
    schema: 'changes/1',
    id: 'i',
    captured_by: 'x',
    changes: [{ additions: 2, deletions: 1 }],
  };
  const parts = [
    call('t1', 'Read', { of: 'no', server: 's', server_tool: 'q' }),
    { ...result('t2'), id: 'no', name: 'no' },
    { ...text(), id: 'no', of: 'no', name: 'no' },
    reasoning(),
    data(change),
    data({ schema: 'other' }),
    { ...text(), data: change },
    part('media'),
  ];
  const { blocks } = entryOf({ ...RECORD, parts }, 1, PLACE);
  assert.deepEqual(
    blocks.map(({ kind, tool, name, server, serverTool, adds, dels }) =>
      [BLOCK_KINDS[kind], tool, name, server, serverTool, adds, dels].join(' ').trimEnd(),
    ),
    [
      'tool_use t1 Read s q 0 0',
      'tool_result t2    0 0',
      'text     0 0',
      'thinking     0 0',
      'changes  x|i   2 1',
      'other     0 0',
      'text     0 0',
      'other     0 0',
    ],
  );
});

test('entries know their file and their blocks, and an entry without parts has none', () => {
  const index = anIndex(
    main(user('u1', 'p1'), agent('a1', 'm1', text(), call('t1'))),
    { ...main(), seq: 4 },
    { ...main(agent('a2', 'm1', text())), seq: 9 },
  );
  assert.deepEqual(
    [0, 1, 2].map((entry) => seqOf(index, entry)),
    [1, 1, 9],
  );
  assert.deepEqual(
    [0, 1, 2].map((entry) => [index.firstBlock[entry], blocksEnd(index, entry)]),
    [
      [0, 0],
      [0, 2],
      [2, 3],
    ],
  );
  assert.deepEqual(
    [0, 1, 3, 4, 8, 9, 10].map((seq) => entriesThrough(index, seq)),
    [0, 2, 2, 2, 2, 3, 3],
  );
});

test('a file that does not come after the last is refused', () => {
  const builder = new IndexBuilder('s');
  const file = { path: 'x', sha256: '', sizeBytes: 0, records: 0 };
  builder.addFile({ ...file, seq: 3 });
  for (const seq of [3, 2])
    assert.throws(() => builder.addFile({ ...file, seq }), {
      code: 'FORMAT',
      message: `index: x has sequence ${seq}, but 3 is already indexed`,
    });
});

test('an index grown from a loaded one is the index of all files, and the loaded one stays as it was', () => {
  const files = Array.from({ length: 60 }, (_, i) =>
    main(user(`u${i}`, `p${i}`, { label: 'l' }), agent(`a${i}`, `m${i}`, text(), call(`t${i}`))),
  );
  const whole = anIndex(...files);
  const first = anIndex(...files.slice(0, 31));
  const before = plain(first);
  const builder = new IndexBuilder('s', first);
  assert.equal(builder.lastSeq, 31);
  assert.equal(builder.entries, first.entries);
  for (const [i, file] of files.slice(31).entries()) {
    builder.addFile(whole.files[31 + i]!);
    for (const [row, record] of file.records.entries())
      builder.addEntry(
        entryOf({ ...EMPTY, ...record }, row + 1, { fileKind: file.kind, stream: 'main', batch: '' }),
      );
  }
  assert.deepEqual(plain(builder.finish()), plain(whole));
  assert.deepEqual({ ...plain(first), strings: [] }, { ...before, strings: [] });
});

const EMPTY: IndexableRecord = {
  ...{ id: '', parent: '', call: '', run: '', continues: '', tool: '', child: '', batch: '' },
  ...{ label: '', started_by: '', from: '', time: '', trigger: '', flags: [], parts: [] },
};

/** An index as plain values, up to its counts. */
function plain(index: SessionIndex) {
  const columns = (names: string[], length: number) =>
    names.map((name) => [
      name,
      ...(index as unknown as Record<string, Uint32Array>)[name]!.subarray(0, length),
    ]);
  return {
    files: [...index.files],
    entries: columns(Object.keys(ENTRY_COLUMNS), index.entries),
    blocks: columns(Object.keys(BLOCK_COLUMNS), index.blocks),
    strings: Object.values(index.strings).map((table) =>
      Array.from({ length: table.size + 1 }, (_, number) => table.at(number)),
    ),
  };
}
