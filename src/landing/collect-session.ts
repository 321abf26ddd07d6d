/** A session's pass, under its lock: from its sources to landed files, cursors, index and state (dialect spec 4.2). */
import { join } from 'node:path';
import type { DiscoveredSession, Source } from '../adapters/adapter.js';
import { AszError, causeText, LockedError } from '../format/errors.js';
import type { Instant } from '../format/time.js';
import { syncingFoldersOnce } from '../io/folders.js';
import { SESSION_BUSY, takeLocks } from '../io/lock.js';
import { sweepTemporaries } from '../io/publish.js';
import { loadSessionState, saveSessionState } from '../io/session-state.js';
import { highestSequence, sessionFolder, sessionLockFile, sessionStateFile } from '../io/storage-root.js';
import { drainAppendSource } from './append-source.js';
import type { LandedSink, SessionIndexing } from './landed-sink.js';
import { emptyTally, type PassTally } from './pass-tally.js';
import { markPrunedSources } from './pruned-sources.js';
import { type LandingPlace, SessionLanding } from './session-landing.js';
import { landSnapshotSource } from './snapshot-source.js';

/** What the sessions of a pass have in common. */
export interface LandingRequest extends Omit<LandingPlace, 'session'> {
  readonly index: LandedSink;
  readonly now: () => Instant;
}

type SessionRequest = LandingRequest & LandingPlace;

/**
 * Collects sessions one after the other, and gives what each tallied. What a source or a session fails with is one
 * of its tally's errors, and the next goes on; one that another process holds counts as busy. Their locks are taken
 * together, which is what they are handed in together for, and each is given up when its session is done.
 */
export function collectSessions(
  request: LandingRequest,
  sessions: readonly DiscoveredSession[],
): PassTally[] {
  return syncingFoldersOnce(() => collectTogether(request, sessions));
}

function collectTogether(request: LandingRequest, sessions: readonly DiscoveredSession[]): PassTally[] {
  const locks = takeLocks(
    sessions.map(({ id }) => sessionLockFile(request.storageRoot, id)),
    SESSION_BUSY,
  );
  try {
    return sessions.map(({ id, sources }, i) => {
      const tally = emptyTally();
      try {
        const lock = locks[i]!;
        if (lock instanceof Error) throw lock;
        collectLocked({ ...request, session: id }, sources, tally);
        lock.release();
      } catch (cause) {
        if (cause instanceof LockedError) tally.busy.push(id);
        else tally.errors.push(sessionError(id, cause));
      }
      return tally;
    });
  } finally {
    for (const lock of locks) if (!(lock instanceof Error)) lock.release();
  }
}

function collectLocked(request: SessionRequest, sources: readonly Source[], tally: PassTally): void {
  const { storageRoot, session } = request;
  const folder = sessionFolder(storageRoot, session);
  // Landed files and cursors are written under this lock alone, so what is left of them is nobody's. Age
  // protects the index, which a parse may be writing.
  for (const place of ['streams', 'runs']) sweepTemporaries(join(folder, place), 0);
  sweepTemporaries(folder);

  const statePath = sessionStateFile(storageRoot, session);
  const state = loadSessionState(statePath, session);
  const nextSeq = Math.max(state.nextSeq, highestSequence(folder) + 1);
  const index = new DeferredIndex(request, nextSeq - 1, tally);
  const now = request.now();
  const landing = new SessionLanding(request, tally, now, nextSeq, () => index.open());

  const claimed = collectSources(landing, sources);
  tally.gone += markPrunedSources(request, landing.at, new Set(claimed.keys()));
  if (landing.filesLanded > 0 || index.reindexed > 0) {
    index.open()?.save(now);
    tally.reindexed += index.reindexed;
    tally.changed.push(session);
  }
  saveSessionState(statePath, {
    session,
    nextSeq: landing.nextSeq,
    lastScan: landing.at,
    updatedAt: landing.at,
  });
}

/** A session's index, opened when it is behind or when something lands, and at most once. */
class DeferredIndex {
  readonly #request: SessionRequest;
  readonly #throughSeq: number;
  readonly #tally: PassTally;
  #opened: { readonly indexing: SessionIndexing | undefined } | undefined;

  constructor(request: SessionRequest, throughSeq: number, tally: PassTally) {
    this.#request = request;
    this.#throughSeq = throughSeq;
    this.#tally = tally;
    if (!request.index.isCurrent?.(request.session, throughSeq)) this.open();
  }

  /** `undefined` when it cannot be opened; why is then one of the pass's errors. */
  open(): SessionIndexing | undefined {
    this.#opened ??= { indexing: this.#tryOpen() };
    return this.#opened.indexing;
  }

  /** Records that closing a gap read again. */
  get reindexed(): number {
    return this.#opened?.indexing?.reindexed ?? 0;
  }

  #tryOpen(): SessionIndexing | undefined {
    try {
      return this.#request.index.open(this.#request.session, this.#throughSeq);
    } catch (cause) {
      this.#tally.errors.push(sessionError(this.#request.session, cause));
      return undefined;
    }
  }
}

/** Each source in order, each cursor once. Gives which path claimed which cursor. */
function collectSources(landing: SessionLanding, sources: readonly Source[]): Map<string, string> {
  const claimed = new Map<string, string>();
  const { adapter, session } = landing.place;
  for (const source of sources)
    try {
      const cursorPath = landing.cursorPath(source);
      const first = claimed.get(cursorPath);
      if (first !== undefined) {
        landing.tally.conflicts++;
        throw new AszError(
          'CONFLICT',
          `${adapter.messagePrefix}: ${first} and ${source.relativePath} both map to ${cursorPath}; refusing to interleave them`,
        );
      }
      claimed.set(cursorPath, source.relativePath);
      if (source.growth === 'append') drainAppendSource(landing, source);
      else landSnapshotSource(landing, source);
    } catch (cause) {
      landing.tally.errors.push(sourceError(session, source, cause));
    }
  return claimed;
}

/** A conflict says itself what it is about; anything else gets the file's name before it. */
function sourceError(session: string, { relativePath }: Source, cause: unknown): Error {
  if (cause instanceof AszError && cause.code === 'CONFLICT') return cause;
  return new AszError('SOURCE', `session ${session}: ${relativePath}: ${causeText(cause)}`, { cause });
}

/** An error of a whole session, as a pass reports it. */
export function sessionError(session: string, cause: unknown): Error {
  return new AszError('SESSION', `session ${session}: ${causeText(cause)}`, { cause });
}
