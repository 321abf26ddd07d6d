/** What happened in a range of time that a reader marked on the timeline (view spec 12.14). */
import type { Ms } from '../../format/view-document.js';
import { isFailure } from './filters.js';
import type { Moment } from './moments.js';
import { addTokens, NO_TOKENS, type Tokens, tokensOf } from './usage.js';

export interface ToolTimes {
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
  /** Calls whose request and result both have a time. */
  readonly measured: number;
  /** Between the two records, not the time the tool took; `undefined` when none is measured. */
  readonly least: Ms | undefined;
  readonly average: Ms | undefined;
  readonly most: Ms | undefined;
}

export interface RangeSummary {
  readonly from: Ms;
  readonly to: Ms;
  readonly steps: number;
  /** Steps by kind, the most frequent first. */
  readonly kinds: readonly (readonly [kind: string, count: number])[];
  /** Calls that failed and errors of the provider. */
  readonly failed: number;
  readonly tokens: Tokens;
  /** Calls of tools and agents by name, the most called first. */
  readonly tools: readonly ToolTimes[];
}

/** @param from and `to` belong to the range; a step without a time counts where it is drawn */
export function rangeSummary(moments: readonly Moment[], from: Ms, to: Ms): RangeSummary {
  const kinds = new Map<string, number>();
  const tools = new Map<string, Tally>();
  let steps = 0;
  let failed = 0;
  let tokens = NO_TOKENS;
  for (const { node, at } of moments) {
    if (at < from || at > to) continue;
    steps++;
    if (isFailure(node)) failed++;
    kinds.set(node.kind, (kinds.get(node.kind) ?? 0) + 1);
    if (node.kind === 'llm.call') tokens = addTokens(tokens, tokensOf(node));
    if (node.kind !== 'tool' && node.kind !== 'agent.call') continue;
    const name = node.name ?? node.kind;
    const tally = tools.get(name) ?? new Tally(name);
    tools.set(name, tally);
    tally.add(node.failed === true, node.request_to_result_ms);
  }
  return {
    from,
    to,
    steps,
    kinds: [...kinds].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)),
    failed,
    tokens,
    tools: [...tools.values()]
      .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1))
      .map((tally) => tally.times()),
  };
}

class Tally {
  readonly name: string;
  calls = 0;
  #failed = 0;
  #measured = 0;
  #sum = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = 0;

  constructor(name: string) {
    this.name = name;
  }

  add(failed: boolean, took: Ms | undefined): void {
    this.calls++;
    if (failed) this.#failed++;
    if (took === undefined) return;
    this.#measured++;
    this.#sum += took;
    this.#least = Math.min(this.#least, took);
    this.#most = Math.max(this.#most, took);
  }

  times(): ToolTimes {
    const { name, calls } = this;
    const measured = this.#measured;
    const known = measured > 0;
    return {
      name,
      calls,
      failed: this.#failed,
      measured,
      least: known ? this.#least : undefined,
      average: known ? this.#sum / measured : undefined,
      most: known ? this.#most : undefined,
    };
  }
}
