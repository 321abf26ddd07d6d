/**
 * YAML as a scenario and an expectation are written in it: mappings with known keys, and errors that name the
 * line. An unknown key is refused, so that a typo asserts nothing unseen (issue "scenario language").
 *
 *     scenario: late.yaml:7: steps[2]: unknown key "afer"; did you mean "after"?
 */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import type { JsonValue } from '../adapters/mock/data-json.js';
import { parseDuration } from '../config/duration.js';
import { AszError } from '../format/errors.js';
import { faultWords } from './yaml-faults.js';

/** Something in a scenario or an expectation is wrong: exit code 1, one line. */
export class ScenarioError extends AszError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('SCENARIO', `scenario: ${message}`, options);
  }
}

/** Words that keys may be, and what they name: `key`, `kind of node`. */
export interface Words {
  readonly what: string;
  readonly names: readonly string[];
}

/** A value of the file and what it is called. */
interface Place {
  readonly file: YamlFile;
  readonly node: Node | null | undefined;
  /** `steps[3].call`; empty for the whole file. */
  readonly at: string;
}

class YamlFile {
  readonly path: string;
  readonly #lines: LineCounter;

  constructor(path: string, lines: LineCounter) {
    this.path = path;
    this.#lines = lines;
  }

  /** Throws `ScenarioError`, with the line of a node and what it is called. */
  refuse(place: Pick<Place, 'node' | 'at'>, words: string): never {
    throw new ScenarioError(`${this.where(place)}: ${words}`);
  }

  /** `late.yaml:7: steps[3]`. */
  where({ node, at }: Pick<Place, 'node' | 'at'>): string {
    const offset = node?.range?.[0];
    const line = offset === undefined ? '' : `:${this.#lines.linePos(offset).line}`;
    return `${this.path}${line}${at === '' ? '' : `: ${at}`}`;
  }
}

/** The mapping a file is. Throws `ScenarioError` for text that is no YAML document, or holds another thing. */
export function readYaml<K extends string>(path: string, text: string, keys: readonly K[]): Mapping<K> {
  const lines = new LineCounter();
  const file = new YamlFile(path, lines);
  refuseDepth(path, text);
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new ScenarioError(`${path}:${line}:${col}: ${faultWords(error)}`, { cause: error });
  }
  return new Mapping<K>({ file, node: document.contents, at: '' }, { what: 'key', names: keys });
}

/**
 * Throws `ScenarioError` for a file that nests so deep that reading it, which recurses, could end the process. The
 * parser here does not recurse: its stack is the nesting.
 */
function refuseDepth(path: string, text: string): void {
  let line = 1;
  const parser = new Parser(() => {
    line++;
  });
  for (const lexeme of new Lexer().lex(text)) {
    Array.from(parser.next(lexeme));
    if (parser.stack.length > MAX_FILE_DEPTH) throw new ScenarioError(`${path}:${line}: ${TOO_DEEP}`);
  }
}

/** A mapping with known keys. An absent key and one without a value are the same. */
export class Mapping<K extends string = string> {
  readonly at: string;
  readonly #file: YamlFile;
  readonly #node: YAMLMap | undefined;
  readonly #values: Map<string, Node>;

  /** `known`: the words its keys may be; absent: any. */
  constructor({ file, node, at }: Place, known?: Words) {
    this.at = at;
    this.#file = file;
    if (!isEmpty(node) && !isMap(node)) file.refuse({ node, at }, `want a mapping, got ${kindOf(node)}`);
    this.#node = isMap(node) ? node : undefined;
    this.#values = new Map();
    for (const { key, value } of this.#node?.items ?? []) {
      const place = { node: key as Node, at };
      const name = keyText(key) ?? file.refuse(place, 'want a plain word as a key');
      if (known !== undefined && !known.names.includes(name))
        file.refuse(
          place,
          `unknown ${known.what} ${JSON.stringify(name)}; ${otherwise(name, known.names, 'use')}`,
        );
      if (isAlias(value)) file.refuse({ node: value, at }, ALIAS);
      if (!isEmpty(value as Node)) this.#values.set(name, value as Node);
    }
  }

  has(key: K): boolean {
    return this.#values.has(key);
  }

  /** Whether a key is written without a value. */
  isBare(key: K): boolean {
    return !this.has(key) && this.#keyNode(key) !== undefined;
  }

