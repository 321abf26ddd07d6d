/**
 * Whether a line of a landed file is spelled as a writer spells it: keys in their order, empty values left out, no
 * white space, strings in their one spelling. Readers take any JSON spelling and refuse nothing for it; but a
 * session has one spelling, and so verification can say where bytes were changed without changing what they say.
 *
 * Nearly all lines are told from their bytes. A line that is not is read in full and written again; `data` keeps
 * the spelling of its source, and what older writers escaped counts as ours (dialect spec 1.11).
 */
import { isUtf8 } from 'node:buffer';
import { compactSlice, type Shape, scanJson } from './json-scan.js';
import {
  readHeader,
  readRecord,
  type SdHeader,
  type SdRecord,
  writeHeader,
  writeRecord,
} from './session-data.js';

/** Where a record's source line is. */
export interface Place {
  readonly ord: number;
  readonly off: number;
  readonly bytes: number;
}

/**
 * The place of a record whose line is spelled canonically, told from its bytes: every rule of reading holds for it,
 * `JSON.parse` included. `undefined` says nothing but that the line must be read.
 */
export function placeOfCanonical(line: Buffer): Place | undefined {
  return isUtf8(line) ? scan.record(line) : undefined;
}

/** Whether the line of a record that reads is spelled canonically. */
export function isCanonicalRecord(line: Buffer): boolean {
  return isUtf8(line) && (scan.record(line) !== undefined || isAsWritten(line.toString('utf8'), rewritten));
}

/** Whether the line of a header that reads is spelled canonically. */
export function isCanonicalHeader(line: Buffer): boolean {
  return isUtf8(line) && isAsWritten(line.toString('utf8'), (text) => writeHeader(present(readHeader(text))));
}

function isAsWritten(text: string, write: (text: string) => string): boolean {
  return plainly(write(text)) === plainly(text);
}

/** With the three characters as they stand that older writers spelled as escapes. */
function plainly(json: string): string {
  return json.replace(/\\(?:u003([ce])|u0026|.)/gs, (spelled, angle: string | undefined) => {
    if (spelled === '\\u0026') return '&';
    return angle === undefined ? spelled : angle === 'c' ? '<' : '>';
  });
}

/** A record's line written anew, its data as it stands there but for white space between its tokens. */
function rewritten(line: string): string {
  const { usage, parts, ...record } = readRecord(line);
  const slices = scanJson(line, DATA_OF_PARTS).members.get('parts')?.elements ?? [];
  return writeRecord({
    ...record,
    ...(usage === undefined ? {} : { usage }),
    parts: parts.map(({ data: _, failed, ...part }, i) => {
      const data = slices[i]?.members.get('data');
      return {
        ...part,
        ...(failed === undefined ? {} : { failed }),
        ...(data === undefined ? {} : { data: compactSlice(line, data) }),
      };
    }),
  } satisfies SdRecord);
}

const DATA_OF_PARTS: Shape = {
  members: new Map([['parts', { elements: { members: new Map([['data', {}]]) } }]]),
};

