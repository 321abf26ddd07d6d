/**
 * What a talk says of all that is below it (view spec 3.5, 4.2): how much, from when to when, and the words that
 * open and close it. One walk from the leaves up, whatever the trees look like.
 */
import { compareInstants, type Instant, isNoTime } from '../format/time.js';
import { byPlace } from '../rounds/display-order.js';
import type { Evidence, WantedRecords } from './evidence.js';
import { type Forest, isRequest, isStep, type ViewNode } from './forest.js';
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

/** The talks, in no order; their words are wanted from the records. Times are not known yet. */
export function talksOf({ topDown }: Forest, wanted: WantedRecords, withheld: Withheld): TalkFacts[] {
  const below = new Below(topDown.length);
  const talks: TalkFacts[] = [];
  // From the leaves up, so a node is complete before what contains it, and its last child comes first.
  for (let i = topDown.length - 1; i >= 0; i--) {
    const node = topDown[i]!;
    below.addItself(node);
    if (node.container !== undefined) below.addToContainer(node, node.container);
    if (node.kind !== 'talk') continue;
    const [runs, steps, tools] = [below.runs[i]!, below.steps[i]!, below.tools[i]!];
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
    wantWords(talk, below, wanted, withheld);
    talks.push(talk);
  }
  return talks;
}

const MAX_INJECTIONS = 3;
const REPLIES = ['message.assistant', 'agent.output'];

/** What is below each node, itself included, by its order in the forest. In a walk parents come first. */
class Below {
  readonly runs: Int32Array;
  readonly steps: Int32Array;
  readonly tools: Int32Array;
  /** The first external message of a walk. */
  readonly opening: (ViewNode | undefined)[];
  /** The first three injections. */
  readonly injections: (readonly ViewNode[] | undefined)[];
  /** The last words of an agent. */
  readonly closing: (ViewNode | undefined)[];

  constructor(nodes: number) {
    this.runs = new Int32Array(nodes);
    this.steps = new Int32Array(nodes);
    this.tools = new Int32Array(nodes);
    this.opening = new Array(nodes);
    this.injections = new Array(nodes);
    this.closing = new Array(nodes);
  }

  addItself(node: ViewNode): void {
    const { kind, order: i } = node;
    if (kind === 'run') this.runs[i]!++;
    if (isStep(node)) this.steps[i]!++;
    if (isRequest(node)) this.tools[i]!++;
    if (node.ref === undefined) return;
    if (kind === 'message.external') this.opening[i] = node;
    if (kind === 'context.injection') this.#prepend(i, [node]);
    if (REPLIES.includes(kind)) this.closing[i] ??= node;
  }

  addToContainer({ order: from }: ViewNode, { order: to }: ViewNode): void {
    this.runs[to]! += this.runs[from]!;
    this.steps[to]! += this.steps[from]!;
    this.tools[to]! += this.tools[from]!;
    this.opening[to] = this.opening[from] ?? this.opening[to];
    this.closing[to] ??= this.closing[from];
    const injections = this.injections[from];
    if (injections !== undefined) this.#prepend(to, injections);
  }

  #prepend(i: number, nodes: readonly ViewNode[]): void {
    this.injections[i] = [...nodes, ...(this.injections[i] ?? [])].slice(0, MAX_INJECTIONS);
  }
}

/** Lists of tools a runtime puts in begin so; they are nobody's opening line. */
const TOOL_LIST = '{"type":"deferred_tools_delta"';

function wantWords(talk: TalkFacts, below: Below, wanted: WantedRecords, withheld: Withheld): void {
  const { order } = talk.node;
  const opening = below.opening[order];
  const injections = below.injections[order] ?? [];
  const closing = below.closing[order];
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
export function timeTalks(
  { topDown }: Forest,
  talks: readonly TalkFacts[],
  { timeAt }: Pick<Evidence, 'timeAt'>,
): void {
  const from: (Instant | undefined)[] = new Array(topDown.length);
  const to: (Instant | undefined)[] = new Array(topDown.length);
  for (let i = topDown.length - 1; i >= 0; i--) {
    const { ref, container } = topDown[i]!;
    const at = timeAt(ref);
    if (!isNoTime(at)) [from[i], to[i]] = [earlierOf(at, from[i]), laterOf(at, to[i])];
    if (container === undefined || from[i] === undefined) continue;
    const { order } = container;
    from[order] = earlierOf(from[i]!, from[order]);
    to[order] = laterOf(to[i]!, to[order]);
  }
  for (const talk of talks) [talk.from, talk.to] = [from[talk.node.order], to[talk.node.order]];
}

function earlierOf(a: Instant, b: Instant | undefined): Instant {
  return b === undefined || compareInstants(a, b) < 0 ? a : b;
}

function laterOf(a: Instant, b: Instant | undefined): Instant {
  return b === undefined || compareInstants(a, b) > 0 ? a : b;
}

/** Timed before untimed, by when they began; equals and untimed ones by landed position. A total order. */
export function byBeginning(a: TalkFacts, b: TalkFacts): number {
  if (a.from !== undefined && b.from !== undefined)
    return compareInstants(a.from, b.from) || byPlace(a.node, b.node);
  return Number(a.from === undefined) - Number(b.from === undefined) || byPlace(a.node, b.node);
}
