/** Where a thing is found by its address. */

/** A place in a conversation: a talk by its own id, anything else by the step. */
export interface Target {
  readonly node: string;
  readonly talk: string;
  readonly stream: string;
}

/** `/c/{id}?stream=…&talk=…&step=…`. */
export function hitAddress(conversation: string, { node, talk, stream }: Target): string {
  const query = new URLSearchParams();
  if (stream !== '') query.set('stream', stream);
  if (talk !== '') query.set('talk', talk);
  if (node !== talk) query.set('step', node);
  return `/c/${encodeURIComponent(conversation)}?${query}`;
}
