/**
 * Durations as Go writes them, which is how `asz.yaml` and the command line spell them: `10m`, `1h30m`, `1.5s`.
 */

const UNITS_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const DURATION = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const STEP = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/** Milliseconds, possibly a fraction of one; `undefined` for text that is no duration. Only 0 needs no unit. */
export function parseDuration(text: string): number | undefined {
  if (/^[+-]?0$/.test(text)) return 0;
  if (!DURATION.test(text)) return undefined;
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(STEP)) ms += Number(amount) * UNITS_MS[unit!]!;
  return text.startsWith('-') ? -ms : ms;
}

const DAY_MS = 86_400_000;

/**
 * How far back: a duration, whole days as `3d`, or everything (`none`, or a zero), which is `Infinity`.
 * Gives the rule broken, to be put after the text, when it is none of these.
 */
export function parseLookback(text: string): number | { readonly rule: string } {
  if (text === 'none') return Number.POSITIVE_INFINITY;
  if (text.endsWith('d')) {
    if (!/^\d+d$/.test(text)) return { rule: 'is not a number of days' };
    return Number(text.slice(0, -1)) * DAY_MS || Number.POSITIVE_INFINITY;
  }
  const ms = parseDuration(text);
  if (ms === undefined || ms < 0) return { rule: 'is not a duration such as 24h or 7d' };
  return ms || Number.POSITIVE_INFINITY;
}
