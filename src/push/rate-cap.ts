/** At most so many bytes a minute: a bucket that is full at first and filled again as time goes by (export spec 8). */
export class RateCap {
  readonly #capacity: number;
  #held: number;
  #atMs: number;

  /** `bytesPerMinute` 0: no limit. */
  constructor(bytesPerMinute: number, nowMs: number) {
    this.#capacity = bytesPerMinute;
    this.#held = bytesPerMinute;
    this.#atMs = nowMs;
  }

  /** How long a request of this size has to wait; a larger one than a minute's bytes waits for a full bucket. */
  waitMs(bytes: number, nowMs: number): number {
    if (this.#capacity === 0) return 0;
    this.#fill(nowMs);
    const missing = Math.min(bytes, this.#capacity) - this.#held;
    return missing <= 0 ? 0 : Math.ceil((missing / this.#capacity) * MINUTE_MS);
  }

  /** A request is sent. */
  take(bytes: number, nowMs: number): void {
    this.#fill(nowMs);
    this.#held = Math.max(0, this.#held - bytes);
  }

  /** The receiver asked for less. */
  empty(nowMs: number): void {
    this.#fill(nowMs);
    this.#held = 0;
  }

  #fill(nowMs: number): void {
    const passed = Math.max(0, nowMs - this.#atMs);
    this.#held = Math.min(this.#capacity, this.#held + (this.#capacity * passed) / MINUTE_MS);
    this.#atMs = nowMs;
  }
}

const MINUTE_MS = 60_000;
