import { collectorLoop } from '../collector/loop.js';
import type { PassReport } from '../collector/pass.js';
import { type LocalSource, localSources } from '../collector/sources.js';
import { AszError } from '../format/errors.js';
import { makeFolder } from '../io/publish.js';
import { CollectorMemory } from '../landing/collect-root.js';
import type { CommandContext } from './context.js';
import { clockText, durationText, jsonLine, printable } from './print.js';
import { Progress } from './progress.js';

/** `asz collect`: lands what agents wrote and parses what moved, once or on an interval (cli spec 3.2). */
export async function run(context: CommandContext): Promise<number> {
  const { options, config, environment, stderr, signal } = context;
  const { adapters, storage, parse } = config();
  const sources = localSources(config(), environment);
  if (!adapters.some(({ enabled }) => enabled)) throw new AszError('CONFIG', 'collect: no enabled adapter');
  if (sources.length === 0) {
    context.warn('source   : no local adapter enabled; nothing is collected');
    throw new AszError('CONFIG', 'collect: no local source found under the configured adapters');
  }
  const single =
    options.switch('once') || sources.every(({ settings }) => settings.collector.mode === 'once');
  const intervalMs = Math.min(...sources.map(({ settings }) => settings.collector.intervalMs));
  makeFolder(storage.root);
  const json = options.switch('json');
  if (!json) introduce(context, storage.root, sources, single ? undefined : intervalMs);
  const progress = new Progress(stderr);
  const last = await collectorLoop({
    storageRoot: storage.root,
    sources: sources.map(({ adapter, sourceRoot, settings }) => ({
      adapter,
      sourceRoot,
      filter: settings,
      maxDeltaBytes: settings.collector.maxDeltaBytes,
      memory: new CollectorMemory(),
    })),
    maxRoundBytes: parse.maxRoundBytes,
    jobs: options.count('jobs'),
    now: () => ({ ms: Date.now(), ns: 0 }),
    signal,
    single,
    intervalMs,
    onProgress: (text) => progress.show(text),
    onPass: (report, durationMs, first) => {
      progress.clear();
      if (json) context.stdout.write(`${jsonLine(asJson(report, durationMs))}\n`);
      else if (first || isWorthALine(report)) context.print(passLine(report, durationMs));
      for (const warning of report.warnings) context.warn(`  warning: ${warning}`);
      for (const error of report.errors) context.warn(`  error: ${error}`);
    },
  });
  // Asked to stop while watching is a clean end; a single pass cut short is not what was asked for.
  if (single) signal.throwIfAborted();
  if (single && last.errors.length > 0) throw new AszError('COLLECT', last.errors.map(printable).join('\n'));
  return 0;
}

function introduce(
  { print }: CommandContext,
  root: string,
  sources: readonly LocalSource[],
  intervalMs: number | undefined,
): void {
  const how = intervalMs === undefined ? 'once' : `every ${durationText(intervalMs)}`;
  print(`storage root: ${root}`);
  print(`source   : ${sources.map(({ sourceRoot }) => sourceRoot).join(', ')} (${how})`);
}

function passLine({ sessions, landed, records, rounds, busy }: PassReport, durationMs: number): string {
  const held = busy > 0 ? ` busy=${busy}` : '';
  const counts = `sessions=${sessions} landed=${landed} records=${records} rounds=${rounds}${held}`;
  return `[${clockText(new Date())}] refreshed: ${counts} (${durationText(durationMs)})`;
}

/** A quiet pass prints nothing. */
function isWorthALine({ landed, rounds, busy, errors }: PassReport): boolean {
  return landed > 0 || rounds > 0 || busy > 0 || errors.length > 0;
}

function asJson(
  { sessions, landed, records, rounds, busy, errors, warnings }: PassReport,
  durationMs: number,
) {
  return { sessions, landed, records, rounds, busy, errors, warnings, duration_ms: Math.round(durationMs) };
}
