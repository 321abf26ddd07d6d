/** The streams of a document: who they are, and which step opened each (view spec 2.5). */
import type { Origin, Stream } from '../format/view-document.js';
import { byPlace } from '../rounds/display-order.js';
import { attributesOf } from './attributes.js';
import type { ViewNode } from './forest.js';
import { inHappenedOrder } from './happened-order.js';
import { pointOf } from './relations.js';
import type { View } from './view.js';

/** The main stream first, the others by landed position. */
export function streamsOf(view: View): Stream[] {
  const firstTalk = new Map<string, string>();
  const steps = new Map<string, number>();
  for (const talk of view.talks) {
    const { stream, id } = talk.node;
    if (!firstTalk.has(stream)) firstTalk.set(stream, id);
    steps.set(stream, (steps.get(stream) ?? 0) + talk.steps);
  }
  return streamNodes(view).map((node) => {
    const { role, label, records } = attributesOf(node);
    const name = nameOf(node);
    const own = text(label);
    const fromJournal = own === '' ? view.names.of(name) : '';
    const openedBy = openingsOf(node, view);
    return {
      ...{
        id: node.id,
        name,
        role: text(role),
        label: view.withheld.hidesLabel(own) ? '' : own || fromJournal,
      },
      parent: openedBy.at(-1)?.stream ?? '',
      records: typeof records === 'number' && Number.isSafeInteger(records) ? records : 0,
      steps: steps.get(name) ?? 0,
      talk: firstTalk.get(name) ?? '',
      named_by: fromJournal === '' ? '' : 'journal',
      opened_by: openedBy,
    };
  });
}

/** The names of the streams that a child agent wrote. */
export function childStreams(view: View): Set<string> {
  return new Set(
    streamNodes(view)
      .filter((node) => attributesOf(node).role === 'child')
      .map(nameOf),
  );
}

function streamNodes({ forest }: View): ViewNode[] {
  const rank = (node: ViewNode) => (attributesOf(node).role === 'main' ? 0 : 1);
  return forest.topDown
    .filter(({ kind }) => kind === 'stream')
    .map((node) => ({ node, rank: rank(node) }))
    .sort((a, b) => a.rank - b.rank || byPlace(a.node, b.node))
    .map(({ node }) => node);
}

function nameOf({ stream, id }: ViewNode): string {
  return stream || id.slice(id.indexOf('/') + 1);
}

/** Every step that started a stream. When there are several, assembly did not choose, and nor does a viewer. */
function openingsOf(node: ViewNode, { forest, relations, evidence }: View): Origin[] {
  const openings = relations.edgesOf(node.id).flatMap(({ relation, direction, id }) => {
    const step = forest.nodes.get(relation.from);
    if (direction !== 'in' || relation.type !== 'starts' || step === undefined || step.stream === '')
      return [];
    const point = step.ref && pointOf(step.ref, evidence);
    return [{ id, point, step, quality: relation.quality }];
  });
  return inHappenedOrder(openings).map(({ step, quality }) => ({
    ...{ step: step.id, stream: step.stream, talk: talkAbove(step, forest.nodes)?.id ?? '', quality },
  }));
}

/** Parents walked up from a step to its talk. Bounded, because parents are data. */
const MAX_HOPS = 24;

function talkAbove(step: ViewNode, nodes: ReadonlyMap<string, ViewNode>): ViewNode | undefined {
  let node = nodes.get(step.parent);
  for (let hops = 1; hops < MAX_HOPS && node !== undefined && node.kind !== 'talk'; hops++)
    node = nodes.get(node.parent);
  return node?.kind === 'talk' ? node : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
