/**
 * JSON as YAML, token by token (view spec 6): block mappings and sequences, the same keys in the same order, no line
 * folded. A block stands at the next multiple of four columns; the keys of a sequence's item two right of its dash.
 *
 *     summary:
 *         problems: []
 *     rounds:
 *         - round: 1
 *           previous: null
 */
import { type Duplex, Transform, type TransformCallback } from 'node:stream';
import { parser } from 'stream-json/parser.js';
import { oneLine, yamlScalar } from './yaml-scalar.js';

export type JsonToken = parser.Token;

/** Bytes of JSON to tokens: what a `YamlPrinter` reads. Numbers keep their spelling. */
export function jsonTokens(): Duplex {
  return parser.asStream({ packValues: true, streamValues: false });
}

/** A mapping or a sequence that is open. */
interface Level {
  readonly isMapping: boolean;
  /** Where its keys or dashes stand. */
  readonly column: number;
  isEmpty: boolean;
}

/** Text is passed on when there is this much. */
const PIECE_UNITS = 32 * 1024;

/** An implicit key is at most so long; a longer one is marked as a key. */
const MAX_KEY = 1000;

/** Tokens of one JSON value to YAML text. */
export class YamlPrinter extends Transform {
  readonly #levels: Level[] = [];
  #out = '';
  /** What must come before the next value on its line: nothing, a space behind a colon, or a dash and a space. */
  #lead = '';

  constructor() {
    super({ writableObjectMode: true });
  }

  override _transform(token: JsonToken, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#take(token);
    if (this.#out.length >= PIECE_UNITS) {
      this.push(this.#out);
      this.#out = '';
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#out);
  }

  #take(token: JsonToken): void {
    switch (token.name) {
      case 'startObject':
      case 'startArray':
        this.#open(token.name === 'startObject');
        break;
      case 'endObject':
      case 'endArray':
        this.#close();
        break;
      case 'keyValue':
        this.#key(token.value);
        break;
      case 'stringValue':
        this.#scalar(token.value);
        break;
      case 'numberValue':
        this.#line(token.value);
        break;
      case 'nullValue':
      case 'trueValue':
      case 'falseValue':
        this.#line(token.name.slice(0, -'Value'.length));
        break;
    }
  }

  #open(isMapping: boolean): void {
    this.#beginItem();
    const above = this.#levels.at(-1);
    const column = above === undefined ? 0 : above.isMapping ? nextColumn(above.column) : above.column + 2;
    this.#levels.push({ isMapping, column, isEmpty: true });
  }

  #close(): void {
    const { isMapping, isEmpty } = this.#levels.pop()!;
    if (!isEmpty) return;
    this.#out += `${this.#lead}${isMapping ? '{}' : '[]'}\n`;
    this.#lead = '';
  }

  #key(key: string): void {
    const level = this.#levels.at(-1)!;
    this.#beginLine(level);
    const text = oneLine(key);
    this.#out += text.length > MAX_KEY ? `? ${text}\n${' '.repeat(level.column)}:` : `${text}:`;
    this.#lead = ' ';
  }

  #scalar(text: string): void {
    const { first, lines } = yamlScalar(text);
    this.#line(first);
    if (lines.length === 0) return;
    const indent = ' '.repeat(nextColumn(this.#levels.at(-1)?.column ?? 0));
    for (const line of lines) this.#out += line === '' ? '\n' : `${indent}${line}\n`;
  }

  #line(text: string): void {
    this.#beginItem();
    this.#out += `${this.#lead}${text}\n`;
    this.#lead = '';
  }

  /** The dash of a sequence's item. */
  #beginItem(): void {
    const level = this.#levels.at(-1);
    if (level === undefined || level.isMapping) return;
    this.#beginLine(level);
    this.#lead = '- ';
  }

  /** Goes to the place of a key or dash, behind the dash that the block itself stands at. */
  #beginLine(level: Level): void {
    if (level.isEmpty && this.#lead === ' ') this.#out += '\n';
    this.#out += level.isEmpty && this.#lead === '- ' ? '- ' : ' '.repeat(level.column);
    this.#lead = '';
    level.isEmpty = false;
  }
}

function nextColumn(column: number): number {
  return (Math.floor(column / 4) + 1) * 4;
}
