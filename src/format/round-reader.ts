/**
 * Reads the bytes of one round under every rule of the format. Nothing looks at a round again once it is
 * folded, so a reader that accepts what a correct writer never makes could disagree with another reader.
 * Source: seeds, "Reading it"; storage spec 4, whose table gives the order of the checks and their texts.
 */
import { createHash } from 'node:crypto';
import { CanonicalFrames, type RoundFacts } from './canonical-frame.js';
import { type Entity, EntityWriter } from './entity.js';
import { FormatError } from './errors.js';
import { Members } from './json-members.js';
import { compactSlice, type Shape, scanJson } from './json-scan.js';
import {
  type AttributeValue,
  checkHeader,
  commitLine,
  type FrameCounts,
  type Group,
  type Header,
  type Ref,
  type Unresolved,
  type UnresolvedState,
} from './session-flow.js';

/** A round as read: every rule holds. */
export interface Round {
  readonly header: Header;
  /** In canonical form however the round spelled them. They keep the bytes they were read from. */
  readonly frames: readonly Entity[];
  /** SHA-256 of the bytes before the commit, as the commit claims and the bytes prove. */
  readonly digest: string;
  readonly counts: FrameCounts;
  /** Whether the commit line is spelled as this format's writers spell it. No digest covers that line. */
  readonly commitIsCanonical: boolean;
}

/** Parses a round. Throws `FormatError` for the first rule broken. */
export function readRound(bytes: Buffer): Round {
  const reader = new RoundReader(bytes);
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline < 0 ? bytes.length : newline;
    if (end > from) reader.line(from, end);
    else reader.emptyLine(from);
    from = end + 1;
  }
  return reader.end();
}

const NEWLINE = 0x0a;

class RoundReader {
  readonly #bytes: Buffer;
  readonly #canonical: CanonicalFrames;
  readonly #hash = createHash('sha256');
  /** Up to here the digest has taken its bytes in. */
  #hashed = 0;
  readonly #groups = new Map<string, Group>();
  readonly #frames: Entity[] = [];
  readonly #counts = { nodes: 0, relations: 0, unresolved: 0 };
  #header: Header | undefined;
  #facts: RoundFacts | undefined;
  #writer = new EntityWriter();
  #commit: { readonly digest: string; readonly counts: FrameCounts; readonly line: string } | undefined;
  #number = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#canonical = new CanonicalFrames(bytes);
  }

  line(from: number, end: number): void {
    this.#number++;
    if (this.#facts !== undefined && this.#commit === undefined) {
      const entity = this.#canonical.at(from, end, this.#facts);
      if (entity !== undefined) {
        this.#keep(entity);
        return;
      }
    }
    const text = this.#bytes.toString('utf8', from, end);
    const frame = this.#decode(text);
    if (this.#commit !== undefined) this.#refuse('content after the commit frame');
    if (this.#header === undefined && frame.t !== 'header')
      throw new FormatError(`sessionflow: first frame is ${JSON.stringify(frame.t)}, not a header`);
    switch (frame.t) {
      case 'commit':
        // The commit is the one line the digest does not cover.
        this.#digestTo(from);
        this.#commit = { ...frame.value, line: text };
        break;
      case 'header':
        if (this.#header !== undefined) this.#refuse('a second header');
        checkHeader(frame.value.schema, frame.value.header);
        this.#begin(frame.value.header);
        break;
      case 'node':
      case 'relation':
      case 'unresolved':
        this.#entity(frame.t, frame.value);
        break;
      default:
        this.#refuse(`unknown frame type ${JSON.stringify(frame.t)}`);
    }
  }

  /** Readers pass over empty lines, and the digest does too. */
  emptyLine(at: number): void {
    if (this.#commit !== undefined) return;
    this.#digestTo(at);
    this.#hashed = at + 1;
  }

  end(): Round {
    if (this.#header === undefined) throw new FormatError('sessionflow: round has no header');
    if (this.#commit === undefined)
      throw new FormatError('sessionflow: round has no commit frame; it is truncated');
    const digest = this.#hash.digest('hex');
    const { digest: claimed, counts: claims, line } = this.#commit;
    if (digest !== claimed)
      throw new FormatError(
        `sessionflow: digest mismatch: computed ${digest.slice(0, 12)}, round claims ${claimed.slice(0, 12)}`,
      );
    const counts = this.#counts;
    if (GROUPS_COUNTED.some((group) => counts[group] !== claims[group]))
      throw new FormatError(
        `sessionflow: counts mismatch: read ${countsText(counts)}, round claims ${countsText(claims)}`,
      );
    return {
      header: this.#header,
      frames: this.#frames,
      digest,
      counts,
      commitIsCanonical: line === commitLine(digest, counts),
    };
  }

  #decode(text: string): DecodedLine {
    try {
      return decodeLine(text, this.#writer);
    } catch (cause) {
      const words = cause instanceof Error ? cause.message : String(cause);
      throw new FormatError(`sessionflow: line ${this.#number}: undecodable frame: ${words}`, { cause });
    }
  }

  #begin(header: Header): void {
    this.#header = header;
    this.#facts = { round: header.round, throughSeq: header.through_seq };
    this.#writer = new EntityWriter(header.round);
  }

  #digestTo(end: number): void {
    this.#hash.update(this.#bytes.subarray(this.#hashed, end));
    this.#hashed = end;
  }

  #entity(t: Group, frame: DecodedEntity): void {
    const { id, revision, refs } = frame;
    if (id === '') this.#refuse(`${t} frame has no id`);
    this.#refuseTwice(t, id);
    const { round, through_seq: through } = this.#header!;
    if (revision !== round) this.#refuse(`revision ${revision} in round ${round}`);
    for (const { seq, row } of refs) {
      if (seq === 0 && row === 0) this.#refuse('a reference to seq 0 row 0 is not a position');
      if (seq > through)
        this.#refuse(`reference to landed sequence ${seq}, past the round's declared ${through}`);
    }
    if (frame.broken !== undefined) this.#refuse(frame.broken);
    this.#keep(frame.entity!);
  }

  #refuseTwice(t: Group, id: string): void {
    const before = this.#groups.get(id);
    if (before !== undefined)
      this.#refuse(`id ${JSON.stringify(id)} appears twice in one round (as ${before} and ${t})`);
  }

  #keep(entity: Entity): void {
    const { group, id } = entity;
    this.#refuseTwice(group, id);
    this.#groups.set(id, group);
    this.#frames.push(entity);
    this.#counts[group === 'node' ? 'nodes' : group === 'relation' ? 'relations' : 'unresolved']++;
  }

  #refuse(rule: string): never {
    throw new FormatError(`sessionflow: line ${this.#number}: ${rule}`);
  }
}

