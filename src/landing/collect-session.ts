/** One session's pass, under its lock: from its sources to landed files, cursors, index and state (dialect spec 4.2). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DiscoveredSession, Source } from '../adapters/adapter.js';
import { AszError, causeText, LockedError } from '../format/errors.js';
import type { Instant } from '../format/time.js';
import { SESSION_BUSY, takeLock } from '../io/lock.js';
import { sweepTemporaries } from '../io/publish.js';
import { loadSessionState, saveSessionState } from '../io/session-state.js';
import { highestSequence, sessionFolder, sessionLockFile, sessionStateFile } from '../io/storage-root.js';
import { drainAppendSource } from './append-source.js';
import type { LandedSink, SessionIndexing } from './landed-sink.js';
import type { PassTally } from './pass-tally.js';
import { markPrunedSources } from './pruned-sources.js';
import { type LandingPlace, SessionLanding } from './session-landing.js';
import { landSnapshotSource } from './snapshot-source.js';
import { statSource } from './source-file.js';

export interface SessionRequest extends LandingPlace {
  readonly index: LandedSink;
  readonly now: () => Instant;
}

/**
 * Collects a session. Adds to `tally`; an error of a source is one of `tally.errors` and the next source goes
 * on. Throws what concerns the whole session. A session that another process holds counts as busy.
 */
export function collectSession(request: SessionRequest, session: DiscoveredSession, tally: PassTally): void {
  tally.sessions++;
  tally.sources += session.sources.length;
  if (hasNothingYet(request, session)) return;
  try {
    const lock = takeLock(sessionLockFile(request.storageRoot, request.session), SESSION_BUSY);
    try {
      collectLocked(request, session.sources, tally);
    } finally {
      lock.release();
    }
  } catch (cause) {
    if (!(cause instanceof LockedError)) throw cause;
    tally.busy++;
  }
}

/** Nothing is made for a session whose files are all still empty. */
function hasNothingYet({ sourceRoot, storageRoot }: SessionRequest, { id, sources }: DiscoveredSession) {
  if (existsSync(sessionFolder(storageRoot, id))) return false;
  return sources.every(({ relativePath }) => {
    try {
      return (statSource(join(sourceRoot, relativePath))?.size ?? 0) === 0;
    } catch {
      return false; // what it is, its own turn will tell
    }
  });
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
