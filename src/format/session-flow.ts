/**
 * Session Flow, `sf/1`: the frames of a round as types, and its header and commit as text. A round is one header, then
 * nodes, relations and unresolved entries, each group sorted by id, then one commit. A frame a line:
 *
 *     {"t":"header","schema":"sf/1","conversation":"s1","session":"s1","round":1,"from_seq":1,"through_seq":2,…}
 *     {"t":"node","id":"tool/t1","revision":1,"kind":"tool","parent":"call/m1","stream":"main","ref":{"seq":1,"row":2,"block":0},"attrs":{"name":"Bash"}}
 *     {"t":"relation","id":"rel/starts/tool_t1/stream_x","revision":1,"type":"starts","from":"tool/t1","to":"stream/x","quality":"exact_unique","evidence":[{"seq":2,"row":1}]}
 *     {"t":"unresolved","id":"unres/tool_result/t1","revision":1,"kind":"tool_result","ref":"t1","reason":"…","state":"open"}
 *     {"t":"commit","digest":"4d3d…","counts":{"nodes":1,"relations":1,"unresolved":1}}
 *
 * Source: seeds, "Session Flow"; storage spec 3.2 to 3.4.
 */

import { FormatError } from './errors.js';
import { escapeForHtml } from './json-text.js';

export const SF_SCHEMA = 'sf/1';

/** A reference into the landed data. `block` 0 is a block; no block is `undefined`. */
export interface Ref {
  readonly seq: number;
  readonly row: number;
  readonly block?: number;
}

export type AttributeValue = string | number | boolean | null | Attributes | readonly AttributeValue[];
export interface Attributes {
  readonly [name: string]: AttributeValue;
}

/** A node. Keys in written order; empty ones are left out. */
export interface Node {
  readonly id: string;
  readonly kind: string;
  readonly parent?: string | undefined;
  readonly stream?: string | undefined;
  readonly ref?: Ref | undefined;
  readonly refs?: readonly Ref[];
  /** Any JSON when read; a mapping when written. Key order does not matter: it is sorted when written. */
  readonly attrs?: AttributeValue;
}

/** A relation. All but `via` and `evidence` are always written. */
export interface Relation {
  readonly id: string;
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly quality: string;
  readonly via?: string;
  readonly evidence?: readonly Ref[];
}

export type UnresolvedState = 'open' | 'resolved' | 'terminal';

/** An unresolved reference. `kind` and `state` are always written. */
export interface Unresolved {
  readonly id: string;
  readonly kind: string;
  readonly ref?: string;
  readonly reason?: string;
  readonly state: UnresolvedState;
}

export const GROUPS = ['node', 'relation', 'unresolved'] as const;
export type Group = (typeof GROUPS)[number];

/**
 * What a node or an unresolved entry counts as in a header, as bits (storage spec 3.5). The order is that of
 * `HeaderCounts`.
 */
export const TALLY = {
  talks: 1,
  steps: 2,
  streams: 4,
  segments: 8,
  unresolved: 16,
  llm_calls: 32,
  subagents: 64,
  bash_runs: 128,
} as const;

const NO_STEPS = new Set(['conversation', 'segment', 'session', 'stream', 'epoch', 'talk', 'run']);

/** What a node counts as, in bits of `TALLY`. */
export function tallyOf(kind: string, attrs: AttributeValue | undefined): number {
  return tallyOfKind(kind, attribute(attrs, 'name') === 'Bash', attribute(attrs, 'role') === 'child');
}

/** As `tallyOf`, from the two things of its attributes that matter: its name is `Bash`, its role `child`. */
export function tallyOfKind(kind: string, isBash: boolean, isChild: boolean): number {
  const steps = NO_STEPS.has(kind) ? 0 : TALLY.steps;
  switch (kind) {
    case 'talk':
      return TALLY.talks;
    case 'segment':
      return TALLY.segments;
    case 'stream':
      return TALLY.streams | (isChild ? TALLY.subagents : 0);
    case 'llm.call':
      return steps | TALLY.llm_calls;
    case 'tool':
    case 'agent.call':
      return steps | (isBash ? TALLY.bash_runs : 0);
    default:
      return steps;
  }
}

