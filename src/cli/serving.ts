/** What `asz view` and `asz server` have in common: where they listen, and what they say when they do. */
import { causeText } from '../format/errors.js';
import { addressText, isLoopback, readAddress } from '../http/address.js';
import { type RunningServer, startServer } from '../server/http-server.js';
import type { Status } from '../server/status.js';
import { listedConversations } from '../view/conversation-list.js';
import type { CommandContext } from './context.js';

const DEFAULT_ADDRESS = '127.0.0.1:8787';

/** Starts the server the arguments and the configuration ask for. `status` is that of a pipeline beside it. */
export function serve(
  { args, config, warn }: CommandContext,
  watchIntervalMs: number,
  status?: () => Status,
): Promise<RunningServer> {
  const { storage, view } = config();
  return startServer({
    ...{
      root: storage.root,
      address: readAddress(args[0] ?? DEFAULT_ADDRESS, DEFAULT_ADDRESS),
      watchIntervalMs,
    },
    ...{ hosts: view.hosts, hide: view.hide, ...(status && { status }) },
    onError: (path, cause) => warn(`  error: ${path}: ${causeText(cause)}`),
  });
}

/** Says what is served and where. */
export function announce({ print, warn, config }: CommandContext, { address }: RunningServer): void {
  print(`serving  : ${listedConversations(config().storage.root).length} conversation(s)`);
  print('');
  print(`   http://${addressText(address)}`);
  print('');
  if (!isLoopback(address.host))
    warn(
      'other machines can reach this address, and nobody is asked who they are: transcripts may hold secrets',
    );
  warn('ctrl-c to stop');
}

/** Resolves when the process is asked to end. */
export function stopped({ signal }: CommandContext): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
