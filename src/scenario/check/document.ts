/** The document of a conversation as a value: the members that expectations and properties ask about (view spec 2). */
import { documentBytes } from '../../view/document.js';
import { buildView, type ViewState } from '../../view/view.js';

export interface ViewDocument {
  readonly head: { readonly round: number; readonly digest: string };
  readonly summary: DocumentSummary;
  readonly rounds: readonly { readonly round: number; readonly digest: string; readonly verified: boolean }[];
  readonly files: readonly {
    readonly format: 'sd' | 'sf';
    readonly seq: number | null;
    readonly round: number | null;
    readonly digest: string;
  }[];
  readonly streams: readonly { readonly id: string }[];
  readonly segments: readonly { readonly id: string }[];
  readonly talks: readonly DocumentNode[];
  readonly loose: readonly DocumentNode[];
  readonly relations: readonly { readonly id: string }[];
  readonly unresolved: readonly { readonly id: string; readonly state: string }[];
  readonly workspace_changes: readonly {
    readonly step: string;
    readonly id: string;
    readonly captured_by: string;
    readonly changes?: readonly unknown[];
  }[];
}

export interface DocumentSummary {
  readonly title: string;
  readonly state: ViewState;
  readonly problems: readonly string[];
  readonly talks: number;
  readonly steps: number;
  readonly streams: number;
  readonly segments: number;
  readonly rounds: number;
  readonly unresolved: number;
  readonly changes: number;
  readonly from: number;
  readonly to: number;
  readonly withheld: Readonly<Record<string, number>>;
}

export interface DocumentNode {
  readonly id: string;
  readonly kind: string;
  readonly parent?: string;
  readonly stream?: string;
  readonly text?: string;
  readonly state?: string;
  readonly flags?: readonly string[];
  readonly label?: string;
  readonly reply?: string;
  readonly runs?: number;
  readonly changes?: readonly string[];
  readonly children?: readonly DocumentNode[];
}

/** The document as it is written. Throws as `buildView`. */
export function documentText(root: string, conversation: string, hide: readonly string[] = []): string {
  return Buffer.concat([...documentBytes(buildView(root, conversation, hide))]).toString();
}

export function readDocument(text: string): ViewDocument {
  return JSON.parse(text) as ViewDocument;
}

/** Every node of the document's trees, those outside every talk last. A tree is at most thirteen levels. */
export function* nodesOf({ talks, loose }: ViewDocument): Generator<DocumentNode> {
  for (const root of [...talks, ...loose]) yield* nodesBelow(root);
}

function* nodesBelow(node: DocumentNode): Generator<DocumentNode> {
  yield node;
  for (const child of node.children ?? []) yield* nodesBelow(child);
}