/** A header read, with what is empty left out. */
function present({ stream, batch, ...header }: Required<SdHeader>): SdHeader {
  return { ...header, ...(stream === '' ? {} : { stream }), ...(batch === '' ? {} : { batch }) };
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

/** What may stand behind a backslash; `u` is looked at further. */
const IS_SHORT_ESCAPE = new Uint8Array(256);
for (const letter of '"\\bfnrt') IS_SHORT_ESCAPE[letter.charCodeAt(0)] = 1;
/** The escapes by number that have no shorter form. */
const ESCAPE = /^u(?:00(?:0[0-7bef]|1[0-9a-f])|202[89])$/;
const LETTER_U = 0x75;
const ANY_ESCAPE = /^u[0-9a-fA-F]{4}$/;

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
const keys = (names: readonly string[], more: string): Buffer[] =>
  names.map((name) => ascii(`,"${name}":${more}`));

const ORD = ascii('{"ord":');
const OFF = ascii(',"off":');
const SHA = ascii(',"sha":"');
const BYTES = ascii(',"bytes":');
const IDENTIFIERS = keys(
  [
    'id',
    'parent',
    'call',
    'run',
    'continues',
    'tool',
    'child',
    'batch',
    'label',
    'started_by',
    'from',
    'time',
    'trigger',
  ],
  '"',
);
const FLAGS = ascii(',"flags":["');
const USAGE = ascii(',"usage":{');
const COUNTS = ['in', 'out', 'cache_read', 'cache_write'].map((name) => ascii(`"${name}":`));
const MODEL = ascii(',"model":"');
const PARTS = ascii(',"parts":[');
const DROPPED = ascii(',"dropped":[');
const PART = ascii('{"k":"');
const TEXT = ascii(',"text":"');
const DATA = ascii(',"data":');
const OF_PART = keys(['id', 'of', 'name', 'server', 'server_tool'], '"');
const FAILED = ascii(',"failed":');
const TRUE = ascii('true');
const FALSE = ascii('false');
const NULL = ascii('null');
const AFTER_FAILED = keys(['media', 'encoding', 'state'], '"');
const WHAT = ascii('{"what":"');
const WHY = ascii(',"why":"');

/** Goes through the bytes of a line that is known to read. What it does not know, it does not take. */
class RecordScan {
  #line: Buffer = Buffer.alloc(0);
  #at = 0;

  record(line: Buffer): Place | undefined {
    this.#line = line;
    this.#at = 0;
    const ord = this.#skip(ORD) ? this.#natural() : NONE;
    const off = this.#skip(OFF) ? this.#natural() : NONE;
    if (!this.#skip(SHA) || !this.#string()) return undefined;
    const bytes = this.#skip(BYTES) ? this.#natural() : NONE;
    const isWhole = ord >= 0 && off >= 0 && bytes >= 0 && this.#rest() && this.#at === line.length;
    return isWhole ? { ord, off, bytes } : undefined;
  }

  /** What stands behind a record's place. */
  #rest(): boolean {
    if (!this.#texts(IDENTIFIERS)) return false;
    if (this.#skip(FLAGS) && !this.#flags()) return false;
    if (this.#skip(USAGE) && !this.#usage()) return false;
    if (this.#skip(MODEL) && !this.#someString()) return false;
    if (this.#skip(PARTS) && !this.#list(PART, () => this.#part())) return false;
    if (this.#skip(DROPPED) && !this.#list(WHAT, () => this.#dropped())) return false;
    return this.#byte(CLOSE);
  }

  /** The rest of a part, from behind the quote of its kind. */
  #part(): boolean {
    if (!this.#string()) return false;
    if (this.#skip(TEXT) && !this.#someString()) return false;
    if (this.#skip(DATA) && !this.#value(0)) return false;
    if (!this.#texts(OF_PART)) return false;
    if (this.#skip(FAILED) && !this.#skip(TRUE) && !this.#skip(FALSE)) return false;
    if (!this.#texts(AFTER_FAILED)) return false;
    return (!this.#skip(BYTES) || this.#positive()) && this.#byte(CLOSE);
  }

  #dropped(): boolean {
    if (!this.#string() || !this.#skip(BYTES) || this.#natural() < 0) return false;
    return (!this.#skip(WHY) || this.#someString()) && this.#byte(CLOSE);
  }

  #list(start: Buffer, item: () => boolean): boolean {
    do {
      if (!this.#skip(start) || !item()) return false;
    } while (this.#byte(COMMA));
    return this.#byte(CLOSE_LIST);
  }

  #texts(members: readonly Buffer[]): boolean {
    for (const member of members) if (this.#skip(member) && !this.#someString()) return false;
    return true;
  }

  #flags(): boolean {
    do {
      if (!this.#string()) return false;
      if (this.#byte(CLOSE_LIST)) return true;
    } while (this.#byte(COMMA) && this.#byte(QUOTE));
    return false;
  }

  #usage(): boolean {
    let isFirst = true;
    for (const member of COUNTS) {
      const before = this.#at;
      if ((!isFirst && !this.#byte(COMMA)) || !this.#skip(member)) {
        this.#at = before;
        continue;
      }
      if (!this.#positive()) return false;
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
      while (IS_PLAIN[line[at]!] === 1) at++;
      switch (line[at]) {
        case QUOTE:
          this.#at = at + 1;
          return true;
        case BACKSLASH:
          if (IS_SHORT_ESCAPE[line[at + 1]!] === 1 || line[at + 1] === SLASH) at += 2;
          else if (ANY_ESCAPE.test(line.toString('latin1', at + 1, at + 6))) at += 6;
          else return false;
          break;
        case SEPARATOR_LEAD:
          at++;
          break;
        default:
          return false;
      }
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

  #positive(): boolean {
    return this.#natural() > 0;
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
