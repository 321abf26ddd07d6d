/**
 * Where the members of a record lie in its line, found in one walk over the bytes, if the line is spelled as a writer
 * spells it: keys in their order, empty values left out, no white space, strings in their one spelling. `data` may be
 * any JSON without white space between its tokens. Nothing is decoded.
 */
import { isUtf8 } from 'node:buffer';
import { PartMarks, RecordMarks, type Stretch } from './record-marks.js';

/**
 * The marks of a record whose line is spelled canonically: every rule of reading holds for it, `JSON.parse` included.
 * `undefined` says nothing but that the line must be read.
 */
export function scanRecord(line: Buffer): RecordMarks | undefined {
  return isUtf8(line) ? scan.record(line) : undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;
/** Begins U+2028 and U+2029, which are written as escapes, among others. */
const SEPARATOR_LEAD = 0xe2;

/** Bytes that stand for themselves in a string. */
const IS_PLAIN = new Uint8Array(256).fill(1, 0x20);
IS_PLAIN[QUOTE] = 0;
IS_PLAIN[BACKSLASH] = 0;
IS_PLAIN[SEPARATOR_LEAD] = 0;

/** The same where any spelling will do. */
const IS_PLAIN_ANYHOW = IS_PLAIN.slice();
IS_PLAIN_ANYHOW[SEPARATOR_LEAD] = 1;

/** What may stand behind a backslash; `u` is looked at further. */
const IS_SHORT_ESCAPE = new Uint8Array(256);
for (const letter of '"\\bfnrt') IS_SHORT_ESCAPE[letter.charCodeAt(0)] = 1;
/** The escapes by number that have no shorter form. */
const ESCAPE = /^u(?:00(?:0[0-7bef]|1[0-9a-f])|202[89])$/;
const LETTER_U = 0x75;
const ANY_ESCAPE = /^u[0-9a-fA-F]{4}$/;
/** Of what could stand for itself. */
const ASCII_ESCAPE = /^u00[2-7]/;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const IS_OF_NUMBER = new Uint8Array(256);
for (const character of '0123456789+-.eE') IS_OF_NUMBER[character.charCodeAt(0)] = 1;
/** Longer ones, and what nests deeper, is read in full. */
const MAX_NUMBER = 64;
const MAX_DEPTH = 64;

/** Longer numbers are read in full: here every number is exact, and spelled in one way. */
const MAX_DIGITS = 15;
const NONE = -1;

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A member whose value is a string, and what it is noted as. */
interface Member<M extends string> {
  readonly key: Buffer;
  readonly name: M | undefined;
}

function textMembers<M extends string>(names: string, noted: readonly M[] = []): readonly Member<M>[] {
  return names
    .split(' ')
    .map((name) => ({ key: ascii(`,"${name}":"`), name: noted.find((wanted) => wanted === name) }));
}

const ORD = ascii('{"ord":');
const OFF = ascii(',"off":');
const SHA = ascii(',"sha":"');
const BYTES = ascii(',"bytes":');
const IDENTIFIERS = textMembers(
  'id parent call run continues tool child batch label started_by from time trigger',
  ['child', 'label', 'time'],
);
const FLAGS = ascii(',"flags":[');
const USAGE = ascii(',"usage":{');
const COUNTS = ['in', 'out', 'cache_read', 'cache_write'].map((name) => ascii(`"${name}":`));
const MODEL = ascii(',"model":"');
const PARTS = ascii(',"parts":[');
const DROPPED = ascii(',"dropped":[');
const KIND = ascii('{"k":"');
const TEXT = ascii(',"text":"');
const DATA = ascii(',"data":');
const OF_PART = textMembers('id of name server server_tool', ['id', 'name']);
const FAILED = ascii(',"failed":');
const TRUE = ascii('true');
const FALSE = ascii('false');
const NULL = ascii('null');
const AFTER_FAILED = textMembers('media encoding state', ['state']);
const WHAT = ascii('{"what":"');
const WHY = ascii(',"why":"');

/** Goes through the bytes of a line. What it does not know, it does not take. */
class RecordScan {
  #line: Buffer = Buffer.alloc(0);
  #at = 0;
  /** Where the string that was read last begins. */
  #from = 0;
  /** Something was escaped that could stand for itself. */
  #escapesAscii = false;

  record(line: Buffer): RecordMarks | undefined {
    this.#line = line;
    this.#at = 0;
    const ord = this.#skip(ORD) ? this.#natural() : NONE;
    const off = this.#skip(OFF) ? this.#natural() : NONE;
    if (!this.#skip(SHA) || !this.#string()) return undefined;
    const bytes = this.#skip(BYTES) ? this.#natural() : NONE;
    if (ord < 0 || off < 0 || bytes < 0) return undefined;
    const marks = new RecordMarks(ord, off, bytes);
    return this.#rest(marks) && this.#at === line.length ? marks : undefined;
  }

  /** What stands behind a record's place. */
  #rest(marks: RecordMarks): boolean {
    if (!this.#texts(IDENTIFIERS, marks)) return false;
    if (this.#skip(FLAGS)) {
      const from = this.#at - 1;
      if (!this.#list(() => this.#byte(QUOTE) && this.#string())) return false;
      marks.flags = { from, to: this.#at };
    }
    if (this.#skip(USAGE)) {
      const from = this.#at - 1;
      if (!this.#usage()) return false;
      marks.usage = { from, to: this.#at };
    }
    if (this.#skip(MODEL) && !this.#someString()) return false;
    if (this.#skip(PARTS) && !this.#list(() => this.#part(marks.parts))) return false;
    if (this.#skip(DROPPED)) {
      const from = this.#at - 1;
      if (!this.#list(() => this.#dropped())) return false;
      marks.dropped = { from, to: this.#at };
    }
    return this.#byte(CLOSE);
  }

  #part(parts: PartMarks[]): boolean {
    if (!this.#skip(KIND) || !this.#string()) return false;
    const part = new PartMarks(this.#lastString());
    parts.push(part);
    if (this.#skip(TEXT)) {
      if (!this.#someString()) return false;
      part.text = this.#lastString();
    }
    if (this.#skip(DATA)) {
      const from = this.#at;
      this.#escapesAscii = false;
      if (!this.#value(0)) return false;
      part.data = { from, to: this.#at };
      part.dataEscapesAscii = this.#escapesAscii;
    }
    if (!this.#texts(OF_PART, part)) return false;
    if (this.#skip(FAILED)) {
      part.failed = this.#skip(TRUE);
      if (!part.failed && !this.#skip(FALSE)) return false;
    }
    if (!this.#texts(AFTER_FAILED, part)) return false;
    if (this.#skip(BYTES)) {
      part.bytes = this.#natural();
      if (part.bytes <= 0) return false;
    }
    return this.#byte(CLOSE);
  }

  #dropped(): boolean {
    if (!this.#skip(WHAT) || !this.#string() || !this.#skip(BYTES) || this.#natural() < 0) return false;
    return (!this.#skip(WHY) || this.#someString()) && this.#byte(CLOSE);
  }

  /** The rest of a list that is not empty. */
  #list(item: () => boolean): boolean {
    do if (!item()) return false;
    while (this.#byte(COMMA));
    return this.#byte(CLOSE_LIST);
  }

  #texts<M extends string>(members: readonly Member<M>[], marks: { [K in M]: Stretch | undefined }): boolean {
    for (const { key, name } of members) {
      if (!this.#skip(key)) continue;
      if (!this.#someString()) return false;
      if (name !== undefined) marks[name] = this.#lastString();
    }
    return true;
  }

  #usage(): boolean {
    let isFirst = true;
    for (const member of COUNTS) {
      const before = this.#at;
      if ((!isFirst && !this.#byte(COMMA)) || !this.#skip(member)) {
        this.#at = before;
        continue;
      }
      if (this.#natural() <= 0) return false;
      isFirst = false;
    }
    return this.#byte(CLOSE);
  }

  /** A value in its source's spelling: any JSON without white space between its tokens. */
  #value(depth: number): boolean {
    switch (this.#line[this.#at]) {
      case QUOTE:
        this.#at++;
        return this.#anyString();
      case OPEN:
        this.#at++;
        return this.#byte(CLOSE) || (depth < MAX_DEPTH && this.#members(depth + 1));
      case OPEN_LIST:
        this.#at++;
        return this.#byte(CLOSE_LIST) || (depth < MAX_DEPTH && this.#items(depth + 1));
      default:
        return this.#skip(TRUE) || this.#skip(FALSE) || this.#skip(NULL) || this.#anyNumber();
    }
  }

  #members(depth: number): boolean {
    do {
      if (!this.#byte(QUOTE) || !this.#anyString() || !this.#byte(COLON) || !this.#value(depth)) return false;
    } while (this.#byte(COMMA));
    return this.#byte(CLOSE);
  }

  #items(depth: number): boolean {
    do {
      if (!this.#value(depth)) return false;
    } while (this.#byte(COMMA));
    return this.#byte(CLOSE_LIST);
  }

  /** The rest of a string in any spelling. */
  #anyString(): boolean {
    const line = this.#line;
    for (let at = this.#at; ; ) {
      while (IS_PLAIN_ANYHOW[line[at]!] === 1) at++;
      if (line[at] === QUOTE) {
        this.#at = at + 1;
        return true;
      }
      if (line[at] !== BACKSLASH) return false;
      if (IS_SHORT_ESCAPE[line[at + 1]!] === 1 || line[at + 1] === SLASH) {
        at += 2;
        continue;
      }
      const spelled = line.toString('latin1', at + 1, at + 6);
      if (!ANY_ESCAPE.test(spelled)) return false;
      this.#escapesAscii ||= ASCII_ESCAPE.test(spelled);
      at += 6;
    }
  }

  #anyNumber(): boolean {
    const from = this.#at;
    if (this.#natural() >= 0 && IS_OF_NUMBER[this.#line[this.#at]!] !== 1) return true;
    this.#at = from;
    while (IS_OF_NUMBER[this.#line[this.#at]!] === 1) this.#at++;
    const length = this.#at - from;
    return length > 0 && length <= MAX_NUMBER && NUMBER.test(this.#line.toString('latin1', from, this.#at));
  }

  /** The rest of a string, from behind its opening quote to behind its closing one. */
  #string(): boolean {
    const line = this.#line;
    this.#from = this.#at;
    for (let at = this.#at; ; ) {
      while (IS_PLAIN[line[at]!] === 1) at++;
      switch (line[at]) {
        case QUOTE:
          this.#at = at + 1;
          return true;
        case BACKSLASH:
          if (IS_SHORT_ESCAPE[line[at + 1]!] === 1) at += 2;
          else if (line[at + 1] === LETTER_U && ESCAPE.test(line.toString('latin1', at + 1, at + 6))) at += 6;
          else return false;
          break;
        case SEPARATOR_LEAD:
          if (line[at + 1] === 0x80 && (line[at + 2]! & 0xfe) === 0xa8) return false;
          at++;
          break;
        default:
          return false;
      }
    }
  }

  /** As `#string`, one that is not empty: empty members are left out. */
  #someString(): boolean {
    return this.#line[this.#at] !== QUOTE && this.#string();
  }

  #lastString(): Stretch {
    return { from: this.#from, to: this.#at - 1 };
  }

  /** A whole number from 0, or `NONE`. */
  #natural(): number {
    const line = this.#line;
    const from = this.#at;
    let value = 0;
    let at = from;
    for (let byte = line[at]!; byte >= ZERO && byte <= NINE; byte = line[++at]!)
      value = value * 10 + byte - ZERO;
    this.#at = at;
    const digits = at - from;
    return digits === 0 || digits > MAX_DIGITS || (digits > 1 && line[from] === ZERO) ? NONE : value;
  }

  #byte(byte: number): boolean {
    if (this.#line[this.#at] !== byte) return false;
    this.#at++;
    return true;
  }

  /** Steps over a text, or stays where it is. */
  #skip(text: Buffer): boolean {
    const line = this.#line;
    const at = this.#at;
    for (let i = 0; i < text.length; i++) if (line[at + i] !== text[i]) return false;
    this.#at = at + text.length;
    return true;
  }
}

const scan = new RecordScan();
