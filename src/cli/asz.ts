#!/usr/bin/env node
import { causeText, isErrno } from '../format/errors.js';
import { main } from './main.js';

/**
 * Standard output that takes no more ends the call at once; what was under way is at worst a temporary file, as
 * after any kill. A reader that went away, `asz index cat s1 | head -1`, is nothing wrong; a full disk is.
 */
function endWithOutput(error: Error): void {
  if (isErrno(error, 'EPIPE')) process.exit(0);
  process.stderr.write(`asz: standard output: ${causeText(error)}\n`);
  process.exit(1);
}

/** A second signal finds no handler any more, and ends the process at once. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

let signal: AbortSignal | undefined;

process.stdout.on('error', endWithOutput);
process.stderr.on('error', () => process.exit(1));

// Only the code is set: process.exit would cut off what stdout has not written yet.
process.exitCode = await main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  workingDirectory: process.cwd(),
  interruption: () => {
    signal ??= interruption();
    return signal;
  },
});
