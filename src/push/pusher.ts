import { type PushOptions, type PushReport, pushRoot } from './push-root.js';
import type { Receiver } from './receiver.js';

/** What of a push stays the same from pass to pass. */
export type PushSettings = Omit<PushOptions, 'lockMs' | 'signal'>;

/** How long a call that was asked to send waits for another that is sending. */
export const LOCK_MS = 120_000;

/** The longest that a receiver is left alone for: a number without sense must not end the pushing for years. */
const MAX_HELD_MS = 3_600_000;

/** Pushes one root again and again, and remembers until when the receiver wants to be left alone. */
export class Pusher {
  readonly #settings: PushSettings;
  #heldUntilMs = 0;

  constructor(settings: PushSettings) {
    this.#settings = settings;
  }

  get receiver(): Receiver {
    return this.#settings.receiver;
  }

  /** What is left of the wait that the receiver asked for; 0 for none. */
  get heldMs(): number {
    return Math.max(0, this.#heldUntilMs - this.#settings.now().ms);
  }

  /** One pass; throws as `pushRoot` does. */
  async push(lockMs: number, signal: AbortSignal): Promise<PushReport> {
    const report = await pushRoot({ ...this.#settings, lockMs, signal });
    this.#heldUntilMs = this.#settings.now().ms + Math.min(report.throttledMs ?? 0, MAX_HELD_MS);
    return report;
  }
}
