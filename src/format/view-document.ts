/**
 * A document as a value, `asz.view` 1.x (docs/format-view.md), for all who write one or read one: types only. A key
 * that a node leaves out is `undefined` here; a count or a time nobody knows is never read as zero.
 */

/** Unix milliseconds; 0 means that nobody observed one. */
export type Ms = number;

/** Where a landed record lies: file, record from 1, part from 0. */
export interface Ref {
  readonly seq: number;
  readonly row: number;
  readonly block?: number;
}

export interface ViewDocument {
  readonly format: string;
  readonly version: string;
  readonly conversation: string;
  readonly sessions: readonly string[];
  readonly head: { readonly round: number; readonly digest: string };
  readonly parser: string;
  readonly policy: string;
  readonly summary: Summary;
  readonly rounds: readonly Round[];
  readonly files: readonly EvidenceFile[];
  readonly streams: readonly Stream[];
  readonly segments: readonly Segment[];
  readonly talks: readonly ViewNode[];
  readonly loose: readonly ViewNode[];
  readonly relations: readonly Relation[];
  readonly unresolved: readonly Unresolved[];
  readonly workspace_changes: readonly WorkspaceChange[];
}

export type ViewState = 'verified' | 'incomplete' | 'mismatch';

export interface Summary {
  readonly title: string;
  readonly state: ViewState;
  readonly problems: readonly string[];
  readonly talks: number;
  readonly steps: number;
  readonly streams: number;
  readonly segments: number;
  readonly rounds: number;
  readonly unresolved: number;
  readonly changes: number;
  readonly from: Ms;
  readonly to: Ms;
  readonly kinds: Readonly<Record<string, number>>;
  readonly relation_types: Readonly<Record<string, number>>;
  readonly quality: Readonly<Record<string, number>>;
  readonly withheld: Readonly<Record<string, number>>;
}

export interface Round {
  readonly round: number;
  readonly digest: string;
  readonly previous: string | null;
  readonly from_seq: number;
  readonly through_seq: number;
  readonly input_digest: string;
  readonly from_time: Ms | null;
  readonly through_time: Ms | null;
  readonly verified: boolean;
}

export interface EvidenceFile {
  readonly file: string;
  readonly format: 'sd' | 'sf';
  readonly kind: string;
  readonly seq: number | null;
  readonly round: number | null;
  readonly stream: string | null;
  readonly run: string | null;
  readonly lines: number;
  readonly bytes: number;
  readonly digest: string;
  readonly from_time: Ms | null;
  readonly through_time: Ms | null;
}

/** A step that may have opened a stream: exactly one, or all that the evidence leaves. */
export interface Origin {
  readonly step: string;
  readonly stream: string;
  readonly talk: string;
  readonly quality: string;
}

export interface Stream {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly label: string;
  /** Stream of the step that started it; empty when there is none. */
  readonly parent: string;
  readonly records: number;
  readonly steps: number;
  /** Its first talk; empty when it has none. */
  readonly talk: string;
  /** `journal` when its label comes from one; else empty. */
  readonly named_by: '' | 'journal';
  readonly opened_by: readonly Origin[];
}

export interface Segment {
  readonly id: string;
  /** How many talks are in it. */
  readonly talks: number;
  /** 0 when no talk in it has a time. */
  readonly from: Ms;
  readonly to: Ms;
}

/** One entry of a node's edges; `dir` is `out` when the node is the relation's `from`. */
export interface Edge {
  readonly type: string;
  readonly other: string;
  readonly dir: 'in' | 'out';
  readonly quality: string;
  readonly via?: string;
}

/** Tokens of one call; a part that is left out was zero. */
export interface Usage {
  readonly in?: number;
  readonly out?: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
}

export interface Dropped {
  readonly what: string;
  readonly bytes: number;
  readonly why?: string;
}

/** A talk, a run or a step. */
export interface ViewNode {
  readonly id: string;
  readonly kind: string;
  readonly at: Ms;
  readonly parent?: string;
  readonly stream?: string;
  readonly ref?: Ref;
  readonly refs?: readonly Ref[];
  readonly attrs?: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly state?: string;
  readonly bytes?: number;
  readonly usage?: Usage;
  readonly flags?: readonly string[];
  readonly dropped?: readonly Dropped[];
  readonly label?: string;
  readonly reply?: string;
  readonly runs?: number;
  readonly steps?: number;
  readonly tools?: number;
  readonly from?: Ms;
  readonly to?: Ms;
  readonly child?: boolean;
  readonly segment?: string;
  readonly name?: string;
  readonly failed?: boolean;
  readonly result?: string;
  readonly result_state?: string;
  readonly result_bytes?: number;
  readonly request_to_result_ms?: number;
  readonly request_to_result_join?: string;
  readonly duration_ms?: number;
  readonly duration_measured_by?: string;
  readonly changes?: readonly string[];
  readonly children?: readonly ViewNode[];
  readonly edges?: readonly Edge[];
}

export interface Relation {
  readonly id: string;
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly quality: string;
  readonly via?: string;
  readonly evidence?: readonly Ref[];
}

export interface Unresolved {
  readonly id: string;
  readonly kind: string;
  readonly ref: string;
  readonly reason: string;
  readonly state: string;
}

/** A `changes/1` record with the step it belongs to (`""`: none); members it does not have are `undefined`. */
export interface WorkspaceChange {
  readonly step: string;
  readonly ref: Ref;
  readonly id?: string;
  readonly captured_by?: string;
  readonly tool_name?: string;
  readonly time?: string;
  readonly root?: { readonly path?: string };
  readonly outcome?: { readonly state?: string; readonly exit_code?: number };
  readonly coverage?: string;
  readonly changes?: readonly FileChange[];
}

export interface FileChange {
  readonly path?: string;
  readonly operation?: string;
  readonly diff?: string;
  readonly additions?: number;
  readonly deletions?: number;
  readonly hunks?: readonly Hunk[];
}

export interface Hunk {
  readonly old_start: number;
  readonly old_lines: number;
  readonly new_start: number;
  readonly new_lines: number;
  readonly lines: readonly string[];
}
