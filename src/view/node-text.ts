/** The trees of a document as text: a node, its edges, and what it contains (view spec 2.7, 2.8). */
import type { ViewNode } from './forest.js';
import {
  countMember,
  flagMember,
  listMember,
  msOf,
  quoted,
  rawMember,
  refText,
  textMember,
} from './json-out.js';
import type { Edge } from './relations.js';
import { childStreams } from './streams.js';
import type { TalkFacts } from './talks.js';
import type { View } from './view.js';

/** Levels below a root that are written; counts go deeper. */
const MAX_LEVEL = 12;

export class TreeWriter {
  readonly #view: View;
  readonly #talks: ReadonlyMap<ViewNode, TalkFacts>;
  readonly #children: ReadonlySet<string>;

  constructor(view: View) {
    this.#view = view;
    this.#talks = new Map(view.talks.map((talk) => [talk.node, talk]));
    this.#children = childStreams(view);
  }

  /** A tree, node after node. */
  *tree(node: ViewNode, level = 0): Generator<string> {
    const { id, kind, parent, stream, ref, refs, entity } = node;
    const edges = this.#view.relations.edgesOf(id);
    yield `{"id":${quoted(id)},"kind":${quoted(kind)}${textMember('parent', parent)}${textMember('stream', stream)},"at":${msOf(node.at)}` +
      `${rawMember('ref', ref === undefined ? '' : refText(ref))}${listMember('refs', refs.map(refText))}${rawMember('attrs', entity.attributes)}` +
      `${node.content}${this.#talkMembers(node, edges)}${this.#joined(node)}`;
    if (level < MAX_LEVEL && node.children.length > 0) {
      yield ',"children":[';
      for (const [i, child] of node.children.entries()) {
        if (i > 0) yield ',';
        yield* this.tree(child, level + 1);
      }
      yield ']';
    }
    yield `${listMember('edges', edges.map(edgeText))}}`;
  }

  #talkMembers(node: ViewNode, edges: readonly Edge[]): string {
    const talk = this.#talks.get(node);
    if (talk === undefined) return '';
    const { runs, steps, tools, from, to, label, reply } = talk;
    const windows = edges.filter(
      ({ relation, direction }) => relation.type === 'in_segment' && direction === 'out',
    );
    return (
      rawMember('label', label) +
      rawMember('reply', reply) +
      countMember('runs', runs) +
      countMember('steps', steps) +
      countMember('tools', tools) +
      countMember('from', msOf(from)) +
      countMember('to', msOf(to)) +
      flagMember('child', this.#children.has(node.stream) || undefined) +
      textMember('segment', windows.at(-1)?.relation.to ?? '')
    );
  }

  #joined(node: ViewNode): string {
    return listMember('changes', (this.#view.changes.ofStep.get(node) ?? []).map(quoted));
  }
}

function edgeText({ relation: { type, from, to, quality, via = '' }, direction }: Edge): string {
  const other = direction === 'out' ? to : from;
  return `{"type":${quoted(type)},"other":${quoted(other)},"dir":"${direction}","quality":${quoted(quality)}${textMember('via', via)}}`;
}
