/**
 * Workspace change records, `changes/1`, as far as the index counts them.
 *
 *     {"schema":"changes/1","id":"toolu_1","captured_by":"claude-code","changes":[{"path":"a.txt","additions":3,"deletions":1}]}
 *
 * A part is one only when every known member that is present and not null has its JSON type; none is required
 * (storage spec 2.2).
 */
import { Members } from './json-members.js';

export const CHANGES_SCHEMA = 'changes/1';

/** What the index keeps: who captured which change record, and how many lines it added and removed. */
export interface WorkspaceChange {
  /** `<captured by>|<record id>`: two parts of the same name are one change. */
  readonly name: string;
  readonly additions: number;
  readonly deletions: number;
}

/** The change record in a data part's value, or `undefined` when the value is not one. */
export function readWorkspaceChange(data: unknown): WorkspaceChange | undefined {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  if ((data as { schema?: unknown }).schema !== CHANGES_SCHEMA) return undefined;
  try {
    return change(new Members(data));
  } catch (cause) {
    // A member of another type makes it other data, which is no fault of the record.
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}

function change(o: Members): WorkspaceChange {
  for (const key of ['session', 'stream', 'tool', 'time', 'basis']) o.text(key);
  o.object('root', (root) => root.text('path'));
  o.integer('changed_files');
  const files = o.objects('changes', (file) => {
    for (const key of ['path', 'operation', 'diff']) file.text(key);
    for (const side of ['before', 'after']) file.object(side, checkEndpoint);
    file.objects('hunks', checkHunk);
    return { additions: file.integer('additions'), deletions: file.integer('deletions') };
  });
  let [additions, deletions] = [0, 0];
  for (const file of files) {
    additions = addLines(additions, file.additions);
    deletions = addLines(deletions, file.deletions);
  }
  return { name: `${o.text('captured_by')}|${o.text('id')}`, additions, deletions };
}

/**
 * A sum of line counts that stays a whole number a reader takes. Counts come from data and may be any 64-bit
 * number; a larger sum would make a round that nobody could read again.
 */
export function addLines(a: number, b: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, a + b));
}

function checkEndpoint(o: Members): void {
  o.boolean('present');
  o.integer('bytes');
  o.text('sha256');
  o.boolean('no_newline_at_end');
}

function checkHunk(o: Members): void {
  for (const key of ['old_start', 'old_lines', 'new_start', 'new_lines']) o.integer(key);
  o.texts('lines');
}
