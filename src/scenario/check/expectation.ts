/** What an expectation says must hold, as data (scenario spec 9). An absent value asserts nothing. */
import type { JsonValue } from '../../adapters/mock/data-json.js';
import type { ViewState } from '../../format/view-document.js';

export interface Expectation {
  readonly path: string;
  /** By checkpoint; `final` is the end. */
  readonly checkpoints: ReadonlyMap<string, Block>;
  /** Properties that the file turns on or off; all others are on. */
  readonly properties: ReadonlyMap<string, boolean>;
  readonly maxRoundBytes: number | undefined;
  readonly maxDeltaBytes: number | undefined;
  /** Kinds of file that a push must carry; empty when nothing is said. */
  readonly pushKinds: readonly string[];
}

export type Counts = ReadonlyMap<string, number>;

export interface Block {
  readonly rounds: number | undefined;
  readonly written: boolean | undefined;
  readonly delta: boolean | undefined;
  readonly kinds: Counts;
  readonly talksOn: Counts;
  readonly runsIn: Counts;
  readonly relations: Counts;
  readonly open: number | undefined;
  readonly resolved: number | undefined;
  readonly unresolvedKinds: ReadonlyMap<string, UnresolvedWord>;
  readonly nodes: ReadonlyMap<string, NodeBlock>;
  readonly from: Moment | undefined;
  readonly through: Moment | undefined;
  readonly problems: number | undefined;
  /** Of the document; absent when nothing is said of it. */
  readonly view: ViewBlock | undefined;
  readonly lose: readonly Lose[];
}

export const UNRESOLVED_WORDS = ['open', 'resolved', 'none'] as const;
export type UnresolvedWord = (typeof UNRESOLVED_WORDS)[number];

export interface NodeBlock {
  /** Asserts that there is no such node, and nothing else. */
  readonly absent: boolean;
  readonly kind: string | undefined;
  readonly parent: string | undefined;
  readonly stream: string | undefined;
  readonly refs: number | undefined;
  readonly revision: number | undefined;
  /** `null`: the attribute is not there. */
  readonly attrs: Readonly<Record<string, JsonValue>>;
}

/** What must hold of the document of the conversation (scenario spec 9.2). */
export interface ViewBlock {
  readonly state: ViewState | undefined;
  readonly talks: number | undefined;
  readonly steps: number | undefined;
  readonly rounds: number | undefined;
  /** Landed files and rounds. */
  readonly files: number | undefined;
  readonly problems: number | undefined;
  readonly firstTalk: FirstTalk;
  /** Change records, the files across them, and those that a call is known for. */
  readonly changes: number | undefined;
  readonly changedFiles: number | undefined;
  readonly changesJoined: number | undefined;
  readonly capturedBy: Counts;
  /** Steps by the flags they carry. */
  readonly flags: Counts;
  /** The document is made without the words of steps that carry one of these. */
  readonly hide: readonly string[];
  /** `undefined`: not asserted. Empty: nothing may be withheld. */
  readonly withheld: Counts | undefined;
}

/** The talk that began first. */
export interface FirstTalk {
  readonly label: string | undefined;
  readonly reply: string | undefined;
  readonly runs: number | undefined;
}

export const VIEW_STATES: readonly ViewState[] = ['verified', 'incomplete', 'mismatch'];

/** Who captured what tools did to files: the runtime itself, or a plugin beside it. */
export const CAPTURERS: readonly string[] = ['claude-code', 'asz-plugin'];

/** A time, as a distance from the scenario's beginning. */
export interface Moment {
  readonly ms: number;
  /** As written: `+11.1s`. */
  readonly text: string;
}

/** A landed file that a person deletes from the root. */
export interface Lose {
  /** For messages: `late.expect.yaml:7: checkpoints.final.lose[0]`. */
  readonly where: string;
  readonly stream: string;
  readonly run: string;
  /** The first part of the file's name; empty for any. */
  readonly kind: string;
  /** From 1, among those still there. */
  readonly nth: number;
}

/** Properties that no file can set off. */
export const ALWAYS_HELD: readonly string[] = ['unchanged_writes_nothing'];

/** Kinds of node that a fold can hold. */
export const NODE_KINDS: readonly string[] = [
  'session',
  'stream',
  'epoch',
  'segment',
  'talk',
  'run',
  'llm.call',
  'tool',
  'agent.call',
  'agent.output',
  'agent.launch_ack',
  'message.assistant',
  'message.synthetic',
  'message.external',
  'thinking',
  'context.injection',
  'runtime.notification',
  'epoch.boundary',
  'epoch.summary',
  'error.api',
  'turn.duration',
  'control.command',
  'control.notice',
  'control.interrupt',
  'control.permission',
];

export const RELATION_TYPES: readonly string[] = [
  'starts',
  'reports',
  'ends_with',
  'result_of',
  'follows',
  'summarizes',
  'in_segment',
  'retries',
  'cancels',
  'input_of',
];

export const UNRESOLVED_KINDS: readonly string[] = [
  'tool_use',
  'tool_result',
  'child_stream',
  'notified_child',
  'spawn_call',
  'spawn_of_child',
  'epoch_continuation',
];
