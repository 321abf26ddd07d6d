/** The document of a conversation, made, read and gone through (view spec 2). */
import type { ViewDocument, ViewNode } from '../../format/view-document.js';
import { documentBytes } from '../../view/document.js';
import { buildView } from '../../view/view.js';

/** The document as it is written. Throws as `buildView`. */
export function documentText(root: string, conversation: string, hide: readonly string[] = []): string {
  return Buffer.concat([...documentBytes(buildView(root, conversation, hide))]).toString();
}

export function readDocument(text: string): ViewDocument {
  return JSON.parse(text) as ViewDocument;
}

/** Every node of the document's trees, those outside every talk last. A tree is at most thirteen levels. */
export function* nodesOf({ talks, loose }: ViewDocument): Generator<ViewNode> {
  for (const root of [...talks, ...loose]) yield* nodesBelow(root);
}

function* nodesBelow(node: ViewNode): Generator<ViewNode> {
  yield node;
  for (const child of node.children ?? []) yield* nodesBelow(child);
}
