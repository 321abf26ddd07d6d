import { collectorLoop } from '../collector/loop.js';
import { AszError } from '../format/errors.js';
import { makeFolder } from '../io/folders.js';
import type { CommandContext } from './context.js';
import { introduce, pipelineOf } from './pipeline.js';
import { printable } from './print.js';

/** `asz collect`: lands what agents wrote and parses what moved, once or on an interval (cli spec 3.2). */
export async function run(context: CommandContext): Promise<number> {
  const { options, config, signal } = context;
  const { adapters, storage } = config();
  if (!adapters.some(({ enabled }) => enabled)) throw new AszError('CONFIG', 'collect: no enabled adapter');
  const pipeline = pipelineOf(context);
  if (pipeline === undefined) {
    context.warn('source   : no local adapter enabled; nothing is collected');
    throw new AszError('CONFIG', 'collect: no local source found under the configured adapters');
  }
  makeFolder(storage.root);
  if (!options.switch('json')) {
    context.print(`storage root: ${storage.root}`);
    introduce(context, pipeline);
  }
  const last = await collectorLoop(pipeline.loop());
  // Asked to stop while watching is a clean end; a single pass cut short is not what was asked for.
  if (pipeline.single) signal.throwIfAborted();
  if (pipeline.single && last.errors.length > 0)
    throw new AszError('COLLECT', last.errors.map(printable).join('\n'));
  return 0;
}
