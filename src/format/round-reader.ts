/**
 * Reads the bytes of one round under every rule of the format. Nothing looks at a round again once it is
 * folded, so a reader that accepts what a correct writer never makes could disagree with another reader.
 * Source: seeds, "Reading it"; storage spec 4, whose table gives the order of the checks and their texts.
 */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { CanonicalFrames, type RoundFacts } from './canonical-frame.js';
import { type Entity, EntityWriter } from './entity.js';
import { FormatError } from './errors.js';
import { Members } from './json-members.js';
import { compactSlice, type Shape, scanJson } from './json-scan.js';
import { compareCodePoints, parseJson } from './json-text.js';
import {
  type AttributeValue,
  brokenHeaderRule,
  commitLine,
  type FrameCounts,
  GROUPS,
  type Group,
  type Header,
  headerLine,
  type Ref,
  type Unresolved,
  type UnresolvedState,
} from './session-flow.js';

/** A round as read: every rule holds. */
export interface Round extends RoundSummary {
  /** In canonical form however the round spelled them. They keep the bytes they were read from. */
  readonly frames: readonly Entity[];
}

/** What a round says beside its frames. */
export interface RoundSummary {
  readonly header: Header;
  /** SHA-256 of the bytes before the commit, as the commit claims and the bytes prove. */
  readonly digest: string;
  readonly counts: FrameCounts;
  /**
   * The first line that is right but not as this format's writers have it: spelled otherwise, out of its order, or
   * empty, from 1; 0 for none. The last line without its newline counts as one.
   */
  readonly oddLine: number;
}

/** Which kind of rule a round breaks. */
export type RoundRule = 'unread' | 'frames' | 'header' | 'entity' | 'reference' | 'cut' | 'digest' | 'counts';

/** A round that breaks a rule of reading, and where: its line, from 1; 0 for the round as a whole. */
export class RoundError extends FormatError {
  readonly rule: RoundRule;
  readonly line: number;

  constructor(message: string, rule: RoundRule, line = 0, options?: { cause?: unknown }) {
    super(`sessionflow: ${message}`, options);
    this.rule = rule;
    this.line = line;
  }
}

/** Parses a round. Throws `FormatError` for the first rule broken. */
export function readRound(bytes: Buffer): Round {
  const frames: Entity[] = [];
  const summary = read(bytes, (entity) => frames.push(entity));
  return { ...summary, frames };
}

/** Holds a round to the same rules and keeps none of its frames. Throws what `readRound` throws. */
export function checkRound(bytes: Buffer): RoundSummary {
  return read(bytes, () => {});
}

