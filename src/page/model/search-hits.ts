/** What a search in the texts found (docs/server.md). */
import type { Target } from './addresses.js';

export interface Hit extends Target {
  readonly field: string;
  readonly snippet: string;
}

/** A talk repeats its first and its last words; what a step of it says too is left to the step. */
export function withoutEchoes(hits: readonly Hit[]): Hit[] {
  const ofSteps = hits.filter(({ node, talk }) => node !== talk);
  const said = new Set(ofSteps.map(({ talk, snippet }) => `${talk}\0${snippet}`));
  return hits.filter(({ node, talk, snippet }) => node !== talk || !said.has(`${talk}\0${snippet}`));
}
