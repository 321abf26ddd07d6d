/**
 * What a tool did to files, as `changes/1` records: one that an editing tool's own result gives, one that a plugin
 * saw in a window around any other tool. Keys stand in the order they are written in (scenario spec 11.1).
 */
import { createHash } from 'node:crypto';
import { lineDiff } from '../adapters/claude-code/line-diff.js';
import { timeText } from './lane.js';
import type { FileChange } from './scenario.js';

/** The tool use that changed files, and when its result came. */
export interface ChangingTool {
  readonly session: string;
  readonly stream: string;
  readonly cwd: string;
  readonly tool: string;
  readonly name: string;
  readonly ms: number;
  readonly failed: boolean;
}

/** What the agent reports of its own edit. */
export function editRecord({ session, stream, cwd, tool, ms }: ChangingTool, change: FileChange): string {
  const { additions, deletions, hunks } = difference(change);
  return JSON.stringify({
    ...{
      schema: 'changes/1',
      id: tool,
      captured_by: 'claude-code',
      session,
      stream,
      tool,
      time: timeText(ms),
    },
    ...{ basis: 'runtime_reported', root: { path: cwd }, changed_files: 1 },
    changes: [{ ...sides(change), diff: 'available', additions, deletions, hunks }],
  });
}

/** What the plugin saw: the window it compared, and every file that was another after it. */
export function pluginRecord(about: ChangingTool, changes: readonly FileChange[]): string {
  const { session, stream, cwd, tool, name, ms, failed } = about;
  const [before, after] = [timeText(ms - WINDOW_MS), timeText(ms)];
  return JSON.stringify({
    ...{ schema: 'changes/1', id: tool, captured_by: 'asz-plugin', session, stream, tool, tool_name: name },
    ...{ time: after, basis: 'tool_window', root: { path: cwd } },
    policy: { exclusions: 'standard-v1', read_only: 'readonly-v1' },
    window: { before: { from: before, to: before }, after: { from: after, to: after } },
    outcome: failed ? { state: 'failed', exit_code: 1 } : { state: 'returned', exit_code: 0 },
    ...{ coverage: 'complete', changed_files: changes.length },
    changes: changes.map((change) => ({
      ...{ ...sides(change), diff: 'available', attribution: 'only_this_window', windows: [tool] },
      ...difference(change),
    })),
  });
}

const WINDOW_MS = 1000;

function sides({ path, before, after }: FileChange) {
  const operation = before === undefined ? 'create' : after === undefined ? 'delete' : 'modify';
  return { path, operation, before: endpoint(before), after: endpoint(after) };
}

function endpoint(content: string | undefined) {
  if (content === undefined) return { present: false, bytes: null };
  const bytes = Buffer.from(content);
  return {
    ...{ present: true, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    ...(content !== '' && !content.endsWith('\n') ? { no_newline_at_end: true } : {}),
  };
}

function difference({ before = '', after = '' }: FileChange) {
  // A scenario's files are a few lines; only a hostile one is too large to compare.
  const hunks = lineDiff(before, after) ?? [];
  const starting = (sign: string) =>
    hunks.flatMap(({ lines }) => lines.filter((line) => line.startsWith(sign))).length;
  return { additions: starting('+'), deletions: starting('-'), hunks };
}
