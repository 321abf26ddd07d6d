/**
 * What a talk says of all that is below it (view spec 3.5, 4.2): how much, from when to when, and the words that
 * open and close it. One walk from the leaves up, whatever the trees look like.
 */
import { compareInstants, type Instant, isNoTime } from '../format/time.js';
import { byPlace } from '../rounds/display-order.js';
import type { WantedRecords } from './evidence.js';
import { type Forest, isStep, type ViewNode } from './forest.js';
import { quoted } from './json-out.js';
import { readable } from './record-text.js';
import { clipped, trimmed } from './text-rules.js';
import { isMachinery, type Withheld } from './withheld.js';

export interface TalkFacts {
  readonly node: ViewNode;
  readonly runs: number;
  readonly steps: number;
  /** Requests to tools and to other agents. */
  readonly tools: number;
  /** JSON text; empty when there is none. */
  label: string;
  reply: string;
  /** Earliest and latest time in its tree; `undefined` when nothing in it has one. */
  from: Instant | undefined;
  to: Instant | undefined;
}

/** What is below a node, itself included. Steps are in the order of a walk, parents first. */
interface Below {
  readonly runs: number;
  readonly steps: number;
  readonly tools: number;
  readonly opening: ViewNode | undefined;
  /** The first three. */
  readonly injections: readonly ViewNode[];
  readonly closing: ViewNode | undefined;
}

/** The talks, in no order; their words are wanted from the records. Times are not known yet. */
export function talksOf({ topDown }: Forest, wanted: WantedRecords, withheld: Withheld): TalkFacts[] {
  const below = new Map<ViewNode, Below>();
  const talks: TalkFacts[] = [];
  for (let i = topDown.length - 1; i >= 0; i--) {
    const node = topDown[i]!;
    const sum = summed(node, below);
    below.set(node, sum);
    for (const child of node.children) below.delete(child);
    if (node.kind !== 'talk') continue;
    const { runs, steps, tools } = sum;
    const talk: TalkFacts = {
      node,
      runs,
      steps,
      tools,
      label: '',
      reply: '',
      from: undefined,
      to: undefined,
    };
    wantWords(talk, sum, wanted, withheld);
    talks.push(talk);
  }
  return talks;
}

const MAX_INJECTIONS = 3;
const REQUESTS = ['tool', 'agent.call'];
const REPLIES = ['message.assistant', 'agent.output'];

function summed(node: ViewNode, below: ReadonlyMap<ViewNode, Below>): Below {
  const { kind, ref } = node;
  const cited = ref !== undefined;
  let runs = kind === 'run' ? 1 : 0;
  let steps = isStep(node) ? 1 : 0;
  let tools = REQUESTS.includes(kind) ? 1 : 0;
  let opening = cited && kind === 'message.external' ? node : undefined;
  let closing = cited && REPLIES.includes(kind) ? node : undefined;
  const injections = cited && kind === 'context.injection' ? [node] : [];
  for (const child of node.children) {
    const sum = below.get(child)!;
    runs += sum.runs;
    steps += sum.steps;
    tools += sum.tools;
    opening ??= sum.opening;
    closing = sum.closing ?? closing;
    if (injections.length < MAX_INJECTIONS) injections.push(...sum.injections);
  }
  return { runs, steps, tools, opening, closing, injections: injections.slice(0, MAX_INJECTIONS) };
}

/** Lists of tools a runtime puts in begin so; they are nobody's opening line. */
const TOOL_LIST = '{"type":"deferred_tools_delta"';

function wantWords(talk: TalkFacts, below: Below, wanted: WantedRecords, withheld: Withheld): void {
  const { opening, injections, closing } = below;
  if (closing?.ref !== undefined)
    wanted.at(closing.ref, {
      see(record) {
        if (!withheld.hides(record.flags)) talk.reply = words(readable(record));
      },
    });
  if (opening?.ref !== undefined) {
    wanted.at(opening.ref, {
      see(record) {
        if (!withheld.hides(record.flags)) talk.label = words(readable(record));
      },
    });
    return;
  }
  // Records come in the order they landed, which need not be the order of the tree.
  let chosen = Number.POSITIVE_INFINITY;
  for (const [i, { ref }] of injections.entries())
    wanted.at(ref!, {
      see(record) {
        if (i > chosen || isMachinery(record.flags)) return;
        const text = readable(record);
        if (text === '' || trimmed(text).startsWith(TOOL_LIST)) return;
        chosen = i;
        talk.label = words(text);
      },
    });
}

function words(text: string): string {
  return text === '' ? '' : quoted(clipped(text));
}

/** Sets from when to when each talk went, once records have been read. */
export function timeTalks({ topDown }: Forest, talks: readonly TalkFacts[]): void {
  const byNode = new Map(talks.map((talk) => [talk.node, talk]));
  const spans = new Map<ViewNode, readonly [Instant, Instant]>();
  for (let i = topDown.length - 1; i >= 0; i--) {
    const node = topDown[i]!;
    let [from, to]: (Instant | undefined)[] = isNoTime(node.at) ? [] : [node.at, node.at];
    for (const child of node.children) {
      const span = spans.get(child);
      if (span === undefined) continue;
      spans.delete(child);
      if (from === undefined || compareInstants(span[0], from) < 0) from = span[0];
      if (to === undefined || compareInstants(span[1], to) > 0) to = span[1];
    }
    if (from !== undefined && to !== undefined) spans.set(node, [from, to]);
    const talk = byNode.get(node);
    if (talk !== undefined) [talk.from, talk.to] = [from, to];
  }
}

/** Timed before untimed, by when they began; equals and untimed ones by landed position. A total order. */
export function byBeginning(a: TalkFacts, b: TalkFacts): number {
  if (a.from !== undefined && b.from !== undefined)
    return compareInstants(a.from, b.from) || byPlace(a.node, b.node);
  return Number(a.from === undefined) - Number(b.from === undefined) || byPlace(a.node, b.node);
}