  /** Throws `ScenarioError` at the line of a key, or of the mapping. */
  refuse(words: string, key?: K): never {
    const node = key === undefined ? this.#node : (this.#keyNode(key) ?? this.#node);
    return this.#file.refuse({ node, at: this.at }, words);
  }

  /** Where it stands, for messages of those who read no YAML. */
  get where(): string {
    return this.#file.where({ node: this.#node, at: this.at });
  }

  /** Where a key stands, for messages of those who read no YAML; the mapping's place when it does not. */
  whereOf(key: K): string {
    return this.#file.where({ node: this.#keyNode(key) ?? this.#node, at: this.at });
  }

  /** Refuses keys whose features are not built: by name, so that nobody takes them for typos. */
  refuseUnbuilt(keys: readonly K[]): void {
    for (const key of keys) if (this.has(key)) this.refuse(`${key} is not built yet; leave it out`, key);
  }

  /** What a key's value is called in messages. */
  nameOf(key: K): string {
    return this.at === '' ? key : `${this.at}.${key}`;
  }

  /** A text that is not empty. A plain number or word is taken as it stands: `result: 1.50` means "1.50". */
  text(key: K): string | undefined {
    return this.#scalar(key) || undefined;
  }

  /** The same, and it must be there. */
  needText(key: K, words: string): string {
    return this.text(key) ?? this.refuse(words);
  }

  flag(key: K): boolean | undefined {
    const node = this.#values.get(key);
    if (node === undefined) return undefined;
    if (isScalar(node) && typeof node.value === 'boolean') return node.value;
    return this.#file.refuse({ node, at: this.nameOf(key) }, `want true or false, got ${kindOf(node)}`);
  }

  /** A whole number from `from` on. */
  count(key: K, from = 0): number | undefined {
    const node = this.#values.get(key);
    if (node === undefined) return undefined;
    if (isScalar(node) && Number.isSafeInteger(node.value) && (node.value as number) >= from)
      return node.value as number;
    return this.#file.refuse(
      { node, at: this.nameOf(key) },
      `want a whole number from ${from}, got ${kindOf(node)}`,
    );
  }

  /** Milliseconds of `100ms`, `1.5s`, `1h2m`; a bare number other than 0 has no unit and is refused. */
  duration(key: K): number | undefined {
    const text = this.#scalar(key);
    if (text === undefined) return undefined;
    const ms = parseDuration(text);
    return (
      ms ?? this.refuse(`${key} ${JSON.stringify(text)} is not a duration such as 100ms, 1.5s or 15m`, key)
    );
  }

  /** One of some words. */
  word<W extends string>(key: K, words: readonly W[]): W | undefined {
    const text = this.#scalar(key);
    if (text === undefined) return undefined;
    return this.#known(text, words, { node: this.#values.get(key), at: this.nameOf(key) });
  }

  mapping<L extends string>(key: K, keys: readonly L[]): Mapping<L> | undefined {
    const node = this.#values.get(key);
    return node === undefined
      ? undefined
      : new Mapping<L>(this.#place(key, node), { what: 'key', names: keys });
  }

  /** The mapping at a key whose own keys are names: of some known words, or any. */
  named(key: K, known?: Words): Mapping | undefined {
    const node = this.#values.get(key);
    return node === undefined ? undefined : new Mapping(this.#place(key, node), known);
  }

  /** Keys of the mapping, in the order of the file. */
  get keys(): string[] {
    return [...this.#values.keys()];
  }

  /** The same, and those without a value. */
  get allKeys(): string[] {
    return (this.#node?.items ?? []).flatMap(({ key }) => keyText(key) ?? []);
  }

  /** The mappings of a list. */
  mappings<L extends string>(key: K, keys: readonly L[]): Mapping<L>[] {
    return this.#list(key).map(
      (node, i) =>
        new Mapping<L>(
          { ...this.#place(key, node), at: `${this.nameOf(key)}[${i}]` },
          { what: 'key', names: keys },
        ),
    );
  }

  texts(key: K): string[] {
    return this.#list(key).map((node, i) => scalarText(this.#file, node, `${this.nameOf(key)}[${i}]`));
  }

  /** A list of words, each one of some. */
  words<W extends string>(key: K, words: readonly W[]): W[] {
    return this.#list(key).map((node, i) => {
      const place = { node, at: `${this.nameOf(key)}[${i}]` };
      return this.#known(scalarText(this.#file, node, place.at), words, place);
    });
  }

  /** Whether the value of a key is one plain value. */
  isScalar(key: K): boolean {
    return isScalar(this.#values.get(key));
  }

  /** A text that may be empty, such as a file's content. */
  content(key: K): string | undefined {
    return this.#scalar(key);
  }

  /** The whole mapping as JSON. */
  fields(): Readonly<Record<string, JsonValue>> {
    return this.#node === undefined ? {} : objectOf(this.#file, this.#node, this.at);
  }

  #place(key: K, node: Node): Place {
    return { file: this.#file, node, at: this.nameOf(key) };
  }

  #known<W extends string>(text: string, words: readonly W[], place: Pick<Place, 'node' | 'at'>): W {
    return (
      words.find((word) => word === text) ??
      this.#file.refuse(place, `${JSON.stringify(text)} is unknown; ${otherwise(text, words, 'it is')}`)
    );
  }

  #scalar(key: K): string | undefined {
    const node = this.#values.get(key);
    return node === undefined ? undefined : scalarText(this.#file, node, this.nameOf(key));
  }

  #list(key: K): readonly Node[] {
    const node = this.#values.get(key);
    if (node === undefined) return [];
    if (isSeq(node)) return node.items as Node[];
    return this.#file.refuse(this.#place(key, node), `want a list, got ${kindOf(node)}`);
  }

  #keyNode(key: string): Node | undefined {
    const pair = this.#node?.items.find((item) => keyText(item.key) === key);
    return pair?.key as Node | undefined;
  }
}

