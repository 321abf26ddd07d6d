/**
 * Relations as they are observed. Observed twice, a relation is one: its evidence is appended in the order
 * observed, and the stronger quality wins and brings its words (assembly spec, "Vocabulary of values").
 */
import type { Entity } from '../format/entity.js';
import type { Relation } from '../format/session-flow.js';

/** Strongest first. Any other word is weaker than these. */
const QUALITIES = ['exact_unique', 'exact_ambiguous', 'strong_inference', 'weak_inference'];
const CONFLICT = 'conflict';
const VIA_SEPARATOR = '; ';

/** One relation of two observations of it; on a tie of quality the first stays. */
export function mergeRelations(first: Relation, second: Relation): Relation {
  const evidence = [...(first.evidence ?? []), ...(second.evidence ?? [])].filter(({ seq }) => seq !== 0);
  if (first.quality === CONFLICT || second.quality === CONFLICT) {
    const vias = [first, second].flatMap(({ via = '' }) => via.split(VIA_SEPARATOR));
    const distinct = new Set(vias.filter((via) => via !== ''));
    return { ...first, quality: CONFLICT, via: [...distinct].join(VIA_SEPARATOR), evidence };
  }
  const stronger = strength(second.quality) < strength(first.quality) ? second : first;
  return { ...stronger, evidence };
}

/** A relation as it is after one more observation. Being observed twice is rare, so what was written is read again. */
export function observedAgain(known: Entity | undefined, relation: Relation): Relation {
  return known === undefined ? relation : mergeRelations(relationOf(known), relation);
}

export function relationOf(entity: Entity): Relation {
  return { ...entity.members<Relation>(), id: entity.id };
}

function strength(quality: string): number {
  const place = QUALITIES.indexOf(quality);
  return place < 0 ? QUALITIES.length : place;
}
