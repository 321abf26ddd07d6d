/** The activity windows of a document (view spec 2.6). */
import type { Segment } from '../format/view-document.js';
import { byPlace } from '../rounds/display-order.js';
import { msOf } from './json-out.js';
import type { TalkFacts } from './talks.js';
import type { View } from './view.js';

/** By landed position. */
export function segmentsOf({ forest, talks, relations }: View): Segment[] {
  const byId = new Map(talks.map((talk) => [talk.node.id, talk]));
  const members = new Map<string, Set<TalkFacts>>();
  for (const { type, from, to } of relations.all) {
    const talk = type === 'in_segment' ? byId.get(from) : undefined;
    if (talk === undefined) continue;
    if (members.has(to)) members.get(to)!.add(talk);
    else members.set(to, new Set([talk]));
  }
  return forest.topDown
    .filter(({ kind }) => kind === 'segment')
    .sort(byPlace)
    .map(({ id }) => {
      const inIt = [...(members.get(id) ?? [])];
      return { id, talks: inIt.length, ...span(inIt) };
    });
}

function span(talks: readonly TalkFacts[]): { from: number; to: number } {
  let [from, to] = [0, 0];
  for (const talk of talks) {
    const [begin, end] = [msOf(talk.from), msOf(talk.to)];
    if (begin !== 0 && (from === 0 || begin < from)) from = begin;
    if (end !== 0 && (to === 0 || end > to)) to = end;
  }
  return { from, to };
}