function read(bytes: Buffer, take: (entity: Entity) => void): RoundSummary {
  const reader = new RoundReader(bytes, take);
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline < 0 ? bytes.length : newline;
    if (end > from) reader.line(from, end);
    else reader.emptyLine(from);
    if (newline < 0) reader.unended();
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
  readonly #take: (entity: Entity) => void;
  readonly #counts = { nodes: 0, relations: 0, unresolved: 0 };
  #header: Header | undefined;
  #facts: RoundFacts | undefined;
  #writer = new EntityWriter();
  #commit: { readonly digest: string; readonly counts: FrameCounts; readonly line: CommitLine } | undefined;
  /** Lines, but for empty ones, which no rule counts. */
  #number = 0;
  /** Lines as they stand in the file. */
  #lines = 0;
  #oddLine = 0;
  #last: Entity | undefined;

  constructor(bytes: Buffer, take: (entity: Entity) => void) {
    this.#bytes = bytes;
    this.#take = take;
    this.#canonical = new CanonicalFrames(bytes);
  }

  line(from: number, end: number): void {
    this.#number++;
    this.#lines++;
    if (this.#facts !== undefined && this.#commit === undefined) {
      const entity = this.#canonical.at(from, end, this.#facts);
      if (entity !== undefined) {
        this.#keep(entity);
        return;
      }
    }
    const text = this.#bytes.toString('utf8', from, end);
    const frame = this.#decode(text);
    // Ill-formed bytes read as U+FFFD, which nobody wrote.
    if (!isUtf8(this.#bytes.subarray(from, end))) this.#odd();
    if (this.#commit !== undefined) this.#refuse('frames', 'content after the commit frame');
    if (this.#header === undefined && frame.t !== 'header')
      throw new RoundError(`first frame is ${JSON.stringify(frame.t)}, not a header`, 'frames', this.#lines);
    switch (frame.t) {
      case 'commit':
        // The commit is the one line the digest does not cover.
        this.#digestTo(from);
        this.#commit = { ...frame.value, line: { text, number: this.#lines } };
        break;
      case 'header':
        if (this.#header !== undefined) this.#refuse('frames', 'a second header');
        this.#begin(frame.value.schema, frame.value.header);
        if (headerLine(frame.value.header) !== text) this.#odd();
        break;
      case 'node':
      case 'relation':
      case 'unresolved':
        this.#entity(frame.t, frame.value, text);
        break;
      default:
        this.#refuse('frames', `unknown frame type ${JSON.stringify(frame.t)}`);
    }
  }

  /** Readers pass over empty lines, and the digest does too. */
  emptyLine(at: number): void {
    this.#lines++;
    this.#odd();
    if (this.#commit !== undefined) return;
    this.#digestTo(at);
    this.#hashed = at + 1;
  }

  /** The current line has no newline: readers take it, writers end every line. */
  unended(): void {
    this.#odd();
  }

  end(): RoundSummary {
    if (this.#header === undefined) throw new RoundError('round has no header', 'frames');
    if (this.#commit === undefined) throw new RoundError('round has no commit frame; it is truncated', 'cut');
    const digest = this.#hash.digest('hex');
    const { digest: claimed, counts: claims, line } = this.#commit;
    if (digest !== claimed)
      throw new RoundError(
        `digest mismatch: computed ${digest.slice(0, 12)}, round claims ${claimed.slice(0, 12)}`,
        'digest',
      );
    const counts = this.#counts;
    if (GROUPS_COUNTED.some((group) => counts[group] !== claims[group]))
      throw new RoundError(
        `counts mismatch: read ${countsText(counts)}, round claims ${countsText(claims)}`,
        'counts',
      );
    if (line.text !== commitLine(digest, counts)) this.#odd(line.number);
    return { header: this.#header, digest, counts, oddLine: this.#oddLine };
  }

  #decode(text: string): DecodedLine {
    try {
      return decodeLine(text, this.#writer);
    } catch (cause) {
      const words = cause instanceof Error ? cause.message : String(cause);
      throw new RoundError(`line ${this.#number}: undecodable frame: ${words}`, 'unread', this.#lines, {
        cause,
      });
    }
  }

  #begin(schema: string, header: Header): void {
    const broken = brokenHeaderRule(schema, header);
    if (broken !== undefined) throw new RoundError(broken, 'header', this.#lines);
    this.#header = header;
    this.#facts = { round: header.round, throughSeq: header.through_seq };
    this.#writer = new EntityWriter(header.round);
  }

  #digestTo(end: number): void {
    this.#hash.update(this.#bytes.subarray(this.#hashed, end));
    this.#hashed = end;
  }

  #entity(t: Group, frame: DecodedEntity, text: string): void {
    const { id, revision, refs } = frame;
    if (id === '') this.#refuse('entity', `${t} frame has no id`);
    this.#refuseTwice(t, id);
    const { round, through_seq: through } = this.#header!;
    if (revision !== round) this.#refuse('entity', `revision ${revision} in round ${round}`);
    for (const { seq, row } of refs) {
      if (seq === 0 && row === 0) this.#refuse('reference', 'a reference to seq 0 row 0 is not a position');
      if (seq > through)
        this.#refuse(
          'reference',
          `reference to landed sequence ${seq}, past the round's declared ${through}`,
        );
    }
    if (frame.broken !== undefined) this.#refuse('entity', frame.broken);
    if (frame.entity!.line(round) !== text) this.#odd();
    this.#keep(frame.entity!);
  }

  #refuseTwice(t: Group, id: string): void {
    const before = this.#groups.get(id);
    if (before !== undefined)
      this.#refuse('entity', `id ${JSON.stringify(id)} appears twice in one round (as ${before} and ${t})`);
  }

  #keep(entity: Entity): void {
    const { group, id } = entity;
    this.#refuseTwice(group, id);
    this.#groups.set(id, group);
    if (this.#last !== undefined && !standsBefore(this.#last, entity)) this.#odd();
    this.#last = entity;
    this.#take(entity);
    this.#counts[group === 'node' ? 'nodes' : group === 'relation' ? 'relations' : 'unresolved']++;
  }

  #odd(line = this.#lines): void {
    if (this.#oddLine === 0 || line < this.#oddLine) this.#oddLine = line;
  }

  #refuse(rule: RoundRule, words: string): never {
    throw new RoundError(`line ${this.#number}: ${words}`, rule, this.#lines);
  }
}

interface CommitLine {
  readonly text: string;
  readonly number: number;
}

/** The order of a round: nodes, relations, unresolved entries, each by id. */
function standsBefore(a: Entity, b: Entity): boolean {
  const groups = GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group);
  return groups < 0 || (groups === 0 && compareCodePoints(a.id, b.id) < 0);
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
  const o = new Members(parseJson(text));
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
