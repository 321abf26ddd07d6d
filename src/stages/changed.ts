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

export class Changed {
  /** Owners by kind: string numbers, places in a stage's list, or entries. */
  readonly owners: Readonly<Record<OwnerKind, Set<number>>> = Object.fromEntries(
    OWNER_KINDS.map((kind) => [kind, new Set<number>()]),
  ) as Record<OwnerKind, Set<number>>;

  /** Streams whose first record landed, and whose role changed, at this checkpoint. */
  readonly landedStreams = new Set<number>();
  readonly roles = new Set<number>();
  /** Calls that got their first fragment. */
  readonly newCalls = new Set<number>();
  /** Record strings that somebody waited for and that landed. */
  readonly arrivedRecords = new Set<number>();
  /** Whether a talk opened or the range of one moved. */
  talkTimes = false;

  mark(kind: OwnerKind, owner: number): void {
    this.owners[kind].add(owner);
  }

  clear(): void {
    for (const owners of Object.values(this.owners)) owners.clear();
    this.landedStreams.clear();
    this.roles.clear();
    this.newCalls.clear();
    this.arrivedRecords.clear();
    this.talkTimes = false;
  }
}
