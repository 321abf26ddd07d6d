/** What a search in the texts found (docs/server.md). */

export interface Hit {
  /** Id of the talk, run or step. */
  readonly node: string;
  readonly talk: string;
  readonly stream: string;
  readonly field: string;
  readonly snippet: string;
}

/** Where a hit is found: `/c/{id}?stream=…&talk=…&step=…`, without the step when it is the talk. */
export function hitAddress(conversation: string, { node, talk, stream }: Hit): string {
  const query = new URLSearchParams();
  if (stream !== '') query.set('stream', stream);
  if (talk !== '') query.set('talk', talk);
  if (node !== talk) query.set('step', node);
  return `/c/${encodeURIComponent(conversation)}?${query}`;
}

/** A talk repeats its first and its last words; what a step of it says too is left to the step. */
export function withoutEchoes(hits: readonly Hit[]): Hit[] {
  const said = new Set(
    hits.filter(({ node, talk }) => node !== talk).map(({ talk, snippet }) => `${talk}\0${snippet}`),
  );
  return hits.filter(({ node, talk, snippet }) => node !== talk || !said.has(`${talk}\0${snippet}`));
}
