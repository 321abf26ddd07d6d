import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWorkspaceChange } from '../../src/format/workspace-change.js';

const whole = {
  schema: 'changes/1',
  id: 'toolu_1',
  session: 's',
  stream: 'main',
  tool: 'toolu_1',
  captured_by: 'claude-code',
  time: '2026-03-01T09:00:00Z',
  basis: 'result',
  root: { path: '/w' },
  changed_files: 2,
  changes: [
    {
      path: 'a.txt',
      operation: 'edit',
      before: { present: true, bytes: 3, sha256: 'x', no_newline_at_end: false },
      after: { present: true },
      additions: 3,
      deletions: 1,
      diff: 'full',
      hunks: [{ old_start: 1, old_lines: 1, new_start: 1, new_lines: 3, lines: [' a', '+b'] }],
    },
    { additions: 2 },
  ],
};

test('additions and deletions are summed over the files, absent ones as 0', () =>
  assert.deepEqual(readWorkspaceChange(whole), {
    name: 'claude-code|toolu_1',
    additions: 5,
    deletions: 1,
  }));

for (const [what, value] of [
  ['nothing but a schema', { schema: 'changes/1' }],
  ['every member null', { schema: 'changes/1', id: null, changes: null, root: null, changed_files: null }],
  ['null among the files', { schema: 'changes/1', changes: [null] }],
  ['unknown members of any type', { schema: 'changes/1', more: 7, changes: [] }],
] as const)
  test(`${what} is a change record`, () =>
    assert.deepEqual(readWorkspaceChange(value), { name: '|', additions: 0, deletions: 0 }));

const [file] = whole.changes;
const withFile = (more: object) => ({ ...whole, changes: [{ ...file, ...more }] });
for (const [what, value] of [
  ['a list', [whole]],
  ['null', null],
  ['text', 'changes/1'],
  ['another schema', { ...whole, schema: 'changes/2' }],
  ['no schema', { ...whole, schema: undefined }],
  ['an id that is a number', { ...whole, id: 1 }],
  ['a session that is a list', { ...whole, session: [] }],
  ['a stream that is a number', { ...whole, stream: 1 }],
  ['a tool that is a number', { ...whole, tool: 1 }],
  ['captured_by that is an object', { ...whole, captured_by: {} }],
  ['a time that is a number', { ...whole, time: 0 }],
  ['a basis that is true', { ...whole, basis: true }],
  ['a root that is text', { ...whole, root: '/w' }],
  ['a root path that is a number', { ...whole, root: { path: 1 } }],
  ['changed_files with a fraction', { ...whole, changed_files: 1.5 }],
  ['changes that are an object', { ...whole, changes: {} }],
  ['a file that is text', { ...whole, changes: ['a.txt'] }],
  ['a path that is a number', withFile({ path: 1 })],
  ['an operation that is a number', withFile({ operation: 1 })],
  ['a diff that is a list', withFile({ diff: [] })],
  ['additions that are text', withFile({ additions: '3' })],
  ['deletions with a fraction', withFile({ deletions: 0.5 })],
  ['before that is a list', withFile({ before: [] })],
  ['presence that is a number', withFile({ after: { present: 1 } })],
  ['bytes that are text', withFile({ after: { bytes: '1' } })],
  ['a sha256 that is a number', withFile({ before: { sha256: 1 } })],
  ['a missing newline that is text', withFile({ before: { no_newline_at_end: 'no' } })],
  ['hunks that are an object', withFile({ hunks: {} })],
  ['a hunk start that is text', withFile({ hunks: [{ old_start: '1' }] })],
  ['hunk lines that are numbers', withFile({ hunks: [{ lines: [1] }] })],
] as const)
  test(`${what}: other data, not a change record`, () => assert.equal(readWorkspaceChange(value), undefined));
