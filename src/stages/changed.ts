/**
 * What a checkpoint changed: the owners whose entities have to be written anew. An owner is the one thing an
 * entity is made from, a call or a tool or a record, so that rules about entities are rules about owners.
 *
 * Marking too much costs a comparison; marking too little would leave an entity as it was. Each stage marks what
 * its own part of the model changed.
 */
export const OWNER_KINDS = [
  'session',
  'stream',
  'epoch',
  'talk',
  'run',
  'segment',
  'call',
  'tool',
  'child',
  'output',
  'entry',
] as const;
export type OwnerKind = (typeof OWNER_KINDS)[number];

/** Owners by kind. */
export type OwnersByKind = Readonly<Record<OwnerKind, Iterable<number>>>;

/** Something of every kind of owner. */
export function perOwnerKind<T>(make: (kind: OwnerKind) => T): Readonly<Record<OwnerKind, T>> {
  return Object.fromEntries(OWNER_KINDS.map((kind) => [kind, make(kind)])) as Record<OwnerKind, T>;
}

/** A set of owners in the order they were added. Their numbers are small, so a list and flags are enough. */
export class OwnerSet implements Iterable<number> {
  readonly #owners: number[] = [];
  #isIn = new Uint8Array(64);

  add(owner: number): void {
    if (owner >= this.#isIn.length) this.#grow(owner);
    if (this.#isIn[owner] === 1) return;
    this.#isIn[owner] = 1;
    this.#owners.push(owner);
  }

  /** Those that are added meanwhile are gone through too. */
  [Symbol.iterator](): Iterator<number> {
    return this.#owners.values();
  }

  clear(): void {
    for (const owner of this.#owners) this.#isIn[owner] = 0;
    this.#owners.length = 0;
  }

  #grow(owner: number): void {
    const isIn = new Uint8Array(2 * (owner + 1));
    isIn.set(this.#isIn);
    this.#isIn = isIn;
  }
}

export class Changed {
  /** Owners by kind: string numbers, places in a stage's list, or entries. */
  readonly owners = perOwnerKind(() => new OwnerSet());

  /** Streams whose first record landed, and whose role changed, at this checkpoint. */
  readonly landedStreams = new Set<number>();
  readonly roles = new Set<number>();
  /** Calls that got their first fragment. */
  readonly newCalls = new Set<number>();
  /** Record strings that somebody waited for and that landed. */
  readonly arrivedRecords = new Set<number>();
  /** Places of talks that opened, whose range moved, or that are no more. */
  readonly movedTalks = new Set<number>();

  mark(kind: OwnerKind, owner: number): void {
    this.owners[kind].add(owner);
  }

  clear(): void {
    for (const owners of Object.values(this.owners)) owners.clear();
    this.landedStreams.clear();
    this.roles.clear();
    this.newCalls.clear();
    this.arrivedRecords.clear();
    this.movedTalks.clear();
  }
}
