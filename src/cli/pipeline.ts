/** The collector's pipeline as commands run it: what it is made of, and what it prints (cli spec 3.2). */
import type { LoopOptions } from '../collector/loop.js';
import type { PassReport } from '../collector/pass.js';
import { type LocalSource, localSources } from '../collector/sources.js';
import { CollectorMemory } from '../landing/collect-root.js';
import type { Pusher } from '../push/pusher.js';
import type { CommandContext } from './context.js';
import { clockText, durationText, jsonLine } from './print.js';
import { Progress } from './progress.js';
import { pusherOf, receiverText } from './pushing.js';

/** A pipeline that is ready to run. */
export interface Pipeline {
  readonly sources: readonly LocalSource[];
  readonly intervalMs: number;
  /** One pass, or passes until stopped. */
  readonly single: boolean;
  /** Absent: nothing is sent. */
  readonly pusher: Pusher | undefined;
  /** What the loop needs; each pass is printed, and then told to `onPass`. */
  loop(onPass?: (report: PassReport, durationMs: number) => void): LoopOptions;
}

/** The pipeline the configuration describes; `undefined` when it names no local source. */
export function pipelineOf(context: CommandContext): Pipeline | undefined {
  const { options, config, environment, signal } = context;
  const { storage, parse } = config();
  const sources = localSources(config(), environment);
  if (sources.length === 0) return undefined;
  const single =
    options.switch('once') || sources.every(({ settings }) => settings.collector.mode === 'once');
  const intervalMs = Math.min(...sources.map(({ settings }) => settings.collector.intervalMs));
  const pusher = pusherOf(config());
  return {
    sources,
    intervalMs,
    single,
    pusher,
    loop(onPass) {
      const progress = new Progress(context.stderr);
      return {
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
        pusher,
        onProgress: (text) => progress.show(text),
        onPass: (report, durationMs, first) => {
          progress.clear();
          printPass(context, report, durationMs, first);
          onPass?.(report, durationMs);
        },
      };
    },
  };
}

/** Where it collects, before the first pass. */
export function introduce(
  { print }: CommandContext,
  { sources, single, intervalMs, pusher }: Pipeline,
): void {
  const how = single ? 'once' : `every ${durationText(intervalMs)}`;
  print(`source   : ${sources.map(({ sourceRoot }) => sourceRoot).join(', ')} (${how})`);
  print(
    pusher === undefined
      ? 'export   : none; set export.otlp.endpoint to send what is landed'
      : `export   : ${receiverText(pusher.receiver)}, at the end of every pass`,
  );
}

function printPass(context: CommandContext, report: PassReport, durationMs: number, first: boolean): void {
  if (context.options.switch('json')) context.stdout.write(`${jsonLine(asJson(report, durationMs))}\n`);
  else if (first || isWorthALine(report)) context.print(passLine(report, durationMs));
  for (const warning of report.warnings) context.warn(`  warning: ${warning}`);
  for (const error of report.errors) context.warn(`  error: ${error}`);
}

function passLine(report: PassReport, durationMs: number): string {
  const { sessions, landed, records, rounds, busy, pushed, rejected, heldMs } = report;
  const others = [
    busy > 0 ? ` busy=${busy}` : '',
    heldMs > 0 ? ` push-held=${durationText(heldMs)}` : '',
    pushed > 0 ? ` pushed=${pushed}` : '',
    rejected > 0 ? ` rejected=${rejected}` : '',
  ].join('');
  const counts = `sessions=${sessions} landed=${landed} records=${records} rounds=${rounds}${others}`;
  return `[${clockText(new Date())}] refreshed: ${counts} (${durationText(durationMs)})`;
}

/** A quiet pass prints nothing. */
function isWorthALine({ landed, rounds, busy, pushed, errors }: PassReport): boolean {
  return landed > 0 || rounds > 0 || busy > 0 || pushed > 0 || errors.length > 0;
}

function asJson(
  { sessions, landed, records, rounds, busy, pushed, rejected, errors, warnings }: PassReport,
  durationMs: number,
) {
  const counts = { sessions, landed, records, rounds, busy, pushed, rejected };
  return { ...counts, errors, warnings, duration_ms: Math.round(durationMs) };
}
