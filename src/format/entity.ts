/**
 * The entities of a conversation as the bytes they are written in. A frame's line is a head, the number of the
 * round, and a tail:
 *
 *     {"t":"node","id":"tool/t1","revision":  12  ,"kind":"tool","parent":"call/m1","stream":"main",…}
 *     ╰──────────────── head ───────────────╯     ╰─────────────────── tail ──────────────────────╯
 *
 * Two entities are equal when their tails are the same bytes. So each entity is serialised once, into memory that
 * many share; it is compared where it lies, written into a round from there, and an entity that was read lies in
 * the bytes of its round file. Nothing here keeps an entity as members: who wants those decodes the tail.
 * Source: seeds, "Session Flow"; storage spec 3.2 to 3.4.
 */
import { FormatError } from './errors.js';
import { compareCodePoints, escapeForHtml } from './json-text.js';
import {
  type Attributes,
  type AttributeValue,
  type Group,
  type Node,
  type Ref,
  type Relation,
  TALLY,
  tallyOf,
  type Unresolved,
} from './session-flow.js';

const NOT_LOOKED_FOR = -2;

/** One entity, ready to be compared and written. */
export class Entity {
  readonly group: Group;
  readonly id: string;
  /** What it adds to the header's counts: bits of `TALLY`. */
  readonly tally: number;
  /** The round that wrote it; 0 while none has. */
  readonly revision: number;
  /** Whether it is a tombstone, which removes what stood under its id. */
  readonly removes: boolean;
  readonly #bytes: Buffer;
  /** Where head and tail begin and end. They stand side by side, or with the digits of a round between them. */
  readonly #head: number;
  readonly #headEnd: number;
  readonly #tail: number;
  readonly #end: number;
  /** Attributes as a foreign round spelled them, when that is not how they lie here; else empty. */
  readonly #spelled: string;
  #attributes = NOT_LOOKED_FOR;

  constructor(
    group: Group,
    id: string,
    tally: number,
    revision: number,
    removes: boolean,
    bytes: Buffer,
    head: number,
    headEnd: number,
    tail: number,
    end: number,
    spelled = '',
  ) {
    this.group = group;
    this.id = id;
    this.tally = tally;
    this.revision = revision;
    this.removes = removes;
    this.#bytes = bytes;
    this.#head = head;
    this.#headEnd = headEnd;
    this.#tail = tail;
    this.#end = end;
    this.#spelled = spelled;
  }

  /** Canonical JSON text after the revision, from its comma to the closing brace. */
  get tail(): string {
    return this.#bytes.toString('utf8', this.#tail, this.#end);
  }

  /** Size of its line in a round in bytes, the newline counted and the digits of the round not. */
  get sizeWithoutRound(): number {
    return this.#headEnd - this.#head + (this.#end - this.#tail) + 1;
  }

  /** Whether both say the same; nothing says what is absent. */
  equals(other: Entity | undefined): boolean {
    return (
      other !== undefined &&
      this.#end - this.#tail === other.#end - other.#tail &&
      this.#bytes.compare(other.#bytes, other.#tail, other.#end, this.#tail, this.#end) === 0
    );
  }

  /** Writes its line, newline included, at a place that has room for it; gives the place after it. */
  writeLine(target: Buffer, at: number, roundDigits: string): number {
    let to = at + this.#bytes.copy(target, at, this.#head, this.#headEnd);
    to += target.write(roundDigits, to, 'latin1');
    to += this.#bytes.copy(target, to, this.#tail, this.#end);
    target[to] = NEWLINE;
    return to + 1;
  }

  /** Its line in a round, without the newline. */
  line(round: number): string {
    return `${this.#bytes.toString('utf8', this.#head, this.#headEnd)}${round}${this.tail}`;
  }

  /** Its attributes as JSON text, as the round wrote them; empty when it has none. They are a node's last member. */
  get attributes(): string {
    const at = this.group === 'node' ? this.#attributesAt() : -1;
    if (at >= 0 && this.#spelled !== '') return this.#spelled;
    return at < 0 ? '' : this.#bytes.toString('utf8', at + ATTRIBUTES.length, this.#end - 1);
  }

  /** The members its tail holds, without decoding attributes. */
  membersButAttributes<T>(): Omit<T, 'id' | 'attrs'> {
    const at = this.group === 'node' ? this.#attributesAt() : -1;
    const text = this.#bytes.toString('utf8', this.#tail + 1, at < 0 ? this.#end - 1 : at);
    return JSON.parse(`{${text}}`) as Omit<T, 'id' | 'attrs'>;
  }

  /** Where the attributes' key begins. Quotes inside strings are escaped, so the first match is the member. */
  #attributesAt(): number {
    if (this.#attributes === NOT_LOOKED_FOR) {
      const at = this.#bytes.toString('latin1', this.#tail, this.#end).indexOf(ATTRIBUTES);
      this.#attributes = at < 0 ? -1 : this.#tail + at;
    }
    return this.#attributes;
  }

