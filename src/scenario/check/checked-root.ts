/** A root that a check builds, collects and parses, with its clock fixed. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CLAUDE_CODE } from '../../adapters/claude-code/claude-code.js';
import type { Instant } from '../../format/time.js';
import { listLandedFiles, sessionFolder } from '../../io/storage-root.js';
import { CollectorMemory, collectRoot, DEFAULT_MAX_DELTA_BYTES } from '../../landing/collect-root.js';
import { indexSink } from '../../landing/index-sink.js';
import type { PassTally } from '../../landing/pass-tally.js';
import { DEFAULT_MAX_ROUND_BYTES } from '../../rounds/next-round.js';
import { type ParseReport, parseSession } from '../../rounds/parse-session.js';
import { foldChain } from '../../rounds/read-chain.js';
import { buildSession, type Format } from '../build.js';
import type { Plan } from '../plan.js';
import type { Scenario } from '../scenario.js';
import { SOURCE_FOLDER } from '../write-claude-code.js';
import { FoldView } from './fold-view.js';

export interface CheckedOptions {
  readonly format: Format;
  readonly root: string;
  readonly session: string;
  readonly at: Instant;
  readonly intervalMs?: number | undefined;
  readonly scale?: number | undefined;
  readonly maxRoundBytes?: number | undefined;
  readonly maxDeltaBytes?: number | undefined;
}

export class CheckedRoot {
  readonly options: CheckedOptions;

  constructor(options: CheckedOptions) {
    this.options = options;
  }

  get root(): string {
    return this.options.root;
  }

  get session(): string {
    return this.options.session;
  }

  get sourceRoot(): string {
    return join(this.root, SOURCE_FOLDER);
  }

  /** Another root of the same kind. */
  beside(suffix: string): CheckedRoot {
    return new CheckedRoot({ ...this.options, root: `${this.root}-${suffix}` });
  }

  build(scenario: Scenario, through?: string): Plan {
    return buildSession(scenario, { ...this.options, through }).plan;
  }

  /** Lands what the sources hold. */
  collect(): Promise<PassTally> {
    const { root, at, maxDeltaBytes } = this.options;
    return collectRoot({
      ...{ adapter: CLAUDE_CODE, sourceRoot: this.sourceRoot, storageRoot: root },
      filter: { include: [], exclude: [] },
      maxDeltaBytes: maxDeltaBytes ?? DEFAULT_MAX_DELTA_BYTES,
      ...{ index: indexSink(root), now: () => at, memory: new CollectorMemory() },
    });
  }

  /** Parses until the chain has reached its index. Gives the last report, and whether any wrote a round. */
  async parse(): Promise<ParseReport> {
    const { root, session, at, maxRoundBytes } = this.options;
    const reports = await parseSession(root, session, {
      maxBytes: maxRoundBytes ?? DEFAULT_MAX_ROUND_BYTES,
      now: () => at,
    });
    return reports.at(-1)!;
  }

  fold(): FoldView {
    return new FoldView(foldChain(this.root, this.session));
  }

  /** The whole root, copied. */
  copyTo(other: CheckedRoot): void {
    cpSync(this.root, other.root, { recursive: true });
  }

  /** Its landed files, copied into an empty root. */
  copyEvidenceTo(other: CheckedRoot): void {
    for (const { path } of listLandedFiles(sessionFolder(this.root, this.session))) {
      const copy = join(other.root, relative(this.root, path));
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(path, copy);
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Works in a root of its own, which is removed again. */
export async function inRoot<T>(root: CheckedRoot, work: (root: CheckedRoot) => Promise<T>): Promise<T> {
  root.remove();
  try {
    return await work(root);
  } finally {
    root.remove();
  }
}
