/**
 * Numbers that look random and are the same for the same seed, on every machine: mulberry32, a counter and three
 * multiplications. Corpora are drawn from it, never from `Math.random` or a clock.
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 to 2^32 - 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + (this.next() % (high - low + 1));
  }

  /** True in `percent` of a hundred draws. */
  chance(percent: number): boolean {
    return this.next() < (percent / 100) * 2 ** 32;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.next() % values.length]!;
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.next().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  uuid(): string {
    const digits = this.hex(32);
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
  }
}
