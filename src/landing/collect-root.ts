/** A pass over one adapter's source root (dialect spec 4.1). */

import { setImmediate } from 'node:timers/promises';
import type { CollectingAdapter, Discovery, FilterPatterns, SessionFilter } from '../adapters/adapter.js';
import { AszError, causeText, LockedError } from '../format/errors.js';
import { formatTime, type Instant } from '../format/time.js';
import { existsSync } from '../io/file-system.js';
import { SESSION_BUSY, takeLock } from '../io/lock.js';
import { listSessions, sessionLockFile } from '../io/storage-root.js';
import { Twins } from '../io/twins.js';
import { batchesOf, type SessionBatch, type WaitingSession } from './batches.js';
import { collectSessions, type LandingRequest, sessionError } from './collect-session.js';
import type { LandedSink } from './landed-sink.js';
import { addTally, emptyTally, type PassTally } from './pass-tally.js';
import { markPrunedSources, rememberedDirectories, type SessionPlace } from './pruned-sources.js';
import { waitingBytes } from './waiting.js';

export interface CollectRequest {
  readonly adapter: CollectingAdapter;
  readonly sourceRoot: string;
  readonly storageRoot: string;
  readonly filter: FilterPatterns;
  /** Source bytes a window takes and bytes a landed file has, at most. Zero or less: the default. */
  readonly maxDeltaBytes: number;
  readonly index: LandedSink;
  readonly now: () => Instant;
  readonly memory: CollectorMemory;
  /** Who lands the sessions in which something waits; without it, this thread. */
  readonly land?: LandBatches;
  /** Ends the pass between two batches of sessions; what has landed by then is complete. */
  readonly signal?: AbortSignal;
}

export const DEFAULT_MAX_DELTA_BYTES = 2 * 1024 * 1024;

/** What a process remembers from pass to pass. One for each adapter and root; losing it costs only repetition. */
export class CollectorMemory {
  /** Files that were named as passed over. */
  readonly namedFiles = new Set<string>();
  /** Sessions looked at because discovery no longer finds them. */
  readonly checkedLost = new Set<string>();
}

/**
 * Lands batches of sessions, several at once if it likes, and gives for each batch what its sessions tallied, in
 * their order. A batch that was not begun, because the pass was told to stop, tallies nothing.
 */
export type LandBatches = (
  request: LandingRequest,
  batches: readonly SessionBatch[],
  signal: AbortSignal | undefined,
) => Promise<PassTally[][]>;

/**
 * Collects every session that the filter lets through and in which something waits. What it tells stands in the
 * order of ids, however the work was divided. Never throws for what it meets below the source root: see `errors` of
 * the result; only a storage root that cannot be listed throws. It yields between sessions, so that signals are
 * heard.
 */
export async function collectRoot(request: CollectRequest): Promise<PassTally> {
  const tally = emptyTally();
  const discovery = discover(request, tally);
  if (discovery === undefined) return tally;
  tally.errors.push(...discovery.faults);
  warnOfPassedOver(request, discovery, tally);
  const maxDeltaBytes = request.maxDeltaBytes > 0 ? request.maxDeltaBytes : DEFAULT_MAX_DELTA_BYTES;
  const landing = { ...request, maxDeltaBytes };
  const tallies = new Map<string, PassTally>();
  const twins = Twins.among(request.storageRoot);
  const waiting: WaitingSession[] = [];
  for await (const session of wantedSessions(request, discovery)) {
    tally.sessions++;
    tally.sources += session.sources.length;
    try {
      twins.claim(session.id);
      const bytes = waitingBytes(landing, session);
      if (bytes !== undefined) waiting.push({ session, bytes });
    } catch (cause) {
      tallies.set(session.id, { ...emptyTally(), errors: [sessionError(session.id, cause)] });
    }
  }
  const batches = batchesOf(waiting);
  const landed = await (request.land ?? landHere)(landing, batches, request.signal);
  for (const [i, { sessions }] of batches.entries())
    for (const [j, of] of landed[i]!.entries()) tallies.set(sessions[j]!.id, of);
  for (const { id } of discovery.sessions) addTally(tally, tallies.get(id) ?? NOTHING_DONE);
  // A directory that could not be read would make all its sessions look deleted.
  if (discovery.faults.length === 0 && !request.signal?.aborted) checkLostSessions(request, discovery, tally);
  return tally;
}

const NOTHING_DONE = emptyTally();

async function* wantedSessions({ adapter, filter, memory, signal }: CollectRequest, { sessions }: Discovery) {
  const isWanted = adapter.sessionFilter(filter);
  for (const session of sessions) {
    memory.checkedLost.delete(session.id);
    if (!isWanted(session)) continue;
    if (signal?.aborted) return;
    yield session;
    await setImmediate();
  }
}

/** Lands in this thread, batch after batch. */
async function landHere(
  request: LandingRequest,
  batches: readonly SessionBatch[],
  signal: AbortSignal | undefined,
): Promise<PassTally[][]> {
  const tallies: PassTally[][] = [];
  for (const { sessions } of batches) {
    await setImmediate();
    tallies.push(signal?.aborted ? [] : collectSessions(request, sessions));
  }
  return tallies;
}

function discover({ adapter, sourceRoot }: CollectRequest, tally: PassTally): Discovery | undefined {
  try {
    return adapter.discover(sourceRoot);
  } catch (cause) {
    const words = causeText(cause).replace(/^scandir /, 'open ');
    tally.errors.push(new AszError('SOURCE', `source ${sourceRoot}: ${words}`, { cause }));
    return undefined;
  }
}

function warnOfPassedOver({ adapter, memory }: CollectRequest, discovery: Discovery, tally: PassTally): void {
  const fresh = discovery.passedOver.filter((path) => !memory.namedFiles.has(path));
  if (fresh.length === 0) return;
  for (const path of fresh) memory.namedFiles.add(path);
  const names = fresh.map((path) => (/\p{Cc}/u.test(path) ? JSON.stringify(path) : path));
  tally.warnings.push(
    `${adapter.messagePrefix}: ${fresh.length} file(s) look like transcripts but are not collected, for their names or because a link leads to them: ${names.join(', ')}`,
  );
}

/**
 * Sessions in the storage root that discovery did not find: their cursors are told that the source is gone.
 * Each is looked at once, until it was found in between; one that is busy or fails is tried again.
 */
function checkLostSessions(request: CollectRequest, { sessions }: Discovery, tally: PassTally): void {
  const { adapter, storageRoot, memory } = request;
  if (!existsSync(storageRoot)) return;
  const found = new Set(sessions.map(({ id }) => id));
  const isWanted = adapter.sessionFilter(request.filter);
  for (const session of listSessions(storageRoot)) {
    if (!adapter.isSessionId(session) || found.has(session) || memory.checkedLost.has(session)) continue;
    try {
      tally.gone += markLostSession({ ...request, session }, isWanted);
      memory.checkedLost.add(session);
    } catch (cause) {
      if (!(cause instanceof LockedError)) tally.errors.push(sessionError(session, cause));
    }
  }
}

function markLostSession(place: SessionPlace & Pick<CollectRequest, 'now'>, isWanted: SessionFilter): number {
  const remembered = rememberedDirectories(place);
  if (remembered.directories.length === 0 || !isWanted(remembered)) return 0;
  const lock = takeLock(sessionLockFile(place.storageRoot, place.session), SESSION_BUSY);
  try {
    return markPrunedSources(place, formatTime(place.now()), new Set());
  } finally {
    lock.release();
  }
}
