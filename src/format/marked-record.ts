/** A record at a glance, out of the bytes of its line: each member is decoded where it lies, when it is asked for. */
import type { ByteText } from './byte-text.js';
import type { PartGlance, RecordGlance } from './record-glance.js';
import type { PartMarks, RecordMarks, Stretch } from './record-marks.js';

export class MarkedRecord implements RecordGlance {
  readonly #line: Buffer;
  readonly #marks: RecordMarks;
  #flags: RecordGlance['flags'] | undefined;
  #parts: readonly PartGlance[] | undefined;

  constructor(line: Buffer, marks: RecordMarks) {
    this.#line = line;
    this.#marks = marks;
  }

  get time(): string {
    return textAt(this.#line, this.#marks.time);
  }

  get child(): string {
    return textAt(this.#line, this.#marks.child);
  }

  get label(): string {
    return textAt(this.#line, this.#marks.label);
  }

  get flags(): RecordGlance['flags'] {
    const { flags } = this.#marks;
    this.#flags ??= flags === undefined ? NONE : (valueAt(this.#line, flags) as RecordGlance['flags']);
    return this.#flags;
  }

  get usage(): RecordGlance['usage'] {
    const { usage } = this.#marks;
    return usage === undefined ? undefined : { ...NO_USAGE, ...(valueAt(this.#line, usage) as object) };
  }

  get dropped(): RecordGlance['dropped'] {
    const { dropped } = this.#marks;
    if (dropped === undefined) return NONE;
    const items = valueAt(this.#line, dropped) as RecordGlance['dropped'];
    return items.map((item) => ({ ...NOT_DROPPED, ...item }));
  }

  get parts(): readonly PartGlance[] {
    this.#parts ??= this.#marks.parts.map((marks) => new MarkedPart(this.#line, marks));
    return this.#parts;
  }
}

/** Shared by all that have none. */
const NONE: readonly never[] = [];
const NO_USAGE = { in: 0, out: 0, cache_read: 0, cache_write: 0 };
const NOT_DROPPED = { what: '', bytes: 0, why: '' };

class MarkedPart implements PartGlance {
  readonly #line: Buffer;
  readonly #marks: PartMarks;
  #rawData: ByteText | undefined;

  constructor(line: Buffer, marks: PartMarks) {
    this.#line = line;
    this.#marks = marks;
  }

  get k(): string {
    return textAt(this.#line, this.#marks.k);
  }

  get id(): string {
    return textAt(this.#line, this.#marks.id);
  }

  get name(): string {
    return textAt(this.#line, this.#marks.name);
  }

  get state(): string {
    return textAt(this.#line, this.#marks.state);
  }

  get bytes(): number {
    return this.#marks.bytes;
  }

  get failed(): boolean | undefined {
    return this.#marks.failed;
  }

  get text(): string {
    return textAt(this.#line, this.#marks.text);
  }

  textJson(maxBytes: number): ByteText {
    const { text } = this.#marks;
    if (text === undefined) return '';
    const end = endOfHead(this.#line, text, maxBytes);
    return end === text.from ? '' : `"${this.#line.toString('latin1', text.from, end)}"`;
  }

  get rawData(): ByteText {
    const { data } = this.#marks;
    this.#rawData ??= data === undefined ? '' : this.#line.toString('latin1', data.from, data.to);
    return this.#rawData;
  }

  dataWith(word: string): unknown {
    const { data, dataEscapesAscii } = this.#marks;
    return data !== undefined && (dataEscapesAscii || this.rawData.includes(word))
      ? valueAt(this.#line, data)
      : undefined;
  }
}

function valueAt(line: Buffer, { from, to }: Stretch): unknown {
  return JSON.parse(line.toString('utf8', from, to));
}

/** What a string says; nothing when there is none. */
function textAt(line: Buffer, stretch: Stretch | undefined): string {
  if (stretch === undefined) return '';
  const text = line.toString('utf8', stretch.from, stretch.to);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

/** Where the longest beginning of a string ends that says so many bytes at most, in whole characters. */
function endOfHead(line: Buffer, { from, to }: Stretch, maxBytes: number): number {
  if (to - from <= maxBytes) return to;
  let at = from;
  for (let left = maxBytes; at < to && left > 0; ) {
    const isEscape = line[at] === BACKSLASH;
    const bytes = isEscape && isSeparatorAt(line, at) ? SEPARATOR_BYTES : 1;
    if (bytes > left) break;
    left -= bytes;
    at += !isEscape ? 1 : line[at + 1] === LETTER_U ? LONG_ESCAPE : SHORT_ESCAPE;
  }
  if (at < to) while ((line[at]! & CONTINUATION_MASK) === CONTINUATION) at--;
  return at;
}

/** Whether an escape is of U+2028 or U+2029: in the one spelling every other one is of a character of one byte. */
function isSeparatorAt(line: Buffer, backslash: number): boolean {
  return line[backslash + 1] === LETTER_U && line[backslash + 2] === DIGIT_TWO;
}

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const DIGIT_TWO = 0x32;
const SHORT_ESCAPE = 2;
const LONG_ESCAPE = 6;
const SEPARATOR_BYTES = 3;
/** The two highest bits of a byte that goes on with a character. */
const CONTINUATION_MASK = 0xc0;
const CONTINUATION = 0x80;
