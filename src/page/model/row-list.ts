/** The rows of a transcript as data, and the list they are put together in. */
import type { Ms, Stream, ViewNode } from '../../format/view-document.js';
import type { Outline } from './outline.js';

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

export class RowList implements Transcript {
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
export class RunMarks {
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
