/**
 * What an agent's adapter gives to the rest. Landing, the commands and the exports know adapters through this
 * file alone: a new agent is one folder that fulfils it and one line in `registry.ts` (docs/adapters.md).
 *
 * An adapter finds files and translates their units. It never writes, keeps no state between units, and takes
 * no clock: sequence numbers, cursors, locks and budgets belong to `src/landing`.
 */
import type { SdRecord } from '../format/session-data.js';

/** Who an adapter is, and what its agent calls things. An adapter of records that nobody collects is no more. */
export interface Adapter {
  /** Its name in the configuration. */
  readonly name: string;
  /** The header's `adapter`: `<name>/<contract version>`. */
  readonly contract: string;
  /** The header's `dialect`: which translation made the records. */
  readonly dialect: string;
  /** What people call the agent; the default service name of a push. */
  readonly runtime: string;
  /** What the agent calls the model's words, sorted by the model's. */
  readonly glossary: readonly GlossaryRow[];
}

/** An adapter whose agent leaves files behind. */
export interface CollectingAdapter extends Adapter {
  /** What its messages begin with. */
  readonly messagePrefix: string;
  /** Where the agent keeps its files when nobody says otherwise. */
  defaultSourceRoot(environment: NodeJS.ProcessEnv, home: string): string;
  /**
   * Every session below a source root, by id, each with its sources in landing order: this order decides the
   * sequence numbers. Throws when the root itself cannot be read; a fault below it is one of `faults`.
   * Cost: one listing per directory and one stat per link; no file is opened.
   */
  discover(sourceRoot: string): Discovery;
  /** Whether a directory name has the shape of this agent's session ids. */
  isSessionId(name: string): boolean;
  /**
   * The source that a relative path would be, judged by its name alone, or `undefined` for a path this adapter
   * never collects. Used to tell this adapter's cursors from others' once the file is gone.
   */
  locate(relativePath: string): SourceLocation | undefined;
  /** A filter from the configuration's patterns. */
  sessionFilter(patterns: FilterPatterns): SessionFilter;
  /**
   * Translates one unit into the one record it lands as, its texts well-formed. Pure, and total for lines.
   * Throws `FormatError` only for a snapshot that cannot land as it stands: it is tried again in the next pass.
   */
  convert(unit: SourceUnit): SdRecord;
}

/** Whether an adapter collects files. */
export function collects(adapter: Adapter): adapter is CollectingAdapter {
  return 'discover' in adapter;
}

/** Kinds of landed file a collector writes (dialect spec 1.2). */
export type LandedKind = 'transcript' | 'agent_meta' | 'journal' | 'workflow_manifest' | 'workflow_script';

/** One file of an agent. */
export interface Source {
  /** Relative to the source root, with `/`; it becomes the header's `src`. */
  readonly relativePath: string;
  readonly kind: LandedKind;
  /** The stream it belongs to, or the empty string. One of `stream` and `batch` is always set. */
  readonly stream: string;
  /** The run it belongs to, or the empty string. */
  readonly batch: string;
  /** `append`: lines are added at its end. `snapshot`: it is one document that may be rewritten. */
  readonly growth: 'append' | 'snapshot';
}

export interface DiscoveredSession {
  readonly id: string;
  /** The directory of its main transcript, or the empty string when that is gone. */
  readonly primary: string;
  /** Directories below the source root that gave at least one source. */
  readonly directories: readonly string[];
  readonly sources: readonly Source[];
}

export interface Discovery {
  readonly sessions: readonly DiscoveredSession[];
  /** Directories that could not be read: errors of the pass, and a reason not to look for lost sessions. */
  readonly faults: readonly Error[];
  /** Relative paths of files that look like this agent's evidence and are not collected. Named once, no error. */
  readonly passedOver: readonly string[];
}

export interface SourceLocation {
  readonly session: string;
  readonly directory: string;
  /** It is the session's main transcript: its directory is the session's primary one. */
  readonly isMain: boolean;
  readonly source: Source;
}

/** Patterns as the configuration gives them. No include pattern means every session. */
export interface FilterPatterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Whether a session with these directories is to be collected. */
export type SessionFilter = (session: Pick<DiscoveredSession, 'primary' | 'directories'>) => boolean;

/** A line without its newline, or a whole document without the newlines at its end. */
export interface SourceUnit {
  readonly session: string;
  readonly source: Pick<Source, 'kind' | 'stream' | 'batch'>;
  readonly raw: Buffer;
  /** Provenance, copied into the record as it is (dialect spec 1.3). */
  readonly ord: number;
  readonly off: number;
  readonly sha: string;
}

/** One row of a dialect's glossary. */
export interface GlossaryRow {
  /** The model's word. */
  readonly unified: string;
  /** The agent's word, or the empty string when the project derives it. */
  readonly native: string;
  /** Where the agent writes it. */
  readonly where: string;
  readonly note?: string;
}
