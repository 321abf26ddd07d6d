/**
 * A stream as the rows of its transcript (view spec 9.2): talk after talk, each an input, a fold over what the agent
 * did, and a reply; a context reset where it landed; what stands outside every talk last, and where the chain stops.
 * Rows are data, so that only those in sight are drawn. Cost: what is open is walked, nothing else after the first time.
 */
import type { Ms, Stream, ViewNode } from '../../format/view-document.js';
import { chainStop } from './doubt.js';
import { type Filter, isFailure, picksOut, shows, showsKind } from './filters.js';
import { byLanding, isStep, type Outline, type Passage, stepsBelow } from './outline.js';

/** A pause that is worth a line (view spec 9.2). */
export const QUIET_MS = 120_000;

export type Row = { readonly key: string } & (
  | { readonly t: 'banner'; readonly stream: Stream }
  | { readonly t: 'nothing' }
  | { readonly t: 'input'; readonly talk: ViewNode; readonly opening: ViewNode | undefined }
  | { readonly t: 'work'; readonly talk: ViewNode; readonly open: boolean; readonly tally: Tally }
  | { readonly t: 'run'; readonly run: ViewNode; readonly number: number }
  | { readonly t: 'step'; readonly node: ViewNode; readonly depth: number }
  | { readonly t: 'close'; readonly talk: ViewNode }
  | { readonly t: 'reply'; readonly talk: ViewNode; readonly closing: ViewNode | undefined }
  | { readonly t: 'quiet'; readonly ms: number }
  | { readonly t: 'reset'; readonly boundary: ViewNode; readonly summary: ViewNode | undefined }
  | { readonly t: 'outside'; readonly steps: number; readonly alone: boolean }
  | { readonly t: 'stopped'; readonly round: number; readonly problem: string }
);

export interface Tally {
  readonly steps: number;
  readonly runs: number;
  readonly tools: number;
  /** From the first to the last time anybody observed; 0: unknown. */
  readonly ms: number;
  readonly failed: number;
  /** How many of the steps the filter lets through. */
  readonly shown: number;
}

export interface Transcript {
  readonly rows: readonly Row[];
  /** The row that shows a node; `undefined` when a fold or a filter hides it. */
  at(id: string): number | undefined;
}

/** The key of the fold over what a talk's agent did. */
export function workKey(talk: ViewNode): string {
  return `work:${talk.id}`;
}

export interface Wanted {
  readonly outline: Outline;
  readonly stream: string;
  readonly folds: ReadonlyMap<string, boolean>;
  readonly filter: Filter;
}

