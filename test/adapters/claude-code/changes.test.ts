import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { converted, convertedText } from './converting.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function editing(toolUseResult: object, more: object = {}): object {
  return {
    ...{ type: 'user', uuid: 'u', timestamp: '2026-01-01T00:00:00Z', cwd: '/w/demo', toolUseResult },
    message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'done' }] },
    ...more,
  };
}

function changeIn(toolUseResult: object, more: object = {}) {
  return converted(editing(toolUseResult, more)).parts[1]?.data?.changes[0];
}

const patch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, lines: [' a', '+<b>'] }];

test('an edit with its patch', () => {
  const text = convertedText(
    editing({
      filePath: '/w/demo/src/a.txt',
      originalFile: 'a',
      oldString: 'a',
      newString: 'a\n<b>',
      structuredPatch: patch,
    }),
  );
  const part = JSON.parse(text).parts[1];
  assert.deepEqual(part.data, {
    ...{ schema: 'changes/1', id: 't1', captured_by: 'claude-code' },
    session: '11111111-2222-4333-8444-555555555555',
    ...{ stream: 'main', tool: 't1', time: '2026-01-01T00:00:00Z', basis: 'runtime_reported' },
    root: { path: '/w/demo' },
    changed_files: 1,
    changes: [
      {
        ...{ path: 'src/a.txt', operation: 'modify' },
        before: { present: true, bytes: 1, sha256: sha256('a'), no_newline_at_end: true },
        after: { present: true, bytes: 5, sha256: sha256('a\n<b>'), no_newline_at_end: true },
        ...{ diff: 'available', additions: 1, deletions: 0 },
        hunks: [{ old_start: 1, old_lines: 1, new_start: 1, new_lines: 2, lines: [' a', '+<b>'] }],
      },
    ],
  });
  const built = /"data":(\{"schema":"changes\/1".*\}),"state":"available","bytes":(\d+)/.exec(text);
  assert.equal(Buffer.byteLength(built?.[1] ?? ''), Number(built?.[2]), 'bytes counts the built spelling');
  assert.ok(built?.[1]?.includes('"+\\u003cb\\u003e"'));
  assert.deepEqual(
    Object.keys(part.data).join(),
    'schema,id,captured_by,session,stream,tool,time,basis,root,changed_files,changes',
  );
});

test('a written file that did not exist is created, with a diff against nothing', () => {
  const change = changeIn({
    filePath: '/w/demo/n.txt',
    content: 'x\ny\n',
    originalFile: null,
    structuredPatch: [],
  });
  assert.deepEqual(change, {
    ...{ path: 'n.txt', operation: 'create', before: { present: false, bytes: null } },
    after: { present: true, bytes: 4, sha256: sha256('x\ny\n') },
    ...{ diff: 'available', additions: 2, deletions: 0 },
    hunks: [{ old_start: 0, old_lines: 0, new_start: 1, new_lines: 2, lines: ['+x', '+y'] }],
  });
  assert.equal(changeIn({ filePath: '/w/demo/n.txt', content: '' })?.hunks, undefined);
});

test('without the original, what shows that the file existed makes it modified', () => {
  const change = changeIn({ filePath: 'a.txt', originalFile: null, structuredPatch: patch });
  assert.deepEqual(
    [change.operation, change.before, change.after],
    ['modify', { present: true, bytes: null }, { present: true, bytes: null }],
  );
  assert.equal(changeIn({ filePath: 'a.txt', type: 'update', content: 'x', structuredPatch: [] }), undefined);
  assert.equal(changeIn({ filePath: 'a.txt', type: 'create', content: 'x' }).operation, 'create');
});

test('the new content of an edit is the old one with the text replaced, once or everywhere, literally', () => {
  const after = (more: object) =>
    changeIn({ filePath: 'a', originalFile: 'a.a\n', oldString: 'a', newString: '$&', ...more }).after.sha256;
  assert.equal(after({}), sha256('$&.a\n'));
  assert.equal(after({ replaceAll: true }), sha256('$&.$&\n'));
  assert.equal(after({ content: 'whole\n' }), sha256('whole\n'));
});

test('an edit that would grow beyond all measure has unknown content, and lands', () => {
  const result = { filePath: 'a', originalFile: 'a'.repeat(100_000), oldString: 'a', replaceAll: true };
  const huge = { ...result, newString: 'b'.repeat(100_000), structuredPatch: patch };
  assert.deepEqual(changeIn(huge).after, { present: true, bytes: null });
});

test('a notebook has names of its own', () => {
  const change = changeIn({ notebook_path: '/w/demo/n.ipynb', original_file: 'a\n', updated_file: 'b\n' });
  assert.deepEqual(
    [change.path, change.operation, change.additions, change.deletions],
    ['n.ipynb', 'modify', 1, 1],
  );
});

test('a change that cannot be counted says why', () => {
  const binary = changeIn({ filePath: 'a', content: 'x\0' });
  assert.deepEqual(
    [binary.diff, binary.additions, binary.deletions, binary.hunks],
    ['binary', null, null, undefined],
  );
  const large = changeIn({ filePath: 'a', content: 'x\n'.repeat(200_001) });
  assert.deepEqual([large.diff, large.additions], ['too_large', null]);
});

const none: [why: string, result: object, more?: object][] = [
  ['no file name', { content: 'x' }],
  ['nothing new known and no patch', { filePath: 'a', originalFile: 'a' }],
  ['no time', { filePath: 'a', content: 'x' }, { timestamp: undefined }],
  ['no tool', { filePath: 'a', content: 'x' }, { message: { content: [{ type: 'tool_result' }] } }],
  ['no result', { filePath: 'a', content: 'x' }, { message: { content: 'text' } }],
];
for (const [why, result, more] of none)
  test(`no change part: ${why}`, () => {
    assert.equal(changeIn(result, more), undefined);
  });

const paths: [cwd: string | undefined, file: string, path: string][] = [
  ['/w/demo', '/w/demo/a/b.txt', 'a/b.txt'],
  ['/w/demo', '/w/other/b.txt', '/w/other/b.txt'],
  ['/w/demo/', '/w/demo/./b.txt', 'b.txt'],
  ['/w/demo', 'b.txt', 'b.txt'],
  ['C:\\w', 'C:\\w\\b.txt', 'C:\\w\\b.txt'],
  [undefined, '/w/b.txt', '/w/b.txt'],
];
for (const [cwd, filePath, path] of paths)
  test(`${filePath} seen from ${cwd} is ${path}`, () => {
    const record = converted(editing({ filePath, content: 'x' }, { cwd }));
    assert.equal(record.parts[1].data.changes[0].path, path);
    assert.deepEqual(record.parts[1].data.root, cwd === undefined ? undefined : { path: cwd });
  });
