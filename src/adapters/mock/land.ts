/**
 * Lands what a plan says, as a collector lands an agent's files: under the session's lock, each file above the
 * highest number on disk, written once, a cursor per source, one instant per build, then the index extended.
 * What earlier builds landed stays; only records beyond a cursor are new. Source: dialect spec 5, scenario spec 5.3.
 *
 *     main's transcript, changes, execution · each other stream's · sidecars · each run's journal, manifest, script
 */
import { createHash } from 'node:crypto';
import { type SdRecord, writeRecord } from '../../format/session-data.js';
import { IndexBuilder } from '../../format/session-index.js';
import { formatStamp, formatTime, type Instant } from '../../format/time.js';
import { loadAppendCursor, saveCursor } from '../../io/cursor.js';
import { indexLandedFiles, loadIndex, saveIndex } from '../../io/index-store.js';
import { landedEnd } from '../../io/landed-end.js';
import { LandedWriter } from '../../io/landed-writer.js';
import { SESSION_BUSY, takeLock } from '../../io/lock.js';
import { loadSessionState, saveSessionState } from '../../io/session-state.js';
import {
  cursorFile,
  highestSequence,
  landedFolder,
  listLandedFiles,
  refuseSessionLinks,
  sessionFolder,
  sessionLockFile,
  sessionStateFile,
} from '../../io/storage-root.js';
import { Twins } from '../../io/twins.js';
import type { MockRecord } from './events.js';
import { MOCK } from './mock.js';

/** All of a session up to some moment. A later build gives the same plan, grown. */
export interface SessionPlan {
  readonly session: string;
  /** Where the session's sources would be; it begins every `src`. */
  readonly project: string;
  /** `main` first, then the others in the order they were planned. */
  readonly streams: readonly StreamPlan[];
  readonly runs?: readonly RunPlan[];
}

/** The records of a stream, file by file, each from its first record. */
export interface StreamPlan {
  readonly name: string;
  readonly transcript: readonly MockRecord[];
  readonly changes?: readonly MockRecord[];
  readonly execution?: readonly MockRecord[];
  /** None in the main stream and in a child of a run. */
  readonly sidecar?: readonly MockRecord[];
}

export interface RunPlan {
  readonly id: string;
  readonly journal?: readonly MockRecord[];
  readonly manifest?: readonly MockRecord[];
  readonly script?: readonly MockRecord[];
}

/** A source of a plan: what would be one file of an agent. */
interface PlanSource {
  readonly kind: string;
  readonly stream: string;
  readonly batch: string;
  readonly src: string;
  readonly records: readonly MockRecord[];
}

/**
 * Lands what is new in a plan and gives how many files that made. Throws `LockedError` when a collector holds the
 * session, `StorageError` and `FormatError` as the layers below do; what landed by then stays and is not repeated.
 */
export function landPlan(root: string, plan: SessionPlan, now: Instant): number {
  Twins.among(root).claim(plan.session);
  refuseSessionLinks(sessionFolder(root, plan.session));
  const lock = takeLock(sessionLockFile(root, plan.session), SESSION_BUSY);
  try {
    return landLocked(root, plan, now);
  } finally {
    lock.release();
  }
}

function landLocked(root: string, plan: SessionPlan, now: Instant): number {
  const { session } = plan;
  const statePath = sessionStateFile(root, session);
  const first = Math.max(
    loadSessionState(statePath, session).nextSeq,
    highestSequence(sessionFolder(root, session)) + 1,
  );
  let nextSeq = first;
  for (const source of sourcesOf(plan)) if (landSource(root, session, source, nextSeq, now)) nextSeq++;
  extendIndex(root, session, now);
  const at = formatTime(now);
  saveSessionState(statePath, { session, nextSeq, lastScan: at, updatedAt: at });
  return nextSeq - first;
}

