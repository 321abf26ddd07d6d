import type { Readable, Writable } from 'node:stream';
import type { Config } from '../config/config.js';
import type { ParsedArguments } from './arguments.js';

/** What a command is given. It prints, and gives back its exit code; what it throws is printed for it. */
export interface CommandContext {
  readonly options: ParsedArguments;
  readonly args: readonly string[];
  /**
   * The configuration, read at the first call. Throws for a command whose row in the table says it reads none.
   * Enabled adapters nobody knows have been named on standard error by then.
   */
  config(): Config;
  /** A line of text for people on standard output: control characters in it are made visible. */
  print(line: string): void;
  /** The same on standard error. */
  warn(line: string): void;
  /** For what programs read, and must get byte for byte. */
  readonly stdout: Writable;
  readonly stderr: Terminal;
  readonly stdin: Readable;
  readonly environment: NodeJS.ProcessEnv;
  /**
   * Aborted by the first SIGINT or SIGTERM. Asking for it is a promise to heed it: until then those signals
   * end the process at once, as they should while a command works synchronously.
   */
  readonly signal: AbortSignal;
}

/** A stream that may be a terminal. */
export type Terminal = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What a command's module exports. */
export interface CommandModule {
  run(context: CommandContext): Promise<number>;
}
