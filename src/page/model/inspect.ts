/** What there is to know of one node: where it stands, its facts, what it is related to, what it rests on. */
import type { Edge, Ref, ViewNode } from '../../format/view-document.js';
import { gist, kindTitle } from './kind-words.js';
import type { Outline } from './outline.js';
import { countText, sizeText } from './quantity-text.js';
import { firstLine } from './spoken-text.js';
import { intervalText, momentText, utcText } from './time-text.js';

export interface Fact {
  readonly name: string;
  readonly value: string;
  /** The node it names, if the page can go there. */
  readonly to?: string;
  /** For whoever points at it. */
  readonly hint?: string;
  /** What the value does not mean. */
  readonly note?: string;
  /** A word of the document, printed as it is. */
  readonly isWord?: boolean;
}

/** One end of a path: a node or a stream to go to, or only words. */
export interface Waypoint {
  readonly label: string;
  readonly to: string | undefined;
}

/** Conversation › segment › stream › talk › run › step. */
export function pathOf(outline: Outline, node: ViewNode): readonly Waypoint[] {
  const nodes: ViewNode[] = [];
  for (let at: ViewNode | undefined = node; at !== undefined; at = outline.above.get(at)) nodes.unshift(at);
  const { segment } = outline.talkOf(node) ?? {};
  const stream = outline.streams.get(node.stream ?? '');
  return [
    ...(segment === undefined ? [] : [{ label: segment, to: undefined }]),
    ...(stream === undefined ? [] : [{ label: stream.label || stream.name, to: stream.id }]),
    ...nodes.map((at) => ({
      label: at === node ? `${at.kind}` : `${at.kind}`,
      to: at === node ? undefined : at.id,
    })),
  ];
}

/** @param zone in which times are said; the reader's own when it is `undefined` */
export function factsOf(outline: Outline, node: ViewNode, zone?: string): readonly Fact[] {
  const stream = outline.streams.get(node.stream ?? '');
  const talk = outline.talkOf(node);
  const facts: (Fact | undefined)[] = [
    { name: 'kind', value: node.kind, isWord: true },
    { name: 'id', value: node.id, isWord: true },
    node.name === undefined ? undefined : { name: 'name', value: node.name, isWord: true },
    node.attrs?.mcp_server === undefined
      ? undefined
      : {
          name: 'MCP server',
          value: `${node.attrs.mcp_server} · ${node.attrs.mcp_tool ?? ''}`,
          isWord: true,
        },
    node.failed === undefined ? undefined : { name: 'failed', value: node.failed ? 'yes' : 'no' },
    {
      name: 'observed',
      value: node.at === 0 ? 'unavailable' : momentText(node.at, zone),
      hint: utcText(node.at),
    },
    ...timesOf(node),
    node.state === undefined ? undefined : { name: 'state', value: node.state, isWord: true },
    node.bytes === undefined
      ? undefined
      : { name: 'size', value: sizeText(node.bytes), hint: `${countText(node.bytes)} bytes` },
    node.result_state === undefined ? undefined : { name: 'result', value: node.result_state, isWord: true },
    node.result_bytes === undefined
      ? undefined
      : {
          name: 'result size',
          value: sizeText(node.result_bytes),
          hint: `${countText(node.result_bytes)} bytes`,
        },
    ...usageOf(node),
    stream === undefined
      ? undefined
      : { name: 'stream', value: `${stream.label || stream.name} (${stream.role})`, to: stream.id },
    talk === undefined || talk === node ? undefined : { name: 'talk', value: talk.id, to: talk.id },
    node.parent === undefined
      ? undefined
      : {
          name: 'parent',
          value: node.parent,
          ...(outline.nodes.has(node.parent) ? { to: node.parent } : {}),
        },
    talk?.segment === undefined ? undefined : { name: 'segment', value: talk.segment, isWord: true },
    ...countsOf(node),
  ];
  return facts.filter((fact) => fact !== undefined);
}

function timesOf(node: ViewNode): (Fact | undefined)[] {
  const isCall = node.kind === 'tool' || node.kind === 'agent.call';
  const { request_to_result_ms: toResult, request_to_result_join: join, duration_ms: measured } = node;
  return [
    join === undefined
      ? undefined
      : {
          name: 'request to result',
          value: toResult === undefined ? 'under 1 ms' : intervalText(toResult),
          note: 'between the two records; not the time the tool itself took',
        },
    measured !== undefined
      ? {
          name: 'duration',
          value: intervalText(measured),
          note: `as the runtime measured it${node.duration_measured_by === undefined ? '' : ` (${node.duration_measured_by})`}`,
        }
      : isCall
        ? { name: 'duration', value: 'unavailable', note: 'the runtime does not report how long this ran' }
        : undefined,
  ];
}

