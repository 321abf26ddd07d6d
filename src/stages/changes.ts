/**
 * After the eighth stage, checkpoint by checkpoint: which entities are other than they were at the one before.
 *
 * Only owners that a stage marked are asked again, and the records that are new. What an owner wrote is compared
 * with what it wrote before, so marking too much costs time and nothing else.
 */
import { type Entity, EntityWriter } from '../format/entity.js';
import type { Node, Relation } from '../format/session-flow.js';
import { OWNER_KINDS, type OwnerKind, type OwnersByKind, perOwnerKind } from './changed.js';
import type { EntitySink } from './entity-sink.js';
import { OWNERS } from './owners.js';
import { mergeRelations, observedAgain, relationOf } from './relations.js';
import type { SessionModel } from './session-model.js';
import { openEntry, type UnresolvedKind } from './unresolved.js';

/** What a checkpoint made of an id: the entity before it and after it, each absent when there is none. */
export interface Change {
  /** The same number for every change of an id; numbers count from 0 in order of first appearance. */
  readonly subject: number;
  readonly before: Entity | undefined;
  readonly after: Entity | undefined;
}

/** What has been written of a model, and what is other each time it has settled a checkpoint. */
export class Changes {
  readonly #model: SessionModel;
  readonly #writer = new EntityWriter();
  readonly #subjects = new Map<string, Subject>();
  /** Per kind and owner: what it wrote last, unless nothing. */
  readonly #byOwner = perOwnerKind(() => new Map<number, readonly Subject[]>());

  constructor(model: SessionModel) {
    this.#model = model;
  }

  /** Bytes of all that was written and is other than before. */
  get bytesWritten(): number {
    return this.#writer.bytesWritten;
  }

  /** The changes since the call before, by what `owners` write now; in no particular order. */
  of(owners: OwnersByKind): Change[] {
    const touched = new Set<Subject>();
    for (const kind of OWNER_KINDS) for (const owner of owners[kind]) this.#write(kind, owner, touched);
    const changes: Change[] = [];
    for (const subject of touched) {
      const before = subject.current;
      const after = subject.entity(this.#model, this.#writer);
      if (before === after || after?.equals(before)) continue;
      subject.current = after;
      changes.push({ subject: subject.number, before, after });
    }
    return changes;
  }

  /** Asks an owner again; puts the subjects of which it says something else into `touched`. */
  #write(kind: OwnerKind, owner: number, touched: Set<Subject>): void {
    const before = this.#byOwner[kind].get(owner);
    const sink = new OwnerSink(this.#writer);
    const mark = this.#writer.mark();
    OWNERS[kind].emit(this.#model, owner, sink);
    const { written } = sink;
    if (written.length === 0 && before === undefined) return;
    const now: Subject[] = [];
    let isNew = false;
    for (const entity of written) {
      const subject = this.#subject(entity.id, kind);
      now.push(subject);
      if (!subject.put(owner, entity)) continue;
      touched.add(subject);
      isNew = true;
    }
    if (!isNew) this.#writer.rewind(mark);
    for (const subject of missingFrom(now, before)) {
      subject.remove(owner);
      touched.add(subject);
    }
    if (now.length > 0) this.#byOwner[kind].set(owner, now);
    else this.#byOwner[kind].delete(owner);
  }

  #subject(id: string, kind: OwnerKind): Subject {
    let subject = this.#subjects.get(id);
    if (subject === undefined) {
      subject = new Subject(this.#subjects.size, kind);
      this.#subjects.set(id, subject);
    }
    return subject;
  }
}

/** What an owner wrote before and does not write now. Mostly it writes the same ids again. */
function missingFrom(now: readonly Subject[], before: readonly Subject[] = []): readonly Subject[] {
  if (before.every((subject, i) => subject === now[i])) return [];
  const written = new Set(now);
  return before.filter((subject) => !written.has(subject));
}

/** An id and who writes it: nearly always one owner, and always owners of one kind. */
class Subject {
  readonly number: number;
  /** As of the last checkpoint. */
  current: Entity | undefined;
  readonly #kind: OwnerKind;
  #owner = -1;
  #entity: Entity | undefined;
  #others: Map<number, Entity> | undefined;

  constructor(number: number, kind: OwnerKind) {
    this.number = number;
    this.#kind = kind;
  }

  /** Gives whether the owner's version is another than before. */
  put(owner: number, entity: Entity): boolean {
    if (this.#entity === undefined || this.#owner === owner) {
      if (entity.equals(this.#entity)) return false;
      this.#owner = owner;
      this.#entity = entity;
      return true;
    }
    this.#others ??= new Map();
    if (entity.equals(this.#others.get(owner))) return false;
    this.#others.set(owner, entity);
    return true;
  }

  remove(owner: number): void {
    if (this.#owner !== owner) {
      this.#others?.delete(owner);
      return;
    }
    const [next] = this.#others ?? [];
    this.#owner = next?.[0] ?? -1;
    this.#entity = next?.[1];
    if (next !== undefined) this.#others?.delete(next[0]);
  }

  /** The entity that all owners together write. */
  entity(model: SessionModel, writer: EntityWriter): Entity | undefined {
    if (this.#entity === undefined || !this.#others?.size) return this.#entity;
    const versions = [[this.#owner, this.#entity] as const, ...this.#others];
    versions.sort(([a], [b]) => OWNERS[this.#kind].compare(model, a, b));
    const entities = versions.map(([, entity]) => entity);
    if (this.#entity.group === 'node') return entities.at(-1);
    if (this.#entity.group === 'unresolved') return entities[0];
    return writer.relation(entities.map(relationOf).reduce(mergeRelations));
  }
}

/** What one owner writes, under the rules for what is written twice. */
class OwnerSink implements EntitySink {
  readonly written: Entity[] = [];
  readonly #writer: EntityWriter;
  #places: Map<string, number> | undefined;

  constructor(writer: EntityWriter) {
    this.#writer = writer;
  }

  node(node: Node): void {
    this.#put(this.#place(node.id), this.#writer.node(node));
  }

  relation(relation: Relation): void {
    const place = this.#place(relation.id);
    this.#put(place, this.#writer.relation(observedAgain(this.written[place], relation)));
  }

  unresolved(kind: UnresolvedKind, ref: string, reason: string): void {
    const entry = openEntry(kind, ref, reason);
    const place = this.#place(entry.id);
    if (place === this.written.length) this.#put(place, this.#writer.unresolved(entry));
  }

  #put(place: number, entity: Entity): void {
    this.written[place] = entity;
    this.#places?.set(entity.id, place);
  }

  /** Where an id stands, or the end. Nearly every owner writes a handful of entities. */
  #place(id: string): number {
    const { length } = this.written;
    if (length > FEW) this.#places ??= new Map(this.written.map((entity, place) => [entity.id, place]));
    if (this.#places !== undefined) return this.#places.get(id) ?? length;
    for (let place = 0; place < length; place++) if (this.written[place]!.id === id) return place;
    return length;
  }
}

/** Up to so many entities are looked through one by one. */
const FEW = 8;