function attribute(attrs: AttributeValue | undefined, name: string): unknown {
  if (typeof attrs !== 'object' || attrs === null || Array.isArray(attrs)) return undefined;
  return Object.hasOwn(attrs, name) ? (attrs as Attributes)[name] : undefined;
}

/** A header. The six counts from `changes` on are unknown, not zero, in rounds of older parsers. */
export interface Header {
  readonly conversation: string;
  readonly session: string;
  readonly round: number;
  readonly previous?: string | undefined;
  readonly from_seq: number;
  readonly through_seq: number;
  readonly input_digest: string;
  readonly parser: string;
  readonly policy: string;
  readonly from_time?: string | undefined;
  readonly through_time?: string | undefined;
  readonly session_from_time?: string | undefined;
  readonly session_through_time?: string | undefined;
  readonly title?: string | undefined;
  readonly talks: number;
  readonly steps: number;
  readonly streams: number;
  readonly segments: number;
  readonly unresolved: number;
  readonly changes?: number | undefined;
  readonly lines_added?: number | undefined;
  readonly lines_removed?: number | undefined;
  readonly llm_calls?: number | undefined;
  readonly subagents?: number | undefined;
  readonly bash_runs?: number | undefined;
}

/** The header line, without its newline. Throws `FormatError` for a header a reader would refuse. */
export function headerLine(h: Header): string {
  checkHeader(SF_SCHEMA, h);
  const ordered = {
    t: 'header',
    schema: SF_SCHEMA,
    conversation: h.conversation,
    session: h.session,
    round: h.round,
    previous: h.previous || undefined,
    from_seq: h.from_seq,
    through_seq: h.through_seq,
    input_digest: h.input_digest,
    parser: h.parser,
    policy: h.policy,
    from_time: h.from_time || undefined,
    through_time: h.through_time || undefined,
    session_from_time: h.session_from_time || undefined,
    session_through_time: h.session_through_time || undefined,
    title: h.title || undefined,
    talks: h.talks,
    steps: h.steps,
    streams: h.streams,
    segments: h.segments,
    unresolved: h.unresolved,
    changes: h.changes,
    lines_added: h.lines_added,
    lines_removed: h.lines_removed,
    llm_calls: h.llm_calls,
    subagents: h.subagents,
    bash_runs: h.bash_runs,
  };
  return escapeForHtml(JSON.stringify(ordered));
}

/** Number of frames of each group in a round. */
export interface FrameCounts {
  readonly nodes: number;
  readonly relations: number;
  readonly unresolved: number;
}

/** The commit line, without its newline. `digest`: SHA-256 of every byte before it, lower-case hex. */
export function commitLine(digest: string, { nodes, relations, unresolved }: FrameCounts): string {
  return `{"t":"commit","digest":"${digest}","counts":{"nodes":${nodes},"relations":${relations},"unresolved":${unresolved}}}`;
}

/** The header's own rules, first broken one thrown as `FormatError` (storage spec 4). */
function checkHeader(schema: string, h: Header): void {
  const broken = brokenHeaderRule(schema, h);
  if (broken !== undefined) throw new FormatError(`sessionflow: ${broken}`);
}

/** Which of the header's own rules is broken first, in words; `undefined` for none. */
export function brokenHeaderRule(schema: string, h: Header): string | undefined {
  if (schema !== SF_SCHEMA) return `unsupported schema ${JSON.stringify(schema)}, want "${SF_SCHEMA}"`;
  if (h.conversation === '') return 'header missing conversation';
  if (h.session === '') return 'header missing session';
  if (h.round < 1) return 'round must count from 1';
  if (h.round > 1 && !h.previous)
    return `round ${h.round} has no previous digest; the chain would be unverifiable`;
  if (h.round === 1 && h.previous) return 'round 1 must not name a previous digest';
  if (h.parser === '') return 'header missing parser version';
  if (h.policy === '') return 'header missing policy version';
  if (h.input_digest === '') return 'header missing input digest';
  if (h.from_seq < 1) return 'landed sequences count from 1, so from_seq must not be 0';
  if (h.through_seq < h.from_seq - 1)
    return `round ${h.round} consumes sequences ${h.from_seq}..${h.through_seq}, which is not a range`;
  return undefined;
}