  /** The members its tail holds. */
  members<T>(): Omit<T, 'id'> {
    return JSON.parse(`{${this.tail.slice(1)}`) as Omit<T, 'id'>;
  }
}

const NEWLINE = 0x0a;
const ATTRIBUTES = ',"attrs":';

/** Memory is taken in pieces of this size, smaller ones first. */
const MAX_CHUNK_BYTES = 1024 * 1024;
const MIN_CHUNK_BYTES = 16 * 1024;

/** A place in a writer's memory to go back to. */
export interface Mark {
  readonly chunk: Buffer;
  readonly filled: number;
}

/** Serialises entities one after the other. Each keeps the piece of memory it lies in. */
export class EntityWriter {
  readonly #revision: number;
  #chunk: Buffer = Buffer.alloc(0);
  #filled = 0;
  /** Bytes in earlier pieces of memory. */
  #before = 0;

  /** `revision`: the round the entities were read from. */
  constructor(revision = 0) {
    this.#revision = revision;
  }

  /**
   * Throws `FormatError` for a node without an id. `spelled`: its attributes as they were read, for people; two
   * nodes are the same however each was spelled.
   */
  node(node: Node, spelled = ''): Entity {
    const { id, kind, parent, stream, ref, refs, attrs } = node;
    if (id === '') throw new FormatError('sessionflow: node has no id; it could never be superseded');
    let tail = `,"kind":${quoted(kind)}`;
    if (parent) tail += `,"parent":${JSON.stringify(parent)}`;
    if (stream) tail += `,"stream":${quoted(stream)}`;
    if (ref !== undefined) tail += `,"ref":${refText(ref)}`;
    if (refs !== undefined && refs.length > 0) tail += `,"refs":${refsText(refs)}`;
    const own = isEmptyAttributes(attrs) ? '' : attributesText(attrs!);
    if (own !== '') tail += `${ATTRIBUTES}${own}`;
    const differs = spelled !== escapeForHtml(own) ? spelled : '';
    return this.#write('node', id, `${tail}}`, tallyOf(kind, attrs), false, differs);
  }

  /** Throws `FormatError` for a relation without an id. */
  relation({ id, type, from, to, quality, via, evidence }: Relation): Entity {
    if (id === '') throw new FormatError('sessionflow: relation has no id; it could never be superseded');
    let tail = `,"type":${quoted(type)},"from":${JSON.stringify(from)},"to":${JSON.stringify(to)}`;
    tail += `,"quality":${quoted(quality)}`;
    if (via) tail += `,"via":${quoted(via)}`;
    if (evidence !== undefined && evidence.length > 0) tail += `,"evidence":${refsText(evidence)}`;
    return this.#write('relation', id, `${tail}}`, 0);
  }

  /** Throws `FormatError` for an entry without an id. */
  unresolved({ id, kind, ref, reason, state }: Unresolved): Entity {
    if (id === '')
      throw new FormatError('sessionflow: unresolved entry has no id; it could never be resolved');
    let tail = `,"kind":${JSON.stringify(kind)}`;
    if (ref) tail += `,"ref":${JSON.stringify(ref)}`;
    if (reason) tail += `,"reason":${JSON.stringify(reason)}`;
    tail += `,"state":${JSON.stringify(state)}}`;
    return this.#write('unresolved', id, tail, state === 'open' ? TALLY.unresolved : 0);
  }

  /** The frame that removes an entity: it carries no content, but its always-present keys stay. */
  tombstone(group: Group, id: string): Entity {
    return this.#write(group, id, `,"tombstone":true,${ALWAYS_PRESENT[group]}}`, 0, true);
  }

  /** Bytes written and not taken back. */
  get bytesWritten(): number {
    return this.#before + this.#filled;
  }

