/**
 * Session Flow, `sf/1`: the frames of a round, as types and as canonical bytes. A round is one header, then
 * nodes, relations and unresolved entries, each group sorted by id, then one commit. A frame a line:
 *
 *     {"t":"header","schema":"sf/1","conversation":"s1","session":"s1","round":1,"from_seq":1,"through_seq":2,…}
 *     {"t":"node","id":"tool/t1","revision":1,"kind":"tool","parent":"call/m1","stream":"main","ref":{"seq":1,"row":2,"block":0},"attrs":{"name":"Bash"}}
 *     {"t":"relation","id":"rel/starts/tool_t1/stream_x","revision":1,"type":"starts","from":"tool/t1","to":"stream/x","quality":"exact_unique","evidence":[{"seq":2,"row":1}]}
 *     {"t":"unresolved","id":"unres/tool_result/t1","revision":1,"kind":"tool_result","ref":"t1","reason":"…","state":"open"}
 *     {"t":"commit","digest":"4d3d…","counts":{"nodes":1,"relations":1,"unresolved":1}}
 *
 * What follows the revision is an entity's *tail*. Two entities are equal when their tails are the same text,
 * so each entity is serialised once, compared as text, and written from the same text.
 * Source: seeds, "Session Flow"; storage spec 3.2 to 3.4.
 */

import { FormatError } from './errors.js';
import { compareCodePoints, escapeForHtml } from './json-text.js';

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

/** One entity ready to be compared and written. */
export interface Entity {
  readonly group: Group;
  readonly id: string;
  /** Canonical JSON text after the revision, from its comma to the closing brace. */
  readonly tail: string;
  /** What the entity adds to the header's counts: bits of `TALLY`. */
  readonly tally: number;
}

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

export function nodeEntity(node: Node): Entity {
  if (node.id === '') throw new FormatError('sessionflow: node has no id; it could never be superseded');
  let tail = `,"kind":${JSON.stringify(node.kind)}`;
  if (node.parent) tail += `,"parent":${JSON.stringify(node.parent)}`;
  if (node.stream) tail += `,"stream":${JSON.stringify(node.stream)}`;
  if (node.ref !== undefined) tail += `,"ref":${refText(node.ref)}`;
  if (node.refs?.length) tail += `,"refs":${refsText(node.refs)}`;
  if (!isEmptyAttributes(node.attrs)) tail += `,"attrs":${attributesText(node.attrs!)}`;
  return { group: 'node', id: node.id, tail: escapeForHtml(`${tail}}`), tally: tallyOf(node) };
}

export function relationEntity(relation: Relation): Entity {
  if (relation.id === '')
    throw new FormatError('sessionflow: relation has no id; it could never be superseded');
  const { type, from, to, quality, via, evidence } = relation;
  let tail = `,"type":${JSON.stringify(type)},"from":${JSON.stringify(from)},"to":${JSON.stringify(to)}`;
  tail += `,"quality":${JSON.stringify(quality)}`;
  if (via) tail += `,"via":${JSON.stringify(via)}`;
  if (evidence?.length) tail += `,"evidence":${refsText(evidence)}`;
  return { group: 'relation', id: relation.id, tail: escapeForHtml(`${tail}}`), tally: 0 };
}

export function unresolvedEntity(entry: Unresolved): Entity {
  if (entry.id === '')
    throw new FormatError('sessionflow: unresolved entry has no id; it could never be resolved');
  let tail = `,"kind":${JSON.stringify(entry.kind)}`;
  if (entry.ref) tail += `,"ref":${JSON.stringify(entry.ref)}`;
  if (entry.reason) tail += `,"reason":${JSON.stringify(entry.reason)}`;
  tail += `,"state":${JSON.stringify(entry.state)}}`;
  const tally = entry.state === 'open' ? TALLY.unresolved : 0;
  return { group: 'unresolved', id: entry.id, tail: escapeForHtml(tail), tally };
}

