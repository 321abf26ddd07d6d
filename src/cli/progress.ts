import type { Terminal } from './context.js';
import { printable, shortened } from './print.js';

/** Ten a second is as much as anybody can read, and writing to a terminal is slow. */
const MIN_INTERVAL_MS = 100;

const DEFAULT_COLUMNS = 80;

/**
 * One line on standard error that says how far a command is, overwritten in place. It exists only while standard
 * error is a terminal; in a pipe or a log nothing is written.
 */
export class Progress {
  readonly #terminal: Terminal | undefined;
  readonly #now: () => number;
  #shownAt = Number.NEGATIVE_INFINITY;
  #visible = false;

  constructor(stderr: Terminal, now: () => number = () => performance.now()) {
    this.#terminal = stderr.isTTY === true ? stderr : undefined;
    this.#now = now;
  }

  /** Shows `text`, unless another was shown a moment ago. */
  show(text: string): void {
    if (this.#terminal === undefined || this.#now() - this.#shownAt < MIN_INTERVAL_MS) return;
    this.#shownAt = this.#now();
    this.#visible = true;
    const columns = this.#terminal.columns ?? DEFAULT_COLUMNS;
    this.#terminal.write(`\r\x1b[K${shortened(printable(text), columns - 1)}`);
  }

  /** Takes the line away; to be called before anything else is printed, and at the end. */
  clear(): void {
    if (!this.#visible) return;
    this.#visible = false;
    this.#shownAt = Number.NEGATIVE_INFINITY;
    this.#terminal?.write('\r\x1b[K');
  }
}
