/**
 * What a path below the source root is, told by its names alone. `P` is a project directory:
 *
 *     P/<session>.jsonl                                               transcript of main
 *     P/<session>/subagents/agent-<agent>.jsonl                       transcript of a child
 *     P/<session>/subagents/agent-<agent>.meta.json                   its sidecar
 *     P/<session>/subagents/workflows/<run>/agent-<agent>.jsonl       the same for a run's child
 *     P/<session>/subagents/workflows/<run>/journal.jsonl             the run's journal
 *     P/<session>/workflows/<run>.json                                its manifest
 *     P/<session>/workflows/scripts/<label>-<run>.js                  its script
 *
 * Names are never case-folded: two spellings are two ids (dialect spec 2.2).
 */
import { isPathSegment } from '../../io/path-segment.js';
import type { Source, SourceLocation } from '../adapter.js';

const SESSION = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
const AGENT = /^a[0-9a-f]{16}$/;
const SCRIPT_RUN = /^wf_[A-Za-z0-9][A-Za-z0-9_-]*$/;

export function isSessionId(name: string): boolean {
  return SESSION.test(name);
}

export function isAgentId(name: string): boolean {
  return AGENT.test(name);
}

/** The source a relative path is, or `undefined`. */
export function locate(relativePath: string): SourceLocation | undefined {
  const [directory, second, ...rest] = relativePath.split('/');
  if (!directory || second === undefined) return undefined;
  if (rest.length === 0) {
    const session = second.endsWith('.jsonl') ? second.slice(0, -'.jsonl'.length) : '';
    if (!isSessionId(session)) return undefined;
    const source: Source = { relativePath, kind: 'transcript', stream: 'main', batch: '', growth: 'append' };
    return { session, directory, isMain: true, source };
  }
  if (!isSessionId(second)) return undefined;
  const source = locateInSession(relativePath, rest);
  return source && { session: second, directory, isMain: false, source };
}

function locateInSession(relativePath: string, path: readonly string[]): Source | undefined {
  const name = path.at(-1) ?? '';
  const folder = path.slice(0, -1).join('/');
  if (folder === 'subagents') return agentFile(relativePath, name);
  if (folder === 'workflows') {
    const run = name.startsWith('wf_') && name.endsWith('.json') ? name.slice(0, -'.json'.length) : '';
    return ofRun(relativePath, 'workflow_manifest', run, 'snapshot');
  }
  if (folder === 'workflows/scripts') {
    const run = runOfScript(name);
    return ofRun(relativePath, 'workflow_script', run, 'snapshot');
  }
  if (path.length === 4 && path[0] === 'subagents' && path[1] === 'workflows')
    return name === 'journal.jsonl'
      ? ofRun(relativePath, 'journal', path[2] ?? '', 'append')
      : agentFile(relativePath, name);
  return undefined;
}

function agentFile(relativePath: string, name: string): Source | undefined {
  for (const [suffix, kind, growth] of AGENT_FILES) {
    if (!name.startsWith('agent-') || !name.endsWith(suffix)) continue;
    const stream = name.slice('agent-'.length, -suffix.length);
    if (isAgentId(stream)) return { relativePath, kind, stream, batch: '', growth };
  }
  return undefined;
}

const AGENT_FILES = [
  ['.jsonl', 'transcript', 'append'],
  ['.meta.json', 'agent_meta', 'snapshot'],
] as const;

/** A run's id becomes a directory, and a journal's is any directory name: one that may not be a path is no source. */
function ofRun(
  relativePath: string,
  kind: Source['kind'],
  batch: string,
  growth: Source['growth'],
): Source | undefined {
  return isPathSegment(batch) ? { relativePath, kind, stream: '', batch, growth } : undefined;
}

/** What follows the last `-wf_` of a script's name, `wf_` kept: a label may hold `-wf_` itself. */
function runOfScript(name: string): string {
  if (!name.endsWith('.js')) return '';
  const stem = name.slice(0, -'.js'.length);
  const cut = stem.lastIndexOf('-wf_');
  const run = cut < 0 ? '' : stem.slice(cut + 1);
  return SCRIPT_RUN.test(run) ? run : '';
}
