/**
 * Sessions that are landed one after the other by whoever takes them: enough at a time that taking their locks
 * together pays, and little enough that the work divides well among threads.
 */
import type { DiscoveredSession } from '../adapters/adapter.js';

/** A session in which something waits. */
export interface WaitingSession {
  readonly session: DiscoveredSession;
  /** Source bytes that wait, about. */
  readonly bytes: number;
}

export interface SessionBatch {
  readonly sessions: readonly DiscoveredSession[];
  readonly bytes: number;
}

const MAX_SESSIONS = 32;
/** A session with more is a batch of its own. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Every session in one batch, the largest first: a big one that began last would have everybody wait for it. */
export function batchesOf(waiting: readonly WaitingSession[]): SessionBatch[] {
  const batches: { sessions: DiscoveredSession[]; bytes: number }[] = [];
  for (const { session, bytes } of waiting.toSorted((a, b) => b.bytes - a.bytes)) {
    const last = batches.at(-1);
    if (last !== undefined && last.sessions.length < MAX_SESSIONS && last.bytes + bytes <= MAX_BYTES) {
      last.sessions.push(session);
      last.bytes += bytes;
    } else batches.push({ sessions: [session], bytes });
  }
  return batches;
}