/** The frame that removes a node or relation: it carries no content, but its always-present keys stay. */
export function tombstone(group: 'node' | 'relation', id: string): Entity {
  const keys = group === 'node' ? '"kind":""' : '"type":"","from":"","to":"","quality":""';
  return { group, id, tail: `,"tombstone":true,${keys}}`, tally: 0 };
}

/** The line of an entity in a round, without its newline. */
export function frameLine(entity: Entity, round: number): string {
  return `{"t":"${entity.group}","id":${escapeForHtml(JSON.stringify(entity.id))},"revision":${round}${entity.tail}`;
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
export function checkHeader(schema: string, h: Header): void {
  const broken = brokenHeaderRule(schema, h);
  if (broken !== undefined) throw new FormatError(`sessionflow: ${broken}`);
}

function brokenHeaderRule(schema: string, h: Header): string | undefined {
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

function tallyOf({ kind, attrs }: Node): number {
  let tally = NO_STEPS.has(kind) ? 0 : TALLY.steps;
  switch (kind) {
    case 'talk':
      return TALLY.talks;
    case 'segment':
      return TALLY.segments;
    case 'stream':
      return TALLY.streams | (attribute(attrs, 'role') === 'child' ? TALLY.subagents : 0);
    case 'llm.call':
      return tally | TALLY.llm_calls;
    case 'tool':
    case 'agent.call':
      if (attribute(attrs, 'name') === 'Bash') tally |= TALLY.bash_runs;
      return tally;
    default:
      return tally;
  }
}

function attribute(attrs: AttributeValue | undefined, name: string): unknown {
  if (typeof attrs !== 'object' || attrs === null || Array.isArray(attrs)) return undefined;
  return Object.hasOwn(attrs, name) ? (attrs as Attributes)[name] : undefined;
}

function refText({ seq, row, block }: Ref): string {
  return block === undefined ? `{"seq":${seq},"row":${row}}` : `{"seq":${seq},"row":${row},"block":${block}}`;
}

function refsText(refs: readonly Ref[]): string {
  return `[${refs.map(refText).join(',')}]`;
}

function isEmptyAttributes(attrs: AttributeValue | undefined): boolean {
  if (attrs === undefined || attrs === null) return true;
  return typeof attrs === 'object' && !Array.isArray(attrs) && Object.keys(attrs).length === 0;
}

/** How deep attributes may nest. Ours nest two deep; a bound keeps hostile rounds from exhausting the stack. */
const MAX_ATTRIBUTE_DEPTH = 256;

/** Throws a `TypeError` for attributes that nest deeper than can be written. */
export function checkAttributeDepth(value: AttributeValue, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_ATTRIBUTE_DEPTH) throw new TypeError(`attrs nest more than ${MAX_ATTRIBUTE_DEPTH} deep`);
  for (const inner of Object.values(value) as AttributeValue[]) checkAttributeDepth(inner, depth + 1);
}

/** Attributes as JSON text, their keys in code point order at every depth, any name taken as it is. */
function attributesText(value: AttributeValue, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth > MAX_ATTRIBUTE_DEPTH) throw new TypeError(`attrs nest more than ${MAX_ATTRIBUTE_DEPTH} deep`);
  if (Array.isArray(value)) return `[${value.map((item) => attributesText(item, depth + 1)).join(',')}]`;
  const members = value as Attributes;
  let text = '';
  for (const key of sortedKeys(members))
    text += `,${JSON.stringify(key)}:${attributesText(members[key]!, depth + 1)}`;
  return `{${text.slice(1)}}`;
}

/** Names in code point order. Ours stand in it already, and looking is cheaper than sorting. */
function sortedKeys(members: Attributes): string[] {
  const keys = Object.keys(members);
  for (let i = 1; i < keys.length; i++)
    if (compareCodePoints(keys[i - 1]!, keys[i]!) > 0) return keys.sort(compareCodePoints);
  return keys;
}
