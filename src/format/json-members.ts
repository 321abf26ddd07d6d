/**
 * The members of a JSON object under the formats' rule of types: `null` and absence are the empty value,
 * another type than the expected one throws, unknown keys are ignored.
 */
export class Members {
  readonly #members: Record<string, unknown>;

  constructor(value: unknown) {
    if (value !== null && (typeof value !== 'object' || Array.isArray(value)))
      throw new TypeError(`${nameOf(value)} is not an object`);
    this.#members = (value ?? {}) as Record<string, unknown>;
  }

  value(key: string): unknown {
    return Object.hasOwn(this.#members, key) ? this.#members[key] : undefined;
  }

  /** Strings come back well-formed: a lone surrogate is U+FFFD (storage spec 3.3). */
  text(key: string): string {
    const value = this.value(key) ?? '';
    if (typeof value !== 'string') throw new TypeError(`${key} is ${nameOf(value)}, not a string`);
    return value.isWellFormed() ? value : value.toWellFormed();
  }

  texts(key: string): string[] {
    return this.#list(key).map((item) => {
      if (item === null) return '';
      if (typeof item !== 'string') throw new TypeError(`${key} holds ${nameOf(item)}, not a string`);
      return item.toWellFormed();
    });
  }

  /** A whole number that fits signed 64 bit. */
  integer(key: string): number {
    const value = this.value(key) ?? 0;
    if (typeof value !== 'number' || !Number.isInteger(value) || value >= 2 ** 63 || value < -(2 ** 63))
      throw new TypeError(`${key} is ${nameOf(value)}, not a whole number`);
    return value;
  }

  /** A whole number from 0 that fits unsigned 64 bit. */
  natural(key: string): number {
    const value = this.value(key) ?? 0;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= 2 ** 64)
      throw new TypeError(`${key} is ${nameOf(value)}, not a whole number from 0`);
    return value;
  }

  boolean(key: string): boolean | undefined {
    const value = this.value(key) ?? undefined;
    if (value !== undefined && typeof value !== 'boolean')
      throw new TypeError(`${key} is ${nameOf(value)}, not true or false`);
    return value;
  }

  object<T>(key: string, read: (members: Members) => T): T | undefined {
    const value = this.value(key) ?? undefined;
    return value === undefined ? undefined : read(new Members(value));
  }

  objects<T>(key: string, read: (members: Members) => T): T[] {
    return this.#list(key).map((item) => read(new Members(item)));
  }

  #list(key: string): unknown[] {
    const value = this.value(key) ?? [];
    if (!Array.isArray(value)) throw new TypeError(`${key} is ${nameOf(value)}, not a list`);
    return value;
  }
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number') return `the number ${value}`;
  return typeof value === 'string' ? 'a string' : String(value);
}