export function transcriptOf({ outline, stream, folds, filter }: Wanted): Transcript {
  const list = new RowList(!picksOut(filter));
  const entry = outline.streams.get(stream);
  if (entry !== undefined && entry.role !== 'main') list.add({ t: 'banner', key: 'banner', stream: entry });
  const passages = outline.passagesOf(stream);
  const talks = passages.filter(({ talk }) => talk !== undefined);
  const { resets, outside } = outsideTalks(passages);

  let next = 0;
  const reset = (before: ViewNode | undefined) => {
    for (; next < resets.length; next++) {
      const { boundary, summary } = resets[next]!;
      if (before !== undefined && byLanding(boundary, before) > 0) return;
      if (shows(filter, boundary) || (summary !== undefined && shows(filter, summary)))
        list.reset(boundary, summary);
    }
  };
  for (const passage of talks) {
    const talk = passage.talk!;
    const { opening, closing, behind, failed } = partsOf(passage);
    reset(talk);
    const shown = behind.filter((step) => shows(filter, step));
    const words = [opening, closing].some((node) => node !== undefined && shows(filter, node));
    if (picksOut(filter) && shown.length === 0 && !words) continue;
    list.quietUntil(talk.from ?? talk.at);
    list.add({ t: 'input', key: `input:${talk.id}`, talk, opening }, talk.id, opening?.id);
    const open = picksOut(filter) ? shown.length > 0 : (folds.get(workKey(talk)) ?? false);
    const { runs = 0, steps = 0, tools = 0, from = 0, to = 0 } = talk;
    const tally = {
      steps,
      runs,
      tools,
      ms: from > 0 ? to - from : 0,
      failed,
      shown: passage.steps.filter((step) => shows(filter, step)).length,
    };
    if (behind.length > 0) list.add({ t: 'work', key: workKey(talk), talk, open, tally });
    if (open) {
      const runMarks = new RunMarks(outline, list, (talk.runs ?? 0) > 1);
      for (const step of behind) {
        reset(step);
        if (!shows(filter, step)) {
          list.happened(step);
          continue;
        }
        runMarks.before(step);
        list.step(step, depthOf(outline, step));
      }
      if (!picksOut(filter)) list.add({ t: 'close', key: `close:${talk.id}`, talk });
    }
    list.last(talk.to ?? 0);
    if (talk.reply !== undefined && !filter.failed && showsKind(filter, closing?.kind ?? 'message.assistant'))
      list.add({ t: 'reply', key: `reply:${talk.id}`, talk, closing }, closing?.id);
  }

  const alone = talks.length === 0;
  if (!alone) reset(undefined);
  const loose = outside.flatMap((passage) => passage.steps).filter((step) => shows(filter, step));
  if (loose.length > 0 || (alone && passages.length > 0))
    list.add({ t: 'outside', key: 'outside', steps: loose.length, alone });
  for (const step of loose) {
    if (alone) reset(step);
    list.step(step, depthOf(outline, step));
  }
  reset(undefined);
  const problem = picksOut(filter) ? undefined : chainStop(outline.document);
  if (problem !== undefined)
    list.add({ t: 'stopped', key: 'stopped', round: outline.document.head.round, problem });
  if (list.rows.every(({ t }) => t === 'banner')) list.add({ t: 'nothing', key: 'nothing' });
  return list;
}

/** The steps of a stream as its transcript would show them with everything open. */
export function readingOrder(outline: Outline, stream: string, filter: Filter): readonly ViewNode[] {
  const everywhere = { get: () => true } as unknown as ReadonlyMap<string, boolean>;
  return transcriptOf({ outline, stream, folds: everywhere, filter }).rows.flatMap((row) => {
    if (row.t === 'input') return row.opening ?? row.talk;
    if (row.t === 'reply') return row.closing ?? [];
    if (row.t === 'reset') return row.boundary;
    return row.t === 'step' ? row.node : [];
  });
}

class RowList implements Transcript {
  readonly rows: Row[] = [];
  readonly #at = new Map<string, number>();
  readonly #keys = new Set<string>();
  readonly #marksQuiet: boolean;
  #lastMs: Ms = 0;

  constructor(marksQuiet: boolean) {
    this.#marksQuiet = marksQuiet;
  }

  at(id: string): number | undefined {
    return this.#at.get(id);
  }

