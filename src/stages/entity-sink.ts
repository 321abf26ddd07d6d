import type { Node, Relation } from '../format/session-flow.js';
import type { UnresolvedKind } from './unresolved.js';

/** Where owners write their entities. */
export interface EntitySink {
  node(node: Node): void;
  /** Written twice under one id, a relation is observed twice. */
  relation(relation: Relation): void;
  /** Opens an unresolved entry; an empty reference is left out of its id and of the entry. */
  unresolved(kind: UnresolvedKind, ref: string, reason: string): void;
}
