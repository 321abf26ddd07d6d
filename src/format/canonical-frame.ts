/**
 * Recognises the line of an entity that is spelled exactly as this format's writer spells it, without decoding it.
 * Nearly all lines of nearly all rounds are; they are used where they lie. Whatever is spelled otherwise, breaks a
 * rule, or holds an escape or a character beyond ASCII is not recognised, and the reader decodes it: so being
 * recognised says that the line is right, and not being recognised says nothing.
 *
 * Decoding and serialising again gives a recognised line's own bytes; the tests hold the two against each other.
 */
import { Entity } from './entity.js';
import { type Group, TALLY, tallyOfKind } from './session-flow.js';

/** What the references and the revision of a frame are held against. */
export interface RoundFacts {
  readonly round: number;
  readonly throughSeq: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** Bytes that stand for themselves in a string: ASCII but quote, backslash, `<`, `>`, `&` and the controls. */
const IS_PLAIN = new Uint8Array(256);
for (let byte = 0x20; byte < 0x7f; byte++)
  IS_PLAIN[byte] = '"\\<>&'.includes(String.fromCharCode(byte)) ? 0 : 1;

/** Longer numbers are decoded: here every number is exact, and spelled in one way. */
const MAX_DIGITS = 15;
/** Deeper attributes are decoded. Ours nest two deep. */
const MAX_DEPTH = 8;

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const NODE = ascii('{"t":"node","id":"');
const RELATION = ascii('{"t":"relation","id":"');
const UNRESOLVED = ascii('{"t":"unresolved","id":"');
const REVISION = ascii(',"revision":');
const KIND = ascii(',"kind":"');
const PARENT = ascii(',"parent":"');
const STREAM = ascii(',"stream":"');
const REF = ascii(',"ref":{');
const REFS = ascii(',"refs":[');
const ATTRS = ascii(',"attrs":{');
const TYPE = ascii(',"type":"');
const FROM = ascii(',"from":"');
const TO = ascii(',"to":"');
const QUALITY = ascii(',"quality":"');
const VIA = ascii(',"via":"');
const EVIDENCE = ascii(',"evidence":[');
const REFERENCE = ascii(',"ref":"');
const REASON = ascii(',"reason":"');
const STATE = ascii(',"state":"');
const SEQ = ascii('"seq":');
const ROW = ascii(',"row":');
const BLOCK = ascii(',"block":');
const NAME = ascii('"name":"');
const BASH = ascii('"name":"Bash"');
const ROLE = ascii('"role":"');
const CHILD = ascii('"role":"child"');
const TRUE = ascii('true');
const FALSE = ascii('false');
const NULL = ascii('null');

/** Reads the lines of one round's bytes. */
export class CanonicalFrames {
  readonly #bytes: Buffer;
  #at = 0;
  #end = 0;
  #throughSeq = 0;
  #isBash = false;
  #isChild = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The entity of the line from `from` to `end`, its newline left out; `undefined` when it is not recognised. */
  at(from: number, end: number, { round, throughSeq }: RoundFacts): Entity | undefined {
    this.#at = from;
    this.#end = end;
    this.#throughSeq = throughSeq;
    const group = this.#group();
    if (group === undefined) return undefined;
    const idFrom = this.#at;
    if (!this.#someString()) return undefined;
    const idEnd = this.#at - 1;
    if (!this.#skip(REVISION)) return undefined;
    const headEnd = this.#at;
    if (this.#natural() !== round) return undefined;
    const tail = this.#at;
    const tally =
      group === 'node' ? this.#node() : group === 'relation' ? this.#relation() : this.#unresolved();
    if (tally < 0 || this.#at !== end - 1 || this.#bytes[this.#at] !== CLOSE) return undefined;
    const bytes = this.#bytes;
    const id = bytes.toString('latin1', idFrom, idEnd);
    return new Entity(group, id, tally, round, false, bytes, from, headEnd, tail, end);
  }

  #group(): Group | undefined {
    if (this.#skip(NODE)) return 'node';
    if (this.#skip(RELATION)) return 'relation';
    return this.#skip(UNRESOLVED) ? 'unresolved' : undefined;
  }

  /** After the revision. Each gives what the entity counts as, or -1 when it is not recognised. */
  #node(): number {
    if (!this.#skip(KIND)) return UNKNOWN;
    const kindFrom = this.#at;
    if (!this.#string()) return UNKNOWN;
    const kindEnd = this.#at - 1;
    if (this.#skip(PARENT) && !this.#someString()) return UNKNOWN;
    if (this.#skip(STREAM) && !this.#someString()) return UNKNOWN;
    if (this.#skip(REF) && !this.#ref()) return UNKNOWN;
    if (this.#skip(REFS) && !this.#refs()) return UNKNOWN;
    this.#isBash = false;
    this.#isChild = false;
    if (this.#skip(ATTRS) && !this.#members(0)) return UNKNOWN;
    return tallyOfKind(this.#bytes.toString('latin1', kindFrom, kindEnd), this.#isBash, this.#isChild);
  }

  #relation(): number {
    if (!this.#skip(TYPE) || !this.#someString()) return UNKNOWN;
    if (!this.#skip(FROM) || !this.#someString()) return UNKNOWN;
    if (!this.#skip(TO) || !this.#someString()) return UNKNOWN;
    if (!this.#skip(QUALITY) || !this.#string()) return UNKNOWN;
    if (this.#skip(VIA) && !this.#someString()) return UNKNOWN;
    if (this.#skip(EVIDENCE) && !this.#refs()) return UNKNOWN;
    return 0;
  }

  #unresolved(): number {
    if (!this.#skip(KIND) || !this.#string()) return UNKNOWN;
    if (this.#skip(REFERENCE) && !this.#someString()) return UNKNOWN;
    if (this.#skip(REASON) && !this.#someString()) return UNKNOWN;
    if (!this.#skip(STATE)) return UNKNOWN;
    const from = this.#at;
    if (!this.#string()) return UNKNOWN;
    switch (this.#bytes.toString('latin1', from, this.#at - 1)) {
      case 'open':
        return TALLY.unresolved;
      case 'resolved':
      case 'terminal':
        return 0;
      default:
        return UNKNOWN;
    }
  }

  /** Steps over a text, or stays where it is. */
  #skip(text: Buffer): boolean {
    const bytes = this.#bytes;
    const at = this.#at;
    if (at + text.length > this.#end) return false;
    for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
    this.#at = at + text.length;
    return true;
  }

  #byte(byte: number): boolean {
    if (this.#at >= this.#end || this.#bytes[this.#at] !== byte) return false;
    this.#at++;
    return true;
  }

  /** The rest of a string, from behind its opening quote to behind its closing one. */
  #string(): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    while (IS_PLAIN[bytes[at]!] === 1) at++;
    this.#at = at + 1;
    return at < this.#end && bytes[at] === QUOTE;
  }

  /** As `#string`, one that is not empty: empty members are left out. */
  #someString(): boolean {
    return this.#bytes[this.#at] !== QUOTE && this.#string();
  }

  /** A whole number from 0, or -1. */
  #natural(): number {
    const bytes = this.#bytes;
    const from = this.#at;
    let value = 0;
    let at = from;
    for (let byte = bytes[at]!; byte >= ZERO && byte <= NINE; byte = bytes[++at]!)
      value = value * 10 + byte - ZERO;
    this.#at = at;
    const digits = at - from;
    if (digits === 0 || digits > MAX_DIGITS || at > this.#end) return -1;
    return digits > 1 && bytes[from] === ZERO ? -1 : value;
  }

  /** The rest of a reference, which names a position of the round's evidence. */
  #ref(): boolean {
    if (!this.#skip(SEQ)) return false;
    const seq = this.#natural();
    if (seq < 0 || seq > this.#throughSeq || !this.#skip(ROW)) return false;
    const row = this.#natural();
    if (row < 0 || (seq === 0 && row === 0)) return false;
    if (this.#skip(BLOCK) && this.#natural() < 0) return false;
    return this.#byte(CLOSE);
  }

  /** The rest of a list of references, at least one. */
  #refs(): boolean {
    do {
      if (!this.#byte(OPEN) || !this.#ref()) return false;
    } while (this.#byte(COMMA));
    return this.#byte(CLOSE_LIST);
  }

  /** The rest of attributes, at least one, their keys in order. */
  #members(depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    let [lastFrom, lastEnd] = [0, 0];
    do {
      if (depth === 0) this.#noteAttribute();
      if (!this.#byte(QUOTE)) return false;
      const from = this.#at;
      if (!this.#string()) return false;
      const end = this.#at - 1;
      if (lastEnd > 0 && !this.#isBefore(lastFrom, lastEnd, from, end)) return false;
      [lastFrom, lastEnd] = [from, end];
      if (!this.#byte(COLON) || !this.#value(depth)) return false;
    } while (this.#byte(COMMA));
    return this.#byte(CLOSE);
  }

  /** Whether the first of two texts stands before the second. */
  #isBefore(from: number, end: number, otherFrom: number, otherEnd: number): boolean {
    const bytes = this.#bytes;
    for (let [i, j] = [from, otherFrom]; ; i++, j++) {
      if (i === end || j === otherEnd) return i === end && j < otherEnd;
      if (bytes[i] !== bytes[j]) return bytes[i]! < bytes[j]!;
    }
  }

  /** Notes the two attributes that count in a header, at the place of their keys. */
  #noteAttribute(): void {
    const from = this.#at;
    if (this.#skip(NAME)) {
      this.#at = from;
      this.#isBash = this.#skip(BASH);
    } else if (this.#skip(ROLE)) {
      this.#at = from;
      this.#isChild = this.#skip(CHILD);
    }
    this.#at = from;
  }

  #value(depth: number): boolean {
    switch (this.#bytes[this.#at]) {
      case QUOTE:
        this.#at++;
        return this.#string();
      case OPEN:
        this.#at++;
        return this.#byte(CLOSE) || this.#members(depth + 1);
      case OPEN_LIST:
        this.#at++;
        return this.#byte(CLOSE_LIST) || this.#items(depth + 1);
      default:
        return this.#skip(TRUE) || this.#skip(FALSE) || this.#skip(NULL) || this.#wholeNumber();
    }
  }

  #items(depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    do {
      if (!this.#value(depth)) return false;
    } while (this.#byte(COMMA));
    return this.#byte(CLOSE_LIST);
  }

  /** Fractions, exponents and -0 are decoded. */
  #wholeNumber(): boolean {
    const isNegative = this.#byte(MINUS);
    const value = this.#natural();
    return value > 0 || (value === 0 && !isNegative);
  }
}

const MINUS = 0x2d;
const UNKNOWN = -1;
