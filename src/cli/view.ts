import { AszError } from '../format/errors.js';
import { listSessions } from '../io/storage-root.js';
import { listedConversations } from '../view/conversation-list.js';
import type { CommandContext } from './context.js';
import { announce, serve, stopped } from './serving.js';

/** `asz view`: serves what a root holds, and only reads it (view spec 7.1, cli spec 3.9). */
export async function run(context: CommandContext): Promise<number> {
  const { storage, adapters } = context.config();
  listSessions(storage.root); // Says that there is no such root.
  if (listedConversations(storage.root).length === 0)
    throw new AszError(
      'STORAGE',
      `no conversations in ${storage.root}; run asz collect first, or asz server to do both`,
    );
  const intervals = adapters.filter(({ enabled }) => enabled).map(({ collector }) => collector.intervalMs);
  const server = await serve(context, Math.min(DEFAULT_INTERVAL_MS, ...intervals));
  const told = stopped(context); // Before anybody reads that ctrl-c stops it.
  context.print(`reading  : ${storage.root}`);
  announce(context, server);
  await told;
  await server.close();
  return 0;
}

/** How often a root is looked at that no collector is configured for. */
const DEFAULT_INTERVAL_MS = 600_000;