function usageOf(node: ViewNode): (Fact | undefined)[] {
  if (node.kind !== 'llm.call') return [];
  const { usage } = node;
  if (usage === undefined)
    return [{ name: 'tokens', value: 'unknown', note: 'no record of this call says what it took' }];
  return [
    { name: 'tokens in', value: countText(usage.in ?? 0) },
    { name: 'tokens out', value: countText(usage.out ?? 0) },
    { name: 'cache read', value: countText(usage.cache_read ?? 0) },
    { name: 'cache write', value: countText(usage.cache_write ?? 0) },
  ];
}

function countsOf({ kind, steps, runs, tools }: ViewNode): (Fact | undefined)[] {
  if (kind !== 'talk') return [];
  return [
    { name: 'steps', value: countText(steps ?? 0) },
    { name: 'runs', value: countText(runs ?? 0) },
    { name: 'tools', value: countText(tools ?? 0) },
  ];
}

/** One edge as a reader sees it. */
export interface Related {
  readonly type: string;
  readonly dir: Edge['dir'];
  readonly quality: string;
  readonly via: string | undefined;
  /** The far end in words, and whether the page can go there. */
  readonly label: string;
  readonly to: string | undefined;
  readonly evidence: readonly Ref[];
}

export function relatedOf(outline: Outline, node: ViewNode): readonly Related[] {
  return (node.edges ?? []).map(({ type, dir, quality, via, other }) => {
    const [from, to] = dir === 'out' ? [node.id, other] : [other, node.id];
    const relation = outline.document.relations.find(
      (relation) => relation.type === type && relation.from === from && relation.to === to,
    );
    return {
      ...{ type, dir, quality, via },
      ...{ label: endWords(outline, other), to: isKnown(outline, other) ? other : undefined },
      evidence: relation?.evidence ?? [],
    };
  });
}

/** Whether the page can go to an id: a node, or a stream. */
export function isKnown(outline: Outline, id: string): boolean {
  return outline.nodes.has(id) || streamOf(outline, id) !== undefined;
}

/** The name of the stream that an id means. */
export function streamOf(outline: Outline, id: string): string | undefined {
  return outline.document.streams.find((stream) => stream.id === id)?.name;
}

const MOST_LETTERS = 60;

/** An id in words: a stream by its label, a node by what it says; what is not in the document stays its id. */
export function endWords(outline: Outline, id: string): string {
  const stream = outline.document.streams.find((stream) => stream.id === id);
  if (stream !== undefined) return `stream ${stream.label || stream.name}`;
  const node = outline.nodes.get(id);
  if (node === undefined) return id;
  const words = node.kind === 'talk' ? firstLine(node.label ?? '', MOST_LETTERS) : gist(node, MOST_LETTERS);
  return `${node.name ?? kindTitle(node.kind)} · ${words || id}`;
}

export interface Citation {
  readonly label: string;
  readonly ref: Ref;
}

/** Every record a node rests on: a call's first is what was asked, the rest came back; others are parts. */
export function citationsOf(node: ViewNode): readonly Citation[] {
  const isCall = node.kind === 'tool' || node.kind === 'agent.call';
  const refs = node.refs ?? (node.ref === undefined ? [] : [node.ref]);
  const labelled = refs.map((ref, i) => {
    const label = isCall ? (i === 0 ? 'request' : 'result') : refs.length === 1 ? 'record' : `part ${i + 1}`;
    return { label, ref };
  });
  const { ref } = node;
  if (ref === undefined || refs.some((other) => sameRecord(other, ref))) return labelled;
  return [{ label: 'record', ref }, ...labelled];
}

function sameRecord(a: Ref, b: Ref): boolean {
  return a.seq === b.seq && a.row === b.row;
}

/** Whether the landed file that a record lies in is there; without it a node says nothing. */
export function isLanded({ document }: Outline, { seq }: Ref): boolean {
  return document.files.some((file) => file.seq === seq);
}

/** `12:3`, and `12:3 part 2` for a part, counted from 1 as a reader does. */
export function refWords({ seq, row, block }: Ref): string {
  return `${seq}:${row}${block === undefined ? '' : ` part ${block + 1}`}`;
}
