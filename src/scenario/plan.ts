/**
 * A scenario resolved into the records of a session: one list of events per stream, with times, ids and parents,
 * which both writers spell in their own way (scenario spec 3).
 *
 *     steps: [input: go, call: {text: Done.}]   →   main: s1-input at 0 s · s2-call-f1 at 1 s, its parent s1-input
 */
import type { StreamEvent } from '../adapters/mock/events.js';
import { derivedSessionId } from './ids.js';
import { StepPlanner } from './plan-steps.js';
import { checkpointsOf, DEFAULT_INTERVAL_MS, DEFAULT_PROJECT, FINAL, type Scenario } from './scenario.js';
import { ScenarioError } from './yaml-file.js';

/** One record of a stream. Planning is the same for a lost one; only the writers leave it out. */
export interface PlannedRecord {
  readonly event: StreamEvent;
  readonly lost: boolean;
  /** Written again by a replay. */
  readonly copied: boolean;
  /** The provider's id of the request, of agent output. */
  readonly request?: string;
  /** Why the provider stopped, of a fragment whose last is set. */
  readonly stopReason?: string;
  /** The type of an attachment. */
  readonly attachment?: string;
  /** What an editing tool's own result says of the file. */
  readonly edit?: PlannedEdit;
}

/** Of an editing tool: what its agent writes beside the result. */
export interface PlannedEdit {
  readonly tool: string;
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A change record that a plugin wrote beside a stream. */
export interface PlannedChange {
  /** The tool use it belongs to. */
  readonly id: string;
  readonly time: string;
  /** `changes/1`, as JSON. */
  readonly json: string;
}

export interface PlannedStream {
  readonly id: string;
  /** What people call it; a child's only. */
  readonly label: string | undefined;
  /** The request that started it. */
  readonly tool: string;
  /** The workflow run it belongs to; else empty. */
  readonly batch: string;
  readonly lost: boolean;
  readonly records: PlannedRecord[];
  readonly changes: PlannedChange[];
}

export interface PlannedRun {
  readonly id: string;
  readonly name: string;
  readonly project: string;
  /** Ids of its children, in their order. */
  readonly children: string[];
}

export interface Plan {
  readonly session: string;
  readonly project: string;
  /** The directory the session worked in. */
  readonly cwd: string;
  readonly entrypoint: string;
  /** `main` first, then children in the order they began. */
  readonly streams: readonly PlannedStream[];
  readonly runs: readonly PlannedRun[];
  /** Milliseconds since 1970 of its last record. */
  readonly lastMs: number;
}

export interface PlanOptions {
  /** When the first step happens, in milliseconds since 1970. */
  readonly baseMs: number;
  /** In place of the scenario's interval. */
  readonly intervalMs?: number | undefined;
  /** Multiplies every duration; 0 is 1. */
  readonly scale?: number | undefined;
  /** End after the step with this checkpoint. */
  readonly through?: string | undefined;
  /** In place of the scenario's session id. */
  readonly session?: string | undefined;
}

/** The session id of a scenario: its own, or one derived from it. */
export function sessionOf(scenario: Scenario): string {
  return scenario.session ?? derivedSessionId(scenario);
}

/**
 * Plans a scenario. Plans through later checkpoints begin with the plans through earlier ones. Throws
 * `ScenarioError` for what no single step tells: a checkpoint that is not there, names that cannot be told apart.
 */
export function planScenario(scenario: Scenario, options: PlanOptions): Plan {
  const { title, project = DEFAULT_PROJECT, entrypoint } = scenario;
  const session = options.session ?? sessionOf(scenario);
  const cwd = `/Users/dev/${project.startsWith('-Users-dev-') ? project.slice('-Users-dev-'.length) : project}`;
  const planner = new StepPlanner({
    ...{ session, project, cwd },
    baseMs: options.baseMs,
    intervalMs: options.intervalMs || scenario.intervalMs || DEFAULT_INTERVAL_MS,
    scale: options.scale || 1,
    count: { records: 0 },
  });
  if (title !== undefined) planner.title(title);
  for (const [i, step] of stepsThrough(scenario, options.through).entries()) planner.step(step, i + 1);
  const { streams, runs, lastMs } = planner;
  return { session, project, cwd, entrypoint, streams, runs, lastMs };
}

/** How many records a plan has, lost ones and those beside the streams too. */
export function recordsOf({ streams, runs }: Plan): number {
  const ofStreams = streams.map(({ records, changes, label, batch }) => {
    const sidecar = label !== undefined && batch === '' ? 1 : 0;
    return records.length + changes.length + sidecar;
  });
  // A journal has two lines for each child; a run has a manifest and a script.
  const ofRuns = runs.map(({ children }) => 2 * children.length + 2);
  return [...ofStreams, ...ofRuns].reduce((sum, n) => sum + n, 0);
}

function stepsThrough(scenario: Scenario, through: string | undefined) {
  const { path, steps } = scenario;
  if (through === undefined || through === FINAL) return steps;
  const at = steps.findIndex(({ checkpoint }) => checkpoint === through);
  if (at >= 0) return steps.slice(0, at + 1);
  const known = checkpointsOf(scenario).map((name) => JSON.stringify(name));
  const there = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  throw new ScenarioError(`${path}: no checkpoint named ${JSON.stringify(through)}; ${there}`);
}
