/**
 * One pass of the collector: land from every adapter, parse what moved, and push what is new (cli spec 3.3). What fails
 * in one session is an error of the pass, and the others go on.
 */
import type { CollectingAdapter, FilterPatterns } from '../adapters/adapter.js';
import { AszError, causeText, LockedError } from '../format/errors.js';
import type { Instant } from '../format/time.js';
import { listSessions } from '../io/storage-root.js';
import { type CollectorMemory, collectRoot } from '../landing/collect-root.js';
import { indexSink } from '../landing/index-sink.js';
import { LOCK_MS, type Pusher } from '../push/pusher.js';
import { performAll } from '../workers/session-workers.js';
import { landByThreads } from './land-by-threads.js';

/** One adapter and where it reads. */
export interface PassSource {
  readonly adapter: CollectingAdapter;
  readonly sourceRoot: string;
  readonly filter: FilterPatterns;
  readonly maxDeltaBytes: number;
  readonly memory: CollectorMemory;
}

export interface PassOptions {
  readonly storageRoot: string;
  readonly sources: readonly PassSource[];
  readonly maxRoundBytes: number;
  readonly jobs?: number | undefined;
  /** Sessions are landed and parsed in other threads only. */
  readonly apart?: boolean | undefined;
  readonly now: () => Instant;
  readonly signal: AbortSignal;
  /** Whether this is the only pass: then what another process holds is an error, for nobody comes back to it. */
  readonly single: boolean;
  /** Sessions the pass before could not parse, or `all` in a process's first pass. */
  readonly behind: ReadonlySet<string> | 'all';
  /** Pushes the root at the end of the pass; absent: nothing is sent. */
  readonly pusher?: Pusher | undefined;
  readonly onProgress?: (text: string) => void;
}

export interface PassReport {
  sessions: number;
  landed: number;
  records: number;
  rounds: number;
  busy: number;
  /** Files that were sent. */
  pushed: number;
  /** Records that the receiver rejected. */
  rejected: number;
  /** What is left of the wait that the receiver asked for: so long nothing is sent. */
  heldMs: number;
  readonly errors: string[];
  readonly warnings: string[];
  /** Sessions whose chain another process held: the next pass parses them. */
  readonly held: string[];
  /** Sessions that another process is landing: it parses them, or the next pass does. */
  readonly beingLanded: string[];
}

export async function collectPass(options: PassOptions): Promise<PassReport> {
  const report: PassReport = {
    sessions: 0,
    landed: 0,
    records: 0,
    rounds: 0,
    busy: 0,
    pushed: 0,
    rejected: 0,
    heldMs: 0,
    errors: [],
    warnings: [],
    held: [],
    beingLanded: [],
  };
  const changed = new Set<string>();
  for (const source of options.sources) await land(source, options, report, changed);
  if (!options.signal.aborted)
    await parse(sessionsToParse(options, changed, new Set(report.beingLanded)), options, report);
  if (options.pusher !== undefined && !options.signal.aborted) await push(options.pusher, options, report);
  return report;
}

async function land(
  source: PassSource,
  { storageRoot, now, signal, jobs, apart, onProgress }: PassOptions,
  report: PassReport,
  changed: Set<string>,
): Promise<void> {
  onProgress?.(`landing from ${source.sourceRoot}`);
  const tally = await collectRoot({
    ...source,
    ...{ storageRoot, index: indexSink(storageRoot), now, signal },
    land: landByThreads({ jobs, apart }, (done, of) =>
      onProgress?.(`landed ${done} of ${of} batches from ${source.sourceRoot}`),
    ),
  });
  report.sessions += tally.sessions;
  report.landed += tally.landed;
  report.records += tally.records;
  report.busy += tally.busy.length;
  report.beingLanded.push(...tally.busy);
  report.errors.push(...tally.errors.map(({ message }) => message));
  report.warnings.push(...tally.warnings);
  if (tally.pending > 0)
    report.errors.push(`${tally.pending} source(s) still had data when the per-pass limit was reached`);
  if (tally.stopped.length > 0)
    report.errors.push(
      `${tally.stopped.length} source(s) were rotated, truncated or rewritten behind the cursor; collection stopped for them: ${tally.stopped.map(({ relativePath, cursor }) => `${relativePath} (what landed stays; remove ${cursor} to collect it anew)`).join(', ')}`,
    );
  for (const session of tally.changed) changed.add(session);
}

/** Half a session is no reason for a round, so one that is being landed waits. */
function sessionsToParse(
  { behind, storageRoot }: PassOptions,
  changed: ReadonlySet<string>,
  beingLanded: ReadonlySet<string>,
): string[] {
  const sessions = listSessions(storageRoot).filter((id) => !beingLanded.has(id));
  return behind === 'all' ? sessions : sessions.filter((id) => changed.has(id) || behind.has(id));
}

async function parse(sessions: readonly string[], options: PassOptions, report: PassReport): Promise<void> {
  const { storageRoot: root, maxRoundBytes, jobs, apart, signal, onProgress } = options;
  const tasks = sessions.map((session) => ({ kind: 'parse' as const, root, session, maxRoundBytes }));
  const outcomes = await performAll(tasks, {
    jobs,
    apart,
    signal,
    onDone: (done) => onProgress?.(`parsing ${done} of ${tasks.length} sessions`),
  });
  for (const [i, outcome] of outcomes.entries()) {
    const session = sessions[i]!;
    if ('result' in outcome) report.rounds += outcome.result.filter(({ round }) => round > 0).length;
    else if (isBusy(outcome.error)) report.held.push(session);
    else if (outcome.error.name !== 'AbortError') report.errors.push(`${session}: ${outcome.error.message}`);
  }
  report.busy += report.held.length;
  if (options.single && report.held.length > 0)
    report.errors.push(`${report.held.length} session(s) were held by another builder and are not parsed`);
}

/** Rounds that were just written go in the same pass (export spec 12). */
async function push(
  pusher: Pusher,
  { single, signal, onProgress }: PassOptions,
  report: PassReport,
): Promise<void> {
  report.heldMs = pusher.heldMs;
  if (report.heldMs > 0) return;
  onProgress?.('pushing');
  try {
    const { files, rejected, deferred, errors, warnings } = await pusher.push(single ? LOCK_MS : 0, signal);
    report.pushed = files;
    report.rejected = rejected;
    report.warnings.push(...warnings);
    report.errors.push(...errors);
    if (rejected > 0)
      report.errors.push(`the receiver rejected ${rejected} record(s); they are not sent again`);
    if (single && deferred > 0)
      report.errors.push(`${deferred} round(s) were still being written and were not sent`);
  } catch (cause) {
    if (signal.aborted) return;
    if (!(cause instanceof LockedError)) report.errors.push(causeText(cause));
    else {
      report.busy++;
      if (single) report.errors.push('another pass held the export state; nothing was sent');
    }
  }
}

function isBusy(error: Error): boolean {
  return error instanceof LockedError || (error instanceof AszError && error.code === 'LOCKED');
}