  mark(): Mark {
    return { chunk: this.#chunk, filled: this.#filled };
  }

  /** Takes back the memory of what was written since the mark: nothing of it may be used any more. */
  rewind({ chunk, filled }: Mark): void {
    if (chunk === this.#chunk) this.#filled = filled;
  }

  #write(group: Group, id: string, tail: string, tally: number, removes = false, spelled = ''): Entity {
    const head = `{"t":"${group}","id":${JSON.stringify(id)},"revision":`;
    const plain = head + tail;
    const text = escapeForHtml(plain);
    const from = this.#roomFor(text);
    const bytes = this.#chunk;
    const end = from + bytes.write(text, from, 'utf8');
    this.#filled = end;
    // As many bytes as units: all ASCII.
    const isAscii = end - from === plain.length;
    const tailAt = from + (isAscii ? head.length : Buffer.byteLength(escapeForHtml(head)));
    return new Entity(group, id, tally, this.#revision, removes, bytes, from, tailAt, tailAt, end, spelled);
  }

  #roomFor(text: string): number {
    const room = this.#chunk.length - this.#filled;
    // A UTF-16 unit takes at most three bytes; only a text that might not fit is measured.
    if (text.length * 3 > room) {
      const bytes = Buffer.byteLength(text);
      if (bytes > room) {
        const next = Math.min(Math.max(2 * this.#chunk.length, MIN_CHUNK_BYTES), MAX_CHUNK_BYTES);
        this.#before += this.#filled;
        this.#chunk = Buffer.allocUnsafeSlow(Math.max(next, bytes));
        this.#filled = 0;
      }
    }
    return this.#filled;
  }
}

/** An open entry as resolved, with its kind, reference and reason; `undefined` for one that is not open. */
export function resolvedEntry(entity: Entity, writer: EntityWriter): Entity | undefined {
  const entry = entity.members<Unresolved>();
  return entry.state === 'open'
    ? writer.unresolved({ ...entry, id: entity.id, state: 'resolved' })
    : undefined;
}

const ALWAYS_PRESENT: Readonly<Record<Group, string>> = {
  node: '"kind":""',
  relation: '"type":"","from":"","to":"","quality":""',
  unresolved: '"kind":"","state":""',
};

/** Strings that come again and again, as JSON: kinds, streams, names of attributes and their few values. */
const QUOTED = new Map<string, string>();
const MAX_QUOTED = 4096;
const MAX_QUOTED_LENGTH = 64;

/** A string as JSON. Looking it up costs a quarter of making it. */
function quoted(text: string): string {
  const known = QUOTED.get(text);
  if (known !== undefined) return known;
  const json = JSON.stringify(text);
  if (QUOTED.size < MAX_QUOTED && text.length <= MAX_QUOTED_LENGTH) QUOTED.set(text, json);
  return json;
}

function refText({ seq, row, block }: Ref): string {
  return block === undefined ? `{"seq":${seq},"row":${row}}` : `{"seq":${seq},"row":${row},"block":${block}}`;
}

function refsText(refs: readonly Ref[]): string {
  let text = `[${refText(refs[0]!)}`;
  for (let i = 1; i < refs.length; i++) text += `,${refText(refs[i]!)}`;
  return `${text}]`;
}

function isEmptyAttributes(attrs: AttributeValue | undefined): boolean {
  if (attrs === undefined || attrs === null) return true;
  if (typeof attrs !== 'object' || Array.isArray(attrs)) return false;
  for (const _ in attrs) return false;
  return true;
}

/** How deep attributes may nest. Ours nest two deep; a bound keeps hostile rounds from exhausting the stack. */
const MAX_ATTRIBUTE_DEPTH = 256;

/** Attributes as JSON text, their keys in code point order at every depth, any name taken as it is. */
function attributesText(value: AttributeValue, depth = 0): string {
  if (typeof value === 'string') return quoted(value);
  if (Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth > MAX_ATTRIBUTE_DEPTH) throw new TypeError(`attrs nest more than ${MAX_ATTRIBUTE_DEPTH} deep`);
  if (Array.isArray(value)) return `[${value.map((item) => attributesText(item, depth + 1)).join(',')}]`;
  const members = value as Attributes;
  let text = '';
  for (const key of sortedKeys(members)) {
    const member = `${quoted(key)}:${attributesText(members[key]!, depth + 1)}`;
    text = text === '' ? `{${member}` : `${text},${member}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** Names in code point order. Ours stand in it already, and looking is cheaper than sorting. */
function sortedKeys(members: Attributes): string[] {
  const keys = Object.keys(members);
  for (let i = 1; i < keys.length; i++)
    if (compareCodePoints(keys[i - 1]!, keys[i]!) > 0) return keys.sort(compareCodePoints);
  return keys;
}
