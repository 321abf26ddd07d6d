/** What a pass over a source root did, counted as it goes (dialect spec 4.10). */
export interface PassTally {
  sessions: number;
  sources: number;
  /** Sources that gave new data. */
  landed: number;
  records: number;
  /** Source bytes. */
  bytes: number;
  /** Sources found deleted in this pass. */
  gone: number;
  /** Sources that were not collected because of a conflict: those that stopped, and second ones of one name. */
  conflicts: number;
  /** Those of them that were rewritten behind their cursor, now or earlier. Only a person can let them go on. */
  readonly stopped: StoppedSource[];
  /** Sessions that another process held. */
  readonly busy: string[];
  /** Sources with more data than one pass takes. */
  pending: number;
  indexed: number;
  /** Records an index had missed, and got now. */
  reindexed: number;
  readonly errors: Error[];
  /** For people; no reason to exit with 1. Each is given once per process. */
  readonly warnings: string[];
  /** Ids of sessions whose index changed: a parse has something to do. */
  readonly changed: string[];
}

/** A source whose collection stopped, and the cursor that says so. */
export interface StoppedSource {
  readonly relativePath: string;
  readonly cursor: string;
}

export function emptyTally(): PassTally {
  return {
    ...{ sessions: 0, sources: 0, landed: 0, records: 0, bytes: 0, gone: 0, conflicts: 0 },
    ...{ pending: 0, indexed: 0, reindexed: 0, errors: [], warnings: [], changed: [], stopped: [], busy: [] },
  };
}

/** Whether the pass took all there was. A busy session does not count against it: its holder takes it. */
export function isComplete({ pending, conflicts, errors }: PassTally): boolean {
  return pending === 0 && conflicts === 0 && errors.length === 0;
}

/** Adds what a session tallied to what its pass did. */
export function addTally(pass: PassTally, session: PassTally): void {
  for (const count of COUNTS) pass[count] += session[count];
  pass.errors.push(...session.errors);
  pass.warnings.push(...session.warnings);
  pass.changed.push(...session.changed);
  pass.stopped.push(...session.stopped);
  pass.busy.push(...session.busy);
}

const COUNTS = [
  ...(['sessions', 'sources', 'landed', 'records', 'bytes', 'gone', 'conflicts'] as const),
  ...(['pending', 'indexed', 'reindexed'] as const),
];
