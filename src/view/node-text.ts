/** The trees of a document as text: a node, its edges, and what it contains (view spec 2.7, 2.8). */
import { shownAttributes } from './attributes.js';
import type { Json } from './byte-store.js';
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

  /** A tree, node after node. It keeps its own path: a generator in a generator for every level costs more. */
  *tree(root: ViewNode): Generator<readonly Json[]> {
    const path: { readonly node: ViewNode; next: number }[] = [];
    for (let node: ViewNode | undefined = root; node !== undefined; ) {
      const pieces = this.#head(node);
      if (node.children.length > 0 && path.length < MAX_LEVEL) {
        pieces.push(',"children":[');
        path.push({ node, next: 0 });
      } else pieces.push(this.#tail(node));
      node = undefined;
      for (let above = path.at(-1); above !== undefined && node === undefined; above = path.at(-1)) {
        node = above.node.children[above.next];
        if (node === undefined) {
          pieces.push(`]${this.#tail(above.node)}`);
          path.pop();
        } else if (above.next++ > 0) pieces.push(',');
      }
      yield pieces;
    }
  }

  #head(node: ViewNode): Json[] {
    const { id, kind, parent, stream, ref, refs, content } = node;
    const begin =
      `{"id":${quoted(id)},"kind":${quoted(kind)}${textMember('parent', parent)}${textMember('stream', stream)}` +
      `,"at":${msOf(this.#view.evidence.timeAt(ref))}${rawMember('ref', ref === undefined ? '' : refText(ref))}` +
      `${listMember('refs', refs.map(refText))}${rawMember('attrs', shownAttributes(node, this.#view.withheld))}`;
    const middle = content?.pieces(this.#view.evidence) ?? [];
    return [begin, ...middle, this.#talkMembers(node) + this.#joined(node)];
  }

  #tail({ id }: ViewNode): string {
    return `${listMember('edges', this.#view.relations.edgesOf(id).map(edgeText))}}`;
  }

  #talkMembers(node: ViewNode): string {
    const talk = this.#talks.get(node);
    if (talk === undefined) return '';
    const { runs, steps, tools, from, to, label, reply } = talk;
    const windows = this.#view.relations
      .edgesOf(node.id)
      .filter(({ relation, direction }) => relation.type === 'in_segment' && direction === 'out');
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
    const changes = this.#view.changes.ofStep.get(node);
    return changes === undefined ? '' : listMember('changes', changes.map(quoted));
  }
}

function edgeText({ relation: { type, from, to, quality, via = '' }, direction }: Edge): string {
  const other = direction === 'out' ? to : from;
  return `{"type":${quoted(type)},"other":${quoted(other)},"dir":"${direction}","quality":${quoted(quality)}${textMember('via', via)}}`;
}
