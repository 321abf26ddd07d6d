/**
 * After the eighth stage, checkpoint by checkpoint: which entities are other than they were at the one before.
 *
 * Only owners that a stage marked are asked again, and the records that are new. What an owner wrote is compared
 * as text with what it wrote before, so marking too much costs time and nothing else.
 */
import { Transform, type TransformCallback } from 'node:stream';
import {
  type Entity,
  type Node,
  nodeEntity,
  type Relation,
  relationEntity,
  unresolvedEntity,
} from '../format/session-flow.js';
import { OWNER_KINDS, type OwnerKind } from './changed.js';
import type { EntitySink } from './entity-sink.js';
import { OWNERS } from './owners.js';
import type { Page } from './page.js';
import { mergeRelations } from './relations.js';
import type { SessionModel } from './session-model.js';
import { settle } from './settle.js';
import { openEntry, type UnresolvedKind } from './unresolved.js';

/** An entity as of a checkpoint; absent when it is no more. */
export interface Change {
  readonly id: string;
  readonly entity: Entity | undefined;
}

/** Takes pages, gives for each checkpoint one list of changes (`Change[]`), in no particular order. */
export class Changes extends Transform {
  readonly #model: SessionModel;
  readonly #written = new Map<string, Written>();
  /** Per kind and owner: what it wrote last. */
  readonly #byOwner = Object.fromEntries(
    OWNER_KINDS.map((kind) => [kind, new Map<number, readonly Written[]>()]),
  ) as Record<OwnerKind, Map<number, readonly Written[]>>;
  readonly #sink = new OwnerSink();
  #from = 0;

  constructor(model: SessionModel) {
    super({ objectMode: true, highWaterMark: 4 });
    this.#model = model;
  }

  override _transform(page: Page, _encoding: BufferEncoding, done: TransformCallback): void {
    settle(done, () => {
      if (page.settles) this.push(this.#changes(page.to));
    });
  }

  #changes(to: number): Change[] {
    const model = this.#model;
    const touched = new Set<Written>();
    for (; this.#from < to; this.#from++) model.changed.mark('entry', this.#from);
    for (const kind of OWNER_KINDS)
      for (const owner of model.changed.owners[kind]) this.#write(kind, owner, touched);
    model.changed.clear();
    const changes: Change[] = [];
    for (const written of touched) {
      const entity = written.entity(model);
      if (entity?.tail === written.current?.tail) continue;
      written.current = entity;
      changes.push({ id: written.id, entity });
      if (entity === undefined) this.#written.delete(written.id);
    }
    return changes;
  }

  #write(kind: OwnerKind, owner: number, touched: Set<Written>): void {
    const before = this.#byOwner[kind].get(owner);
    const sink = this.#sink;
    OWNERS[kind].emit(this.#model, owner, sink);
    if (before === undefined && sink.isEmpty) return;
    const now: Written[] = [];
    for (const [id, version] of sink.take()) {
      let written = this.#written.get(id);
      if (written === undefined) {
        written = new Written(id, kind);
        this.#written.set(id, written);
      }
      now.push(written);
      if (written.put(owner, version)) touched.add(written);
    }
    const kept = before === undefined ? undefined : new Set(now);
    for (const written of before ?? []) {
      if (kept!.has(written)) continue;
      written.remove(owner);
      touched.add(written);
    }
    this.#byOwner[kind].set(owner, now);
  }
}

/** What one owner writes under one id. A relation is kept as it is, for others may observe it too. */
interface Version {
  readonly entity: Entity;
  readonly relation: Relation | undefined;
}

/** An id and who writes it: nearly always one owner, and always owners of one kind. */
class Written {
  readonly id: string;
  current: Entity | undefined;
  readonly #kind: OwnerKind;
  #owner = -1;
  #version: Version | undefined;
  #others: Map<number, Version> | undefined;

  constructor(id: string, kind: OwnerKind) {
    this.id = id;
    this.#kind = kind;
  }

  /** Gives whether the owner's version is another than before. */
  put(owner: number, version: Version): boolean {
    if (this.#version === undefined || this.#owner === owner) {
      if (this.#version?.entity.tail === version.entity.tail) return false;
      this.#owner = owner;
      this.#version = version;
      return true;
    }
    this.#others ??= new Map();
    if (this.#others.get(owner)?.entity.tail === version.entity.tail) return false;
    this.#others.set(owner, version);
    return true;
  }

  remove(owner: number): void {
    if (this.#owner !== owner) {
      this.#others?.delete(owner);
      return;
    }
    const [next] = this.#others ?? [];
    this.#owner = next?.[0] ?? -1;
    this.#version = next?.[1];
    if (next !== undefined) this.#others?.delete(next[0]);
  }

  /** The entity that all owners together write. */
  entity(model: SessionModel): Entity | undefined {
    if (this.#version === undefined || !this.#others?.size) return this.#version?.entity;
    const versions = [[this.#owner, this.#version] as const, ...this.#others];
    versions.sort(([a], [b]) => OWNERS[this.#kind].compare(model, a, b));
    const [first, last] = [versions[0]![1], versions.at(-1)![1]];
    if (first.entity.group === 'node') return last.entity;
    if (first.entity.group === 'unresolved') return first.entity;
    return relationEntity(versions.map(([, { relation }]) => relation!).reduce(mergeRelations));
  }
}

/** Takes what one owner writes. */
class OwnerSink implements EntitySink {
  #versions = new Map<string, Version>();

  get isEmpty(): boolean {
    return this.#versions.size === 0;
  }

  /** What was written since the last call. */
  take(): ReadonlyMap<string, Version> {
    const versions = this.#versions;
    if (versions.size > 0) this.#versions = new Map();
    return versions;
  }

  node(node: Node): void {
    this.#versions.set(node.id, { entity: nodeEntity(node), relation: undefined });
  }

  relation(relation: Relation): void {
    const known = this.#versions.get(relation.id)?.relation;
    const merged = known === undefined ? relation : mergeRelations(known, relation);
    this.#versions.set(relation.id, { entity: relationEntity(merged), relation: merged });
  }

  unresolved(kind: UnresolvedKind, ref: string, reason: string): void {
    const entry = openEntry(kind, ref, reason);
    if (!this.#versions.has(entry.id))
      this.#versions.set(entry.id, { entity: unresolvedEntity(entry), relation: undefined });
  }
}
