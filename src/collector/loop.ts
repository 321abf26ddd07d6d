/** The collector's loop: a pass, a pause, a pass, until it is told to stop (cli spec 3.3). */
import { setTimeout } from 'node:timers/promises';
import { collectPass, type PassOptions, type PassReport } from './pass.js';

export interface LoopOptions extends Omit<PassOptions, 'behind'> {
  /** From the end of one pass to the start of the next. */
  readonly intervalMs: number;
  /** Told of every pass, with its duration. */
  readonly onPass: (report: PassReport, durationMs: number, first: boolean) => void;
}

/** Runs until the signal is aborted, or for one pass. Gives the last pass's report. */
export async function collectorLoop(options: LoopOptions): Promise<PassReport> {
  let behind: PassOptions['behind'] = 'all';
  for (let first = true; ; first = false) {
    const began = performance.now();
    const report = await collectPass({ ...options, behind });
    options.onPass(report, performance.now() - began, first);
    if (options.single || options.signal.aborted) return report;
    behind = new Set([...report.held, ...report.beingLanded]);
    try {
      await setTimeout(options.intervalMs, undefined, { signal: options.signal });
    } catch (cause) {
      if (options.signal.aborted) return report; // Told to stop while pausing: that is the end, not a fault.
      throw cause;
    }
  }
}
