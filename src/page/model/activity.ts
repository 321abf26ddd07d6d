/** A stream at a glance, for the minimap: how much happened where along its time axis, and where something failed. */
import { isFailure } from './filters.js';
import type { Moment } from './moments.js';
import type { TimeAxis } from './time-axis.js';

export interface ActivityBin {
  readonly steps: number;
  readonly failed: number;
}

/** Equal bins along the axis. @param bins at least 1 */
export function activityOf(moments: readonly Moment[], axis: TimeAxis, bins: number): readonly ActivityBin[] {
  const steps = new Uint32Array(bins);
  const failed = new Uint32Array(bins);
  for (const { node, at } of moments) {
    const bin = Math.min(bins - 1, Math.floor((axis.xOf(at) / axis.width) * bins));
    steps[bin]!++;
    if (isFailure(node)) failed[bin]!++;
  }
  return Array.from(steps, (count, bin) => ({ steps: count, failed: failed[bin]! }));
}
