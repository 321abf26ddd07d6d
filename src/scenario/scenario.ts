/**
 * A scenario as data: what took place in one session, in the words of the conversation model (docs/scenarios.md).
 * Durations are milliseconds, possibly with a fraction. Nothing here knows YAML, clocks or files.
 */
import type { JsonValue } from '../adapters/mock/data-json.js';

export interface Scenario {
  /** Where it was read, for messages. */
  readonly path: string;
  /** Absent: derived from what the scenario says. */
  readonly session: string | undefined;
  /** Where the file names it, for messages: `late.yaml:2`. */
  readonly sessionWhere: string;
  /** As written; absent: `DEFAULT_PROJECT`. */
  readonly project: string | undefined;
  readonly title: string | undefined;
  /** 0 means the default. */
  readonly intervalMs: number;
  /** Who started the session: `cli` when it was a person, `sdk-cli` for a headless run. */
  readonly entrypoint: string;
  /** The file says that no expectation belongs to it. */
  readonly expectsNothing: boolean;
  readonly steps: readonly Step[];
}

export const DEFAULT_PROJECT = '-Users-dev-scenario';
export const DEFAULT_INTERVAL_MS = 1000;
export const HEADLESS = 'sdk-cli';

/** What every step has, whatever it is. */
export interface StepPlace {
  /** For messages: `late.yaml:7: steps[3]`. */
  readonly where: string;
  /** Since the step before it in its stream; 0: the interval. */
  readonly afterMs: number;
  /** How much earlier than it was written its record is stamped. */
  readonly backdatedMs: number;
  readonly checkpoint: string | undefined;
  /** The original file does not hold what this step wrote. */
  readonly lost: boolean;
}

export type Step = StepPlace & StepKind;

export type StepKind =
  | { readonly kind: 'input'; readonly text: string }
  | { readonly kind: 'queued'; readonly text: string; readonly mode: string }
  | { readonly kind: 'inject'; readonly type: string; readonly text: string }
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'result'; readonly of: string; readonly result: ToolResult }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'reset'; readonly summary: string }
  | { readonly kind: 'replay'; readonly records: number }
  | { readonly kind: 'system'; readonly subtype: string; readonly fields: Fields };

/** A free mapping of the file. */
export type Fields = Readonly<Record<string, JsonValue>>;

/** One provider call, in fragments: reasoning, text, a request. */
export interface Call {
  /** Empty: without text; the provider kept it. */
  readonly thinking: string | undefined;
  readonly text: string | undefined;
  readonly request: Request | undefined;
  readonly usage: Usage;
  /** Which fragments carry a stop reason. */
  readonly finished: 'last' | 'every' | 'none';
  /** No fragment names the call. */
  readonly unnamed: boolean;
}

export interface Usage {
  readonly in: number;
  readonly out: number;
  readonly cache_read: number;
  readonly cache_write: number;
}

export type Request = ToolRequest | AgentRequest | SkillRequest | WorkflowRequest;

export interface ToolRequest {
  readonly is: 'tool';
  /** Absent: the step's id and `-tool`. */
  readonly id: string | undefined;
  readonly name: string;
  readonly input: Fields;
  /** Absent: the tool never answered. */
  readonly result: ToolResult | undefined;
  readonly changes: readonly FileChange[];
}

export interface ToolResult {
  readonly text: string;
  readonly afterMs: number;
  readonly failed: boolean;
  /** The runtime wrote a string where it writes an object elsewhere. */
  readonly bareString: boolean;
  readonly lost: boolean;
}

/** A file before and after; an absent side did not exist. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What every stream that a call starts has. */
export interface Child {
  readonly steps: readonly Step[];
  /** The stream lands nothing. */
  readonly lost: boolean;
  /** Its prompt is written under the run that its parent is in. */
  readonly inRunOfParent: boolean;
}

/** A child in the background. */
export interface AgentRequest extends Child {
  readonly is: 'agent';
  readonly name: string;
  readonly prompt: string | undefined;
  readonly afterMs: number;
  readonly notify: boolean;
}

/** A fork: a child that answers the call. */
export interface SkillRequest extends Child {
  readonly is: 'skill';
  readonly name: string;
  readonly agent: string;
}

/** A batch of children. */
export interface WorkflowRequest {
  readonly is: 'workflow';
  readonly name: string;
  readonly children: readonly WorkflowChild[];
  /** The project whose folder holds the script, when it is another. */
  readonly scriptProject: string | undefined;
}

export interface WorkflowChild extends Child {
  readonly name: string;
  readonly prompt: string | undefined;
}

/** Names of the checkpoints, in their order; the end of the scenario is not among them. */
export function checkpointsOf({ steps }: Scenario): string[] {
  return steps.flatMap(({ checkpoint }) => (checkpoint === undefined ? [] : [checkpoint]));
}

/** The word for the end of a scenario. */
export const FINAL = 'final';