  add(row: Row, ...ids: readonly (string | undefined)[]): void {
    for (const id of ids) if (id !== undefined && !this.#at.has(id)) this.#at.set(id, this.rows.length);
    let key = row.key;
    // A foreign document may use an id twice.
    for (let copy = 2; this.#keys.has(key); copy++) key = `${row.key}#${copy}`;
    this.#keys.add(key);
    this.rows.push(key === row.key ? row : { ...row, key });
  }

  step(node: ViewNode, depth: number): void {
    this.quietUntil(node.at);
    this.add({ t: 'step', key: node.id, node, depth }, node.id);
    this.happened(node);
  }

  /** What a filter hides is no pause either. */
  happened({ at, request_to_result_ms: ms = 0 }: ViewNode): void {
    this.last(at === 0 ? 0 : at + ms);
  }

  reset(boundary: ViewNode, summary: ViewNode | undefined): void {
    this.quietUntil(boundary.at);
    this.add({ t: 'reset', key: boundary.id, boundary, summary }, boundary.id, summary?.id);
  }

  /** A time that nobody observed makes no pause; times may run backwards. A pause that was marked is over. */
  quietUntil(at: Ms): void {
    const ms = at - this.#lastMs;
    if (this.#marksQuiet && at > 0 && this.#lastMs > 0 && ms > QUIET_MS)
      this.add({ t: 'quiet', key: `quiet:${this.rows.length}`, ms });
    this.last(at);
  }

  last(at: Ms): void {
    this.#lastMs = Math.max(this.#lastMs, at);
  }
}

/** Marks where another run begins, in a talk of several. */
class RunMarks {
  readonly #outline: Outline;
  readonly #list: RowList;
  readonly #wanted: boolean;
  readonly #numbers = new Map<ViewNode, number>();
  #now: ViewNode | undefined;

  constructor(outline: Outline, list: RowList, wanted: boolean) {
    this.#outline = outline;
    this.#list = list;
    this.#wanted = wanted;
  }

  before(step: ViewNode): void {
    if (!this.#wanted) return;
    let run: ViewNode | undefined = step;
    while (run !== undefined && run.kind !== 'run') run = this.#outline.above.get(run);
    if (run === undefined || run === this.#now) return;
    this.#now = run;
    const number = this.#numbers.get(run) ?? this.#numbers.size + 1;
    this.#numbers.set(run, number);
    this.#list.add({ t: 'run', key: `run:${run.id}`, run, number }, run.id);
  }
}

interface Parts {
  /** The input and the reply, which have cards of their own. */
  readonly opening: ViewNode | undefined;
  readonly closing: ViewNode | undefined;
  readonly behind: readonly ViewNode[];
  readonly failed: number;
}

const PARTS = new WeakMap<Passage, Parts>();

/** What a talk says first and last (view spec 3.5), and what stands between. */
export function partsOf(passage: Passage): Parts {
  const known = PARTS.get(passage);
  if (known !== undefined) return known;
  const inTree = passage.talk === undefined ? [] : stepsBelow(passage.talk);
  const opening = inTree.find(({ kind, ref }) => kind === 'message.external' && ref !== undefined);
  const closing = inTree.findLast(
    ({ kind, ref }) => (kind === 'message.assistant' || kind === 'agent.output') && ref !== undefined,
  );
  const parts = {
    opening,
    closing,
    behind: passage.steps.filter((step) => step !== opening && step !== closing),
    failed: passage.steps.filter(isFailure).length,
  };
  PARTS.set(passage, parts);
  return parts;
}

interface Reset {
  readonly boundary: ViewNode;
  readonly summary: ViewNode | undefined;
}

/** Resets, each with the summary that it left, apart from everything else outside the talks. */
function outsideTalks(passages: readonly Passage[]): { resets: Reset[]; outside: Passage[] } {
  const loose = passages.filter(({ talk }) => talk === undefined);
  const summaries = new Map<string, ViewNode>();
  for (const { root } of loose) {
    if (root.kind !== 'epoch.summary') continue;
    const edge = root.edges?.find(({ type, dir }) => type === 'summarizes' && dir === 'out');
    if (edge !== undefined) summaries.set(edge.other, root);
  }
  const resets: Reset[] = [];
  const paired = new Set<ViewNode>();
  for (const { root } of loose) {
    if (root.kind !== 'epoch.boundary') continue;
    const summary = summaries.get(root.id);
    resets.push({ boundary: root, summary });
    paired.add(root);
    if (summary !== undefined) paired.add(summary);
  }
  resets.sort((a, b) => byLanding(a.boundary, b.boundary));
  return { resets, outside: loose.filter(({ root }) => !paired.has(root)) };
}

/** How many steps own a step. */
function depthOf(outline: Outline, step: ViewNode): number {
  let depth = 0;
  for (let at = outline.above.get(step); at !== undefined; at = outline.above.get(at))
    depth += Number(isStep(at));
  return depth;
}
