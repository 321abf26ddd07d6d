/** Lists by number: who has to be told when something about a tool, a batch or a stream changes. */
export class Groups<T = number> {
  readonly #lists = new Map<number, T[]>();

  add(key: number, member: T): void {
    const list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, [member]);
    else list.push(member);
  }

  of(key: number): readonly T[] {
    return this.#lists.get(key) ?? NONE;
  }
}

const NONE: readonly never[] = [];
