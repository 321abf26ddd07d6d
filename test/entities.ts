/** Entities as a writer makes them, each alone. */
import { type Entity, EntityWriter } from '../src/format/entity.js';
import type { Group, Node, Relation, Unresolved } from '../src/format/session-flow.js';

export const nodeEntity = (node: Node): Entity => new EntityWriter().node(node);
export const relationEntity = (relation: Relation): Entity => new EntityWriter().relation(relation);
export const unresolvedEntity = (entry: Unresolved): Entity => new EntityWriter().unresolved(entry);
export const tombstone = (group: Group, id: string): Entity => new EntityWriter().tombstone(group, id);