const GROUPS_COUNTED = ['nodes', 'relations', 'unresolved'] as const;

function countsText(counts: FrameCounts): string {
  return `{Nodes:${counts.nodes} Relations:${counts.relations} Unresolved:${counts.unresolved}}`;
}

type DecodedLine =
  | { readonly t: 'header'; readonly value: { readonly schema: string; readonly header: Header } }
  | { readonly t: Group; readonly value: DecodedEntity }
  | { readonly t: 'commit'; readonly value: { readonly digest: string; readonly counts: FrameCounts } }
  | { readonly t: 'unknown'; readonly value: undefined };

interface DecodedEntity {
  readonly id: string;
  readonly revision: number;
  readonly refs: readonly Ref[];
  /** A rule of this frame type that is broken, in words. */
  readonly broken: string | undefined;
  /** Absent when the frame has no id: then it is refused. */
  readonly entity: Entity | undefined;
}

function decodeLine(text: string, writer: EntityWriter): DecodedLine {
  const o = new Members(JSON.parse(text));
  const t = o.text('t');
  switch (t) {
    case 'header':
      return { t, value: decodeHeader(o) };
    case 'node':
      return { t, value: decodeNode(o, writer, text) };
    case 'relation':
      return { t, value: decodeRelation(o, writer) };
    case 'unresolved':
      return { t, value: decodeUnresolved(o, writer) };
    case 'commit':
      return { t, value: decodeCommit(o) };
    default:
      // Any other word is refused by the caller, which knows the order of the rules.
      return { t: t as 'unknown', value: undefined };
  }
}

