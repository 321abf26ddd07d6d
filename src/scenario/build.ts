/** What a scenario leaves on disk, in one of two formats (scenario spec 5, 6). */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Instant } from '../format/time.js';
import { isPathSegment } from '../io/path-segment.js';
import { isUuid } from './ids.js';
import { type Plan, type PlanOptions, planScenario } from './plan.js';
import { writeConfiguration } from './root-configuration.js';
import type { Scenario } from './scenario.js';
import { makeSourceFolders, writeClaudeCode } from './write-claude-code.js';
import { writeSessionData } from './write-session-data.js';
import { listed, ScenarioError } from './yaml-file.js';

/** `claude-code`: the agent's own files, to be collected. `sd`: landed files, as if they had been. */
export const FORMATS = ['claude-code', 'sd'] as const;
export type Format = (typeof FORMATS)[number];

/** `offered`: the names a caller takes, for the message. Throws `ScenarioError`. */
export function formatNamed(name: string, offered: readonly string[] = FORMATS): Format {
  const format = FORMATS.find((known) => known === name);
  if (format === undefined)
    throw new ScenarioError(`unknown format ${JSON.stringify(name)}; use ${listed(offered)}`);
  return format;
}

export interface BuildOptions extends Omit<PlanOptions, 'baseMs'> {
  readonly format: Format;
  /** The storage root to be; made when it is not there. */
  readonly root: string;
  /** When the session begins and, in `sd`, when it lands. */
  readonly at: Instant;
  readonly maxDeltaBytes?: number | undefined;
}

export interface Built {
  readonly plan: Plan;
  readonly configuration: string;
  /** Absolute paths of everything written, the configuration included, unsorted. */
  readonly files: readonly string[];
}

/** Throws `ScenarioError` for a session id that no build, or none in this format, can have. */
export function checkSession({ sessionWhere }: Scenario, session: string, format: Format): void {
  const named = `${sessionWhere}: session ${JSON.stringify(session)}`;
  // The file's own can; counted up for a repeated build it is longer.
  if (!isPathSegment(session))
    throw new ScenarioError(`${named}, counted up, cannot name a directory; shorten it`);
  // Claude Code would never give another id, and discovery passes over it.
  if (format === 'claude-code' && !isUuid(session))
    throw new ScenarioError(
      `${named} is not a UUID, so no collector would find it; give it one, or use --format sd`,
    );
}

/**
 * Builds one session. A build through a later checkpoint into the same root adds what is new. The same arguments
 * write the same bytes. Throws `ScenarioError`, and as landing does.
 */
export function buildSession(scenario: Scenario, options: BuildOptions): Built {
  const { format, at, maxDeltaBytes } = options;
  const root = resolve(options.root);
  const plan = planScenario(scenario, { ...options, baseMs: at.ms });
  checkSession(scenario, plan.session, format);
  mkdirSync(root, { recursive: true });
  const configuration = writeConfiguration(root, maxDeltaBytes);
  makeSourceFolders(root);
  const files = format === 'sd' ? writeSessionData(root, plan, at) : writeClaudeCode(root, plan);
  return { plan, configuration, files: [...files, configuration] };
}
