import { replaceFile } from './publish.js';
import { formatState, readStateCache } from './state-file.js';

/**
 * `session.state`: where the next landed file of a session gets its number from. A cache: the collector
 * raises `nextSeq` above the highest sequence on disk before it trusts it (storage spec 1.3).
 *
 *     schema     1
 *     session    s1
 *     next_seq   7
 *     liveness   unknown
 *     last_scan  2026-03-01T09:00:00Z
 *     updated_at 2026-03-01T09:00:01.25Z
 */
export interface SessionState {
  readonly session: string;
  /** At least 1. */
  readonly nextSeq: number;
  /** When the last pass began, RFC 3339; empty before the first. */
  readonly lastScan: string;
  readonly updatedAt: string;
}

/** The state saved at `path`, or that of a session nobody has collected yet. */
export function loadSessionState(path: string, session: string): SessionState {
  const fields = readStateCache(path);
  return {
    session,
    nextSeq: Math.max(1, fields?.count('next_seq') ?? 1),
    lastScan: fields?.text('last_scan') ?? '',
    updatedAt: fields?.text('updated_at') ?? '',
  };
}

/** `liveness` is always written as unknown: a session is never finished, resuming appends to the same file. */
export function saveSessionState(path: string, state: SessionState): void {
  replaceFile(
    path,
    formatState(11, [
      ['schema', 1],
      ['session', state.session],
      ['next_seq', state.nextSeq],
      ['liveness', 'unknown'],
      ['last_scan', state.lastScan],
      ['updated_at', state.updatedAt],
    ]),
  );
}