function decodeHeader(o: Members): { schema: string; header: Header } {
  const optional = (key: string): string | undefined => o.text(key) || undefined;
  const unknownWhenAbsent = (key: string): number | undefined =>
    (o.value(key) ?? undefined) === undefined ? undefined : o.integer(key);
  return {
    schema: o.text('schema'),
    header: {
      conversation: o.text('conversation'),
      session: o.text('session'),
      round: o.natural('round'),
      previous: optional('previous'),
      from_seq: o.natural('from_seq'),
      through_seq: o.natural('through_seq'),
      input_digest: o.text('input_digest'),
      parser: o.text('parser'),
      policy: o.text('policy'),
      from_time: optional('from_time'),
      through_time: optional('through_time'),
      session_from_time: optional('session_from_time'),
      session_through_time: optional('session_through_time'),
      title: optional('title'),
      talks: o.integer('talks'),
      steps: o.integer('steps'),
      streams: o.integer('streams'),
      segments: o.integer('segments'),
      unresolved: o.integer('unresolved'),
      changes: unknownWhenAbsent('changes'),
      lines_added: unknownWhenAbsent('lines_added'),
      lines_removed: unknownWhenAbsent('lines_removed'),
      llm_calls: unknownWhenAbsent('llm_calls'),
      subagents: unknownWhenAbsent('subagents'),
      bash_runs: unknownWhenAbsent('bash_runs'),
    },
  };
}

function decodeNode(o: Members, writer: EntityWriter, text: string): DecodedEntity {
  const ref = o.object('ref', decodeRef);
  const refs = o.objects('refs', decodeRef);
  const node = {
    id: o.text('id'),
    kind: o.text('kind'),
    parent: o.text('parent'),
    stream: o.text('stream'),
    ref,
    refs,
    attrs: (o.value('attrs') ?? null) as AttributeValue,
  };
  const removed = o.boolean('tombstone') ?? false;
  return {
    id: node.id,
    revision: o.natural('revision'),
    refs: ref === undefined ? refs : [ref, ...refs],
    broken: undefined,
    entity: entityUnlessNameless(node.id, () =>
      removed ? writer.tombstone('node', node.id) : writer.node(node, spelledAttributes(text)),
    ),
  };
}

/** Attributes as the line has them, without white space: number spellings and the order of keys survive. */
function spelledAttributes(text: string): string {
  const slice = scanJson(text, ATTRIBUTES).members.get('attrs');
  return slice === undefined ? '' : compactSlice(text, slice);
}

const ATTRIBUTES: Shape = { members: new Map([['attrs', {}]]) };

function decodeRelation(o: Members, writer: EntityWriter): DecodedEntity {
  const evidence = o.objects('evidence', decodeRef);
  const relation = {
    id: o.text('id'),
    type: o.text('type'),
    from: o.text('from'),
    to: o.text('to'),
    quality: o.text('quality'),
    via: o.text('via'),
    evidence,
  };
  const removed = o.boolean('tombstone') ?? false;
  const complete = relation.type !== '' && relation.from !== '' && relation.to !== '';
  return {
    id: relation.id,
    revision: o.natural('revision'),
    refs: evidence,
    broken:
      removed || complete
        ? undefined
        : `relation ${JSON.stringify(relation.id)} is missing an endpoint or a type`,
    entity: entityUnlessNameless(relation.id, () =>
      removed ? writer.tombstone('relation', relation.id) : writer.relation(relation),
    ),
  };
}

function entityUnlessNameless(id: string, make: () => Entity): Entity | undefined {
  return id === '' ? undefined : make();
}

const STATES: readonly string[] = ['open', 'resolved', 'terminal'] satisfies UnresolvedState[];

function decodeUnresolved(o: Members, writer: EntityWriter): DecodedEntity {
  const id = o.text('id');
  const state = o.text('state');
  const removed = o.boolean('tombstone') ?? false;
  const entry: Unresolved = {
    id,
    kind: o.text('kind'),
    ref: o.text('ref'),
    reason: o.text('reason'),
    state: state as UnresolvedState,
  };
  return {
    id,
    revision: o.natural('revision'),
    refs: [],
    broken:
      removed || STATES.includes(state)
        ? undefined
        : `unresolved entry ${JSON.stringify(id)} has state ${JSON.stringify(state)}`,
    entity: entityUnlessNameless(id, () =>
      removed ? writer.tombstone('unresolved', id) : writer.unresolved(entry),
    ),
  };
}

function decodeCommit(o: Members): { digest: string; counts: FrameCounts } {
  const counts = o.object('counts', (c) => ({
    nodes: c.integer('nodes'),
    relations: c.integer('relations'),
    unresolved: c.integer('unresolved'),
  }));
  return { digest: o.text('digest'), counts: counts ?? { nodes: 0, relations: 0, unresolved: 0 } };
}

function decodeRef(o: Members): Ref {
  const block = (o.value('block') ?? undefined) === undefined ? undefined : o.integer('block');
  const position = { seq: o.natural('seq'), row: o.integer('row') };
  return block === undefined ? position : { ...position, block };
}
