/**
 * One mapping of the configuration file, read key by key. A key that is left out or null takes the default; a
 * value of another type throws a `TypeError` that names the key by its whole path: `adapters[0].enabled`.
 */
export class Section {
  readonly #name: string;
  readonly #members: ReadonlyMap<string, unknown>;

  constructor(name: string, value: unknown) {
    this.#name = name;
    if (value === null || value === undefined) this.#members = new Map();
    else if (typeof value === 'object' && !Array.isArray(value))
      this.#members = new Map(Object.entries(value).filter(([, member]) => member !== null));
    else throw new TypeError(`${name || 'the file'} is ${kindOf(value)}, not a mapping`);
  }

  /** The whole path of a key, for messages. */
  nameOf(key: string): string {
    return this.#name === '' ? key : `${this.#name}.${key}`;
  }

  section(key: string): Section {
    return new Section(this.nameOf(key), this.#members.get(key));
  }

  sections(key: string): Section[] {
    return this.#list(key, []).map((value, i) => new Section(`${this.nameOf(key)}[${i}]`, value));
  }

  /** A number or a truth value is taken for its text: `layer: 5` means "5". */
  text(key: string, otherwise: string): string {
    const value = this.#members.get(key) ?? '';
    return textOf(this.nameOf(key), value) || otherwise;
  }

  texts(key: string, otherwise: readonly string[]): string[] {
    return this.#list(key, otherwise).map((value, i) => textOf(`${this.nameOf(key)}[${i}]`, value ?? ''));
  }

  /** Its values may be secrets, which no error quotes. */
  textMap(key: string): Record<string, string> {
    const value = this.#members.get(key);
    if (value !== undefined && typeof value !== 'object')
      throw new TypeError(`${this.nameOf(key)} is a value, not a mapping`);
    const map = this.section(key);
    return Object.fromEntries([...map.#members].map(([k, value]) => [k, textOf(map.nameOf(k), value)]));
  }

  /** Besides true and false the words of YAML 1.1, which other readers of the same file take. */
  flag(key: string, otherwise: boolean): boolean {
    const value = this.#members.get(key);
    if (value === undefined) return otherwise;
    if (typeof value === 'boolean') return value;
    const word = typeof value === 'string' ? value.toLowerCase() : '';
    if (word === 'yes' || word === 'on') return true;
    if (word === 'no' || word === 'off') return false;
    throw new TypeError(`${this.nameOf(key)} is ${kindOf(value)}, not true or false`);
  }

  /** A number of bytes; zero and less mean the default. */
  size(key: string, otherwise: number): number {
    const value = this.#members.get(key) ?? 0;
    if (!Number.isSafeInteger(value))
      throw new TypeError(`${this.nameOf(key)} is ${kindOf(value)}, not a whole number of bytes`);
    return Number(value) > 0 ? Number(value) : otherwise;
  }

  #list(key: string, otherwise: readonly unknown[]): readonly unknown[] {
    const value = this.#members.get(key) ?? otherwise;
    if (!Array.isArray(value)) throw new TypeError(`${this.nameOf(key)} is ${kindOf(value)}, not a list`);
    return value;
  }
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError(`${name} is ${kindOf(value)}, not a text`);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : JSON.stringify(value);
}
