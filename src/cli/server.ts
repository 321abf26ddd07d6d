import { collectorLoop } from '../collector/loop.js';
import { AszError, causeText } from '../format/errors.js';
import { makeFolder } from '../io/folders.js';
import { type Status, staticStatus } from '../server/status.js';
import type { CommandContext } from './context.js';
import { introduce, type Pipeline, pipelineOf } from './pipeline.js';
import { announce, serve, stopped } from './serving.js';

/** `asz server`: the pipeline and the page in one process (cli spec 3.9). */
export async function run(context: CommandContext): Promise<number> {
  const { storage } = context.config();
  const pipeline = pipelineOf(context);
  if (pipeline === undefined)
    throw new AszError(
      'CONFIG',
      `server: no local source to collect from; run asz view to serve ${storage.root} as it is`,
    );
  makeFolder(storage.root);
  const status = pipelineStatus(pipeline);
  const server = await serve(context, pipeline.intervalMs, () => status);
  context.print(`reading  : ${storage.root}`);
  introduce(context, pipeline);
  announce(context, server);
  // It is reachable before the first pass, and stays so when passes fail or there is only one.
  const collecting = collect(pipeline, status, () => server.watch.check()).catch((cause) => {
    status.last_error = causeText(cause);
    status.refreshing = false;
    context.warn(`  error: ${causeText(cause)}`);
  });
  await stopped(context);
  await server.close();
  await collecting;
  return 0;
}

function pipelineStatus({ sources, single, intervalMs }: Pipeline): Status {
  return {
    ...staticStatus(),
    mode: single ? 'once' : 'watch',
    adapter: sources.map(({ adapter }) => adapter.name).join(', '),
    source: sources.map(({ sourceRoot }) => sourceRoot).join(', '),
    interval_ms: intervalMs,
    refreshing: true,
  };
}

/** Runs the loop beside the answers and keeps the status; `onNew` is called after every pass. */
async function collect(pipeline: Pipeline, status: Status, onNew: () => void): Promise<void> {
  const { single, intervalMs } = pipeline;
  await collectorLoop({
    ...pipeline.loop(({ landed, records, rounds, errors }, durationMs) => {
      Object.assign(status, { landed, records, rounds, took_ms: Math.round(durationMs), refreshing: false });
      status.last_refresh = Date.now();
      status.next_refresh = single ? 0 : status.last_refresh + intervalMs;
      if (errors.length === 0) delete status.last_error;
      else status.last_error = errors.join('\n');
      onNew();
    }),
    apart: true,
  });
}
