/**
 * A landed record for somebody who shows a little of it: its short texts are read, its long ones and its data when
 * they are asked for, and then no further than they are.
 *
 * As for an outline a line is taken for Latin-1 first, and content stays bytes. That is right unless an escape makes
 * a unit past ASCII. So a line that holds both such an escape and bytes past ASCII is read in full, and so is one that
 * is no UTF-8 or has anything wrong or unusual.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { type ByteText, bytesOf, headOf, textOf } from './byte-text.js';
import { anyText, integer, list, type Members, members, natural, UNSURE, word } from './plain-members.js';
import { dataSlices, readRecord, type SdPartRead, type SdRecordRead } from './session-data.js';

export interface RecordGlance
  extends Pick<SdRecordRead, 'time' | 'child' | 'label' | 'flags' | 'usage' | 'dropped'> {
  readonly parts: readonly PartGlance[];
}

/** Reads a record line. Throws `FormatError` as `readRecord` does for the same line. */
export function readGlance(line: Buffer): RecordGlance {
  return glanceOfPlain(line) ?? glanceOfText(line.toString('utf8'));
}

type Words = Pick<SdPartRead, 'k' | 'id' | 'name' | 'state' | 'bytes' | 'failed'>;

export class PartGlance implements Words {
  readonly k: string;
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly bytes: number;
  readonly failed: boolean | undefined;
  /** Its data; what is not ASCII in it may be bytes still. `undefined` when it has none. */
  readonly shape: unknown;
  readonly #text: string;
  readonly #line: Line;
  readonly #index: number;

  constructor(words: Words, text: string, shape: unknown, line: Line, index: number) {
    this.k = words.k;
    this.id = words.id;
    this.name = words.name;
    this.state = words.state;
    this.bytes = words.bytes;
    this.failed = words.failed;
    this.shape = shape;
    this.#text = text;
    this.#line = line;
    this.#index = index;
  }

  get text(): string {
    return this.decoded(this.#text);
  }

  /** So many bytes of its text, or fewer, in whole characters. */
  textHead(maxBytes: number): ByteText {
    // A unit takes a byte at least, so no more of them can be wanted.
    return headOf(this.#bytes(this.#text.slice(0, maxBytes + 1)), maxBytes);
  }

  get data(): unknown {
    return this.shape === undefined || !this.#line.isBytes ? this.shape : JSON.parse(textOf(this.rawData));
  }

  /** Its data as its line spells it; empty when it has none. */
  get rawData(): ByteText {
    return this.shape === undefined ? '' : this.#bytes(this.#line.data[this.#index]!);
  }

  /** A text out of `shape` as what it says. */
  decoded(text: string): string {
    return this.#line.isBytes ? textOf(text) : text.toWellFormed();
  }

  #bytes(text: string): ByteText {
    return this.#line.isBytes ? text : bytesOf(text);
  }
}

/** What the parts of a record have in common. */
class Line {
  /** Its units are bytes, not characters. */
  readonly isBytes: boolean;
  readonly #text: string;
  #data: readonly (string | undefined)[] | undefined;

  constructor(text: string, isBytes: boolean) {
    this.#text = text;
    this.isBytes = isBytes;
  }

  get data(): readonly (string | undefined)[] {
    this.#data ??= dataSlices(this.#text);
    return this.#data;
  }
}

/** Escapes of what is not ASCII, and perhaps more. */
const ESCAPED = /\\u(?!00[0-7])/;

/** `undefined` when only reading in full can tell. */
function glanceOfPlain(bytes: Buffer): RecordGlance | undefined {
  const text = bytes.toString('latin1');
  const hasOther = !isAscii(bytes);
  if (hasOther && (!isUtf8(bytes) || ESCAPED.test(text))) return undefined;
  try {
    const o = members(JSON.parse(text));
    natural(o.ord);
    natural(o.off);
    integer(o.bytes);
    for (const key of OTHER_TEXTS) anyText(o[key]);
    const line = new Line(text, hasOther);
    return {
      time: word(o.time),
      child: word(o.child),
      label: word(o.label),
      flags: list(o.flags).map(word),
      usage: (o.usage ?? undefined) === undefined ? undefined : usageOf(members(o.usage)),
      parts: list(o.parts).map((part, i) => partOf(members(part), line, i)),
      dropped: list(o.dropped).map((item) => droppedOf(members(item))),
    };
  } catch {
    return undefined; // The full reading finds it again, with the words for it, or finds nothing.
  }
}

const OTHER_TEXTS = 'sha id parent call run continues tool batch started_by from trigger model'.split(' ');
const OTHER_TEXTS_OF_PART = 'of server server_tool media encoding'.split(' ');

function partOf(o: Members, line: Line, index: number): PartGlance {
  for (const key of OTHER_TEXTS_OF_PART) anyText(o[key]);
  anyText(o.text);
  const failed = o.failed ?? undefined;
  if (failed !== undefined && typeof failed !== 'boolean') throw UNSURE;
  const words = {
    k: word(o.k),
    id: word(o.id),
    name: word(o.name),
    state: word(o.state),
    bytes: integer(o.bytes),
    failed,
  };
  return new PartGlance(words, (o.text ?? '') as string, o.data, line, index);
}

function usageOf(o: Members): NonNullable<SdRecordRead['usage']> {
  return {
    in: integer(o.in),
    out: integer(o.out),
    cache_read: integer(o.cache_read),
    cache_write: integer(o.cache_write),
  };
}

function droppedOf(o: Members): SdRecordRead['dropped'][number] {
  return { what: word(o.what), bytes: integer(o.bytes), why: word(o.why) };
}

function glanceOfText(text: string): RecordGlance {
  const { parts, ...record } = readRecord(text);
  const line = new Line(text, false);
  return { ...record, parts: parts.map((part, i) => new PartGlance(part, part.text, part.data, line, i)) };
}