function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : key.source;
}

function isEmpty(node: Node | null | undefined): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

function scalarText(file: YamlFile, node: Node, at: string): string {
  if (!isScalar(node)) return file.refuse({ node, at }, `want a text, got ${kindOf(node)}`);
  const text = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
  if (!text.isWellFormed()) file.refuse({ node, at }, 'the text holds half a surrogate pair');
  return text;
}

const ALIAS = 'an alias; write out what it stands for';

/** An object without a prototype, so that a name such as `__proto__` is one like any other. */
function objectOf(file: YamlFile, map: YAMLMap, at: string, depth = 0): Record<string, JsonValue> {
  const object: Record<string, JsonValue> = Object.create(null);
  for (const { key, value } of map.items) {
    const name = keyText(key) ?? file.refuse({ node: key as Node, at }, 'want a plain word as a key');
    object[name] = value === null ? null : jsonOf(file, value as Node, `${at}.${name}`, depth + 1);
  }
  return object;
}

/** How deep a free value may nest: a landed record that nests much deeper could not be read back. */
const MAX_DEPTH = 64;
const TOO_DEEP = `a value nests more than ${MAX_DEPTH} deep`;

/** How deep a whole file may: free values at their deepest, in children of children. */
const MAX_FILE_DEPTH = 256;

function jsonOf(file: YamlFile, node: Node, at: string, depth: number): JsonValue {
  if (depth > MAX_DEPTH) file.refuse({ node, at: '' }, TOO_DEEP);
  if (isMap(node)) return objectOf(file, node, at, depth);
  if (isSeq(node)) return node.items.map((item, i) => jsonOf(file, item as Node, `${at}[${i}]`, depth + 1));
  if (!isScalar(node)) return file.refuse({ node, at }, ALIAS);
  const { value } = node;
  if (typeof value === 'string') return scalarText(file, node, at);
  if (value === null || typeof value === 'boolean') return value;
  const isExact =
    typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return isExact
    ? value
    : file.refuse({ node, at }, `${node.source} is not a number JSON can hold; quote it`);
}

function kindOf(node: Node | null | undefined): string {
  if (isSeq(node)) return 'a list';
  if (isMap(node)) return 'a mapping';
  if (isAlias(node)) return 'an alias';
  return isScalar(node) ? JSON.stringify(node.source ?? node.value) : 'nothing';
}

/** `a, b or c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** What an unknown word may have been: the known one it is close to, or else any of them. */
function otherwise(word: string, known: readonly string[], verb: string): string {
  const near = nearest(word, known);
  return editsBetween(word, near) <= Math.floor((near.length + 1) / 3)
    ? `did you mean ${JSON.stringify(near)}?`
    : `${verb} ${listed(known)}`;
}

/** The known word that takes the fewest edits from a written one; the first of equals. */
export function nearest(word: string, known: readonly string[]): string {
  let best = known[0] ?? '';
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const edits = editsBetween(word, candidate);
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= Math.min(a.length, MAX_COMPARED); i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}

/** No known word is nearly as long; a longer one must not cost its square. */
const MAX_COMPARED = 64;