/** In landing order, which gives the sequence numbers. */
function* sourcesOf({ project, session, streams, runs = [] }: SessionPlan): Generator<PlanSource> {
  const base = `${project}/${session}`;
  for (const { name, transcript, changes = [], execution = [] } of streams) {
    const stream = { stream: name, batch: '' };
    const src = `${base}/streams/${name}`;
    yield { ...stream, kind: 'transcript', src, records: transcript };
    yield { ...stream, kind: 'changes', src: `${src}.changes`, records: changes };
    yield { ...stream, kind: 'execution', src: `${src}.execution`, records: execution };
  }
  for (const { name, sidecar = [] } of streams) {
    const src = `${base}/streams/${name}.meta`;
    yield { kind: 'agent_meta', stream: name, batch: '', src, records: sidecar };
  }
  for (const { id, journal = [], manifest = [], script = [] } of runs) {
    const run = { stream: '', batch: id };
    const src = `${base}/runs/${id}`;
    yield { ...run, kind: 'journal', src: `${src}/journal`, records: journal };
    yield { ...run, kind: 'workflow_manifest', src: `${src}/manifest`, records: manifest };
    yield { ...run, kind: 'workflow_script', src: `${src}/script`, records: script };
  }
}

/** Lands the records beyond the source's cursor in one file. Gives whether there were any. */
function landSource(root: string, session: string, source: PlanSource, seq: number, now: Instant): boolean {
  const { kind, stream, batch, src } = source;
  const id = stream || batch;
  const cursorPath = cursorFile(root, session, kind, id);
  const saved = loadAppendCursor(cursorPath, src);
  const cursor = saved.state === 'damaged' ? { ...saved, ord: landedEnd(cursorPath, 0)?.ord ?? 0 } : saved;
  if (source.records.length <= cursor.ord) return false;
  const at = formatTime(now);
  const writer = new LandedWriter({
    seq,
    at,
    kind,
    adapter: MOCK.contract,
    dialect: MOCK.dialect,
    src,
    session,
    ...(stream === '' ? { batch } : { stream }),
  });
  for (const record of withProvenance(source.records).slice(cursor.ord)) writer.add(record);
  writer.publish(landedFolder(root, session, kind, id), formatStamp(now));
  const ord = source.records.length;
  saveCursor(cursorPath, { ...cursor, ord, lastSeq: seq, updatedAt: at, state: 'active' });
  return true;
}

/**
 * Records with their place in a source that has no bytes of its own: each stands for the bytes of its own JSON,
 * with its place set and its digest still empty, and for the newline behind them.
 */
export function withProvenance(records: readonly MockRecord[]): SdRecord[] {
  let off = 0;
  return records.map((record, i) => {
    const place = { ord: i + 1, off };
    const source = asJavaScriptWrites(writeRecord({ ...place, sha: '', bytes: 0, ...record }));
    const bytes = Buffer.byteLength(source);
    off += bytes + 1;
    const sha = createHash('sha256').update(source).digest('hex').slice(0, 12);
    return { ...place, sha, bytes, ...record };
  });
}

/**
 * A record line spells U+2028 and U+2029 as escapes, `JSON.stringify` does not, and the digest is over what it
 * writes. An escaped backslash before `u2028` is text and stays.
 */
function asJavaScriptWrites(line: string): string {
  if (!line.includes('\\u202')) return line;
  return line.replace(/\\(?:u(202[89])|.)/g, (spelled, unit: string | undefined) =>
    unit === undefined ? spelled : String.fromCharCode(Number.parseInt(unit, 16)),
  );
}

/** Adds to the index every landed file above what it holds, also those that an earlier, killed build left out. */
function extendIndex(root: string, session: string, now: Instant): void {
  const stored = loadIndex(root, session);
  const builder = new IndexBuilder(session, stored?.index);
  const missing = listLandedFiles(sessionFolder(root, session)).filter(({ seq }) => seq > builder.lastSeq);
  if (missing.length === 0) return;
  indexLandedFiles(builder, root, missing);
  saveIndex(root, builder.finish(), now);
}
